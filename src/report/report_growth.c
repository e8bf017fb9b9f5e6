// report_growth.c - how the times of a profile grow with twice the agents: of every algorithm, and
// their mean, which is what Figure 3 of the paper shows.
#include <stdio.h>

#include "doc_inside.h"
#include "profile_inside.h"

static void add_values(const SlGrowth *growth, SlDoc *doc) {
    sl_doc_plain(doc, "all", growth->all);
    sl_doc_plain(doc, "update", growth->update);
    for (int p = 0; p < SL_N_PHASES; p++) sl_doc_plain(doc, sl_phase_names[p], growth->phases[p]);
}

// null without a case of twice the agents
void sl_profile_add_growth(const SlProfile *profile, int i, SlDoc *doc) {
    SlGrowth growth;
    if (!sl_profile_growth(profile, i, &growth)) {
        sl_doc_null(doc, "growth");
        return;
    }
    sl_doc_open(doc, "growth", NULL);
    add_values(&growth, doc);
    sl_doc_close(doc);
}

void sl_profile_add_means(const SlProfile *profile, SlDoc *doc) {
    SlGrowth mean;
    sl_doc_rows(doc, "growth_means", NULL);
    for (int i = 0; i < profile->n; i++) {
        const SlEngineSetup *setup = &profile->setups[i];
        if (!sl_profile_mean_growth(profile, i, &mean)) continue;
        sl_doc_row(doc);
        sl_doc_string(doc, "env", NULL, setup->world.world->name);
        sl_doc_plain(doc, "agents", (double)setup->world.n_agents);
        sl_doc_string(doc, "mode", NULL, sl_engine_mode_names[setup->mode]);
        sl_doc_string(doc, "layout", NULL, sl_replay_layout_names[setup->layout]);
        sl_doc_string(doc, "sampling", NULL, sl_sampling_names[setup->sampling]);
        add_values(&mean, doc);
    }
    sl_doc_close(doc);
}

static void show_row(const SlProfile *profile, int i, const char *algo, const SlGrowth *growth,
                     SlDoc *doc) {
    const ProfileRow row = {.scope = OF_GROWTH,
                            .algo = algo,
                            .layout = sl_replay_layout_names[profile->setups[i].layout]};
    sl_profile_begin_row(profile, i, &row, doc);
    sl_profile_add_shown(doc, "all", "%.2f", growth->all);
    sl_profile_add_shown(doc, "update", "%.2f", growth->update);
    for (int p = 0; p < SL_N_PHASES; p++)
        sl_profile_add_shown(doc, sl_profile_phase_labels[p], "%.2f", growth->phases[p]);
}

// a number of agents, cases from `first` on that are in the table of `like`: algorithms, then means
static void show_group(const SlProfile *profile, int first, int like, SlDoc *doc) {
    const int end = first + sl_profile_group(profile, first);
    SlGrowth growth;
    for (int i = first; i < end; i++)
        if (sl_profile_same_table(profile, i, like) && sl_profile_growth(profile, i, &growth))
            show_row(profile, i, sl_algo_names[profile->setups[i].algo], &growth, doc);
    for (int i = first; i < end; i++)
        if (sl_profile_same_table(profile, i, like) && sl_profile_mean_growth(profile, i, &growth))
            show_row(profile, i, "mean", &growth, doc);
}

void sl_profile_show_growth(const SlProfile *profile, int like, SlDoc *doc) {
    const SlEngineSetup *setup = &profile->setups[like];
    char heading[128];
    snprintf(heading, sizeof heading, "%s, mode %s: times as long with twice the agents",
             setup->world.world->name, sl_engine_mode_names[setup->mode]);
    sl_profile_open_table(doc, heading);
    for (int i = 0; i < profile->n; i += sl_profile_group(profile, i))
        show_group(profile, i, like, doc);
    sl_doc_close(doc);
}

// report_profile.c - where the time of training goes, as a document (docs/formats/profile-json.md):
// shares, what neighbours bring, counters. Growth and simulated caches: report_growth.c,
// report_misses.c.
#include <math.h>
#include <stdio.h>

#include "doc_inside.h"
#include "profile_inside.h"

static const char *world_of(const SlProfile *profile, int i) {
    return profile->setups[i].world.world->name;
}

static const char *mode_of(const SlProfile *profile, int i) {
    return sl_engine_mode_names[profile->setups[i].mode];
}

// a world and a number of agents
static bool together(const SlProfile *profile, int a, int b) {
    const SlParticleSetup *one = &profile->setups[a].world, *two = &profile->setups[b].world;
    return one->world == two->world && one->n_agents == two->n_agents;
}

// one table for people: a world and a mode
bool sl_profile_same_table(const SlProfile *profile, int a, int b) {
    return profile->setups[a].world.world == profile->setups[b].world.world &&
           profile->setups[a].mode == profile->setups[b].mode;
}

static bool starts_table(const SlProfile *profile, int i) {
    for (int k = 0; k < i; k++)
        if (sl_profile_same_table(profile, k, i)) return false;
    return true;
}

// ---- for machines: a row per case ----

static void add_time(SlDoc *doc, const SlPhaseTime *time) {
    sl_doc_plain(doc, "median_ms", time->median);
    sl_doc_plain(doc, "low_ms", time->low);
    sl_doc_plain(doc, "high_ms", time->high);
}

static void add_phases(const SlEngineProfile *one, SlDoc *doc) {
    sl_doc_open(doc, "all", NULL);
    add_time(doc, &one->all);
    sl_doc_close(doc);
    sl_doc_plain(doc, "update_ms", sl_profile_update(one));
    sl_doc_open(doc, "phases", NULL);
    for (int p = 0; p < SL_N_PHASES; p++) {
        sl_doc_open(doc, sl_phase_names[p], NULL);
        add_time(doc, &one->phases[p]);
        sl_doc_plain(doc, "share", sl_profile_share(one, (SlPhase)p));
        sl_doc_close(doc);
    }
    sl_doc_close(doc);
}

static void add_counters(const SlEngineProfile *one, SlDoc *doc) {
    sl_doc_open(doc, "sampling_counters", NULL);
    for (int c = 0; c < SL_N_COUNTERS; c++) {
        if (isnan(one->counts[c]))
            sl_doc_string(doc, sl_counter_names[c], NULL, "unavailable");
        else
            sl_doc_plain(doc, sl_counter_names[c], one->counts[c]);
    }
    sl_doc_close(doc);
}

static void add_case(const SlProfile *profile, int i, SlDoc *doc) {
    const SlEngineSetup *setup = &profile->setups[i];
    const SlEngineProfile *one = &profile->times[i];
    sl_doc_row(doc);
    sl_doc_string(doc, "env", NULL, setup->world.world->name);
    sl_doc_plain(doc, "agents", (double)setup->world.n_agents);
    sl_doc_string(doc, "algo", NULL, sl_algo_names[setup->algo]);
    sl_doc_string(doc, "mode", NULL, sl_engine_mode_names[setup->mode]);
    sl_doc_string(doc, "layout", NULL, sl_replay_layout_names[setup->layout]);
    sl_doc_string(doc, "sampling", NULL, sl_sampling_names[setup->sampling]);
    sl_doc_plain(doc, "rows", (double)one->rows);
    sl_doc_plain(doc, "row_bytes", (double)one->row_bytes);
    add_phases(one, doc);
    sl_profile_add_growth(profile, i, doc);
    add_counters(one, doc);
    sl_profile_add_misses(profile, i, doc);
}

static void add_cases(const SlProfile *profile, SlDoc *doc) {
    static const SlColumn columns[] = {
        SL_COLUMN("env", NULL),
        SL_COLUMN("agents", NULL),
        SL_COLUMN("algo", NULL),
        SL_COLUMN("mode", NULL),
        SL_COLUMN("layout", NULL),
        SL_COLUMN("sampling", NULL),
        SL_COLUMN("rows", NULL),
        SL_COLUMN("row_bytes", NULL),
        SL_COLUMN("all.median_ms", NULL, .csv = "all_ms"),
        SL_COLUMN("update_ms", NULL),
        SL_COLUMN("phases.action selection.median_ms", NULL, .csv = "action_selection_ms"),
        SL_COLUMN("phases.environment.median_ms", NULL, .csv = "environment_ms"),
        SL_COLUMN("phases.mini-batch sampling.median_ms", NULL, .csv = "sampling_ms"),
        SL_COLUMN("phases.target Q.median_ms", NULL, .csv = "target_q_ms"),
        SL_COLUMN("phases.Q loss.median_ms", NULL, .csv = "q_loss_ms"),
        SL_COLUMN("phases.P loss.median_ms", NULL, .csv = "p_loss_ms"),
        SL_COLUMN("phases.rest.median_ms", NULL, .csv = "rest_ms"),
        SL_COLUMN("sampling_counters.instructions", NULL, .csv = "instructions"),
        SL_COLUMN("sampling_counters.cache_misses", NULL, .csv = "cache_misses"),
        SL_COLUMN("sampling_counters.dtlb_load_misses", NULL, .csv = "dtlb_load_misses"),
        SL_COLUMN("simulated.read_misses.l3", NULL, .csv = "simulated_l3_misses"),
        SL_COLUMN("simulated.read_misses.dtlb_4k", NULL, .csv = "simulated_dtlb_4k_misses"),
        SL_COLUMN("simulated.read_misses.walks_4k", NULL, .csv = "simulated_walks_4k"),
    };
    sl_doc_table(doc, "cases", NULL, sizeof columns / sizeof *columns, columns);
    for (int i = 0; i < profile->n; i++) add_case(profile, i, doc);
    sl_doc_close(doc);
}

static void add_setup(const SlProfile *profile, SlDoc *doc) {
    const SlEngineSetup *like = &profile->setups[0];
    sl_doc_plain(doc, "steps", SL_PROFILE_STEPS);
    sl_doc_plain(doc, "updates", 1);
    sl_doc_plain(doc, "rounds", (double)profile->measured.rounds);
    sl_doc_plain(doc, "batch", (double)like->batch);
    sl_doc_plain(doc, "hidden", (double)like->hidden);
    sl_doc_plain(doc, "neighbors", (double)like->neighbors);
    sl_doc_plain(doc, "threads", profile->threads);
    sl_doc_plain(doc, "seed", (double)like->seed);
    sl_doc_plain(doc, "fill", (double)profile->measured.fill);
    sl_doc_plain(doc, "memory_mb", profile->measured.bytes / 1e6);
    sl_doc_plain(doc, "simulate", (double)profile->measured.simulate);
}

// ---- for people ----

// All tables choose from these columns: one without values is left out.
static const char *const labels[] = {
    "world",        "agents",      "algo",     "mode",    "layout",
    "sampling",     "ms",          "all",      "act",     "env",
    "sample",       "target",      "Q",        "P",       "update",
    "rest",         "uniform ms",  "phase",    "in all",  "instructions",
    "cache misses", "dTLB misses", "read",     "L1",      "L2",
    "L3",           "dTLB 4K",     "walks 4K", "dTLB 2M", "walks 2M"};
enum { N_LABELS = sizeof labels / sizeof *labels };
const char *const sl_profile_phase_labels[SL_N_PHASES] = {"act", "env", "sample", "target",
                                                          "Q",   "P",   "rest"};
static const char *const counter_labels[SL_N_COUNTERS] = {"instructions", "cache misses",
                                                          "dTLB misses"};

void sl_profile_open_table(SlDoc *doc, const char *heading) {
    SlColumn columns[N_LABELS];
    for (int c = 0; c < N_LABELS; c++) columns[c] = (SlColumn){.label = labels[c]};
    sl_doc_table(doc, NULL, heading, N_LABELS, columns);
}

void sl_profile_add_shown(SlDoc *doc, const char *label, const char *format, double value) {
    char text[SL_UNIT_ROOM];
    snprintf(text, sizeof text, format, value);
    sl_doc_number(doc, NULL, label, SL_UNIT_PLAIN, value);
    sl_doc_shown(doc, "%s", text);
}

static void add_ms(SlDoc *doc, const char *label, double ms) {
    sl_profile_add_shown(doc, label, ms < 10 ? "%.2f" : ms < 100 ? "%.1f" : "%.0f", ms);
}

void sl_profile_begin_row(const SlProfile *profile, int i, const ProfileRow *row, SlDoc *doc) {
    const SlEngineSetup *setup = &profile->setups[i];
    long long agents = (long long)setup->world.n_agents;
    sl_doc_row(doc);
    if (row->scope == OF_ALL) sl_doc_string(doc, NULL, "world", world_of(profile, i));
    sl_doc_number(doc, NULL, "agents", SL_UNIT_PLAIN, (double)agents);
    if (row->scope == OF_GROWTH) sl_doc_shown(doc, "%lld to %lld", agents, 2 * agents);
    if (row->algo) sl_doc_string(doc, NULL, "algo", row->algo);
    if (row->scope == OF_ALL) sl_doc_string(doc, NULL, "mode", mode_of(profile, i));
    sl_doc_string(doc, NULL, "layout", row->layout);
    sl_doc_string(doc, NULL, "sampling", sl_sampling_names[setup->sampling]);
}

// a row with what tells the case from others
static void begin_row(const SlProfile *profile, int i, ProfileScope scope, SlDoc *doc) {
    const SlEngineSetup *setup = &profile->setups[i];
    const ProfileRow row = {.scope = scope,
                            .algo = sl_algo_names[setup->algo],
                            .layout = sl_replay_layout_names[setup->layout]};
    sl_profile_begin_row(profile, i, &row, doc);
}

// of a world and a mode
static void show_shares(const SlProfile *profile, int like, SlDoc *doc) {
    char heading[128];
    int before = -1;
    snprintf(heading, sizeof heading,
             "%s, mode %s: milliseconds of 100 env steps and an update; shares in %%",
             world_of(profile, like), mode_of(profile, like));
    sl_profile_open_table(doc, heading);
    for (int i = 0; i < profile->n; i++) {
        const SlEngineProfile *one = &profile->times[i];
        if (!sl_profile_same_table(profile, i, like)) continue;
        if (before >= 0 && !together(profile, before, i)) sl_doc_rule(doc);
        before = i;
        begin_row(profile, i, OF_ONE, doc);
        add_ms(doc, "ms", one->all.median);
        for (int p = 0; p < SL_N_PHASES; p++)
            sl_profile_add_shown(doc, sl_profile_phase_labels[p], "%.1f",
                                 100 * sl_profile_share(one, (SlPhase)p));
    }
    sl_doc_close(doc);
}

// other samplings beside uniform
static void show_samplings(const SlProfile *profile, SlDoc *doc) {
    sl_profile_open_table(doc, "Mini-batch sampling beside uniform, and what it changes in all");
    for (int i = 0; i < profile->n; i++) {
        int base = sl_profile_uniform(profile, i);
        if (base < 0) continue;
        const SlEngineProfile *one = &profile->times[i], *other = &profile->times[base];
        double now = one->phases[SL_PHASE_SAMPLE].median;
        double then = other->phases[SL_PHASE_SAMPLE].median;
        begin_row(profile, i, OF_ALL, doc);
        add_ms(doc, "ms", now);
        add_ms(doc, "uniform ms", then);
        sl_profile_add_shown(doc, "phase", "%+.1f %%", 100 * (now / then - 1));
        sl_profile_add_shown(doc, "in all", "%+.1f %%",
                             100 * (one->all.median / other->all.median - 1));
    }
    sl_doc_close(doc);
}

static void show_counters(const SlProfile *profile, SlDoc *doc) {
    bool any = false;
    for (int i = 0; i < profile->n; i++)
        for (int c = 0; c < SL_N_COUNTERS; c++) any |= !isnan(profile->times[i].counts[c]);
    if (!any) {
        sl_doc_words(doc,
                     "Hardware counters (instructions, cache misses, dTLB load misses): "
                     "unavailable.%s",
                     profile->measured.simulate > 0
                         ? ""
                         : " '--simulate 1000000' simulates caches and TLBs.");
        return;
    }
    sl_profile_open_table(doc, "While the batches of an update are sampled");
    for (int i = 0; i < profile->n; i++) {
        begin_row(profile, i, OF_ALL, doc);
        for (int c = 0; c < SL_N_COUNTERS; c++) {
            double count = profile->times[i].counts[c];
            sl_doc_number(doc, NULL, counter_labels[c], SL_UNIT_COUNT, round(count));
            if (isnan(count)) sl_doc_shown(doc, "unavailable");
        }
    }
    sl_doc_close(doc);
}

// "100,000 (tag 3), 40,000 (tag 12)"; where all hold the same: "100,000"
static void list_rows(const SlProfile *profile, bool fewer, SlText *out) {
    char rows[SL_UNIT_ROOM];
    for (int i = 0; i < profile->n; i += fewer ? sl_profile_group(profile, i) : profile->n) {
        sl_text_add(out, "%s%s", i ? ", " : "",
                    sl_unit_show(SL_UNIT_COUNT, (double)profile->times[i].rows, rows));
        if (fewer)
            sl_text_add(out, " (%s %lld)", world_of(profile, i),
                        (long long)profile->setups[i].world.n_agents);
    }
}

static void show_rows(const SlProfile *profile, SlDoc *doc) {
    const SlProfileSetup *measured = &profile->measured;
    const SlEngineSetup *like = &profile->setups[0];
    char rows[SL_UNIT_ROOM], memory[SL_UNIT_ROOM];
    SlText held;
    bool fewer = false;
    // whole episodes of 25 steps
    for (int i = 0; i < profile->n; i++) fewer |= profile->times[i].rows + 25 <= measured->fill;
    sl_text_init(&held, sl_doc_arena(doc));
    list_rows(profile, fewer, &held);
    if (held.failed) sl_doc_fail(doc);
    sl_doc_words(doc,
                 "Batches of %lld, %lld hidden units, %d thread%s; medians of %lld units, in "
                 "turns.",
                 (long long)like->batch, (long long)like->hidden, profile->threads,
                 profile->threads == 1 ? "" : "s", (long long)measured->rounds);
    sl_doc_words(doc, "Transitions held: %s.", held.data);
    if (fewer)
        sl_doc_words(doc,
                     "Fewer than %s where the replays of a number of agents would pass %s MB "
                     "together.",
                     sl_unit_show(SL_UNIT_COUNT, (double)measured->fill, rows),
                     sl_unit_show(SL_UNIT_COUNT, measured->bytes / 1e6, memory));
}

SlDoc *sl_report_profile(const SlProfile *profile, SlArena *arena) {
    SlDoc *doc = sl_doc_make(arena, "profile", 1);
    if (!doc) return NULL;
    sl_doc_title(doc, "Where the time of training goes");
    add_setup(profile, doc);
    add_cases(profile, doc);
    sl_profile_add_means(profile, doc);
    for (int i = 0; i < profile->n; i++) {
        if (!starts_table(profile, i)) continue;
        show_shares(profile, i, doc);
        sl_profile_show_growth(profile, i, doc);
        sl_profile_show_misses(profile, i, doc);
    }
    show_samplings(profile, doc);
    show_counters(profile, doc);
    show_rows(profile, doc);
    sl_profile_figures(profile, doc);
    return doc;
}

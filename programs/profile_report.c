// profile_report.c - `starling profile` as text: shares, growth, what neighbours bring, counters.
#include <math.h>
#include <stdio.h>

#include "profile.h"
#include "text_table.h"

// "act|env|..." after what tells cases apart
#define PHASE_HEADS "|act|env|sample|target|Q|P|rest"

// ---- which cases belong to one table: a world and a mode ----

static bool same_table(const ProfileCase *a, const ProfileCase *b) {
    return a->env == b->env && a->mode == b->mode;
}

static bool starts_table(const Profile *profile, int i) {
    for (int k = 0; k < i; k++)
        if (same_table(&profile->cases[k], &profile->cases[i])) return false;
    return true;
}

static void add_names(const ProfileCase *one, TextTable *table) {
    table_cell(table, "%s", sl_algo_names[one->algo]);
    table_cell(table, "%s", sl_replay_layout_names[one->layout]);
    table_cell(table, "%s", sl_sampling_names[one->sampling]);
}

static const char *show_ms(double ms, char out[static 32]) {
    snprintf(out, 32, ms < 10 ? "%.2f" : ms < 100 ? "%.1f" : "%.0f", ms);
    return out;
}

// ---- shares ----

static void add_case(const ProfileCase *one, TextTable *table) {
    char ms[32];
    double sum = 0;
    for (int p = 0; p < SL_N_PHASES; p++) sum += one->phases[p].median;
    table_row(table);
    table_cell(table, "%d", one->agents);
    add_names(one, table);
    table_cell(table, "%s", show_ms(one->all.median, ms));
    for (int p = 0; p < SL_N_PHASES; p++)
        table_cell(table, "%.1f", 100 * one->phases[p].median / sum);
}

static void add_shares(const Profile *profile, const ProfileCase *like, SlText *out) {
    TextTable table;
    int agents = 0;
    sl_text_add(out, "%s, mode %s: milliseconds of 100 env steps and an update; shares in %%\n\n",
                like->env->name, sl_engine_mode_names[like->mode]);
    table_init(&table, profile->arena, "agents|<algo|<layout|<sampling|ms" PHASE_HEADS);
    for (int i = 0; i < profile->n; i++) {
        const ProfileCase *one = &profile->cases[i];
        if (!same_table(one, like)) continue;
        if (agents && one->agents != agents) table_rule(&table);
        agents = one->agents;
        add_case(one, &table);
    }
    table_draw(&table, out);
}

// ---- growth ----

static bool has_growth(const Profile *profile, const ProfileCase *like) {
    for (int i = 0; i < profile->n; i++) {
        const ProfileCase *one = &profile->cases[i];
        if (same_table(one, like) && profile_find(profile, one, 2 * one->agents, one->sampling))
            return true;
    }
    return false;
}

static void add_growth(const Profile *profile, const ProfileCase *like, SlText *out) {
    TextTable table;
    if (!has_growth(profile, like)) return;
    sl_text_add(out, "\n%s, mode %s: times as long with twice the agents\n\n", like->env->name,
                sl_engine_mode_names[like->mode]);
    table_init(&table, profile->arena, "<agents|<algo|<layout|<sampling|all" PHASE_HEADS);
    for (int i = 0; i < profile->n; i++) {
        const ProfileCase *one = &profile->cases[i];
        const ProfileCase *twice = profile_find(profile, one, 2 * one->agents, one->sampling);
        if (!same_table(one, like) || !twice) continue;
        table_row(&table);
        table_cell(&table, "%d to %d", one->agents, twice->agents);
        add_names(one, &table);
        table_cell(&table, "%.2f", twice->all.median / one->all.median);
        for (int p = 0; p < SL_N_PHASES; p++)
            table_cell(&table, "%.2f", twice->phases[p].median / one->phases[p].median);
    }
    table_draw(&table, out);
}

// ---- other samplings beside uniform ----

static void add_against_uniform(const Profile *profile, SlText *out) {
    TextTable table;
    bool any = false;
    table_init(&table, profile->arena,
               "<env|agents|<algo|<mode|<layout|<sampling|ms|uniform ms|phase|in all");
    for (int i = 0; i < profile->n; i++) {
        const ProfileCase *one = &profile->cases[i];
        const ProfileCase *base = profile_find(profile, one, one->agents, SL_SAMPLE_UNIFORM);
        char ms[32];
        if (one->sampling == SL_SAMPLE_UNIFORM || !base) continue;
        double now = one->phases[SL_PHASE_SAMPLE].median,
               then = base->phases[SL_PHASE_SAMPLE].median;
        any = true;
        table_row(&table);
        table_cell(&table, "%s", one->env->name);
        table_cell(&table, "%d", one->agents);
        table_cell(&table, "%s", sl_algo_names[one->algo]);
        table_cell(&table, "%s", sl_engine_mode_names[one->mode]);
        table_cell(&table, "%s", sl_replay_layout_names[one->layout]);
        table_cell(&table, "%s", sl_sampling_names[one->sampling]);
        table_cell(&table, "%s", show_ms(now, ms));
        table_cell(&table, "%s", show_ms(then, ms));
        table_cell(&table, "%+.1f %%", 100 * (now / then - 1));
        table_cell(&table, "%+.1f %%", 100 * (one->all.median / base->all.median - 1));
    }
    if (!any) return;
    sl_text_add(out, "\nMini-batch sampling beside uniform, and what it changes in all\n\n");
    table_draw(&table, out);
}

// ---- counters ----

static void add_count(double value, TextTable *table) {
    char text[32];
    if (isnan(value))
        table_cell(table, "unavailable");
    else
        table_cell(table, "%s", sl_show_count(round(value), text));
}

static void add_counters(const Profile *profile, SlText *out) {
    TextTable table;
    bool any = false;
    for (int i = 0; i < profile->n; i++)
        for (int c = 0; c < SL_N_COUNTERS; c++) any |= !isnan(profile->cases[i].counts[c]);
    if (!any) {
        sl_text_add(out, "\nHardware counters (instructions, cache misses, dTLB load misses): "
                         "unavailable.\n");
        return;
    }
    sl_text_add(out, "\nWhile the batches of an update are sampled\n\n");
    table_init(&table, profile->arena,
               "<env|agents|<algo|<layout|<sampling|instructions|cache misses|dTLB misses");
    for (int i = 0; i < profile->n; i++) {
        const ProfileCase *one = &profile->cases[i];
        table_row(&table);
        table_cell(&table, "%s", one->env->name);
        table_cell(&table, "%d", one->agents);
        add_names(one, &table);
        for (int c = 0; c < SL_N_COUNTERS; c++) add_count(one->counts[c], &table);
    }
    table_draw(&table, out);
}

// "Transitions held: 100,000; 12 agents 40,000."
static void add_rows(const Profile *profile, SlText *out) {
    const ProfileOptions *options = profile->options;
    char rows[32];
    sl_text_add(
        out,
        "\nBatches of %lld, %lld hidden units, %lld thread%s; medians of %lld units, in turns.",
        (long long)options->batch, (long long)options->hidden, (long long)options->threads,
        options->threads == 1 ? "" : "s", (long long)options->rounds);
    sl_text_add(out, "\nTransitions held:");
    for (int i = 0; i < profile->n; i++) {
        const ProfileCase *one = &profile->cases[i], *before = one - 1;
        if (i > 0 && before->env == one->env && before->agents == one->agents) continue;
        if (i > 0 && !profile->fewer) continue;
        sl_text_add(out, "%s%s", i ? ", " : " ", sl_show_count((double)one->rows, rows));
        if (profile->fewer) sl_text_add(out, " (%s %d)", one->env->name, one->agents);
    }
    sl_text_add(out, ".\n");
    if (!profile->fewer) return;
    char fill[32], memory[32];
    sl_text_add(
        out, "Fewer than %s where the replays of a number of agents would pass %s MB together.\n",
        sl_show_count((double)options->fill, fill), sl_show_count((double)options->memory, memory));
}

void profile_text(const Profile *profile, SlText *out) {
    for (int i = 0; i < profile->n; i++) {
        if (!starts_table(profile, i)) continue;
        if (i > 0) sl_text_add(out, "\n");
        add_shares(profile, &profile->cases[i], out);
        add_growth(profile, &profile->cases[i], out);
    }
    add_against_uniform(profile, out);
    add_counters(profile, out);
    add_rows(profile, out);
    if (out->failed) command_no_memory();
}

// report_misses.c - misses of sampling in simulated caches and TLBs, and how they grow with twice
// the agents.
#include <stdio.h>

#include "doc_inside.h"
#include "profile_inside.h"

static const char *const level_labels[SL_N_CACHE_LEVELS] = {
    "L1", "L2", "L3", "dTLB 4K", "walks 4K", "dTLB 2M", "walks 2M"};

// simulations of a case: its own layout, and Python's lists
enum { OWN, LIST, N_SIMULATED };

static const SlMisses *misses_of(const SlProfile *profile, int i, int which) {
    const SlEngineProfile *one = &profile->times[i];
    return which == OWN ? &one->misses : &one->list;
}

// of twice the agents; NULL = not simulated
static const SlMisses *twice_of(const SlProfile *profile, int i, int which) {
    const int twice = sl_profile_twice(profile, i);
    if (twice < 0) return NULL;
    const SlMisses *other = misses_of(profile, twice, which);
    return other->rows > 0 ? other : NULL;
}

// ---- for machines ----

static void add_levels(SlDoc *doc, const char *key, const double *misses) {
    sl_doc_open(doc, key, NULL);
    for (int i = 0; i < SL_N_CACHE_LEVELS; i++)
        sl_doc_plain(doc, sl_cache_level_names[i], misses[i]);
    sl_doc_close(doc);
}

static void add_growth(const SlMisses *one, const SlMisses *other, SlDoc *doc) {
    if (!other) {
        sl_doc_null(doc, "growth");
        return;
    }
    sl_doc_open(doc, "growth", NULL);
    sl_doc_plain(doc, "reads", other->reads / one->reads);
    for (int i = 0; i < SL_N_CACHE_LEVELS; i++)
        sl_doc_plain(doc, sl_cache_level_names[i], other->read_misses[i] / one->read_misses[i]);
    sl_doc_close(doc);
}

void sl_profile_add_misses(const SlProfile *profile, int i, SlDoc *doc) {
    static const char *const keys[N_SIMULATED] = {"simulated", "simulated_list"};
    for (int which = 0; which < N_SIMULATED; which++) {
        const SlMisses *one = misses_of(profile, i, which);
        if (one->rows == 0) {
            sl_doc_null(doc, keys[which]);
            continue;
        }
        sl_doc_open(doc, keys[which], NULL);
        sl_doc_plain(doc, "rows", (double)one->rows);
        sl_doc_plain(doc, "row_bytes", (double)one->row_bytes);
        sl_doc_plain(doc, "reads", one->reads);
        sl_doc_plain(doc, "writes", one->writes);
        add_levels(doc, "read_misses", one->read_misses);
        add_levels(doc, "write_misses", one->write_misses);
        add_growth(one, twice_of(profile, i, which), doc);
        sl_doc_close(doc);
    }
}

// ---- for people ----

// whether an earlier case samples in the same way, with another algorithm
static bool seen_before(const SlProfile *profile, int i) {
    const SlEngineSetup *one = &profile->setups[i];
    for (int k = 0; k < i; k++) {
        const SlEngineSetup *other = &profile->setups[k];
        if (sl_profile_same_table(profile, k, i) && other->layout == one->layout &&
            other->sampling == one->sampling && other->world.n_agents == one->world.n_agents)
            return true;
    }
    return false;
}

static void begin_row(const SlProfile *profile, int i, int which, ProfileScope scope, SlDoc *doc) {
    const int layout = profile->setups[i].layout;
    const ProfileRow row = {.scope = scope,
                            .layout = which == LIST ? "list" : sl_replay_layout_names[layout]};
    sl_profile_begin_row(profile, i, &row, doc);
}

static const char *format_of(double thousands) {
    return thousands < 10 ? "%.2f" : thousands < 100 ? "%.1f" : "%.0f";
}

static void show_counts(const SlProfile *profile, int i, int which, SlDoc *doc) {
    const SlMisses *one = misses_of(profile, i, which);
    if (one->rows == 0) return;
    begin_row(profile, i, which, OF_ONE, doc);
    sl_profile_add_shown(doc, "read", format_of(one->reads / 1e3), one->reads / 1e3);
    for (int l = 0; l < SL_N_CACHE_LEVELS; l++) {
        const double misses = one->read_misses[l] / 1e3;
        sl_profile_add_shown(doc, level_labels[l], format_of(misses), misses);
    }
}

static void show_ratios(const SlProfile *profile, int i, int which, SlDoc *doc) {
    const SlMisses *one = misses_of(profile, i, which);
    const SlMisses *other = twice_of(profile, i, which);
    if (one->rows == 0 || !other) return;
    begin_row(profile, i, which, OF_GROWTH, doc);
    sl_profile_add_shown(doc, "read", "%.2f", other->reads / one->reads);
    for (int l = 0; l < SL_N_CACHE_LEVELS; l++) {
        const double before = one->read_misses[l], after = other->read_misses[l];
        if (before > 0) sl_profile_add_shown(doc, level_labels[l], "%.2f", after / before);
    }
}

static void show_table(const SlProfile *profile, int like, const char *what,
                       void show(const SlProfile *, int, int, SlDoc *), SlDoc *doc) {
    const SlEngineSetup *setup = &profile->setups[like];
    char heading[128];
    snprintf(heading, sizeof heading, "%s, mode %s: %s", setup->world.world->name,
             sl_engine_mode_names[setup->mode], what);
    sl_profile_open_table(doc, heading);
    for (int i = 0; i < profile->n; i++) {
        if (!sl_profile_same_table(profile, i, like) || seen_before(profile, i)) continue;
        for (int which = 0; which < N_SIMULATED; which++) show(profile, i, which, doc);
    }
    sl_doc_close(doc);
}

void sl_profile_show_misses(const SlProfile *profile, int like, SlDoc *doc) {
    char rows[SL_UNIT_ROOM];
    if (profile->measured.simulate == 0) return;
    show_table(profile, like, "simulated read misses of sampling, in thousands of lines and pages",
               show_counts, doc);
    show_table(profile, like, "simulated read misses, times as many with twice the agents",
               show_ratios, doc);
    sl_doc_words(doc,
                 "Simulated: %s transitions; caches of 48 KiB, 1 MiB and 32 MiB, TLBs of 96 and "
                 "4,096 entries.",
                 sl_unit_show(SL_UNIT_COUNT, (double)profile->measured.simulate, rows));
    sl_doc_words(doc, "list: Python's tuples; the paper counts 3.9 times the cache and dTLB load "
                      "misses from 3 to 6 agents.");
}

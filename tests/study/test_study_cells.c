// test_study_cells.c - a cell's fingerprint: whatever decides its result is in it, names are not.
#include "support/check.h"

#include <stdio.h>
#include <string.h>

#include "study/study_cells.h"
#include "support/store_help.h"

static const char base[] = "study: a\n"
                           "layers: ['conv:K=8,C=6,P=7,Q=7']\n"
                           "seeds: [1]\n"
                           "samples: 100\n"
                           "methods: [{name: row, method: marl, agents: 3, dataset: 50}]\n"
                           "optimum: {gap: 1, seconds: 0, nodes: 10}\n"
                           "windows: 10\n"
                           "sizes: true\n"
                           "assign: {samples: 100, agents: [2]}\n";

// the fingerprint of the only cell of a kind, after one replacement in the plan
static const char *print_of(SlCellKind kind, const char *from, const char *to, SlArena *arena) {
    char text[1024];
    SlPlan *plan = SL_NEW(arena, 1, SlPlan);
    SlPlanCell *cells = NULL;
    int n = 0;
    const char *at = strstr(base, from);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - base), base, to, at + strlen(from));
    plan_of(text, NULL, arena, plan);
    assert_int_equal(sl_plan_cells(plan, arena, &n, &cells, NULL), SL_OK);
    for (int i = 0; i < n; i++) {
        if (cells[i].kind != kind) continue;
        SlCell cell = sl_plan_cell(plan, &cells[i]);
        const char *print = sl_cell_fingerprint(&cell, arena);
        assert_non_null(print);
        assert_int_equal(strlen(print), 16);
        return print;
    }
    fail_msg("no cell of this kind");
    return NULL;
}

// the fingerprint of the first run of a plan
static const char *print_of_run(const char *text, SlArena *arena) {
    SlPlan *plan = SL_NEW(arena, 1, SlPlan);
    SlPlanCell *cells = NULL;
    int n = 0;
    plan_of(text, NULL, arena, plan);
    assert_int_equal(sl_plan_cells(plan, arena, &n, &cells, NULL), SL_OK);
    SlCell cell = sl_plan_cell(plan, &cells[0]);
    return sl_cell_fingerprint(&cell, arena);
}

static void models_have_fingerprints_of_their_own(void **state) {
    (void)state;
#define PLAN(model)                                                                                \
    "study: a\n" model "layers: ['conv:K=8,C=6,P=7,Q=7']\naccels: [gamma168]\n"                    \
    "methods: [random]\nsamples: 9\n"
    SlArena arena;
    sl_arena_init(&arena, 0);
    const char *plain = print_of_run(PLAN(""), &arena);
    assert_string_equal(plain, print_of_run(PLAN("model: native\n"), &arena));
    assert_string_not_equal(plain, print_of_run(PLAN("model: maestro\n"), &arena));
    sl_arena_free(&arena);
#undef PLAN
}

typedef struct {
    const char *from, *to;
    bool seen[SL_N_CELLS]; // by runs, proofs, spaces, assignments
} Change;

static void what_decides_a_result_is_in_its_fingerprint(void **state) {
    (void)state;
    static const Change changes[] = {
        {"K=8", "K=9", {true, true, true, true}},
        {"seeds", "accels: [nvdla]\nseeds", {true, true, true, true}},
        {"seeds", "objectives: [energy]\nseeds", {true, true, true, true}},
        {"seeds", "space: all\nseeds", {true, true, true, true}},
        {"[1]", "[2]", {true, false, false, false}},
        {"seeds", "footprint: true\nseeds", {true, false, false, false}},
        {"windows: 10", "stretch: 20", {true, false, false, false}},
        {"samples: 100\nm", "samples: 101\nm", {true, false, false, false}},
        {"method: marl", "method: marl, set: {critic: 'off'}", {true, false, false, false}},
        {"method: marl", "method: marl-paper", {true, false, false, false}},
        {"agents: 3", "agents: 4", {true, false, false, false}},
        {"dataset: 50", "dataset: 60", {true, false, false, false}},
        {"dataset: 50", "dataset: 50, policy: ga", {true, false, false, false}},
        {"dataset: 50", "dataset: 50, shuffle: true", {true, false, false, false}},
        {"dataset: 50", "dataset: 50, like: 'conv:K=4,C=4,P=4'", {true, false, false, false}},
        {"seeds", "start: default\nseeds", {true, false, false, false}},
        {"seeds", "illegal: penalty\nseeds", {true, false, false, false}},
        {"windows: 10", "windows: 11", {true, false, false, false}},
        {"windows: 10", "windows: 10\ntrace: true", {true, false, false, false}},
        {"gap: 1", "gap: 2", {false, true, false, false}},
        {"nodes: 10", "nodes: 11", {false, true, false, false}},
        {"seconds: 0", "seconds: 9", {false, true, false, false}},
        {"{samples: 100", "{samples: 99", {false, false, false, true}},
        {"agents: [2]", "agents: [2, 3]", {false, false, false, true}},
        {"agents: [2]", "linkage: single", {false, false, false, true}},
        {"agents: [2]", "agents: [2], policy: local", {false, false, false, true}},
        {"agents: [2]", "agents: [2], points: proposed", {false, false, false, true}},
        {"agents: [2]", "agents: [2], metric: rows", {false, false, false, true}},
        {"study: a", "study: b\ntitle: Other\nnotes: [A note.]", {false, false, false, false}},
        {"name: row", "name: other row", {false, false, false, false}},
        {"'conv", "mine: 'conv", {false, false, false, false}},
    };
    SlArena arena;
    sl_arena_init(&arena, 0);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        for (int kind = 0; kind < SL_N_CELLS; kind++) {
            const char *before = print_of((SlCellKind)kind, "", "", &arena);
            const char *after = print_of((SlCellKind)kind, changes[i].from, changes[i].to, &arena);
            if ((strcmp(before, after) != 0) != changes[i].seen[kind])
                fail_msg("%s: '%s' for '%s'", sl_cell_names[kind], changes[i].to, changes[i].from);
        }
    }
    sl_arena_free(&arena);
}

static void little_memory_gives_no_fingerprint(void **state) {
    (void)state;
    SlArena arena, little;
    SlPlan plan;
    SlPlanCell *cells = NULL;
    int n = 0;
    sl_arena_init(&arena, 0);
    sl_arena_init(&little, 200);
    plan_of(base, NULL, &arena, &plan);
    assert_int_equal(sl_plan_cells(&plan, &arena, &n, &cells, NULL), SL_OK);
    SlCell cell = sl_plan_cell(&plan, &cells[0]);
    assert_null(sl_cell_fingerprint(&cell, &little));
    sl_arena_free(&little);
    sl_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_have_fingerprints_of_their_own),
        cmocka_unit_test(what_decides_a_result_is_in_its_fingerprint),
        cmocka_unit_test(little_memory_gives_no_fingerprint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

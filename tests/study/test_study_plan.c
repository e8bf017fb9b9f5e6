// test_study_plan.c - plans: what they say, what they leave out, and what is wrong with bad ones.
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "starling/learn.h"
#include "study/study_cells.h"
#include "support/store_help.h"

static const char whole[] =
    "study: mine_2\n"
    "title: A title\n"
    "about: >-\n"
    "  Two lines\n"
    "  of words.\n"
    "layers:\n"
    "  - vgg16:conv2_1\n"
    "  - small: conv:K=16,C=32,P=28,Q=28,R=1,S=1\n"
    "  - conv:K=8,C=8,P=7,Q=7\n"
    "accels: [eyeriss, nvdla]\n"
    "objectives: [latency, 'latency=1,energy=2']\n"
    "space: native\n"
    "start: default\n"
    "illegal: penalty\n"
    "samples: 4000\n"
    "seeds: [3, 1, 7]\n"
    "methods:\n"
    "  - random\n"
    "  - {name: 'local, far', method: local, set: {near: 0.25, children: 4}, samples: 900}\n"
    "  - {name: 6 agents, method: marl, agents: 6, dataset: 300, policy: ga, shuffle: true,"
    " like: 'resnet18:conv2_1'}\n"
    "reference: local, far\n"
    "optimum: {gap: 1, seconds: 0, nodes: 1000}\n"
    "windows: 20\n"
    "trace: true\n"
    "sizes: true\n"
    "assign: {samples: 500, top: 20, metric: 1-|r|, linkage: average, agents: [1, 4],"
    " points: proposed, policy: [local, random]}\n"
    "show: [paper, returns]\n"
    "paper:\n"
    "  source: A table\n"
    "  numbers:\n"
    "    - {layer: small, objective: latency, row: random, quantity: ratio, value: 3.5}\n"
    "    - {quantity: log10 size, value: 13, high: 39}\n"
    "notes: [One., Two.]\n"
    "minutes: 4.5\n"
    "quick: {samples: 100, seeds: 2, methods: [random], layers: [small, 'vgg16:conv2_1'],"
    " objectives: [latency], accels: [nvdla], optimum: {gap: 5}}\n";

static void every_key_of_a_plan_is_read(void **state) {
    (void)state;
    SlArena arena;
    SlPlan plan;
    sl_arena_init(&arena, 0);
    plan_of(whole, NULL, &arena, &plan);
    assert_string_equal(plan.name, "mine_2");
    assert_string_equal(plan.title, "A title");
    assert_string_equal(plan.about, "Two lines of words.");
    assert_string_equal(plan.text, whole);
    assert_false(plan.quick);
    assert_int_equal(plan.start, SL_START_DEFAULT);
    assert_int_equal(plan.illegal, SL_ILLEGAL_PENALTY);
    assert_int_equal(plan.n_seeds, 3);
    assert_int_equal(plan.seeds[0], 3);
    assert_int_equal(plan.seeds[2], 7);
    assert_true(plan.prove);
    assert_true(plan.prove_gap == 0.01);
    assert_true(plan.prove_seconds == 0);
    assert_int_equal(plan.prove_nodes, 1000);
    assert_int_equal(plan.n_windows, 20);
    assert_true(plan.trace && plan.sizes && plan.assign);
    assert_int_equal(plan.assign_setup.samples, 500);
    assert_true(plan.assign_setup.share == 0.2);
    assert_int_equal(plan.assign_setup.metric, SL_METRIC_ONE_MINUS_R);
    assert_int_equal(plan.assign_setup.linkage, SL_LINK_AVERAGE);
    assert_true(plan.assign_setup.proposed);
    assert_int_equal(plan.n_policies, 2);
    assert_string_equal(plan.policies[0]->name, "local");
    assert_int_equal(plan.n_budgets, 2);
    assert_int_equal(plan.budgets[1], 4);
    assert_true(plan.show[SL_SHOW_PAPER] && plan.show[SL_SHOW_RETURNS]);
    assert_false(plan.show[SL_SHOW_RESULTS]);
    assert_string_equal(plan.paper_source, "A table");
    assert_int_equal(plan.n_paper, 2);
    assert_string_equal(plan.paper[0].row, "random");
    assert_true(isnan(plan.paper[0].high));
    assert_string_equal(plan.paper[1].layer, "");
    assert_true(plan.paper[1].value == 13 && plan.paper[1].high == 39);
    assert_int_equal(plan.n_notes, 2);
    assert_string_equal(plan.notes[1], "Two.");
    assert_true(plan.minutes == 4.5);
    sl_arena_free(&arena);
}

static void tasks_are_layers_on_accelerators_for_objectives(void **state) {
    (void)state;
    SlArena arena;
    SlPlan plan;
    sl_arena_init(&arena, 0);
    plan_of(whole, NULL, &arena, &plan);
    assert_int_equal(plan.n_tasks, 3 * 2 * 2);
    const SlPlanTask *task = &plan.tasks[0];
    assert_string_equal(task->name, "vgg16:conv2_1 latency on eyeriss");
    assert_string_equal(task->layer, "vgg16:conv2_1");
    assert_string_equal(task->workload, "conv:K=128,C=64,P=112,Q=112,R=3,S=3,pad=1");
    assert_string_equal(task->accel, "eyeriss");
    assert_ptr_equal(task->setup.space, plan.tasks[1].setup.space);
    assert_string_equal(plan.tasks[1].name, "vgg16:conv2_1 latency=1,energy=2 on eyeriss");
    assert_true(plan.tasks[1].setup.goal.weight[SL_ENERGY] == 2);
    assert_string_equal(plan.tasks[6].name, "small latency on nvdla");
    assert_string_equal(plan.tasks[8].layer, "conv:K=8,C=8,P=7,Q=7");
    for (int i = 0; i < plan.n_tasks; i++) {
        assert_int_equal(plan.tasks[i].count, 1);
        assert_string_equal(plan.tasks[i].setup.space->accel->name, plan.tasks[i].accel);
    }
    sl_arena_free(&arena);
}

static void rows_are_methods_with_settings(void **state) {
    (void)state;
    SlArena arena;
    SlPlan plan;
    sl_arena_init(&arena, 0);
    plan_of(whole, NULL, &arena, &plan);
    assert_int_equal(plan.n_rows, 3);
    assert_string_equal(plan.rows[0].name, "random");
    assert_int_equal(plan.rows[0].samples, 4000);
    assert_true(plan.rows[0].quick);
    const SlPlanRow *local = &plan.rows[1];
    assert_string_equal(local->name, "local, far");
    assert_ptr_equal(local->method, sl_method_find("local"));
    assert_int_equal(local->samples, 900);
    const SlLocalOptions *options = local->options;
    assert_true(options->near == 0.25);
    assert_int_equal(options->children, 4);
    assert_non_null(strstr(local->settings, "\"near\": 0.25"));
    assert_null(strchr(local->settings, '\n'));
    assert_int_equal(local->settings[0], '{');
    assert_false(local->quick);
    assert_int_equal(plan.rows[2].agents.n_agents, 6);
    assert_int_equal(plan.rows[2].agents.assign.samples, 300);
    assert_string_equal(plan.rows[2].agents.assign.policy->name, "ga");
    assert_true(plan.rows[2].agents.shuffled);
    // the layer whose groups are reused, as a task on every accelerator
    assert_string_equal(plan.rows[2].like, "resnet18:conv2_1");
    for (int t = 0; t < plan.n_tasks; t++) {
        const SlTaskSetup *from = &plan.rows[2].elsewhere[t];
        assert_int_equal(from->space->layer->dims[SL_K], 64);
        assert_ptr_equal(from->space->accel, plan.tasks[t].setup.space->accel);
        assert_memory_equal(&from->goal, &plan.tasks[t].setup.goal, sizeof from->goal);
    }
    assert_null(plan.rows[0].elsewhere);
    assert_int_equal(plan.reference, 1);
    sl_arena_free(&arena);
}

static void the_quick_form_keeps_less(void **state) {
    (void)state;
    SlArena arena;
    SlPlan plan;
    SlPlanChanges quick = {.quick = true};
    sl_arena_init(&arena, 0);
    plan_of(whole, &quick, &arena, &plan);
    assert_true(plan.quick);
    assert_int_equal(plan.n_seeds, 2);
    assert_int_equal(plan.seeds[1], 2);
    assert_int_equal(plan.n_rows, 1);
    assert_int_equal(plan.rows[0].samples, 100);
    assert_int_equal(plan.reference, 0); // the plan's is gone
    assert_int_equal(plan.n_tasks, 2);
    // the same names as in the whole study
    assert_string_equal(plan.tasks[0].name, "vgg16:conv2_1 latency on nvdla");
    assert_string_equal(plan.tasks[1].name, "small latency on nvdla");
    assert_true(plan.prove && plan.prove_gap == 0.05);
    assert_int_equal(plan.prove_nodes, 0);
    sl_arena_free(&arena);
}

static void the_command_line_changes_samples_seeds_and_rows(void **state) {
    (void)state;
    SlArena arena;
    SlPlan plan;
    SlPlanChanges changes = {.samples = 1000, .seeds = 5, .methods = "6 agents, local, far"};
    sl_arena_init(&arena, 0);
    plan_of(whole, &changes, &arena, &plan);
    assert_int_equal(plan.n_rows, 2);
    assert_string_equal(plan.rows[0].name, "local, far");
    assert_string_equal(plan.rows[1].name, "6 agents");
    assert_int_equal(plan.reference, 0);
    assert_int_equal(plan.rows[0].samples, 900); // its own budget is smaller
    assert_int_equal(plan.rows[1].samples, 1000);
    assert_int_equal(plan.n_seeds, 5);
    const uint64_t seeds[] = {3, 1, 7, 8, 9};
    assert_memory_equal(plan.seeds, seeds, sizeof seeds);
    changes = (SlPlanChanges){.methods = "6 agents,randm"};
    SlError err = {0};
    assert_int_equal(
        sl_plan_parse("plan.yaml", whole, strlen(whole), &changes, &arena, &plan, &err), SL_EINPUT);
    assert_string_equal(err.text, "the plan has no row 'randm' (did you mean 'random'?)");
    sl_arena_free(&arena);
}

static void a_network_stands_for_its_distinct_layers(void **state) {
    (void)state;
    SlArena arena;
    SlPlan plan;
    SlPlanChanges quick = {.quick = true};
    const char *text = "study: net\n"
                       "layers: [resnet18, mine: resnet18]\n"
                       "sizes: true\n"
                       "quick: {layers: [mine, 'resnet18:conv1']}\n";
    sl_arena_init(&arena, 0);
    plan_of(text, NULL, &arena, &plan);
    SlNetwork net;
    assert_int_equal(sl_workload_find("resnet18", 1, &arena, &net, NULL), SL_OK);
    int *first = SL_NEW(&arena, net.n_layers, int);
    int distinct = sl_network_distinct(&net, first), sum = 0;
    assert_int_equal(plan.n_tasks, 2 * distinct);
    for (int i = 0; i < distinct; i++) sum += plan.tasks[i].count;
    assert_int_equal(sum, net.n_layers);
    assert_string_equal(plan.tasks[0].name, "resnet18:conv1 edp");
    assert_string_equal(plan.tasks[distinct].layer, "mine:conv1");
    assert_int_equal(plan.n_rows, 0);
    assert_int_equal(plan.reference, -1);
    plan_of(text, &quick, &arena, &plan);
    assert_int_equal(plan.n_tasks, distinct + 1);
    sl_arena_free(&arena);
}

static void cells_serve_all_runs_first_and_then_go_seed_by_seed(void **state) {
    (void)state;
    SlArena arena;
    SlPlan plan;
    SlPlanCell *cells = NULL;
    int n = 0;
    sl_arena_init(&arena, 0);
    plan_of(whole, NULL, &arena, &plan);
    assert_int_equal(sl_plan_cells(&plan, &arena, &n, &cells, NULL), SL_OK);
    assert_int_equal(n, 12 * (4 + 3 * 3));
    assert_string_equal(cells[0].key, "proof/vgg16:conv2_1 latency on eyeriss");
    assert_int_equal(cells[0].row, -1);
    assert_int_equal(cells[12].kind, SL_CELL_SPACE);
    assert_int_equal(cells[24].kind, SL_CELL_ASSIGN);
    assert_string_equal(cells[24].key, "assign/vgg16:conv2_1 latency on eyeriss/local");
    assert_string_equal(cells[25].key, "assign/vgg16:conv2_1 latency on eyeriss/random");
    assert_string_equal(cells[48].key, "run/vgg16:conv2_1 latency on eyeriss/random/3");
    assert_string_equal(cells[49].key, "run/vgg16:conv2_1 latency on eyeriss/local, far/3");
    for (int i = 48; i < n; i++) assert_int_equal(cells[i].seed, plan.seeds[(i - 48) / 36]);
    sl_arena_free(&arena);
}

static void a_short_plan_has_defaults(void **state) {
    (void)state;
    SlArena arena;
    SlPlan plan;
    sl_arena_init(&arena, 0);
    plan_of("study: short\nlayers: [vgg16:conv2_1]\nmethods: [local, random]\nsamples: 50\n", NULL,
            &arena, &plan);
    assert_string_equal(plan.title, "short");
    assert_string_equal(plan.about, "");
    assert_int_equal(plan.n_seeds, 10);
    assert_int_equal(plan.seeds[9], 10);
    assert_int_equal(plan.start, SL_START_NONE);
    assert_string_equal(plan.tasks[0].name, "vgg16:conv2_1 edp");
    assert_int_equal(plan.reference, 0);
    assert_false(plan.prove || plan.sizes || plan.assign || plan.trace);
    assert_true(plan.show[SL_SHOW_RESULTS] && plan.show[SL_SHOW_TIMES]);
    assert_false(plan.show[SL_SHOW_BOXES]);
    sl_arena_free(&arena);
}

static void a_plan_pairs_rows_and_measures_stretches(void **state) {
    (void)state;
    SlArena arena;
    SlPlan plan;
    SlPlanCell *cells = NULL;
    int n = 0;
    sl_arena_init(&arena, 0);
    plan_of("study: a\nlayers: [vgg16:conv2_1]\nsamples: 1000\nseeds: 1\nstretch: 150\n"
            "methods: [random, {method: local, samples: 100}]\nfootprint: true\n"
            "factors: [{what: luck, row: random, over: local}]\n"
            "paper: {numbers: [{quantity: reward, value: 2, row: random, over: local}]}\n"
            "show: [factors, costs, returns, paper]\n",
            NULL, &arena, &plan);
    assert_int_equal(plan.stretch, 150);
    assert_int_equal(plan.n_factors, 1);
    assert_string_equal(plan.factors[0].what, "luck");
    assert_string_equal(plan.factors[0].row, "random");
    assert_string_equal(plan.factors[0].over, "local");
    assert_string_equal(plan.paper[0].over, "local");
    assert_true(plan.show[SL_SHOW_FACTORS] && plan.show[SL_SHOW_COSTS]);
    // whole stretches, at least one
    assert_int_equal(sl_plan_cells(&plan, &arena, &n, &cells, NULL), SL_OK);
    assert_int_equal(n, 2);
    assert_int_equal(sl_plan_cell(&plan, &cells[0]).n_windows, 6);
    assert_int_equal(sl_plan_cell(&plan, &cells[1]).n_windows, 1);
    assert_true(sl_plan_cell(&plan, &cells[0]).footprint);
    sl_arena_free(&arena);
}

static void a_plan_may_be_priced_by_maestro(void **state) {
    (void)state;
    SlArena arena;
    SlPlan plan, native;
    sl_arena_init(&arena, 0);
    plan_of(
        "study: a\nmodel: maestro\noptimum: false\nlayers: [vgg16:conv2_1]\naccels: [gamma168]\n"
        "methods: [random]\nsamples: 50\n",
        NULL, &arena, &plan);
    plan_of("study: a\nmodel: native\nlayers: [vgg16:conv2_1]\naccels: [gamma168]\n"
            "methods: [random]\nsamples: 50\n",
            NULL, &arena, &native);
    assert_ptr_equal(plan.kind, &sl_kind_maestro);
    assert_ptr_equal(native.kind, &sl_kind_native);
    // filters are whole, and room is counted in MAESTRO's way
    assert_true(plan.tasks[0].setup.space->maestro && plan.tasks[0].setup.space->constrained);
    assert_true(plan.tasks[0].setup.space->log10_size < native.tasks[0].setup.space->log10_size);
    assert_false(native.tasks[0].setup.space->maestro || native.tasks[0].setup.space->constrained);
    sl_arena_free(&arena);
}

// ---- bad plans ----

static const char head[] = "study: bad\nlayers: [vgg16:conv2_1]\n";

typedef struct {
    const char *text; // behind head, or all of it if it begins with "study"
    int line;
    const char *sentence; // part of it
} Bad;

static const Bad bad[] = {
    {"study: a b\nlayers: [vgg16]\nsizes: yes", 1, "letters, digits"},
    {"study: a\nsizes: yes", 1, "missing key 'layers'"},
    {"study: [a]\nlayers: [vgg16]\nsizes: yes", 1, "study: expected a single value"},
    {"methods: [local]", 1, "missing key 'samples'"},
    {"samples: 5", 1, "missing key 'methods'"},
    {"sizes: false", 1, "missing key 'methods'"},
    {"metods: [local]", 3, "unknown key 'metods' (did you mean 'methods'?)"},
    {"samples: 0\nmethods: [local]", 3, "samples: expected a whole number"},
    {"samples: 9\nmethods: [locl]", 4, "unknown method 'locl' (did you mean 'local'?)"},
    {"samples: 9\nmethods: []", 4, "methods: expected 1 to"},
    {"samples: 9\nmethods: local", 4, "methods: expected a list"},
    {"samples: 9\nmethods: [local, local]", 4, "'local' stands here twice"},
    {"samples: 9\nmethods:\n  - {method: local, set: {naer: 1}}", 5, "did you mean 'near'"},
    {"samples: 9\nmethods:\n  - {method: local, set: {near: 7}}", 5, "near: expected a number"},
    {"samples: 9\nmethods:\n  - {method: local, st: 1}", 5, "unknown key 'st'"},
    {"samples: 9\nmethods:\n  - {name: a}", 5, "missing key 'method'"},
    {"samples: 9\nmethods:\n  - {name: a/b, method: local}", 5, "no '/'"},
    {"samples: 9\nmethods:\n  - {name: '', method: local}", 5, "name: expected one line"},
    {"samples: 9\nmethods:\n  - {method: local, agents: 3}", 5, "local has no agents"},
    {"samples: 9\nmethods:\n  - {method: marl, agents: 0}", 5, "agents: expected a whole"},
    {"samples: 9\nmethods:\n  - {method: marl, dataset: 9}", 5, "expected 'agents' too"},
    {"samples: 9\nmethods:\n  - {method: marl, like: a}", 5, "like: expected 'agents' too"},
    {"samples: 9\nmethods:\n  - {method: marl, policy: ga}", 5, "policy: expected 'agents' too"},
    {"samples: 9\nmethods:\n  - {method: marl, agents: 3, policy: gga}", 5,
     "unknown policy 'gga' (did you mean 'ga'?)"},
    {"samples: 9\nmethods:\n  - {method: marl, agents: 3, shuffle: 2}", 5, "expected true or"},
    {"samples: 9\nmethods: [local]\nreference: loca", 5, "unknown row 'loca'"},
    {"samples: 9\nmethods: [local]\nseeds: 0", 5, "seeds: expected a whole number"},
    {"samples: 9\nmethods: [local]\nseeds: [1, 1]", 5, "1 stands here twice"},
    {"samples: 9\nmethods: [local]\nseeds: [-1]", 5, "expected a whole number"},
    {"sizes: true\naccels: [eyeris]", 4, "did you mean 'eyeriss'"},
    {"sizes: true\naccels: [eyeriss, eyeriss]", 4, "'eyeriss' stands here twice"},
    {"sizes: true\nobjectives: [speed]", 4, "objectives: "},
    {"sizes: true\nobjectives: [edp, edp]", 4, "'edp' stands here twice"},
    {"sizes: true\nspace: nativ", 4, "space: expected one of"},
    {"sizes: true\nstart: maybe", 4, "start: expected one of"},
    {"sizes: true\nillegal: maybe", 4, "illegal: expected one of"},
    {"samples: 9\nmethods: [oracle]", 4, "oracle needs a lower bound of every point"},
    {"sizes: true\nevaluator: mastro", 4, "evaluator: expected one of"},
    {"sizes: true\nevaluator: vta", 4, "evaluator: expected one of"},
    {"sizes: true\nevaluator: ./mine\noptimum: true", 5, "proofs hold for the native model only"},
    {"sizes: true\nmodel: mastro", 4, "model: expected one of"},
    {"sizes: true\nmodel: maestro\naccels: [nvdla]", 2,
     "on nvdla, evaluator maestro: MAESTRO's machine"},
    {"sizes: true\nmodel: maestro\noptimum: true", 5, "proofs hold for the native model only"},
    {"sizes: true\nmodel: maestro\noptimum: {gap: 1}", 5, "proofs hold for the native model only"},
    {"sizes: true\nmodel: maestro\nquick: {optimum: true}", 5, "proofs hold for the native"},
    {"sizes: maybe", 3, "sizes: expected true or false"},
    {"sizes: true\noptimum: {gap: -1}", 4, "gap: expected a number"},
    {"sizes: true\noptimum: {gaps: 1}", 4, "unknown key 'gaps'"},
    {"sizes: true\noptimum: [1]", 4, "expected a map"},
    {"sizes: true\ntrace: true", 4, "expected 'windows' too"},
    {"sizes: true\nwindows: -1", 4, "windows: expected a whole number"},
    {"sizes: true\nstretch: 0", 4, "stretch: expected a whole number"},
    {"sizes: true\nwindows: 5\nstretch: 100", 5, "either this or 'windows'"},
    {"sizes: true\nfootprint: maybe", 4, "footprint: expected true or false"},
    {"sizes: true\nshow: [factors]", 4, "'factors' needs 'factors: [...]'"},
    {"sizes: true\nshow: [costs]", 4, "'costs' needs 'footprint: true'"},
    {"sizes: true\nfactors: [{what: a, row: b}]", 4, "missing key 'over'"},
    {"sizes: true\nfactors: [{what: a, row: b, over: b}]", 4, "unknown row 'b'"},
    {"assign: {top: 0}", 3, "top: expected a number"},
    {"assign: {metric: row}", 3, "metric: expected one of"},
    {"assign: {agents: [3, 2]}", 3, "ascending"},
    {"assign: true", 3, "assign: expected a map"},
    {"assign: {policy: loca}", 3, "unknown policy 'loca' (did you mean 'local'?)"},
    {"assign: {policy: [local, local]}", 3, "policy: 'local' stands here twice"},
    {"assign: {policy: oracle}", 3, "oracle needs a lower bound of every point"},
    {"assign: {points: raw}", 3, "points: expected one of"},
    {"sizes: true\nshow: [size]", 4, "did you mean 'sizes'"},
    {"sizes: true\nshow: [returns]", 4, "'returns' needs 'windows: N'"},
    {"sizes: true\nshow: [trajectories]", 4, "'trajectories' needs 'trace: true'"},
    {"sizes: true\nnotes: [[1]]", 4, "notes: expected a single value"},
    {"sizes: true\nminutes: soon", 4, "minutes: expected a number"},
    {"sizes: true\npaper: {numbers: [{value: 1}]}", 4, "missing key 'quantity'"},
    {"sizes: true\npaper:\n  numbers:\n    - {quantity: a, value: 1, layer: vgg}", 6,
     "unknown layer 'vgg'"},
    {"sizes: true\npaper:\n  numbers:\n    - {quantity: a, value: 1, row: b}", 6,
     "unknown row 'b'"},
    {"sizes: true\npaper:\n  numbers:\n    - {quantity: a, value: 2, high: 1}", 6,
     "high: expected a number"},
    {"sizes: true\nquick: {layers: [vgg16:conv2_2]}", 4, "unknown layer 'vgg16:conv2_2'"},
    {"sizes: true\nquick: {methods: [local]}", 4, "unknown row 'local'"},
    {"sizes: true\nquick: {title: a}", 4, "unknown key 'title'"},
    {"sizes: true\nquick: 5", 4, "quick: expected a map"},
    {"study: a\nlayers: [vgg17]\nsizes: true", 2, "unknown network 'vgg17'"},
    {"study: a\nlayers:\n  - vgg16\n  - vgg16\nsizes: true", 4, "stands here twice"},
    {"study: a\nlayers:\n  - {a: vgg16, b: vgg16}\nsizes: true", 3, "one NAME: LAYER"},
    {"study: a\nlayers:\n  - a: [vgg16]\nsizes: true", 3, "expected a network, a layer"},
    {"study: a\nlayers:\n  - 'conv:K=0'\nsizes: true", 3, "K"},
    {"study: a\nlayers: [vgg16", 3, "expected YAML"},
    {"- study\n", 1, "expected a map"},
};

// of the first run of a plan with this evaluator, in `print` (17)
static void fingerprint_of(const char *evaluator, char *print) {
    char text[512];
    SlArena arena;
    SlPlan plan;
    SlPlanCell *cells = NULL;
    int n = 0;
    snprintf(text, sizeof text, "%sevaluator: %s\nmethods: [random]\nsamples: 9\n", head,
             evaluator);
    sl_arena_init(&arena, 0);
    plan_of(text, NULL, &arena, &plan);
    assert_int_equal(sl_plan_cells(&plan, &arena, &n, &cells, NULL), SL_OK);
    SlCell cell = sl_plan_cell(&plan, &cells[0]);
    snprintf(print, 17, "%s", sl_cell_fingerprint(&cell, &arena));
    sl_arena_free(&arena);
}

static void a_program_may_price_a_plan(void **state) {
    (void)state;
    char native[17], mine[17], other[17];
    SlArena arena;
    SlPlan plan;
    SlPlanChanges changes = {.evaluator = "./other fast"};
    char text[256];
    sl_arena_init(&arena, 0);
    snprintf(text, sizeof text, "%sevaluator: ./mine\nsizes: true\n", head);
    plan_of(text, NULL, &arena, &plan);
    assert_ptr_equal(plan.kind, &sl_kind_process);
    assert_string_equal(plan.program->program.command, "./mine");
    plan_of(text, &changes, &arena, &plan);
    assert_string_equal(plan.program->program.command, "./other fast");
    sl_arena_free(&arena);
    // whose values they are is part of what names a cell
    fingerprint_of("native", native);
    fingerprint_of("./mine", mine);
    fingerprint_of("./mine -x", other);
    assert_string_not_equal(native, mine);
    assert_string_not_equal(mine, other);
}

static void bad_plans_are_refused_with_line_and_reason(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[1024];
        bool alone = strstr(bad[i].text, "study") != NULL;
        SlPlan plan = {.name = "untouched"};
        SlError err = {0};
        size_t mark = sl_arena_mark(&arena);
        snprintf(text, sizeof text, "%s%s\n", alone ? "" : head, bad[i].text);
        SlStatus status = sl_plan_parse("plan.yaml", text, strlen(text), NULL, &arena, &plan, &err);
        bool same = status == SL_EINPUT && err.line == bad[i].line &&
                    strcmp(err.file, "plan.yaml") == 0 && strstr(err.text, bad[i].sentence);
        if (!same) fail_msg("%s\n%s:%d: %s", text, err.file, err.line, err.text);
        assert_string_equal(plan.name, "untouched");
        assert_int_equal(sl_arena_mark(&arena), mark);
    }
    sl_arena_free(&arena);
}

static void without_a_quick_form_there_is_none(void **state) {
    (void)state;
    SlArena arena;
    SlPlan plan;
    SlError err = {0};
    SlPlanChanges quick = {.quick = true};
    const char *text = "study: a\nlayers: [vgg16:conv2_1]\nmethods: [local]\nsamples: 9\n";
    sl_arena_init(&arena, 0);
    // where nothing is run, the whole is quick
    plan_of("study: a\nlayers: [vgg16:conv2_1]\nsizes: true\n", &quick, &arena, &plan);
    assert_true(plan.quick && plan.n_tasks == 1);
    assert_int_equal(sl_plan_parse("a", text, strlen(text), &quick, &arena, &plan, &err),
                     SL_EINPUT);
    assert_non_null(strstr(err.text, "no quick form"));
    sl_arena_free(&arena);
}

static void plans_are_found_by_name_or_path(void **state) {
    (void)state;
    Folder folder;
    char path[TEMP_ROOM];
    SlArena arena;
    SlPlan plan;
    SlError err = {0};
    folder_make(&folder);
    sl_arena_init(&arena, 0);
    folder_path(&folder, "plan.yaml", path);
    assert_int_equal(sl_file_write(path, whole, strlen(whole), NULL), SL_OK);
    assert_int_equal(sl_plan_find(path, NULL, &arena, &plan, NULL), SL_OK);
    assert_string_equal(plan.name, "mine_2");
    assert_int_equal(sl_plan_find("no such study", NULL, &arena, &plan, &err), SL_EINPUT);
    assert_non_null(strstr(err.text, "unknown study 'no such study'"));
    int n = 0;
    bool table3 = false;
    for (const char *name = NULL; (name = sl_plan_name(n)) != NULL; n++)
        table3 |= strcmp(name, "table3") == 0;
    assert_true(table3);
    assert_null(sl_plan_name(n + 1));
    sl_arena_free(&arena);
    folder_remove(&folder);
}

static void little_memory_is_said_and_nothing_leaks(void **state) {
    (void)state;
    SlStatus status = SL_ENOMEM;
    int failed = 0;
    for (size_t limit = 1000; status != SL_OK; limit += 7919, failed++) {
        SlArena arena;
        SlPlan plan;
        SlError err = {0};
        sl_arena_init(&arena, limit);
        status = sl_plan_parse("a", whole, strlen(whole), NULL, &arena, &plan, &err);
        assert_true(status == SL_OK || (status == SL_ENOMEM && err.text[0] != '\0'));
        if (status != SL_OK) assert_int_equal(sl_arena_mark(&arena), 0);
        sl_arena_free(&arena);
    }
    assert_true(failed > 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_of_a_plan_is_read),
        cmocka_unit_test(tasks_are_layers_on_accelerators_for_objectives),
        cmocka_unit_test(rows_are_methods_with_settings),
        cmocka_unit_test(the_quick_form_keeps_less),
        cmocka_unit_test(the_command_line_changes_samples_seeds_and_rows),
        cmocka_unit_test(a_network_stands_for_its_distinct_layers),
        cmocka_unit_test(cells_serve_all_runs_first_and_then_go_seed_by_seed),
        cmocka_unit_test(a_short_plan_has_defaults),
        cmocka_unit_test(a_plan_pairs_rows_and_measures_stretches),
        cmocka_unit_test(a_plan_may_be_priced_by_maestro),
        cmocka_unit_test(a_program_may_price_a_plan),
        cmocka_unit_test(bad_plans_are_refused_with_line_and_reason),
        cmocka_unit_test(without_a_quick_form_there_is_none),
        cmocka_unit_test(plans_are_found_by_name_or_path),
        cmocka_unit_test(little_memory_is_said_and_nothing_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

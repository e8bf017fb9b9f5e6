// test_study_plan_tuning.c - plans of programs: layers on cores, networks as multiples of layers,
// and what is wrong with bad ones.
#include "support/check.h"

#include <stdio.h>
#include <string.h>

#include "support/store_help.h"

static const char whole[] =
    "study: tuned\n"
    "target: vta\n"
    "layers:\n"
    "  - C4: resnet18:conv3_down\n"
    "  - small: conv:K=32,C=16,P=4,Q=4\n"
    "networks: [resnet18, alexnet]\n"
    "cores: [1x16x16, 4x8x8]\n"
    "bus: 128\n"
    "profile: pynq\n"
    "batch: 4\n"
    "hardware: search\n"
    "resources: iso\n"
    "samples: 64\n"
    "seeds: 3\n"
    "methods:\n"
    "  - random\n"
    "  - {name: checked, method: random, set: {check: true}, samples: 16}\n"
    "reference: checked\n"
    "optimum: {nodes: 100}\n"
    "show: [results, networks, effort]\n"
    "quick: {samples: 8, seeds: 2, networks: [alexnet], cores: [4x8x8], methods: [random]}\n";

static const SlPlanTask *task_of(const SlPlan *plan, const char *name) {
    for (int i = 0; i < plan->n_tasks; i++)
        if (strcmp(plan->tasks[i].name, name) == 0) return &plan->tasks[i];
    fail_msg("there is no task '%s'", name);
    return NULL;
}

static void tasks_are_layers_on_cores(void **state) {
    (void)state;
    SlArena arena;
    SlPlan plan;
    sl_arena_init(&arena, 0);
    plan_of(whole, NULL, &arena, &plan);
    assert_ptr_equal(plan.kind, &sl_kind_vta);
    // two named, nine more of resnet18, four of alexnet, on two cores
    assert_int_equal(plan.n_tasks, (2 + 9 + 4) * 2);
    const SlPlanTask *task = task_of(&plan, "C4 on 4x8x8");
    assert_string_equal(task->layer, "C4");
    assert_string_equal(task->accel, "cores from 4x8x8");
    assert_string_equal(task->objective, "cycles");
    assert_null(task->setup.space);
    assert_ptr_equal(task->setup.kind, &sl_kind_vta);
    const SlVtaOptions *setup = task->setup.options;
    assert_ptr_equal(sl_plan_core(task), &setup->core);
    assert_int_equal(setup->core.batch, 4);
    assert_int_equal(setup->core.block_out, 8);
    assert_int_equal(setup->core.bus_bits, 128);
    assert_string_equal(setup->core.timing.name, "pynq");
    assert_int_equal(task->setup.layer->dims[SL_N], 4);
    assert_int_equal(setup->hardware, SL_HARDWARE_SEARCH);
    // what the core itself takes
    SlVtaResources need;
    sl_vta_resources(&setup->core, 0, &need);
    assert_int_equal(setup->budget.macs, 256);
    assert_int_equal(setup->budget.bram36, need.bram36_total);
    assert_true(task->n_points > 1000);
    assert_non_null(strstr(task->stream, "pynq"));
    assert_true(plan.prove);
    assert_int_equal(plan.prove_nodes, 100);
    assert_true(plan.prove_seconds == 0);
    sl_arena_free(&arena);
}

static void rows_are_methods_with_settings(void **state) {
    (void)state;
    SlArena arena;
    SlPlan plan;
    sl_arena_init(&arena, 0);
    plan_of(whole, NULL, &arena, &plan);
    assert_int_equal(plan.n_rows, 2);
    assert_ptr_equal(plan.rows[0].method, sl_method_find("random"));
    assert_int_equal(plan.rows[0].samples, 64);
    assert_int_equal(plan.rows[1].samples, 16);
    assert_int_equal(plan.reference, 1);
    assert_string_equal(plan.rows[1].method->name, "random");
    assert_non_null(strstr(plan.rows[0].settings, "\"check\": false"));
    assert_non_null(strstr(plan.rows[1].settings, "\"check\": true"));
    sl_arena_free(&arena);
}

static void networks_are_multiples_of_distinct_layers(void **state) {
    (void)state;
    SlArena arena;
    SlPlan plan;
    sl_arena_init(&arena, 0);
    plan_of(whole, NULL, &arena, &plan);
    assert_int_equal(plan.n_networks, 2);
    const SlPlanNetwork *net = &plan.networks[0];
    assert_string_equal(net->name, "resnet18");
    // the first convolution and the linear layer stay on the host
    assert_int_equal(net->n_layers, 21);
    assert_int_equal(net->n_host, 2);
    int counts[2] = {0};
    for (int t = 0; t < plan.n_tasks; t++) counts[t % 2] += net->counts[t];
    assert_int_equal(counts[0], 19);
    assert_int_equal(counts[1], 19);
    const SlPlanTask *named = task_of(&plan, "C4 on 1x16x16"),
                     *often = task_of(&plan, "resnet18:conv2_1 on 1x16x16");
    assert_int_equal(net->counts[named - plan.tasks], 1);
    assert_int_equal(net->counts[often - plan.tasks], 4);
    assert_int_equal(plan.networks[1].counts[often - plan.tasks], 0);
    sl_arena_free(&arena);
}

static void the_host_may_take_less(void **state) {
    (void)state;
    SlArena arena;
    SlPlan plan;
    sl_arena_init(&arena, 0);
    plan_of("study: a\ntarget: vta\nnetworks: [alexnet]\nhost: [linear]\noptimum: true\n", NULL,
            &arena, &plan);
    assert_int_equal(plan.networks[0].n_host, 3);
    assert_int_equal(plan.n_tasks, 5);
    assert_int_equal(plan.n_rows, 0);
    assert_string_equal(plan.tasks[0].name, "alexnet:conv1");
    assert_string_equal(plan.tasks[0].accel, "1x16x16");
    sl_arena_free(&arena);
}

static void all_cores_are_those_of_a_search(void **state) {
    (void)state;
    SlArena arena;
    SlPlan plan;
    sl_arena_init(&arena, 0);
    plan_of("study: a\ntarget: vta\nlayers: [small: 'conv:K=64,C=64,P=4,Q=4']\ncores: all\n"
            "optimum: true\n",
            NULL, &arena, &plan);
    assert_int_equal(plan.n_tasks, 100);
    assert_string_equal(plan.tasks[0].name, "small on 1x4x4");
    assert_string_equal(plan.tasks[99].name, "small on 8x64x64");
    assert_int_equal(sl_plan_core(&plan.tasks[99])->block_in, 64);
    sl_arena_free(&arena);
}

static void the_quick_form_keeps_networks_and_cores(void **state) {
    (void)state;
    SlArena arena;
    SlPlan plan;
    SlPlanChanges quick = {.quick = true};
    sl_arena_init(&arena, 0);
    plan_of(whole, &quick, &arena, &plan);
    assert_int_equal(plan.n_tasks, 4);
    assert_string_equal(plan.tasks[0].name, "alexnet:conv2 on 4x8x8");
    assert_int_equal(plan.n_networks, 1);
    assert_string_equal(plan.networks[0].name, "alexnet");
    for (int t = 0; t < plan.n_tasks; t++) assert_int_equal(plan.networks[0].counts[t], 1);
    assert_int_equal(plan.n_rows, 1);
    assert_int_equal(plan.rows[0].samples, 8);
    sl_arena_free(&arena);
}

static void a_network_that_lost_a_layer_is_not_summed_up(void **state) {
    (void)state;
    SlArena arena;
    SlPlan plan;
    SlPlanChanges quick = {.quick = true};
    sl_arena_init(&arena, 0);
    plan_of("study: a\ntarget: vta\nnetworks: [alexnet]\nsamples: 8\nmethods: [random]\n"
            "quick: {layers: ['alexnet:conv3']}\n",
            &quick, &arena, &plan);
    assert_int_equal(plan.n_tasks, 1);
    assert_int_equal(plan.n_networks, 0);
    sl_arena_free(&arena);
}

// ---- bad plans ----

static const char head[] = "study: bad\ntarget: vta\nlayers: [resnet18:conv3_down]\n";

typedef struct {
    const char *text; // behind head, or all of it if it begins with "study"
    int line;
    const char *sentence; // part of it
} Bad;

static const Bad bad[] = {
    {"study: a\ntarget: vtb\nlayers: [alexnet]\noptimum: true", 2, "target: expected"},
    {"study: a\ntarget: cpu\nlayers: [alexnet]\noptimum: true", 2, "target: expected"},
    {"study: a\ntarget: vta\noptimum: true", 1, "missing key 'layers'"},
    {"study: a\nlayers: [alexnet]\ncores: [1x16x16]\nsizes: true", 3, "unknown key 'cores'"},
    {"accels: [eyeriss]\noptimum: true", 4, "unknown key 'accels'"},
    {"objectives: [edp]\noptimum: true", 4, "unknown key 'objectives'"},
    {"windows: 3\noptimum: true", 4, "unknown key 'windows'"},
    {"optimum: false", 1, "missing key 'methods'"},
    {"samples: 9\nmethods: [randm]", 5, "unknown method 'randm' (did you mean 'random'?)"},
    {"samples: 9\nmethods: [gamma]", 5, "gamma works on mappings"},
    {"samples: 9\nmethods:\n  - {method: random, set: {chek: 1}}", 6, "did you mean 'check'"},
    {"samples: 9\nmethods:\n  - {method: random, agents: 3}", 6, "random has no agents"},
    {"optimum: true\ncores: [16]", 5, "cores: core '16'"},
    {"optimum: true\ncores: [1x16x16, 1x16x16]", 5, "'1x16x16' stands here twice"},
    {"optimum: true\ncores: 1x16x16", 5, "cores: expected a list"},
    {"optimum: true\ncores: [1x15x16]", 5, "cores: "},
    {"optimum: true\nbus: 65", 5, "bus: "},
    {"optimum: true\nprofile: board", 5, "profile: expected one of"},
    {"optimum: true\nbatch: 0", 5, "batch: expected a whole number"},
    {"optimum: true\nhardware: serch", 5, "hardware: expected one of"},
    {"optimum: true\nresources: iso", 5, "expected 'hardware: search' too"},
    {"optimum: true\nhardware: search\nresources: z7", 6, "resources: "},
    {"optimum: true\nhost: [first]", 5, "expected one of"},
    {"optimum: true\nhost: stem", 5, "host: expected a list"},
    {"optimum: true\nnetworks: [resnet19]", 5, "unknown network 'resnet19'"},
    {"optimum: true\nnetworks: [alexnet, alexnet]", 5, "'alexnet' stands here twice"},
    {"optimum: true\nnetworks: [mlp]", 5, "'mlp' has no layer for the target"},
    {"optimum: true\nnetworks: [mobilenet_v2]", 5, "mobilenet_v2:"},
    {"optimum: true\nshow: [networks]", 5, "'networks' needs 'networks: [...]'"},
    {"optimum: true\nshow: [sizes]", 5, "'sizes' needs 'sizes: true'"},
    {"samples: 9\nmethods: [random]\nnetworks: [alexnet]\nshow: [front]", 7,
     "'front' needs 'optimum: true'"},
    {"optimum: true\nnetworks: [alexnet]\nhardware: search\nshow: [front]", 7,
     "'front' needs 'hardware: fixed'"},
    {"optimum: true\nquick: {accels: [eyeriss]}", 5, "unknown key 'accels'"},
    {"optimum: true\nquick: {cores: [1x8x8]}", 5, "unknown core '1x8x8'"},
    {"optimum: true\nquick: {networks: [alexnet]}", 5, "unknown network 'alexnet'"},
    {"study: a\nlayers: [vgg16:conv2_1]\nsizes: true\nshow: [effort]", 4,
     "'effort' needs 'target: vta'"},
};

static void bad_plans_are_refused_with_line_and_reason(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[1024];
        bool alone = strncmp(bad[i].text, "study", 5) == 0;
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

static void a_model_of_mappings_has_nothing_to_price(void **state) {
    (void)state;
    SlArena arena;
    SlPlan plan;
    SlError err = {0};
    SlPlanChanges changes = {.evaluator = "maestro"};
    sl_arena_init(&arena, 0);
    assert_int_equal(
        sl_plan_parse("plan.yaml", whole, strlen(whole), &changes, &arena, &plan, &err), SL_EINPUT);
    assert_int_equal(err.line, 2);
    assert_non_null(strstr(err.text, "no mappings"));
    sl_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_are_layers_on_cores),
        cmocka_unit_test(rows_are_methods_with_settings),
        cmocka_unit_test(networks_are_multiples_of_distinct_layers),
        cmocka_unit_test(the_host_may_take_less),
        cmocka_unit_test(all_cores_are_those_of_a_search),
        cmocka_unit_test(the_quick_form_keeps_networks_and_cores),
        cmocka_unit_test(a_network_that_lost_a_layer_is_not_summed_up),
        cmocka_unit_test(bad_plans_are_refused_with_line_and_reason),
        cmocka_unit_test(a_model_of_mappings_has_nothing_to_price),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

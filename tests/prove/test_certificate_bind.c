// test_certificate_bind.c - which certificate belongs to which result of a run: by content.
#include "support/check.h"

#include <stdio.h>
#include <string.h>

#include "prove/certificate_inside.h"
#include "support/world.h"

enum { N_LAYERS = 2 };

// Two layers on a small machine, proven: what a run says, and what its certificates claim.
typedef struct {
    World worlds[N_LAYERS];
    SlText texts[N_LAYERS];
    SlProofClaims claims[N_LAYERS];
    SlRunResult results[N_LAYERS];
    SlRunCertificate files[N_LAYERS];
    SlBinding bindings[N_LAYERS];
    int owners[N_LAYERS];
} Run;

static void shrink(World *world) {
    world->accel.fanouts[1].axes[0].size = 6;
    world_remake(world);
}

static void prove_one(World *world, const char *goal, SlText *text, SlRunResult *result) {
    SlError err = {0};
    SlProof proof;
    const SlProveSetup setup = {.space = &world->space, .goal = world_goal(goal)};
    assert_int_equal(sl_prove(&setup, NULL, NULL, &world->arena, &proof, &err), SL_OK);
    sl_text_init(text, &world->arena);
    sl_certificate_write(&setup, &proof, text);
    SlCost cost;
    SlSample outcome;
    const SlTaskSetup task_setup = {.space = &world->space, .goal = setup.goal};
    SlTask *task = NULL;
    assert_int_equal(sl_task_make(&task_setup, &world->arena, &task, &err), SL_OK);
    sl_task_eval_mapping(task, &proof.mapping, &outcome);
    cost = *sl_task_cost(task);
    *result = (SlRunResult){.layer = world->layer,
                            .accel = &world->accel,
                            .goal = setup.goal,
                            .preset = world->space.preset,
                            .mapping = proof.mapping,
                            .latency_cycles = cost.latency_cycles,
                            .energy_pj = cost.energy_pj,
                            .value = proof.value,
                            .lower_bound = proof.lower_bound,
                            .gap = proof.gap,
                            .status = proof.status,
                            .epsilon = setup.epsilon};
}

static void read_claims(World *world, const SlText *text, SlProofClaims *claims) {
    SlError err = {0};
    SlStatus status =
        sl_certificate_claims("a.cert", text->data, text->n, &world->arena, claims, &err);
    if (status != SL_OK) fail_msg("line %d: %s", err.line, err.text);
}

static void make_run(Run *run) {
    static const char *const layers[] = {"conv:K=4,C=3,P=5,R=2,pad=1", "gemm:M=4,N=6,K=2,bytes=2"};
    static const char *const names[] = {"one.cert", "two.cert"};
    for (int i = 0; i < N_LAYERS; i++) {
        world_make(&run->worlds[i], layers[i], "eyeriss");
        shrink(&run->worlds[i]);
        prove_one(&run->worlds[i], "edp", &run->texts[i], &run->results[i]);
        read_claims(&run->worlds[i], &run->texts[i], &run->claims[i]);
        run->results[i].certificate = names[i];
        run->files[i] = (SlRunCertificate){names[i], &run->claims[i]};
    }
}

static void free_run(Run *run) {
    for (int i = 0; i < N_LAYERS; i++) world_free(&run->worlds[i]);
}

static void bind_files(Run *run, int n_files) {
    const SlRunProofs proofs = {N_LAYERS, n_files, run->results, run->files};
    assert_int_equal(
        sl_certificates_bind(&proofs, &run->worlds[0].arena, run->bindings, run->owners), SL_OK);
}

static void expect_bound(Run *run) {
    bind_files(run, N_LAYERS);
    for (int i = 0; i < N_LAYERS; i++) {
        if (run->bindings[i].reason[0]) fail_msg("%s", run->bindings[i].reason);
        assert_false(run->bindings[i].missing);
        assert_int_equal(run->owners[run->bindings[i].file], i);
    }
}

// the first result is contradicted so, the second holds
static void expect_reason(Run *run, const char *reason) {
    bind_files(run, N_LAYERS);
    if (!strstr(run->bindings[0].reason, reason))
        fail_msg("'%s' is not '%s'", run->bindings[0].reason, reason);
    assert_string_equal(run->bindings[1].reason, "");
}

// --- cases

static void what_a_certificate_claims_is_what_was_proven(void **state) {
    (void)state;
    Run run;
    make_run(&run);
    for (int i = 0; i < N_LAYERS; i++) {
        const SlProofClaims *claims = &run.claims[i];
        const SlRunResult *result = &run.results[i];
        assert_memory_equal(claims->layer.dims, result->layer.dims, sizeof claims->layer.dims);
        assert_memory_equal(&claims->mapping, &result->mapping, sizeof claims->mapping);
        assert_true(claims->value == result->value && claims->lower_bound == result->lower_bound);
        assert_int_equal(claims->space.preset, SL_SPACE_NATIVE);
        assert_false(claims->space.narrowed);
        assert_true(claims->accel.word_bytes[0] == (i ? 2 : 1)); // the layer's own words
    }
    free_run(&run);
}

static void results_are_bound_to_their_certificates(void **state) {
    (void)state;
    Run run;
    make_run(&run);
    expect_bound(&run);
    // a run that does not say which file it is: by content alone, in any order
    run.results[0].certificate = run.results[1].certificate = NULL;
    run.files[0].claims = &run.claims[1];
    run.files[1].claims = &run.claims[0];
    expect_bound(&run);
    assert_int_equal(run.bindings[0].file, 1);
    free_run(&run);
}

static void swapped_missing_and_foreign_certificates_are_seen(void **state) {
    (void)state;
    Run run;
    make_run(&run);
    run.files[0].claims = &run.claims[1];
    run.files[1].claims = &run.claims[0];
    bind_files(&run, N_LAYERS);
    for (int i = 0; i < N_LAYERS; i++)
        assert_non_null(strstr(run.bindings[i].reason, "about another layer: conv:"));
    run.files[0].claims = &run.claims[0];
    bind_files(&run, 1);
    assert_string_equal(run.bindings[0].reason, "");
    assert_true(run.bindings[1].missing);
    assert_string_equal(run.bindings[1].reason, "its certificate is missing: two.cert");
    run.results[1].certificate = NULL;
    bind_files(&run, 1);
    assert_true(run.bindings[1].missing);
    run.results[0].lower_bound = 0;
    run.results[0].status = SL_PROOF_STOPPED;
    bind_files(&run, 1);
    assert_int_equal(run.owners[0], -1);
    assert_string_equal(run.bindings[0].reason, "");
    free_run(&run);
    // what cannot be read belongs to whoever names it, and says nothing
    make_run(&run);
    run.files[1].claims = NULL;
    expect_bound(&run);
    free_run(&run);
}

static void every_number_of_the_machine_counts(void **state) {
    (void)state;
    static const struct {
        size_t offset;
        const char *reason;
    } cases[] = {
        {offsetof(SlAccel, mac_pj), "'mac-pj 1' has '1', in the run '2'"},
        {offsetof(SlAccel, clock_mhz), "'clock-mhz 200'"},
        {offsetof(SlAccel, levels[2].read_pj), "'level 2' has 'read-pj=1', in the run 'read-pj=2'"},
        {offsetof(SlAccel, levels[1].link_words), "'level 1' has 'link=16', in the run 'link=17'"},
        {offsetof(SlAccel, word_bytes[2]), "'words W=1' has 'O=1', in the run 'O=2'"},
    };
    Run run;
    make_run(&run);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        SlAccel other = run.worlds[0].accel;
        *(double *)((char *)&other + cases[i].offset) += 1;
        run.results[0].accel = &other;
        expect_reason(&run, cases[i].reason);
    }
    SlAccel other = run.worlds[0].accel;
    other.fanouts[1].multicast = false;
    run.results[0].accel = &other;
    expect_reason(&run, "'fanout 1' has 'multicast=1', in the run 'multicast=0'");
    run.results[0].accel = &run.worlds[0].accel;
    run.results[0].machine = "accel eyeriss\n";
    expect_reason(&run, "say different machines");
    free_run(&run);
}

static void claims_of_the_results_are_compared(void **state) {
    (void)state;
    Run run;
    make_run(&run);
    const SlRunResult good = run.results[0];
    SlRunResult *result = &run.results[0];
    result->goal = world_goal("energy");
    expect_reason(&run, "the goal of the certificate is edp, that of the run energy");
    *result = good;
    result->value *= 1.000001;
    expect_reason(&run, "the value of the certificate is");
    *result = good;
    result->lower_bound *= 1.000001;
    expect_reason(&run, "the lower bound of the certificate is");
    *result = good;
    result->mapping.loops[0].tile++;
    expect_reason(&run, "the mapping of the certificate is");
    *result = good;
    result->layer.stride[0] = 2;
    expect_reason(&run, "about another layer");
    *result = good;
    result->gap = 0.01;
    expect_reason(&run, "the run says a gap of 0.01");
    *result = good;
    result->status = SL_PROOF_UNCOVERED;
    expect_reason(&run, "the run calls it uncovered");
    *result = good;
    result->lower_bound = 0;
    expect_reason(&run, "the run calls it optimal, without a lower bound");
    free_run(&run);
}

// a certificate of the first layer in another space
static void put_space(Run *run, const SlSpaceOptions *options) {
    World *world = &run->worlds[0];
    SlError err = {0};
    SlStatus status =
        sl_space_make(&world->layer, &world->accel, options, &world->arena, &world->space, &err);
    if (status != SL_OK) fail_msg("%s", err.text);
    SlRunResult ignored;
    prove_one(world, "edp", &run->texts[0], &ignored);
    read_claims(world, &run->texts[0], &run->claims[0]);
}

static void spaces_are_compared_list_by_list(void **state) {
    (void)state;
    Run run;
    SlConstraints constraints;
    char text[512];
    make_run(&run);
    SlArena *arena = &run.worlds[0].arena;
    assert_int_equal(sl_constraints_find("weight-stationary", arena, &constraints, NULL), SL_OK);
    put_space(&run, &(SlSpaceOptions){.constraints = &constraints});
    expect_reason(&run, "the space of the certificate is another: 'order 1' has");
    assert_true(run.claims[0].space.narrowed);
    assert_string_equal(sl_proven_space_text(&run.claims[0].space, sizeof text, text),
                        "a space narrowed by constraints (native but for order 1, order 2)");
    run.results[0].constrained = true;
    expect_reason(&run, "map it again with this version");
    run.results[0].lists = run.claims[0].lists;
    run.results[0].mapping = run.claims[0].mapping;
    run.results[0].value = run.results[0].lower_bound = run.claims[0].value;
    run.results[0].latency_cycles = run.claims[0].latency_cycles;
    run.results[0].energy_pj = run.claims[0].energy_pj;
    expect_bound(&run);
    put_space(&run, &(SlSpaceOptions){.open = 1 << SL_R});
    assert_false(run.claims[0].space.narrowed);
    assert_string_equal(sl_proven_space_text(&run.claims[0].space, sizeof text, text),
                        "the space native with R open");
    run.results[0].constrained = false;
    expect_reason(&run, "the space of the certificate is another");
    put_space(&run, &(SlSpaceOptions){.preset = SL_SPACE_ALL});
    expect_reason(&run, "the space of the certificate is all, that of the run native");
    free_run(&run);
}

static void a_narrowed_list_is_named(void **state) {
    (void)state;
    Run run;
    make_run(&run);
    SlSpace *space = &run.worlds[0].space;
    space->params[space->tile_param[2][SL_K]].n--;
    SlRunResult ignored;
    prove_one(&run.worlds[0], "edp", &run.texts[0], &ignored);
    read_claims(&run.worlds[0], &run.texts[0], &run.claims[0]);
    assert_true(run.claims[0].space.narrowed);
    assert_string_equal(run.claims[0].space.lists, "sizes 2 K");
    SlVerdict verdict;
    assert_int_equal(sl_certificate_verify("a.cert", run.texts[0].data, run.texts[0].n, NULL,
                                           &run.worlds[0].arena, &verdict, NULL),
                     SL_OK);
    assert_true(verdict.valid && verdict.space.narrowed);
    assert_string_equal(verdict.space.lists, "sizes 2 K");
    free_run(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_certificate_claims_is_what_was_proven),
        cmocka_unit_test(results_are_bound_to_their_certificates),
        cmocka_unit_test(swapped_missing_and_foreign_certificates_are_seen),
        cmocka_unit_test(every_number_of_the_machine_counts),
        cmocka_unit_test(claims_of_the_results_are_compared),
        cmocka_unit_test(spaces_are_compared_list_by_list),
        cmocka_unit_test(a_narrowed_list_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

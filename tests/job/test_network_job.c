// test_network_job.c - jobs: the layers of a network searched and proven, kept in a store.
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "starling/job.h"
#include "support/store_help.h"

// b and d are equal; a has fewer channels than a VTA core has lanes
static const char text[] = "network: net\n"
                           "layers:\n"
                           "  - {name: a, type: conv, K: 64, C: 3, P: 8, Q: 8}\n"
                           "  - {name: b, type: conv, K: 64, C: 32, P: 8, Q: 8, R: 3, S: 3}\n"
                           "  - {name: c, type: conv, K: 128, C: 64, P: 4, Q: 4}\n"
                           "  - {name: d, type: conv, K: 64, C: 32, P: 8, Q: 8, R: 3, S: 3}\n";

typedef struct {
    Folder folder;
    char store[TEMP_ROOM], other[TEMP_ROOM];
    SlArena arena;
    SlNetwork net;
    SlAccel accel;
    SlVtaOptions vta;
    SlJobSetup maps, programs; // small jobs
} Fixture;

static int begin(void **state) {
    static Fixture fixture;
    char file[TEMP_ROOM];
    fixture = (Fixture){0};
    folder_make(&fixture.folder);
    folder_path(&fixture.folder, "net.yaml", file);
    folder_path(&fixture.folder, "a.db", fixture.store);
    folder_path(&fixture.folder, "b.db", fixture.other);
    sl_arena_init(&fixture.arena, 0);
    assert_int_equal(sl_file_write(file, text, strlen(text), NULL), SL_OK);
    assert_int_equal(sl_workload_find(file, 1, &fixture.arena, &fixture.net, NULL), SL_OK);
    assert_int_equal(sl_accel_find("eyeriss", &fixture.arena, &fixture.accel, NULL), SL_OK);
    sl_vta_core_init(&fixture.vta.core);
    fixture.maps = (SlJobSetup){.net = &fixture.net,
                                .accel = &fixture.accel,
                                .goal.weight[SL_EDP] = 1,
                                .method = sl_method_find("local"),
                                .budget.samples = 120,
                                .prove = true,
                                .epsilon = 0.02,
                                .seed = 3};
    fixture.programs = (SlJobSetup){.net = &fixture.net,
                                    .kind = &sl_kind_vta,
                                    .kind_options = &fixture.vta,
                                    .method = sl_method_find("random"),
                                    .budget.samples = 20,
                                    .start = SL_START_NONE,
                                    .prove = true,
                                    .compare = true,
                                    .skip_first = true,
                                    .seed = 3};
    *state = &fixture;
    return 0;
}

static int end(void **state) {
    Fixture *fixture = *state;
    sl_arena_free(&fixture->arena);
    folder_remove(&fixture->folder);
    return 0;
}

// ---- running ----

typedef struct {
    int samples, ends, stop_after; // 0 = never
    int64_t kept, proofs;
} Seen;

static bool watch(void *context, const SlEvent *event) {
    Seen *seen = context;
    seen->samples += event->kind == SL_EVENT_SAMPLE;
    seen->ends += event->kind == SL_EVENT_END;
    return seen->stop_after && seen->ends >= seen->stop_after;
}

static SlStatus keep(void *context, SlJobTask *task, const SlProveSetup *proof, SlError *err) {
    Seen *seen = context;
    (void)task, (void)err;
    seen->kept += !proof;
    seen->proofs += proof != NULL;
    return SL_OK;
}

static SlJob *open_job(Fixture *fixture, const SlJobSetup *setup, const char *store) {
    SlJob *job;
    SlError err = {0};
    if (sl_job_open(setup, store, &fixture->arena, &job, &err) != SL_OK) fail_msg("%s", err.text);
    return job;
}

static SlJob *run_job(Fixture *fixture, const SlJobSetup *setup, const char *store, int threads,
                      Seen *seen) {
    SlError err = {0};
    SlJob *job = open_job(fixture, setup, store);
    SlPool *pool = threads ? sl_pool_make(threads) : NULL;
    if (sl_job_run(job, pool, watch, keep, seen, &err) != SL_OK) fail_msg("%s", err.text);
    sl_pool_free(pool);
    return job;
}

static void assert_same_results(SlJob *a, SlJob *b) {
    SlNetworkResult x = sl_job_result(a), y = sl_job_result(b);
    assert_int_equal(sl_job_n_tasks(a), sl_job_n_tasks(b));
    assert_memory_equal(&x, &y, sizeof x);
    for (int i = 0; i < sl_job_n_tasks(a); i++) {
        const SlJobTask *s = sl_job_task(a, i), *t = sl_job_task(b, i);
        assert_string_equal(s->text, t->text);
        assert_int_equal(s->record.samples, t->record.samples);
        assert_int_equal(s->record.best.sample, t->record.best.sample);
        assert_int_equal(s->record.stopped, t->record.stopped);
        assert_int_equal(s->record.failures, t->record.failures);
        assert_int_equal(s->record.n_curve, t->record.n_curve);
        assert_int_equal(s->agents.n_agents, t->agents.n_agents);
        assert_int_equal(s->proof.status, t->proof.status);
        assert_true(s->proof.lower_bound == t->proof.lower_bound);
        assert_int_equal(s->proof.nodes, t->proof.nodes);
        assert_memory_equal(s->record.best.point, t->record.best.point,
                            s->task ? sizeof s->record.best.point : 0);
    }
}

// ---- mappings ----

static void equal_layers_are_one_task(void **state) {
    Fixture *fixture = *state;
    SlJob *job = open_job(fixture, &fixture->maps, NULL);
    assert_int_equal(sl_job_n_tasks(job), 3);
    assert_int_equal(sl_job_task(job, 1)->count, 2);
    sl_job_close(job);
}

static void what_a_store_has_is_not_done_again(void **state) {
    Fixture *fixture = *state;
    Seen first = {0}, again = {0};
    SlJob *a = run_job(fixture, &fixture->maps, fixture->store, 2, &first);
    SlJob *b = run_job(fixture, &fixture->maps, fixture->store, 2, &again);
    assert_int_equal(first.kept, 3);
    assert_int_equal(first.proofs, 3);
    assert_int_equal(again.kept + again.proofs + again.ends, 0);
    assert_same_results(a, b);
    assert_int_equal(sl_job_result(a).n_proven, 3);
    for (int i = 0; i < 3; i++) {
        const SlJobTask *task = sl_job_task(b, i);
        assert_true(task->resumed && task->proof_resumed && task->proof.gap <= 0.02);
    }
    sl_job_close(a);
    sl_job_close(b);
}

static void other_settings_are_other_records(void **state) {
    Fixture *fixture = *state;
    Seen seen = {0};
    sl_job_close(run_job(fixture, &fixture->maps, fixture->store, 0, &seen));
    SlJobSetup changed[4];
    for (int i = 0; i < 4; i++) changed[i] = fixture->maps;
    changed[0].budget.samples = 121;
    changed[1].warm = 5;
    changed[2].budget.target = 2;
    changed[3].method = sl_method_find("random");
    for (int i = 0; i < 4; i++) {
        SlJob *job = open_job(fixture, &changed[i], fixture->store);
        assert_false(sl_job_task(job, 0)->resumed);
        sl_job_close(job);
    }
    // of another gap the search is the same
    SlJobSetup sharper = fixture->maps;
    sharper.epsilon = 0;
    SlJob *job = open_job(fixture, &sharper, fixture->store);
    assert_true(sl_job_task(job, 0)->resumed && !sl_job_task(job, 0)->proof_resumed);
    sl_job_close(job);
}

static void an_interrupted_job_goes_on_to_the_same_end(void **state) {
    Fixture *fixture = *state;
    Seen whole = {0}, again = {0};
    SlJob *a = run_job(fixture, &fixture->maps, fixture->other, 0, &whole);
    for (int stop = 1; stop <= 5; stop += 2) {
        Seen cut = {.stop_after = stop};
        SlJob *job = run_job(fixture, &fixture->maps, fixture->store, 0, &cut);
        // whatever happens every layer has a mapping
        for (int i = 0; i < 3; i++) assert_non_null(sl_job_mapping(sl_job_task(job, i)));
        sl_job_close(job);
    }
    SlJob *b = run_job(fixture, &fixture->maps, fixture->store, 2, &again);
    assert_true(again.kept < 3);
    assert_same_results(a, b);
    sl_job_close(a);
    sl_job_close(b);
    assert_true(digest_of(fixture->store) == digest_of(fixture->other));
}

static void a_task_may_be_done_again(void **state) {
    Fixture *fixture = *state;
    Seen first = {0}, again = {0};
    sl_job_close(run_job(fixture, &fixture->maps, fixture->store, 0, &first));
    SlJob *job = open_job(fixture, &fixture->maps, fixture->store);
    sl_job_task(job, 1)->proof_resumed = false;
    assert_int_equal(sl_job_run(job, NULL, watch, keep, &again, NULL), SL_OK);
    assert_int_equal(again.kept, 0);
    assert_int_equal(again.proofs, 1);
    sl_job_close(job);
}

static void a_file_that_is_no_store_is_refused(void **state) {
    Fixture *fixture = *state;
    SlJob *job;
    SlError err = {0};
    assert_int_equal(sl_file_write(fixture->store, text, strlen(text), NULL), SL_OK);
    assert_int_equal(sl_job_open(&fixture->maps, fixture->store, &fixture->arena, &job, &err),
                     SL_EINPUT);
    assert_non_null(strstr(err.text, "expected a store"));
    sl_job_close(job);
}

static void expect_refused(Fixture *fixture, const SlJobSetup *setup, const char *sentence) {
    SlJob *job;
    SlError err = {0};
    assert_int_equal(sl_job_open(setup, NULL, &fixture->arena, &job, &err), SL_EINPUT);
    if (!strstr(err.text, sentence)) fail_msg("%s", err.text);
    sl_job_close(job);
}

static void what_a_kind_cannot_do_is_refused(void **state) {
    Fixture *fixture = *state;
    SlJobSetup cores = fixture->maps, proof = fixture->maps, nowhere = fixture->maps,
               bare = fixture->programs;
    cores.n_cores = 2;
    expect_refused(fixture, &cores, "native: a core can be chosen for vta alone");
    bare.n_cores = 2;
    bare.kind_options = NULL;
    expect_refused(fixture, &bare, "vta: a core can be chosen for vta alone");
    proof.kind = &sl_kind_maestro;
    expect_refused(fixture, &proof, "maestro: proofs hold for the native model only");
    nowhere.accel = NULL;
    expect_refused(fixture, &nowhere, "native: mappings need an accelerator");
}

// ---- programs ----

static void programs_are_tuned_compared_and_proven(void **state) {
    Fixture *fixture = *state;
    Seen seen = {0}, again = {0};
    SlJob *job = run_job(fixture, &fixture->programs, fixture->store, 2, &seen);
    double sum = 0, least = 0;
    assert_string_equal(sl_job_task(job, 0)->reason, "--skip-first");
    for (int i = 1; i < 3; i++) {
        const SlJobTask *task = sl_job_task(job, i);
        assert_true(task->searched && task->proven && task->optimum.proven);
        assert_int_equal(task->record.samples, 20);
        assert_true(task->best_value == task->record.best.outcome.value);
        assert_true(task->untuned_value >= task->optimum.best.outcome.value);
        assert_true(task->best_value >= task->optimum.best.outcome.value);
        sum += task->count * task->best_value;
        least += task->count * task->optimum.best.outcome.value;
    }
    SlNetworkResult result = sl_job_result(job);
    assert_true(result.value == sum && result.bound == least && result.n_layers == 3);
    // resumed, all but what is compared
    SlJob *resumed = run_job(fixture, &fixture->programs, fixture->store, 0, &again);
    assert_int_equal(again.kept + again.ends, 0);
    assert_same_results(job, resumed);
    sl_job_close(job);
    sl_job_close(resumed);
}

static void a_network_that_nothing_can_tune_is_refused(void **state) {
    Fixture *fixture = *state;
    SlJob *job;
    SlError err = {0};
    SlNetwork first = fixture->net;
    first.n_layers = 1;
    SlJobSetup setup = fixture->programs;
    setup.net = &first;
    assert_int_equal(sl_job_open(&setup, NULL, &fixture->arena, &job, &err), SL_EINPUT);
    assert_non_null(strstr(err.text, "nothing to tune: --skip-first"));
    sl_job_close(job);
}

static void a_network_chooses_the_core_with_the_least_sum(void **state) {
    Fixture *fixture = *state;
    Seen seen = {0}, again = {0};
    SlJobSetup setup = fixture->programs;
    int n = 0, tuned = 0;
    fixture->vta.budget = sl_vta_budget_equal(&fixture->vta.core, "as given");
    setup.n_cores = 2;
    SlJob *job = run_job(fixture, &setup, fixture->store, 2, &seen);
    const SlJobCore *cores = sl_job_cores(job, &n), *chosen = sl_job_core(job);
    assert_true(n > 2 && chosen);
    for (int c = 0; c < n; c++) {
        assert_true(c == 0 || cores[c].draft >= cores[c - 1].draft);
        tuned += cores[c].tasks != NULL;
        assert_false(cores[c].cycles < chosen->cycles);
    }
    assert_int_equal(tuned, 2);
    assert_int_equal(sl_job_task(job, 1)->record.samples, 10); // the budget is shared
    assert_true(sl_job_result(job).value == chosen->cycles);
    // two layers, on both cores
    assert_int_equal(sl_job_effort(job).samples, 40);
    assert_int_equal(sl_job_effort(job).replayed, 0);
    SlJob *resumed = run_job(fixture, &setup, fixture->store, 0, &again);
    assert_int_equal(again.kept, 0);
    assert_int_equal(sl_job_effort(resumed).replayed, 40);
    assert_same_results(job, resumed);
    sl_job_close(job);
    sl_job_close(resumed);
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        CASE(equal_layers_are_one_task),
        CASE(what_a_store_has_is_not_done_again),
        CASE(other_settings_are_other_records),
        CASE(an_interrupted_job_goes_on_to_the_same_end),
        CASE(a_task_may_be_done_again),
        CASE(a_file_that_is_no_store_is_refused),
        CASE(what_a_kind_cannot_do_is_refused),
        CASE(programs_are_tuned_compared_and_proven),
        CASE(a_network_that_nothing_can_tune_is_refused),
        CASE(a_network_chooses_the_core_with_the_least_sum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

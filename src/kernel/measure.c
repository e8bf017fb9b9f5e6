// measure.c - schedules become programs, programs become times.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

enum { MOST_ROUNDS = 64 };

static void fail_measure(SlKernelResult *result, SlKernelError error, const char *why) {
    result->error = error;
    snprintf(result->why, sizeof result->why, "%.255s", why);
}

// --- Building

// the program of a schedule; its path is in `build` if the result has no error
static void build_schedule(const SlKernelBench *bench, const SlKernelTask *task,
                           const SlKernelSchedule *schedule, SlBuild *build,
                           SlKernelResult *result) {
    *result = (SlKernelResult){.error = SL_KERNEL_OK};
    const char *why = sl_kernel_task_check(task);
    if (!why) why = sl_kernel_check(task, schedule);
    if (why) {
        fail_measure(result, SL_KERNEL_UNFIT, why);
        return;
    }
    SlArena arena;
    SlText source;
    sl_arena_init(&arena, 0);
    sl_text_init(&source, &arena);
    sl_kernel_source(task, schedule, &source);
    if (bench->edit) bench->edit(bench->context, &source);
    sl_kernel_build_text(bench, &source, build, result);
    sl_arena_free(&arena);
}

void sl_kernel_build_text(const SlKernelBench *bench, const SlText *source, SlBuild *build,
                          SlKernelResult *result) {
    if (source->failed) {
        fail_measure(result, SL_KERNEL_UNKNOWN, "not enough memory for the source");
        return;
    }
    sl_compiler_build(&bench->compiler, source->data, source->n, build);
    result->cached = build->cached;
    result->build_s = build->seconds;
    if (build->error != SL_KERNEL_OK) fail_measure(result, build->error, build->why);
}

// --- Running

// the sentence for a program that did not come to its end
static void judge_end(const SlProcess *process, const SlProcessResult *ran,
                      SlKernelResult *result) {
    char how[128], why[256];
    sl_process_show(process, ran, sizeof how, how);
    int n = (int)strcspn(ran->err, "\n");
    if (n > 100) n = 100;
    snprintf(why, sizeof why, "the program %s%s%.*s", how, n ? ": " : "", n, ran->err);
    SlKernelError error = ran->end == SL_PROCESS_TIMEOUT  ? SL_KERNEL_RUN_TIMEOUT
                          : ran->end == SL_PROCESS_ABSENT ? SL_KERNEL_UNKNOWN
                                                          : SL_KERNEL_CRASHED;
    fail_measure(result, error, why);
}

// "ok" and times, or "wrong" and why; returns how many times there are
static int read_answer(const char *text, int room, double *times_s, SlKernelResult *result) {
    int n = 0;
    if (strncmp(text, "wrong ", 6) == 0) {
        char why[256];
        snprintf(why, sizeof why, "%.*s", (int)strcspn(text + 6, "\n"), text + 6);
        fail_measure(result, SL_KERNEL_WRONG, why);
        return 0;
    }
    if (strncmp(text, "ok ", 3) == 0) {
        const char *at = text + 2;
        char *end;
        for (double t = strtod(at, &end); end != at && n < room; t = strtod(at, &end)) {
            if (!(t > 0 && isfinite(t))) break;
            times_s[n++] = t;
            at = end;
        }
    }
    if (n == 0) fail_measure(result, SL_KERNEL_UNKNOWN, "the program did not say how long it took");
    return n;
}

static int repeats_of(const SlKernelBench *bench) {
    int repeats = bench->repeats > 0 ? bench->repeats : 5;
    return repeats < SL_KERNEL_MAX_REPEATS ? repeats : SL_KERNEL_MAX_REPEATS;
}

int sl_kernel_run(const SlKernelBench *bench, const char *path, int threads, bool check,
                  double times_s[SL_KERNEL_MAX_REPEATS], SlKernelResult *result) {
    SlArena arena;
    SlError err;
    SlProcessResult ran;
    char repeats[16], least_ms[32];
    double timeout_s = bench->run_timeout_s > 0 ? bench->run_timeout_s : 10;
    const char *argv[] = {path, repeats, least_ms, check ? "1" : "0", NULL};
    snprintf(repeats, sizeof repeats, "%d", repeats_of(bench));
    snprintf(least_ms, sizeof least_ms, "%g", bench->min_repeat_ms > 0 ? bench->min_repeat_ms : 10);
    SlProcess process = {.argv = argv,
                         .deadline_s = timeout_s,
                         .cpu_s = timeout_s * threads + 1,
                         .memory_bytes =
                             bench->memory_bytes ? bench->memory_bytes : (size_t)4 << 30,
                         .max_output = 4096};
    int n = 0;
    sl_arena_init(&arena, 0);
    if (sl_process_run(&process, &arena, &ran, &err) != SL_OK) {
        fail_measure(result, SL_KERNEL_UNKNOWN, err.text);
    } else {
        result->run_s += ran.seconds;
        if (ran.end != SL_PROCESS_EXITED || ran.code != 0)
            judge_end(&process, &ran, result);
        else
            n = read_answer(ran.out, SL_KERNEL_MAX_REPEATS, times_s, result);
    }
    sl_arena_free(&arena);
    return n;
}

void sl_kernel_summarise(int n, double *times_s, double operations, SlKernelResult *result) {
    assert(n > 0);
    sl_sort(n, times_s);
    result->median_s = sl_median_sorted(n, times_s);
    result->least_s = times_s[0];
    result->spread = (sl_quantile_sorted(n, times_s, 0.75) - sl_quantile_sorted(n, times_s, 0.25)) /
                     result->median_s;
    result->gops = operations / result->median_s / 1e9;
}

static double operations_of(const SlKernelTask *task) {
    return 2.0 * (double)sl_layer_macs(&task->layer);
}

void sl_kernel_measure(const SlKernelBench *bench, const SlKernelTask *task,
                       const SlKernelSchedule *schedule, SlKernelResult *result) {
    SlBuild build;
    double times_s[SL_KERNEL_MAX_REPEATS];
    build_schedule(bench, task, schedule, &build, result);
    if (result->error != SL_KERNEL_OK) return;
    int threads = (int)schedule->values[SL_KNOB_THREADS];
    int n = sl_kernel_run(bench, build.path, threads, true, times_s, result);
    if (result->error == SL_KERNEL_OK) sl_kernel_summarise(n, times_s, operations_of(task), result);
}

// --- Many

typedef struct {
    const SlKernelBench *bench;
    const SlKernelTask *task;
    const SlKernelSchedule *schedules;
    SlKernelResult *results;
} Batch;

static void build_one(void *context, int item, int worker) {
    const Batch *batch = context;
    SlBuild build;
    (void)worker;
    build_schedule(batch->bench, batch->task, &batch->schedules[item], &build,
                   &batch->results[item]);
}

int sl_kernel_build_all(const SlKernelBench *bench, const SlKernelTask *task, int n,
                        const SlKernelSchedule *schedules, int workers, SlKernelResult *results) {
    Batch batch = {.bench = bench, .task = task, .schedules = schedules, .results = results};
    SlPool *pool = sl_pool_make(workers);
    int n_built = 0;
    if (pool) {
        sl_pool_run(pool, n, build_one, &batch);
        sl_pool_free(pool);
    } else {
        for (int i = 0; i < n; i++) build_one(&batch, i, 0);
    }
    for (int i = 0; i < n; i++) n_built += results[i].error == SL_KERNEL_OK;
    return n_built;
}

// --- In turns

// One contestant.
typedef struct {
    const SlKernelSchedule *schedule;
    SlKernelResult *result;
    SlBuild build;
    double medians_s[MOST_ROUNDS];
} Side;

// the answer was checked in the first round; the program is the same in all
static void run_round(const SlKernelBench *bench, int round, Side *side) {
    double times_s[SL_KERNEL_MAX_REPEATS];
    if (side->result->error != SL_KERNEL_OK) return;
    int threads = (int)side->schedule->values[SL_KNOB_THREADS];
    int n = sl_kernel_run(bench, side->build.path, threads, round == 0, times_s, side->result);
    if (side->result->error != SL_KERNEL_OK) return;
    sl_sort(n, times_s);
    side->medians_s[round] = sl_median_sorted(n, times_s);
}

bool sl_kernel_contest(const SlKernelBench *bench, const SlKernelTask *task, int n,
                       const SlKernelSchedule *schedules, int rounds, SlKernelResult *results) {
    assert(n >= 1 && rounds >= 1);
    SlArena arena;
    sl_arena_init(&arena, 0);
    Side *sides = SL_NEW(&arena, n, Side);
    if (rounds > MOST_ROUNDS) rounds = MOST_ROUNDS;
    for (int i = 0; sides && i < n; i++) {
        sides[i].schedule = &schedules[i];
        sides[i].result = &results[i];
        build_schedule(bench, task, &schedules[i], &sides[i].build, &results[i]);
    }
    // who goes first changes from round to round
    for (int r = 0; sides && r < rounds; r++)
        for (int i = 0; i < n; i++) run_round(bench, r, &sides[(r + i) % n]);
    for (int i = 0; sides && i < n; i++)
        if (results[i].error == SL_KERNEL_OK)
            sl_kernel_summarise(rounds, sides[i].medians_s, operations_of(task), &results[i]);
    sl_arena_free(&arena);
    return sides;
}

int sl_kernel_duel(const SlKernelBench *bench, const SlKernelTask *task, const SlKernelSchedule *a,
                   const SlKernelSchedule *b, int rounds, SlKernelResult *result_a,
                   SlKernelResult *result_b) {
    const SlKernelSchedule pair[2] = {*a, *b};
    SlKernelResult results[2] = {{.error = SL_KERNEL_UNKNOWN}, {.error = SL_KERNEL_UNKNOWN}};
    sl_kernel_contest(bench, task, 2, pair, rounds, results);
    *result_a = results[0];
    *result_b = results[1];
    bool a_ran = result_a->error == SL_KERNEL_OK, b_ran = result_b->error == SL_KERNEL_OK;
    if (!a_ran && !b_ran) return 0;
    if (!a_ran || !b_ran) return a_ran ? -1 : 1;
    return result_b->median_s < result_a->median_s ? 1 : -1;
}

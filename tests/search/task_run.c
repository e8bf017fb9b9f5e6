// task_run.c - drive a method on any task, as a run does.
#include "search/task_run.h"

#include <math.h>

enum { MOST_ROOM = 256 };

void task_run_begin(TaskRun *run, SlTask *task, const char *name, const char *changes,
                    uint64_t seed, const SlHistory *history) {
    *run = (TaskRun){.task = task, .method = method_named(name), .best = INFINITY};
    sl_arena_init(&run->arena, 0);
    assert_null(sl_method_check(run->method, task));
    SlAgents *agents = SL_NEW(&run->arena, 1, SlAgents);
    sl_agents_each(sl_task_space(task), agents);
    const SlMethodSetup setup = {.task = task,
                                 .agents = agents,
                                 .seed = seed,
                                 .stream = "test",
                                 .budget = TASK_RUN_MOST,
                                 .history = history};
    void *options = method_options(run->method, changes, &run->arena);
    run->state = run->method->make(&setup, options, &run->arena);
    assert_non_null(run->state);
    const int n_params = sl_task_space(task)->n_params;
    run->asked = sl_keyset_make(0, &run->arena);
    run->points = SL_NEW(&run->arena, (TASK_RUN_MOST + MOST_ROOM) * n_params, int32_t);
    run->values = SL_NEW(&run->arena, TASK_RUN_MOST + MOST_ROOM, double);
}

void task_run_end(TaskRun *run) {
    sl_arena_free(&run->arena);
}

static void check_points(TaskRun *run, int n, const int32_t *points) {
    const SlSpace *space = sl_task_space(run->task);
    for (int i = 0; i < n; i++, points += space->n_params) {
        for (int k = 0; k < space->n_params; k++)
            assert_in_range(points[k], 0, space->params[k].n - 1);
        const bool fresh = sl_keyset_add(run->asked, sl_task_key(run->task, points));
        assert_true(fresh || run->repeats);
        run->n_repeated += !fresh;
    }
}

static SlSample measure(TaskRun *run, const int32_t *point) {
    SlSample sample = {0};
    double *known =
        run->table ? run->table + sl_space_index(sl_task_space(run->task), point) : NULL;
    if (known && *known > 0) {
        sample.value = *known;
        sl_task_replay(run->task, point, &sample);
    } else {
        sl_task_eval(run->task, 1, point, &sample);
        if (known) *known = sample.value;
    }
    return sample;
}

void task_run_continue(TaskRun *run, int64_t n, int room) {
    const int n_params = sl_task_space(run->task)->n_params;
    SlSample samples[MOST_ROOM];
    assert_true(room <= MOST_ROOM && run->n + n <= TASK_RUN_MOST);
    while (n > 0 && !run->over) {
        int32_t *points = run->points + run->n * n_params;
        const int most = n < room ? (int)n : room;
        points[most * n_params] = -7; // must stay
        const int got = run->method->ask(run->state, most, points);
        assert_in_range(got, 0, most);
        assert_int_equal(points[most * n_params], -7);
        check_points(run, got, points);
        for (int i = 0; i < got; i++) {
            samples[i] = measure(run, points + (ptrdiff_t)i * n_params);
            run->values[run->n + i] = samples[i].value;
            run->best = fmin(run->best, samples[i].value);
            run->n_failed += !isfinite(samples[i].value);
        }
        run->method->tell(run->state, got, points, samples);
        run->over = got == 0;
        run->n += got;
        n -= got;
    }
}

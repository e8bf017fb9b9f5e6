// method_run.c - drive a method on a task, as a run does.
#include "search/method_run.h"

#include "support/check.h"

#include <string.h>

#include "starling/learn.h"

enum { MAX_SAMPLES = 20000, MAX_ROOM = 64 };

const SlMethod *method_named(const char *name) {
    const SlMethod *const *tables[] = {sl_search_methods, sl_learn_methods};
    for (int t = 0; t < 2; t++)
        for (int i = 0; tables[t][i]; i++)
            if (strcmp(tables[t][i]->name, name) == 0) return tables[t][i];
    fail_msg("no method %s", name);
    return NULL;
}

void *method_options(const SlMethod *method, const char *changes, SlArena *arena) {
    void *options = sl_arena_alloc(arena, 1, method->options_bytes);
    sl_options_init(method->options, options);
    char text[256] = "";
    if (changes) strncpy(text, changes, sizeof text - 1);
    char *rest = NULL;
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(word, '=');
        SlError err;
        *value++ = '\0';
        assert_int_equal(sl_options_set(method->options, options, word, value, &err), SL_OK);
    }
    return options;
}

void method_begin(MethodRun *run, World *world, const char *method, const char *changes,
                  uint64_t seed) {
    SlArena *arena = &world->arena;
    SlAgents *agents = SL_NEW(arena, 1, SlAgents);
    sl_agents_each(&world->space, agents);
    *run = (MethodRun){.world = world, .method = method_named(method)};
    run->task = world_task(world, "edp", SL_ILLEGAL_REPAIR);
    run->points = SL_NEW(arena, MAX_SAMPLES * world->space.n_params, int32_t);
    const SlMethodSetup setup = {
        .task = run->task, .agents = agents, .seed = seed, .stream = "test", .budget = MAX_SAMPLES};
    run->state = run->method->make(&setup, method_options(run->method, changes, arena), arena);
    assert_non_null(run->state);
}

void method_continue(MethodRun *run, int64_t n_samples, int room) {
    SlSample outcomes[MAX_ROOM];
    int n_params = run->world->space.n_params;
    assert_true(room <= MAX_ROOM && run->n_points + n_samples <= MAX_SAMPLES);
    for (int64_t done = 0; done < n_samples && !run->over;) {
        int32_t *points = run->points + run->n_points * n_params;
        int most = n_samples - done < room ? (int)(n_samples - done) : room;
        int n = run->method->ask(run->state, most, points);
        assert_in_range(n, run->may_end ? 0 : 1, most);
        run->over = n == 0;
        for (int i = 0; i < n; i++) {
            for (int p = 0; p < n_params; p++)
                assert_in_range(points[i * n_params + p], 0, run->world->space.params[p].n - 1);
            sl_task_eval(run->task, 1, points + i * n_params, &outcomes[i]);
        }
        run->method->tell(run->state, n, points, outcomes);
        run->n_points += n;
        done += n;
    }
}

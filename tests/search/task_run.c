// tuner_run.c - drive a tuner on a task, as study does.
#include "search/tuner_run.h"

#include <math.h>
#include <string.h>

#include "starling/learn.h"

enum { MOST_ROOM = 256 };

const SlTuner *tuner_named(const char *name) {
    const SlTuner *const *tables[] = {sl_search_tuners, sl_learn_tuners};
    for (int t = 0; t < 2; t++)
        for (int i = 0; tables[t][i]; i++)
            if (strcmp(tables[t][i]->name, name) == 0) return tables[t][i];
    fail_msg("no tuner %s", name);
    return NULL;
}

static void *options_of(const SlTuner *tuner, const char *changes, SlArena *arena) {
    void *options = sl_arena_alloc(arena, 1, tuner->options_bytes);
    sl_options_init(tuner->options, options);
    char text[256] = "";
    if (changes) strncpy(text, changes, sizeof text - 1);
    char *rest = NULL;
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(word, '=');
        SlError err;
        *value++ = '\0';
        assert_int_equal(sl_options_set(tuner->options, options, word, value, &err), SL_OK);
    }
    return options;
}

void tuner_begin(TunerRun *run, SlTuning *tuning, const char *name, const char *changes,
                 uint64_t seed, const SlTuningHistory *history) {
    *run = (TunerRun){.tuning = tuning, .tuner = tuner_named(name), .best = INFINITY};
    sl_arena_init(&run->arena, 0);
    const SlTunerSetup setup = {.tuning = tuning,
                                .seed = seed,
                                .stream = "test",
                                .budget = TUNER_RUN_MOST,
                                .history = history};
    void *options = options_of(run->tuner, changes, &run->arena);
    run->state = run->tuner->make(&setup, options, &run->arena);
    assert_non_null(run->state);
    const int n_knobs = sl_tuning_knobs(tuning)->n_knobs;
    run->asked = sl_keyset_make(0, &run->arena);
    run->points = SL_NEW(&run->arena, (TUNER_RUN_MOST + MOST_ROOM) * n_knobs, int32_t);
    run->values = SL_NEW(&run->arena, TUNER_RUN_MOST + MOST_ROOM, double);
}

void tuner_end(TunerRun *run) {
    sl_arena_free(&run->arena);
}

static void check_points(TunerRun *run, int n, const int32_t *points) {
    const SlKnobs *knobs = sl_tuning_knobs(run->tuning);
    for (int i = 0; i < n; i++, points += knobs->n_knobs) {
        for (int k = 0; k < knobs->n_knobs; k++)
            assert_in_range(points[k], 0, knobs->knobs[k].n - 1);
        const int64_t index = sl_knobs_index(knobs, points);
        assert_true(sl_keyset_add(run->asked, (uint64_t)index)); // never asked for before
    }
}

static SlMeasured measure(TunerRun *run, const int32_t *point) {
    SlMeasured measured = {0};
    double *known = NULL;
    if (run->table) known = run->table + sl_knobs_index(sl_tuning_knobs(run->tuning), point);
    if (known && *known > 0) return (SlMeasured){.value = *known};
    sl_tuning_measure(run->tuning, 1, point, &measured);
    if (known) *known = measured.value;
    return measured;
}

void tuner_continue(TunerRun *run, int64_t n, int room) {
    const int n_knobs = sl_tuning_knobs(run->tuning)->n_knobs;
    SlMeasured measured[MOST_ROOM];
    assert_true(room <= MOST_ROOM && run->n + n <= TUNER_RUN_MOST);
    while (n > 0 && !run->over) {
        int32_t *points = run->points + run->n * n_knobs;
        const int most = n < room ? (int)n : room;
        points[most * n_knobs] = -7; // must stay
        const int got = run->tuner->ask(run->state, most, points);
        assert_in_range(got, 0, most);
        assert_int_equal(points[most * n_knobs], -7);
        check_points(run, got, points);
        for (int i = 0; i < got; i++) {
            measured[i] = measure(run, points + (ptrdiff_t)i * n_knobs);
            run->values[run->n + i] = measured[i].value;
            run->best = fmin(run->best, measured[i].value);
            run->n_failed += !isfinite(measured[i].value);
        }
        run->tuner->tell(run->state, got, points, measured);
        run->over = got == 0;
        run->n += got;
        n -= got;
    }
}

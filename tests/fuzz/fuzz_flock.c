// fuzz_flock.c - flocks: any bytes, or a sound file with some bytes changed and its end cut off,
// with a digest that fits. Refused with a sentence, or a flock that can be asked.
//
// Input: a byte: odd = the rest is the file. Even = the rest changes a sound file: two bytes say
// how much of its end is missing, then come three bytes of a place and one of what stands there.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "learn/flock_inside.h"

enum { TASKS = 3, SAMPLES = 12, DIGEST = 8 };

static void require(bool truth) {
    if (!truth) abort();
}

static void evaluate(SlTask *task, SlLesson *lesson, SlRng *rng) {
    for (int i = 0; i < SAMPLES; i++) {
        int32_t point[SL_MAX_PARAMS];
        SlSample sample;
        sl_space_sample(sl_task_space(task), rng, point);
        sl_task_eval(task, 1, point, &sample);
        sl_lesson_add(lesson, point, &sample);
    }
}

// a sound file, small
static void make_file(SlArena *arena, SlText *out) {
    static SlAccel accel;
    static SlLayer layers[TASKS];
    static SlSpace spaces[TASKS];
    SlLesson lessons[TASKS];
    SlFlock *flock = NULL;
    SlRng rng;
    SlTeachOptions options = {0};
    SlSpaceOptions space = {0};
    sl_rng_init(&rng, 1, "fuzz");
    require(sl_accel_find("gamma168", arena, &accel, NULL) == SL_OK);
    for (int k = 0; k < TASKS; k++) {
        SlTaskSetup setup = {.space = &spaces[k]};
        SlTask *task = NULL;
        sl_layer_init(&layers[k]);
        layers[k].dims[SL_K] = 8 << k;
        layers[k].dims[SL_P] = 7;
        require(sl_goal_parse("edp", &setup.goal, NULL) == SL_OK);
        require(sl_space_make(&layers[k], &accel, &space, arena, &spaces[k], NULL) == SL_OK);
        require(sl_task_make(&setup, arena, &task, NULL) == SL_OK);
        require(sl_lesson_make(task, SAMPLES, arena, &lessons[k]));
        evaluate(task, &lessons[k], &rng);
    }
    sl_options_init(sl_teach_options, &options);
    options.seed = 1;
    options.members = options.trees = options.depth = 2;
    options.best = 1;
    options.rivals = true;
    require(sl_flock_teach(TASKS, lessons, &options, NULL, arena, &flock, NULL) == SL_OK);
    sl_text_init(out, arena);
    sl_flock_put(flock, out);
}

static void seal(char *bytes, size_t n) {
    if (n < DIGEST) return;
    uint64_t digest = sl_fnv_bytes(SL_FNV_START, bytes, n - DIGEST);
    for (int i = 0; i < DIGEST; i++) bytes[n - DIGEST + (size_t)i] = (char)(digest >> 8 * i);
}

static size_t damage(char *file, size_t n, const uint8_t *data, size_t size) {
    if (size >= 2) {
        n -= ((size_t)data[0] << 8 | data[1]) % n;
        data += 2;
        size -= 2;
    }
    for (; size >= 4 && n > 0; data += 4, size -= 4)
        file[((size_t)data[0] << 16 | (size_t)data[1] << 8 | data[2]) % n] = (char)data[3];
    seal(file, n);
    return n;
}

static void use(const SlFlock *flock, SlArena *arena) {
    static const float zeros[SL_FLOCK_MAX_INPUTS];
    SlRivalAsker asker;
    float guess, doubt;
    sl_flock_guess(flock, 1, zeros, &guess, &doubt);
    if (flock->rivals.n_nets > 0 &&
        sl_rivals_asker(&flock->rivals, flock->deviation, flock->bend, arena, &asker))
        sl_rivals_guess(&asker, 1, zeros, &guess, &doubt);
    require(sl_flock_digest(flock) != 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static SlArena home;
    static SlText sound;
    if (!sound.data) {
        sl_arena_init(&home, 0);
        make_file(&home, &sound);
    }
    if (size < 1) return 0;
    SlArena arena;
    SlError err;
    SlFlock *flock = NULL;
    sl_arena_init(&arena, (size_t)256 << 20);
    const bool any = data[0] & 1;
    size_t n = any ? size - 1 : sound.n;
    char *file = sl_arena_text(&arena, any ? (const char *)data + 1 : sound.data, n);
    if (!any) n = damage(file, n, data + 1, size - 1);
    if (sl_flock_parse("flock", file, n, &arena, &flock, &err) == SL_OK)
        use(flock, &arena);
    else
        require(err.text[0] != '\0');
    sl_arena_free(&arena);
    return 0;
}

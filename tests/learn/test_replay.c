// test_replay.c - layouts hold the same transitions, give the same batches and go through files.
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "learn/replay_inside.h"
#include "replay_help.h"

enum { ROWS = 70 }; // of a batch

// a batch with gaps between its rows, which nobody may write
typedef struct {
    SlReal *observed, *next, *state, *next_state, *actions, *rewards, *ended;
    SlReplayBatch batch;
    size_t n_observed, n_state, n_actions;
} Tray;

static const SlReal gap = 12345;

static SlReal *strewn(SlArena *arena, size_t n) {
    SlReal *numbers = SL_NEW(arena, n, SlReal);
    assert_non_null(numbers);
    for (size_t i = 0; i < n; i++) numbers[i] = gap;
    return numbers;
}

static void tray_make(const SlReplaySetup *setup, SlArena *arena, Tray *tray) {
    const size_t agents = (size_t)setup->n_agents, n = agents * (size_t)setup->n_observed;
    *tray = (Tray){.n_observed = n, .n_state = (size_t)setup->n_state, .n_actions = 5 * agents};
    tray->batch = (SlReplayBatch){
        .observed = strewn(arena, ROWS * (n + 3)),
        .observed_row = n + 3,
        .next_observed = strewn(arena, ROWS * (n + 1)),
        .next_row = n + 1,
        .actions = strewn(arena, ROWS * (tray->n_actions + 2)),
        .actions_row = tray->n_actions + 2,
        .rewards = strewn(arena, ROWS),
        .ended = strewn(arena, ROWS),
        .agent = setup->n_agents / 2,
    };
    if (setup->layout != SL_LAYOUT_STATE) return;
    tray->batch.state = strewn(arena, ROWS * (tray->n_state + 1));
    tray->batch.next_state = strewn(arena, ROWS * (tray->n_state + 1));
    tray->batch.state_row = tray->n_state + 1;
}

static void same_trays(const Tray *a, const Tray *b, int n) {
    const size_t rows = (size_t)n, size = sizeof(SlReal);
    const SlReplayBatch *x = &a->batch, *y = &b->batch;
    assert_memory_equal(x->observed, y->observed, rows * x->observed_row * size);
    assert_memory_equal(x->next_observed, y->next_observed, rows * x->next_row * size);
    assert_memory_equal(x->actions, y->actions, rows * x->actions_row * size);
    assert_memory_equal(x->rewards, y->rewards, rows * size);
    assert_memory_equal(x->ended, y->ended, rows * size);
}

// ---- layouts

static void layouts_agree_on(const SlWorld *world, int n_agents, SlSampling sampling) {
    Filler filler = {0};
    SlReplay *replays[SL_N_LAYOUTS];
    Tray trays[SL_N_LAYOUTS];
    filler_make(&filler, world, n_agents);
    for (int l = 0; l < SL_N_LAYOUTS; l++) {
        SlReplaySetup setup = filler_setup(&filler, (SlReplayLayout)l, sampling, 150);
        replays[l] = replay_need(&setup);
        tray_make(&setup, &filler.arena, &trays[l]);
    }
    // wraps around
    for (int step = 0; step < 230; step++) {
        const SlTransition one = filler_step(&filler, step);
        for (int l = 0; l < SL_N_LAYOUTS; l++) sl_replay_add(replays[l], &one);
    }
    for (int round = 0; round < 3; round++) {
        int n[SL_N_LAYOUTS];
        uint32_t rows[SL_N_LAYOUTS][ROWS];
        for (int l = 0; l < SL_N_LAYOUTS; l++) {
            SlRng rng;
            sl_rng_init(&rng, (uint64_t)round, "layouts");
            assert_in_range(sl_replay_room(replays[l], 60), 60, ROWS);
            n[l] = sl_replay_draw(replays[l], 60, &rng, rows[l]);
            sl_replay_gather(replays[l], n[l], rows[l], &trays[l].batch);
            assert_int_equal(n[l], n[0]);
            assert_memory_equal(rows[l], rows[0], (size_t)n[0] * sizeof **rows);
            same_trays(&trays[l], &trays[0], n[0]);
        }
    }
    for (int l = 0; l < SL_N_LAYOUTS; l++) sl_replay_free(replays[l]);
    filler_free(&filler);
}

static void same_transitions_give_the_same_bits_in_every_layout(void **state) {
    (void)state;
    for (int w = 0; sl_worlds[w]; w++)
        for (int n = 1; n <= 7; n += 2)
            for (int k = 0; k < SL_N_SAMPLINGS; k++)
                layouts_agree_on(sl_worlds[w], n, (SlSampling)k);
}

static void batches_hold_what_was_added_and_gaps_stay(void **state) {
    (void)state;
    Filler filler = {0};
    filler_make(&filler, sl_world_find("tag"), 4);
    SlReplaySetup setup = filler_setup(&filler, SL_LAYOUT_STATE, SL_SAMPLE_UNIFORM, 60);
    SlReplay *replay = replay_need(&setup);
    Tray tray;
    tray_make(&setup, &filler.arena, &tray);
    const SlReplayBatch *batch = &tray.batch;
    for (int step = 0; step < 60; step++) {
        const SlTransition one = filler_step(&filler, step);
        const uint32_t row = (uint32_t)step;
        sl_replay_add(replay, &one);
        sl_replay_gather(replay, 1, &row, &tray.batch);
        for (size_t i = 0; i < tray.n_observed; i++) {
            assert_true(batch->observed[i] == one.observations[i]);
            assert_true(batch->next_observed[i] == one.next_observations[i]);
        }
        for (size_t i = 0; i < tray.n_state; i++) {
            assert_true(batch->state[i] == one.state[i]);
            assert_true(batch->next_state[i] == one.next_state[i]);
        }
        for (size_t i = 0; i < tray.n_actions; i++)
            assert_true(batch->actions[i] == one.actions[i]);
        assert_true(batch->rewards[0] == one.rewards[2]);
        assert_true(batch->ended[0] == (step % 7 == 3));
    }
    assert_true(batch->observed[tray.n_observed] == gap);
    assert_true(batch->next_observed[tray.n_observed] == gap);
    assert_true(batch->state[tray.n_state] == gap && batch->next_state[tray.n_state] == gap);
    assert_true(batch->actions[tray.n_actions] == gap && batch->rewards[1] == gap);
    sl_replay_free(replay);
    filler_free(&filler);
}

static void what_is_not_wanted_is_not_written(void **state) {
    (void)state;
    for (int l = 0; l < SL_N_LAYOUTS; l++) {
        SlReplaySetup setup = counted_setup((SlReplayLayout)l, SL_SAMPLE_UNIFORM, 10);
        SlReplay *replay = replay_need(&setup);
        const uint32_t rows[3] = {4, 2, 4};
        SlReal rewards[3];
        counted_add(replay, 0, 10);
        SlReplayBatch batch = {.rewards = rewards, .agent = 1};
        sl_replay_gather(replay, 3, rows, &batch);
        for (int i = 0; i < 3; i++) assert_true(rewards[i] == -2 * (SlReal)rows[i]);
        sl_replay_free(replay);
    }
}

// all numbers of a row are of the step that the reward of agent 0 names
static void agents_are_aligned(const SlReplay *replay, SlArena *arena) {
    Tray tray;
    uint32_t rows[ROWS];
    SlRng rng;
    tray_make(&replay->setup, arena, &tray);
    tray.batch.agent = 0;
    sl_rng_init(&rng, 4, "aligned");
    const int n = sl_replay_draw(replay, ROWS - 6, &rng, rows);
    sl_replay_gather(replay, n, rows, &tray.batch);
    for (int i = 0; i < n; i++) {
        const SlReal x = tray.batch.rewards[i];
        const SlReal *seen = tray.batch.observed + (size_t)i * tray.batch.observed_row;
        const SlReal *next = tray.batch.next_observed + (size_t)i * tray.batch.next_row;
        const SlReal *actions = tray.batch.actions + (size_t)i * tray.batch.actions_row;
        assert_true(seen[0] == x + (SlReal)0.25 && seen[3] == 2 * x && seen[5] == x);
        assert_true(next[0] == x + (SlReal)0.5 && next[3] == 3 * x && next[5] == x - 1);
        assert_true(actions[0] == x && actions[5] == x + (SlReal)0.3125);
        assert_true(tray.batch.ended[i] == (fmod(x, 5) == 0));
    }
}

static void rows_of_all_agents_stay_aligned(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    for (int l = 0; l < SL_N_LAYOUTS; l++) {
        for (int k = 0; k < SL_N_SAMPLINGS; k++) {
            SlReplaySetup setup = counted_setup((SlReplayLayout)l, (SlSampling)k, 100);
            SlReplay *replay = replay_need(&setup);
            counted_add(replay, 0, 30);
            agents_are_aligned(replay, &arena);
            counted_add(replay, 30, 400);
            agents_are_aligned(replay, &arena);
            sl_replay_free(replay);
        }
    }
    sl_arena_free(&arena);
}

static void the_oldest_go_when_it_is_full(void **state) {
    (void)state;
    for (int l = 0; l < SL_N_LAYOUTS; l++) {
        SlReplaySetup setup = counted_setup((SlReplayLayout)l, SL_SAMPLE_UNIFORM, 10);
        SlReplay *replay = replay_need(&setup);
        uint32_t rows[10];
        SlReal rewards[10];
        SlReplayBatch batch = {.rewards = rewards};
        for (int i = 0; i < 10; i++) rows[i] = (uint32_t)i;
        assert_int_equal(sl_replay_n(replay), 0);
        counted_add(replay, 0, 9);
        assert_int_equal(sl_replay_n(replay), 9);
        counted_add(replay, 9, 14);
        assert_int_equal(sl_replay_n(replay), 10);
        sl_replay_gather(replay, 10, rows, &batch);
        for (int i = 0; i < 10; i++) assert_true(rewards[i] == (i < 3 ? 20 : 10) + i);
        sl_replay_free(replay);
    }
}

static void any_map_of_a_state_is_followed(void **state) {
    (void)state;
    enum { N_STATE = 9, N_SEEN = 60 };
    SlRng rng;
    sl_rng_init(&rng, 6, "maps");
    for (int round = 0; round < 200; round++) {
        SlObserved map[N_SEEN];
        float states[2][N_STATE], actions[5] = {0}, reward = 0;
        SlReal seen[N_SEEN], next[N_SEEN];
        const int fixed = round % (N_STATE + 1);
        for (int i = 0; i < N_SEEN; i++) {
            // often the numbers after those before
            const bool on = i > 0 && sl_rng_below(&rng, 4) > 0;
            map[i].plus = (int16_t)sl_rng_range(&rng, -1, N_STATE - 1);
            map[i].minus = (int16_t)sl_rng_range(&rng, -1, N_STATE - 1);
            if (on && map[i - 1].plus + 1 < N_STATE) map[i].plus = (int16_t)(map[i - 1].plus + 1);
            if (on && map[i - 1].minus + 1 < N_STATE && round % 2)
                map[i].minus = (int16_t)(map[i - 1].minus + 1);
        }
        for (int i = 0; i < N_STATE; i++) {
            states[0][i] = (float)sl_rng_normal(&rng);
            states[1][i] = i < N_STATE - fixed ? (float)sl_rng_normal(&rng) : states[0][i];
        }
        const SlReplaySetup setup = {.layout = SL_LAYOUT_STATE,
                                     .capacity = 2,
                                     .n_agents = 1,
                                     .n_observed = N_SEEN,
                                     .n_state = N_STATE,
                                     .n_fixed = fixed,
                                     .map = map};
        SlReplay *replay = replay_need(&setup);
        const SlTransition one = {
            .state = states[0], .next_state = states[1], .actions = actions, .rewards = &reward};
        SlReplayBatch batch = {.observed = seen, .next_observed = next};
        const uint32_t row = 0;
        sl_replay_add(replay, &one);
        sl_replay_gather(replay, 1, &row, &batch);
        for (int i = 0; i < 2 * N_SEEN; i++) {
            const SlObserved at = map[i / 2];
            const float *from = states[i % 2];
            const float want =
                (at.plus < 0 ? 0 : from[at.plus]) - (at.minus < 0 ? 0 : from[at.minus]);
            assert_true((i % 2 ? next : seen)[i / 2] == want);
        }
        sl_replay_free(replay);
    }
}

// ---- doubles

void double_replay_gather(const SlReplay *replay, int n, const uint32_t *rows, void *batch);

static void doubles_are_the_floats(void **state) {
    (void)state;
    // a SlReplayBatch of doubles
    struct {
        double *observed, *next_observed;
        size_t observed_row, next_row;
        double *state, *next_state;
        size_t state_row;
        double *actions;
        size_t actions_row;
        double *rewards, *ended;
        int agent;
    } wide = {0};
    Filler filler = {0};
    filler_make(&filler, sl_world_find("spread"), 3);
    for (int l = 0; l < SL_N_LAYOUTS; l++) {
        SlReplaySetup setup = filler_setup(&filler, (SlReplayLayout)l, SL_SAMPLE_UNIFORM, 20);
        SlReplay *replay = replay_need(&setup);
        for (int step = 0; step < 20; step++) {
            const SlTransition one = filler_step(&filler, step);
            sl_replay_add(replay, &one);
        }
        Tray tray;
        const uint32_t rows[4] = {3, 19, 0, 7};
        double observed[4 * 54], next[4 * 54], actions[4 * 15], rewards[4], ended[4];
        tray_make(&setup, &filler.arena, &tray);
        tray.batch.observed_row = wide.observed_row = tray.batch.next_row = wide.next_row = 54;
        tray.batch.actions_row = wide.actions_row = 15;
        tray.batch.agent = wide.agent = 2;
        wide.observed = observed;
        wide.next_observed = next;
        wide.actions = actions;
        wide.rewards = rewards;
        wide.ended = ended;
        sl_replay_gather(replay, 4, rows, &tray.batch);
        double_replay_gather(replay, 4, rows, &wide);
        for (int i = 0; i < 4 * 54; i++) {
            assert_true(observed[i] == tray.batch.observed[i]);
            assert_true(next[i] == tray.batch.next_observed[i]);
        }
        for (int i = 0; i < 4 * 15; i++) assert_true(actions[i] == tray.batch.actions[i]);
        for (int i = 0; i < 4; i++) {
            assert_true(rewards[i] == tray.batch.rewards[i]);
            assert_true(ended[i] == tray.batch.ended[i]);
        }
        sl_replay_free(replay);
    }
    filler_free(&filler);
}

// ---- memory

static SlReplaySetup tag_setup(SlReplayLayout layout, int n, int prey, int landmarks,
                               SlObserved *map) {
    const int movers = n + prey;
    return (SlReplaySetup){.layout = layout,
                           .capacity = 1000000,
                           .n_agents = n,
                           .n_observed = 4 + 2 * landmarks + 2 * (movers - 1) + 2 * prey,
                           .n_state = 4 * movers + 2 * landmarks,
                           .n_fixed = 2 * landmarks,
                           .map = map};
}

static void a_million_transitions_of_24_agents_fit_into_memory(void **state) {
    (void)state;
    SlObserved map[24 * 98];
    memset(map, 0, sizeof map);
    SlReplaySetup setup = tag_setup(SL_LAYOUT_STATE, 24, 8, 8, map);
    assert_int_equal(setup.n_observed, 98);
    assert_int_equal(setup.n_state, 144);
    const size_t bytes = sl_replay_row_bytes(&setup);
    // two states, their landmarks once, actions, rewards, an end; padded to whole lines
    assert_int_equal(bytes, (4 * (2 * 128 + 16 + 24 * 6 + 1) + 63) / 64 * 64);
    assert_true((double)bytes * 1e6 < 2.5e9);
    setup.layout = SL_LAYOUT_JOINT;
    assert_in_range(sl_replay_row_bytes(&setup), 19396, 19488);
    setup.layout = SL_LAYOUT_SEPARATE;
    assert_in_range(sl_replay_row_bytes(&setup), 24 * 812, 24 * 832);
}

static void pages_are_aligned_and_touched_when_written(void **state) {
    (void)state;
    SlObserved map[24 * 98];
    memset(map, 0, sizeof map);
    // 1.7 GB that nobody touches
    SlReplaySetup setup = tag_setup(SL_LAYOUT_STATE, 24, 8, 8, map);
    SlReplay *replay = replay_need(&setup);
    assert_int_equal((uintptr_t)replay->buffers[0].at % (1 << 21), 0);
    assert_int_equal(replay->buffers[0].huge, sl_replay_huge_pages(replay));
    sl_replay_free(replay);
    sl_replay_free(NULL);
}

static void a_replay_beyond_all_memory_is_not_made(void **state) {
    (void)state;
    for (int l = 0; l < 2; l++) {
        SlReplaySetup setup = {.layout = (SlReplayLayout)l,
                               .capacity = INT32_MAX,
                               .n_agents = 256,
                               .n_observed = 4096};
        assert_null(sl_replay_check(&setup));
        assert_null(sl_replay_make(&setup));
    }
}

static void setups_that_make_no_sense_are_named(void **state) {
    (void)state;
    const SlReplaySetup good = counted_setup(SL_LAYOUT_STATE, SL_SAMPLE_NEIGHBOR, 10);
    const SlObserved beyond[6] = {{0, 4}}, below[6] = {{-2, 0}};
    SlReplaySetup bad[16];
    int n = 0;
    for (int i = 0; i < 16; i++) bad[i] = good;
    bad[n++].layout = SL_N_LAYOUTS;
    bad[n++].sampling = SL_N_SAMPLINGS;
    bad[n++].neighbors = 0;
    bad[n++].neighbors = 65;
    bad[n++].capacity = 1;
    bad[n++].capacity = (int64_t)INT32_MAX + 1;
    bad[n++].n_agents = 0;
    bad[n++].n_agents = 257;
    bad[n++].n_observed = 0;
    bad[n++].n_state = 0;
    bad[n++].n_fixed = 5;
    bad[n++].map = NULL;
    bad[n++].map = beyond;
    bad[n++].map = below;
    bad[n].sampling = SL_SAMPLE_PRIORITY;
    bad[n++].priority_power = -1;
    bad[n].sampling = SL_SAMPLE_PRIORITY;
    bad[n++].priority_power = NAN;
    assert_null(sl_replay_check(&good));
    for (int i = 0; i < n; i++) assert_non_null(sl_replay_check(&bad[i]));
    // uniform sampling has no neighbours
    SlReplaySetup uniform = counted_setup(SL_LAYOUT_JOINT, SL_SAMPLE_UNIFORM, 10);
    uniform.neighbors = 0;
    uniform.map = NULL;
    assert_null(sl_replay_check(&uniform));
}

static void names_are_in_order(void **state) {
    (void)state;
    assert_string_equal(sl_replay_layout_names[SL_LAYOUT_STATE], "state");
    assert_null(sl_replay_layout_names[SL_N_LAYOUTS]);
    assert_string_equal(sl_sampling_names[SL_SAMPLE_PRIORITY], "priority");
    assert_null(sl_sampling_names[SL_N_SAMPLINGS]);
}

// ---- files

static FILE *saved(const SlReplay *replay) {
    FILE *file = tmpfile();
    SlError err;
    assert_non_null(file);
    assert_int_equal(sl_replay_save(replay, file, &err), SL_OK);
    rewind(file);
    return file;
}

// both draw and hold the same
static void same_replays(const SlReplay *a, const SlReplay *b, SlArena *arena) {
    Tray trays[2];
    uint32_t rows[2][ROWS];
    int n[2];
    assert_int_equal(sl_replay_n(a), sl_replay_n(b));
    for (int i = 0; i < 2; i++) {
        const SlReplay *replay = i ? b : a;
        SlRng rng;
        sl_rng_init(&rng, 8, "same");
        tray_make(&replay->setup, arena, &trays[i]);
        n[i] = sl_replay_draw(replay, 60, &rng, rows[i]);
        sl_replay_gather(replay, n[i], rows[i], &trays[i].batch);
    }
    assert_int_equal(n[0], n[1]);
    assert_memory_equal(rows[0], rows[1], (size_t)n[0] * sizeof **rows);
    same_trays(&trays[0], &trays[1], n[0]);
}

static void a_saved_replay_goes_on_as_if_never_left(void **state) {
    (void)state;
    SlArena arena;
    SlError err;
    sl_arena_init(&arena, 0);
    for (int i = 0; i < 2 * SL_N_LAYOUTS * SL_N_SAMPLINGS; i++) {
        const int layout = i % SL_N_LAYOUTS, sampling = i / SL_N_LAYOUTS % SL_N_SAMPLINGS;
        SlReplaySetup setup = counted_setup((SlReplayLayout)layout, (SlSampling)sampling, 100);
        SlReplay *replay = replay_need(&setup), *other = replay_need(&setup);
        counted_add(replay, 0, i % 2 ? 250 : 70);
        const uint32_t some[3] = {5, 60, 61};
        const SlReal errors[3] = {9, (SlReal)0.01, 4};
        if (sampling == SL_SAMPLE_PRIORITY) sl_replay_prioritise(replay, 3, some, errors);
        counted_add(other, 1000, 333); // is replaced
        FILE *file = saved(replay);
        assert_int_equal(sl_replay_load(other, file, &err), SL_OK);
        assert_int_equal(fgetc(file), EOF);
        fclose(file);
        same_replays(replay, other, &arena);
        counted_add(replay, 500, 40);
        counted_add(other, 500, 40);
        same_replays(replay, other, &arena);
        sl_replay_free(replay);
        sl_replay_free(other);
    }
    sl_arena_free(&arena);
}

static void only_what_is_held_is_saved(void **state) {
    (void)state;
    SlReplaySetup setup = counted_setup(SL_LAYOUT_STATE, SL_SAMPLE_PRIORITY, 1000000);
    SlReplay *replay = replay_need(&setup);
    counted_add(replay, 0, 10);
    FILE *file = saved(replay);
    fseek(file, 0, SEEK_END);
    assert_in_range(ftell(file), 10 * (sl_replay_row_bytes(&setup) + 8),
                    10 * (sl_replay_row_bytes(&setup) + 8) + 200);
    fclose(file);
    sl_replay_free(replay);
}

static void refuses(SlReplay *replay, FILE *file, const char *sentence) {
    SlError err = {0};
    counted_add(replay, 0, 5);
    assert_int_equal(sl_replay_load(replay, file, &err), SL_EINPUT);
    assert_string_equal(err.text, sentence);
    assert_int_equal(sl_replay_n(replay), 0);
}

static void a_replay_of_another_setup_is_refused(void **state) {
    (void)state;
    static const SlObserved other_map[6] = {{1, -1}};
    SlReplaySetup setup = counted_setup(SL_LAYOUT_STATE, SL_SAMPLE_NEIGHBOR, 50), other = setup;
    SlReplay *replay = replay_need(&setup);
    counted_add(replay, 0, 30);
    FILE *file = saved(replay);
    static const char *const sentences[] = {
        "the replay was saved in another layout", "the replay was saved with another capacity",
        "the replay was saved without priorities", "the replay was saved from another environment",
        "the replay was saved from another environment"};
    for (int i = 0; i < 5; i++) {
        other = setup;
        if (i == 0) other.layout = SL_LAYOUT_JOINT;
        if (i == 1) other.capacity = 51;
        if (i == 2) other.sampling = SL_SAMPLE_PRIORITY;
        if (i == 3) other.map = other_map;
        if (i == 4) other.n_fixed = 0;
        SlReplay *loader = replay_need(&other);
        rewind(file);
        refuses(loader, file, sentences[i]);
        sl_replay_free(loader);
    }
    // neighbours or not is no matter of what is held
    other = setup;
    other.sampling = SL_SAMPLE_UNIFORM;
    SlReplay *loader = replay_need(&other);
    SlError err;
    rewind(file);
    assert_int_equal(sl_replay_load(loader, file, &err), SL_OK);
    sl_replay_free(loader);
    fclose(file);
    sl_replay_free(replay);
}

static void a_short_file_is_refused_wherever_it_ends(void **state) {
    (void)state;
    for (int l = 0; l < SL_N_LAYOUTS; l++) {
        SlReplaySetup setup = counted_setup((SlReplayLayout)l, SL_SAMPLE_PRIORITY, 50);
        SlReplay *replay = replay_need(&setup);
        char bytes[8192];
        counted_add(replay, 0, 4);
        FILE *file = saved(replay);
        const size_t n = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        assert_in_range(n, 100, sizeof bytes - 1);
        for (size_t end = 0; end < n; end += 7) {
            file = tmpfile();
            assert_non_null(file);
            assert_int_equal(fwrite(bytes, 1, end, file), end);
            rewind(file);
            refuses(replay, file, "the saved replay is cut off");
            fclose(file);
        }
        sl_replay_free(replay);
    }
}

static void a_damaged_header_is_refused(void **state) {
    (void)state;
    SlReplaySetup setup = counted_setup(SL_LAYOUT_JOINT, SL_SAMPLE_PRIORITY, 50);
    SlReplay *replay = replay_need(&setup);
    char bytes[8192];
    counted_add(replay, 0, 4);
    FILE *file = saved(replay);
    const size_t n = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    // every byte of the header matters, but those that say how large the largest weight is
    for (size_t i = 0; i < 88; i = i == 79 ? 87 : i + 1) {
        SlError err = {0};
        bytes[i] ^= (char)0x80;
        file = tmpfile();
        assert_non_null(file);
        assert_int_equal(fwrite(bytes, 1, n, file), n);
        rewind(file);
        if (sl_replay_load(replay, file, &err) != SL_EINPUT) fail_msg("byte %zu", i);
        assert_true(strlen(err.text) > 20);
        fclose(file);
        bytes[i] ^= (char)0x80;
    }
    sl_replay_free(replay);
}

static void a_full_disk_is_told(void **state) {
    (void)state;
    FILE *full = fopen("/dev/full", "w");
    if (!full) skip();
    SlReplaySetup setup = counted_setup(SL_LAYOUT_JOINT, SL_SAMPLE_UNIFORM, 5000);
    SlReplay *replay = replay_need(&setup);
    SlError err;
    counted_add(replay, 0, 5000);
    assert_int_equal(sl_replay_save(replay, full, &err), SL_EIO);
    fclose(full);
    sl_replay_free(replay);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_transitions_give_the_same_bits_in_every_layout),
        cmocka_unit_test(batches_hold_what_was_added_and_gaps_stay),
        cmocka_unit_test(what_is_not_wanted_is_not_written),
        cmocka_unit_test(rows_of_all_agents_stay_aligned),
        cmocka_unit_test(the_oldest_go_when_it_is_full),
        cmocka_unit_test(any_map_of_a_state_is_followed),
        cmocka_unit_test(doubles_are_the_floats),
        cmocka_unit_test(a_million_transitions_of_24_agents_fit_into_memory),
        cmocka_unit_test(pages_are_aligned_and_touched_when_written),
        cmocka_unit_test(a_replay_beyond_all_memory_is_not_made),
        cmocka_unit_test(setups_that_make_no_sense_are_named),
        cmocka_unit_test(names_are_in_order),
        cmocka_unit_test(a_saved_replay_goes_on_as_if_never_left),
        cmocka_unit_test(only_what_is_held_is_saved),
        cmocka_unit_test(a_replay_of_another_setup_is_refused),
        cmocka_unit_test(a_short_file_is_refused_wherever_it_ends),
        cmocka_unit_test(a_damaged_header_is_refused),
        cmocka_unit_test(a_full_disk_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

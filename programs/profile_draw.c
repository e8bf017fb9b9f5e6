// profile_draw.c - pictures of `starling profile`, as in the paper: shares of training, growth,
// shares of an update, what neighbours bring.
#include <math.h>
#include <stdio.h>

#include "profile.h"
#include "starling/draw.h"

// The cases of one world, and how they are called in pictures.
typedef struct {
    const Profile *profile;
    const SlWorld *env;
    int n;
    const ProfileCase **cases;
    const char **names;
} View;

static const char *text_of(SlArena *arena, const SlText *text) {
    return command_need(sl_arena_text(arena, text->data, text->n));
}

// the number of agents, and of the rest what is not the same everywhere
static const char *name_of(const Profile *profile, const ProfileCase *one) {
    bool algo = false, mode = false, layout = false, sampling = false;
    SlText text;
    for (int i = 0; i < profile->n; i++) {
        const ProfileCase *other = &profile->cases[i];
        algo |= other->algo != one->algo;
        mode |= other->mode != one->mode;
        layout |= other->layout != one->layout;
        sampling |= other->sampling != one->sampling;
    }
    sl_text_init(&text, profile->arena);
    sl_text_add(&text, "%d", one->agents);
    if (algo) sl_text_add(&text, " %s", sl_algo_names[one->algo]);
    if (mode) sl_text_add(&text, " %s", sl_engine_mode_names[one->mode]);
    if (layout) sl_text_add(&text, " %s", sl_replay_layout_names[one->layout]);
    if (sampling) sl_text_add(&text, " %s", sl_sampling_names[one->sampling]);
    return text_of(profile->arena, &text);
}

static void make_view(const Profile *profile, const SlWorld *env, View *view) {
    *view = (View){.profile = profile, .env = env};
    view->cases = command_need(SL_NEW(profile->arena, profile->n, const ProfileCase *));
    view->names = command_need(SL_NEW(profile->arena, profile->n, const char *));
    for (int i = 0; i < profile->n; i++) {
        if (profile->cases[i].env != env) continue;
        view->cases[view->n] = &profile->cases[i];
        view->names[view->n++] = name_of(profile, &profile->cases[i]);
    }
}

static const char *milliseconds(const View *view, double ms) {
    SlText text;
    sl_text_init(&text, view->profile->arena);
    char count[32];
    if (ms < 1000)
        sl_text_add(&text, "%.3g ms", ms);
    else
        sl_text_add(&text, "%s ms", sl_show_count(round(ms), count));
    return text_of(view->profile->arena, &text);
}

static const char *title_of(const View *view, const char *what) {
    SlText text;
    sl_text_init(&text, view->profile->arena);
    sl_text_add(&text, "%s of %s", what, view->env->name);
    return text_of(view->profile->arena, &text);
}

// ---- shares ----

enum { TRAINING_PARTS = 4, UPDATE_PARTS = 4 };

static void training_parts(const ProfileCase *one, double parts[static TRAINING_PARTS]) {
    parts[0] = one->phases[SL_PHASE_ACT].median;
    parts[1] = one->phases[SL_PHASE_ENV].median;
    parts[2] = profile_update(one);
    parts[3] = one->phases[SL_PHASE_REST].median;
}

static void update_parts(const ProfileCase *one, double parts[static UPDATE_PARTS]) {
    for (int p = 0; p < UPDATE_PARTS; p++) parts[p] = one->phases[SL_PHASE_SAMPLE + p].median;
}

static void draw_shares(const View *view, bool update, SlText *out) {
    static const char *const training_names[] = {"action selection", "environment",
                                                 "update all trainers", "rest"};
    SlArena *arena = view->profile->arena;
    double *values = command_need(SL_NEW(arena, view->n * TRAINING_PARTS, double));
    const char **notes = command_need(SL_NEW(arena, view->n, const char *));
    for (int i = 0; i < view->n; i++) {
        const ProfileCase *one = view->cases[i];
        double *parts = values + (ptrdiff_t)i * TRAINING_PARTS;
        if (update)
            update_parts(one, parts);
        else
            training_parts(one, parts);
        notes[i] = milliseconds(view, update ? profile_update(one) : one->all.median);
    }
    SlStackPlot plot = {
        .n = view->n,
        .n_parts = TRAINING_PARTS,
        .names = view->names,
        .parts = update ? sl_phase_names + SL_PHASE_SAMPLE : training_names,
        .values = values,
        .shares = true,
        .notes = notes,
        .title = title_of(view, update ? "Updating all trainers" : "100 steps and an update"),
        .x_label = "% of the time, by agents"};
    sl_draw_stack_svg(&plot, out);
}

// ---- growth ----

enum { GROWTH_PARTS = 3, MOST_STEPS = 8 };

// geometric means over cases of N agents that have a partner with 2 N
static bool growth(const View *view, int agents, double parts[static GROWTH_PARTS]) {
    double logs[GROWTH_PARTS] = {0};
    int n = 0;
    for (int i = 0; i < view->n; i++) {
        const ProfileCase *one = view->cases[i];
        const ProfileCase *twice = profile_find(view->profile, one, 2 * one->agents, one->sampling);
        if (one->agents != agents || !twice) continue;
        double before[TRAINING_PARTS], after[TRAINING_PARTS];
        training_parts(one, before);
        training_parts(twice, after);
        for (int p = 0; p < GROWTH_PARTS; p++) logs[p] += log(after[p] / before[p]);
        n++;
    }
    for (int p = 0; p < GROWTH_PARTS; p++) parts[p] = exp(logs[p] / n);
    return n > 0;
}

static bool draw_growth(const View *view, SlText *out) {
    static const char *const parts[GROWTH_PARTS] = {"action selection", "environment",
                                                    "update all trainers"};
    double values[MOST_STEPS * GROWTH_PARTS];
    const char *names[MOST_STEPS];
    int n = 0, before = 0;
    for (int i = 0; i < view->n && n < MOST_STEPS; i++) {
        int agents = view->cases[i]->agents;
        if (agents == before) continue;
        before = agents;
        if (!growth(view, agents, values + (ptrdiff_t)n * GROWTH_PARTS)) continue;
        SlText name;
        sl_text_init(&name, view->profile->arena);
        sl_text_add(&name, "%d to %d agents", agents, 2 * agents);
        names[n++] = text_of(view->profile->arena, &name);
    }
    SlBarPlot plot = {.n = n,
                      .n_series = GROWTH_PARTS,
                      .names = names,
                      .series = parts,
                      .values = values,
                      .title = title_of(view, "Growth of the time"),
                      .x_label = "times as long"};
    if (n > 0) sl_draw_bars_svg(&plot, out);
    return n > 0;
}

// ---- neighbours ----

static bool draw_neighbors(const View *view, SlText *out) {
    static const char *const series[2] = {"mini-batch sampling", "all of training"};
    SlArena *arena = view->profile->arena;
    double *values = command_need(SL_NEW(arena, 2 * view->n, double));
    const char **names = command_need(SL_NEW(arena, view->n, const char *));
    int n = 0;
    for (int i = 0; i < view->n; i++) {
        const ProfileCase *one = view->cases[i];
        const ProfileCase *base = profile_find(view->profile, one, one->agents, SL_SAMPLE_UNIFORM);
        if (one->sampling == SL_SAMPLE_UNIFORM || !base) continue;
        values[2 * n] =
            100 * (1 - one->phases[SL_PHASE_SAMPLE].median / base->phases[SL_PHASE_SAMPLE].median);
        values[2 * n + 1] = 100 * (1 - one->all.median / base->all.median);
        names[n++] = view->names[i];
    }
    SlBarPlot plot = {.n = n,
                      .n_series = 2,
                      .names = names,
                      .series = series,
                      .values = values,
                      .title = title_of(view, "Time saved beside uniform sampling"),
                      .x_label = "% less time, by agents"};
    if (n > 0) sl_draw_bars_svg(&plot, out);
    return n > 0;
}

// ---- files ----

static SlStatus write_one(const View *view, const char *what, const SlText *svg, SlError *err) {
    char name[64];
    snprintf(name, sizeof name, "%s-%s.svg", what, view->env->name);
    return command_write(view->profile->options->common.out, name, svg, err);
}

static SlStatus draw_view(const View *view, SlError *err) {
    SlText svg[4];
    for (int i = 0; i < 4; i++) sl_text_init(&svg[i], view->profile->arena);
    draw_shares(view, false, &svg[0]);
    draw_shares(view, true, &svg[1]);
    bool grown = draw_growth(view, &svg[2]), near = draw_neighbors(view, &svg[3]);
    SlStatus status = write_one(view, "training", &svg[0], err);
    if (status == SL_OK) status = write_one(view, "update", &svg[1], err);
    if (status == SL_OK && grown) status = write_one(view, "growth", &svg[2], err);
    return status == SL_OK && near ? write_one(view, "neighbor", &svg[3], err) : status;
}

SlStatus profile_draw(const Profile *profile, SlError *err) {
    SlStatus status = SL_OK;
    for (int e = 0; sl_worlds[e] && status == SL_OK; e++) {
        View view;
        make_view(profile, sl_worlds[e], &view);
        if (view.n > 0) status = draw_view(&view, err);
    }
    return status;
}

// profile_figures.c - pictures of a profile, as in the paper: shares of training, growth, shares of
// an update, what neighbours bring.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "doc_inside.h"
#include "profile_inside.h"
#include "starling/draw.h"

enum { N_PARTS = 4 }; // of training, and of an update
static const char *const training_parts[N_PARTS] = {"action selection", "environment",
                                                    "update all trainers", "rest"};

// The cases of one world, and how they are called in pictures.
typedef struct {
    const SlProfile *profile;
    SlDoc *doc;
    SlArena *arena;
    const char *world;
    int n;
    int *cases;         // (n)
    const char **names; // (n)
} View;

static const char *text_of(const View *view, const SlText *text) {
    if (text->failed) sl_doc_fail(view->doc);
    return text->data;
}

// the number of agents, and of the rest what is not the same everywhere
static const char *name_of(const View *view, const SlEngineSetup *one) {
    bool algo = false, mode = false, layout = false, sampling = false;
    SlText text;
    for (int i = 0; i < view->profile->n; i++) {
        const SlEngineSetup *other = &view->profile->setups[i];
        algo |= other->algo != one->algo;
        mode |= other->mode != one->mode;
        layout |= other->layout != one->layout;
        sampling |= other->sampling != one->sampling;
    }
    sl_text_init(&text, view->arena);
    sl_text_add(&text, "%lld", (long long)one->world.n_agents);
    if (algo) sl_text_add(&text, " %s", sl_algo_names[one->algo]);
    if (mode) sl_text_add(&text, " %s", sl_engine_mode_names[one->mode]);
    if (layout) sl_text_add(&text, " %s", sl_replay_layout_names[one->layout]);
    if (sampling) sl_text_add(&text, " %s", sl_sampling_names[one->sampling]);
    return text_of(view, &text);
}

// empty without memory
static View make_view(const SlProfile *profile, const SlWorld *world, SlDoc *doc) {
    View view = {.profile = profile, .doc = doc, .arena = sl_doc_arena(doc), .world = world->name};
    view.cases = sl_doc_need(doc, SL_NEW(view.arena, profile->n, int));
    view.names = sl_doc_need(doc, SL_NEW(view.arena, profile->n, const char *));
    for (int i = 0; view.cases && view.names && i < profile->n; i++) {
        if (profile->setups[i].world.world != world) continue;
        view.cases[view.n] = i;
        view.names[view.n++] = name_of(&view, &profile->setups[i]);
    }
    return view;
}

static const char *title_of(const View *view, const char *what) {
    SlText text;
    sl_text_init(&text, view->arena);
    sl_text_add(&text, "%s of %s", what, view->world);
    return text_of(view, &text);
}

static void add_figure(const View *view, const char *what, const SlText *svg, const char *caption) {
    char name[64];
    snprintf(name, sizeof name, "%s-%s", what, view->world);
    sl_doc_figure(view->doc, name, text_of(view, svg), caption);
}

// ---- shares ----

static void fill_training(const SlEngineProfile *one, double parts[static N_PARTS]) {
    parts[0] = one->phases[SL_PHASE_ACT].median;
    parts[1] = one->phases[SL_PHASE_ENV].median;
    parts[2] = sl_profile_update(one);
    parts[3] = one->phases[SL_PHASE_REST].median;
}

static void fill_update(const SlEngineProfile *one, double parts[static N_PARTS]) {
    for (int p = 0; p < N_PARTS; p++) parts[p] = one->phases[SL_PHASE_SAMPLE + p].median;
}

static const char *show_ms(const View *view, double ms) {
    SlText text;
    char count[SL_UNIT_ROOM];
    sl_text_init(&text, view->arena);
    if (ms < 1000)
        sl_text_add(&text, "%.3g ms", ms);
    else
        sl_text_add(&text, "%s ms", sl_unit_show(SL_UNIT_COUNT, round(ms), count));
    return text_of(view, &text);
}

static void draw_shares(const View *view, bool update) {
    double *values = sl_doc_need(view->doc, SL_NEW(view->arena, view->n * N_PARTS, double));
    const char **notes = sl_doc_need(view->doc, SL_NEW(view->arena, view->n, const char *));
    if (!values || !notes) return;
    for (int i = 0; i < view->n; i++) {
        const SlEngineProfile *one = &view->profile->times[view->cases[i]];
        double *parts = values + (ptrdiff_t)i * N_PARTS;
        if (update)
            fill_update(one, parts);
        else
            fill_training(one, parts);
        notes[i] = show_ms(view, update ? sl_profile_update(one) : one->all.median);
    }
    SlStackPlot plot = {
        .n = view->n,
        .n_parts = N_PARTS,
        .names = view->names,
        .parts = update ? sl_phase_names + SL_PHASE_SAMPLE : training_parts,
        .values = values,
        .shares = true,
        .notes = notes,
        .title = title_of(view, update ? "Updating all trainers" : "100 steps and an update"),
        .x_label = "% of the time, by agents"};
    SlText svg;
    sl_text_init(&svg, view->arena);
    sl_draw_stack_svg(&plot, &svg);
    if (update)
        add_figure(view, "update", &svg, "Shares of the four phases of an update.");
    else
        add_figure(view, "training", &svg, "Shares of the phases of training.");
}

// ---- bars ----

// values (n, n_series)
static void draw_bars(const View *view, const char *name, const SlBarPlot *plot,
                      const char *caption) {
    SlText svg;
    if (plot->n == 0) return;
    sl_text_init(&svg, view->arena);
    sl_draw_bars_svg(plot, &svg);
    add_figure(view, name, &svg, caption);
}

enum { GROWTH_PARTS = 3, MOST_STEPS = 8, MOST_BARS = MOST_STEPS * (SL_N_ALGOS + 1) };

// geometric means over cases of N agents and an algorithm that have a partner with 2 N
static bool find_growth(const View *view, int64_t agents, int algo,
                        double parts[static GROWTH_PARTS]) {
    const SlProfile *profile = view->profile;
    double logs[GROWTH_PARTS] = {0};
    int n = 0;
    for (int i = 0; i < view->n; i++) {
        const SlEngineSetup *setup = &profile->setups[view->cases[i]];
        SlGrowth growth;
        if (setup->world.n_agents != agents || setup->algo != algo ||
            !sl_profile_growth(profile, view->cases[i], &growth))
            continue;
        logs[0] += log(growth.phases[SL_PHASE_ACT]);
        logs[1] += log(growth.phases[SL_PHASE_ENV]);
        logs[2] += log(growth.update);
        n++;
    }
    for (int p = 0; p < GROWTH_PARTS && n > 0; p++) parts[p] = exp(logs[p] / n);
    return n > 0;
}

// Bars of growth: groups of every algorithm and of their mean.
typedef struct {
    int n;
    const char *names[MOST_BARS];
    double values[MOST_BARS * GROWTH_PARTS];
} GrowthBars;

static double *add_bars(const View *view, int64_t agents, const char *whose, GrowthBars *bars) {
    SlText name;
    sl_text_init(&name, view->arena);
    sl_text_add(&name, "%lld to %lld agents%s%s", (long long)agents, 2 * (long long)agents,
                whose ? ", " : "", whose ? whose : "");
    bars->names[bars->n] = text_of(view, &name);
    return bars->values + (ptrdiff_t)bars->n++ * GROWTH_PARTS;
}

static void add_step(const View *view, int64_t agents, GrowthBars *bars) {
    double parts[SL_N_ALGOS][GROWTH_PARTS], mean[GROWTH_PARTS] = {0};
    bool there[SL_N_ALGOS];
    int n = 0;
    for (int a = 0; a < SL_N_ALGOS; a++) n += there[a] = find_growth(view, agents, a, parts[a]);
    for (int a = 0; a < SL_N_ALGOS; a++) {
        if (!there[a]) continue;
        double *to = add_bars(view, agents, n > 1 ? sl_algo_names[a] : NULL, bars);
        for (int p = 0; p < GROWTH_PARTS; p++) {
            to[p] = parts[a][p];
            mean[p] += parts[a][p] / n;
        }
    }
    if (n > 1) memcpy(add_bars(view, agents, "mean", bars), mean, sizeof mean);
}

static void draw_growth(const View *view) {
    GrowthBars bars = {0};
    int64_t before = 0;
    for (int i = 0; i < view->n && bars.n <= MOST_BARS - SL_N_ALGOS - 1; i++) {
        int64_t agents = view->profile->setups[view->cases[i]].world.n_agents;
        if (agents != before) add_step(view, agents, &bars);
        before = agents;
    }
    SlBarPlot plot = {.n = bars.n,
                      .n_series = GROWTH_PARTS,
                      .names = bars.names,
                      .series = training_parts,
                      .values = bars.values,
                      .title = title_of(view, "Growth of the time"),
                      .x_label = "times as long"};
    draw_bars(
        view, "growth", &plot,
        "Growth of the time from N to 2 N agents: geometric means over layouts and samplings, "
        "then the mean of the algorithms.");
}

static void draw_neighbors(const View *view) {
    static const char *const series[2] = {"mini-batch sampling", "all of training"};
    double *values = sl_doc_need(view->doc, SL_NEW(view->arena, 2 * view->n, double));
    const char **names = sl_doc_need(view->doc, SL_NEW(view->arena, view->n, const char *));
    if (!values || !names) return;
    int n = 0;
    for (int i = 0; i < view->n; i++) {
        int uniform = sl_profile_uniform(view->profile, view->cases[i]);
        if (uniform < 0) continue;
        const SlEngineProfile *one = &view->profile->times[view->cases[i]];
        const SlEngineProfile *base = &view->profile->times[uniform];
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
    draw_bars(view, "neighbor", &plot, "Time saved by the other samplings beside uniform.");
}

void sl_profile_figures(const SlProfile *profile, SlDoc *doc) {
    for (int e = 0; sl_worlds[e]; e++) {
        const View view = make_view(profile, sl_worlds[e], doc);
        if (view.n == 0) continue;
        draw_shares(&view, false);
        draw_shares(&view, true);
        draw_growth(&view);
        draw_neighbors(&view);
    }
}

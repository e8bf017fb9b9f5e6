// report_training.c - what a training came to, as a document (docs/formats/train-json.md).
#include <ctype.h>
#include <math.h>
#include <stdio.h>

#include "doc_inside.h"
#include "page.h"
#include "starling/report.h"
#include "starling/report/training_doc.h"

enum {
    BLOCK = 100,          // episodes that one number of a curve stands for
    CURVE_POINTS = 400,   // of the picture
    LEAST_ADVISED = 5000, // episodes that are advised at least
    RETURN_ROOM = 64
};

static const char *show_count(int64_t value, char out[static SL_UNIT_ROOM]) {
    return sl_unit_show(SL_UNIT_COUNT, (double)value, out);
}

// "12.31 ± 0.80"
static const char *show_return(const SlReturn *value, char out[static RETURN_ROOM]) {
    int n = snprintf(out, RETURN_ROOM, "%.2f", value->mean);
    if (isfinite(value->error)) snprintf(out + n, RETURN_ROOM - (size_t)n, " ± %.2f", value->error);
    return out;
}

// ---- what was asked for ----

void sl_doc_engine(SlDoc *doc, const SlEngineSetup *s) {
    const SlParticleSetup *w = &s->world;
    bool near = s->sampling != SL_SAMPLE_UNIFORM;
    sl_doc_string(doc, "env", NULL, w->world->name);
    sl_doc_plain(doc, "agents", (double)w->n_agents);
    sl_doc_string(doc, "rules", NULL, sl_particle_rules_names[w->rules]);
    sl_doc_string(doc, "prey", NULL, w->world->scripts[w->script]);
    if (w->shaping != 0) sl_doc_plain(doc, "shaping", w->shaping);
    sl_doc_plain(doc, "envs", (double)w->n_envs);
    sl_doc_plain(doc, "episode_steps", w->episode_steps);
    sl_doc_string(doc, "algo", NULL, sl_algo_names[s->algo]);
    sl_doc_string(doc, "mode", NULL, sl_engine_mode_names[s->mode]);
    sl_doc_string(doc, "layout", NULL, sl_replay_layout_names[s->layout]);
    sl_doc_string(doc, "sampling", NULL, sl_sampling_names[s->sampling]);
    sl_doc_plain(doc, "neighbors", near ? (double)s->neighbors : (double)NAN);
    sl_doc_plain(doc, "capacity", (double)s->capacity);
    sl_doc_plain(doc, "batch", (double)s->batch);
    sl_doc_plain(doc, "hidden", (double)s->hidden);
    sl_doc_plain(doc, "rate", s->rate);
    sl_doc_plain(doc, "gamma", s->gamma);
    sl_doc_plain(doc, "tau", s->tau);
    sl_doc_plain(doc, "clip", s->clip);
    sl_doc_plain(doc, "regulariser", s->algo == SL_MADDPG ? s->regulariser : (double)NAN);
    sl_doc_plain(doc, "entropy", s->algo == SL_MASAC ? s->entropy : (double)NAN);
    sl_doc_plain(doc, "update_every", (double)s->update_every);
    sl_doc_plain(doc, "warm", (double)s->warm);
    sl_doc_plain(doc, "seed", (double)s->seed);
}

static void add_head(SlDoc *doc, const SlTraining *training, const char *key) {
    const SlEngineSetup *s = sl_engine_setup(training->engine);
    char near[32] = "";
    if (s->sampling != SL_SAMPLE_UNIFORM)
        snprintf(near, sizeof near, " (%lld)", (long long)s->neighbors);
    sl_doc_title(doc, "%s, %lld agent%s, %s, mode %s, layout %s, sampling %s%s, seed %lld",
                 s->world.world->name, (long long)s->world.n_agents,
                 s->world.n_agents == 1 ? "" : "s", sl_algo_names[s->algo],
                 sl_engine_mode_names[s->mode], sl_replay_layout_names[s->layout],
                 sl_sampling_names[s->sampling], near, (long long)s->seed);
    sl_doc_string(doc, "key", NULL, key);
    sl_doc_open(doc, "setup", NULL);
    sl_doc_engine(doc, s);
    sl_doc_close(doc);
    sl_doc_flag(doc, "finished", NULL, sl_training_is_finished(training));
}

// ---- returns ----

// Means of blocks of episodes, the last of which may be short.
typedef struct {
    int n;
    double *means; // (n)
} Blocks;

static Blocks block_means(SlDoc *doc, const SlTraining *training) {
    const float *returns = sl_engine_returns(training->engine);
    int64_t all = training->now.episodes;
    Blocks blocks = {.n = (int)((all + BLOCK - 1) / BLOCK)};
    blocks.means = sl_doc_need(doc, SL_NEW(sl_doc_arena(doc), blocks.n + 1, double));
    if (!blocks.means) return (Blocks){0};
    for (int64_t i = 0; i < blocks.n; i++) {
        int64_t first = i * BLOCK, last = first + BLOCK < all ? first + BLOCK : all;
        double sum = 0;
        for (int64_t e = first; e < last; e++) sum += returns[e];
        blocks.means[i] = sum / (double)(last - first);
    }
    return blocks;
}

static void add_digest(SlDoc *doc, const char *key, const void *data, size_t n) {
    char text[SL_FOLDER_KEY];
    sl_folder_digest(data, n, text);
    sl_doc_string(doc, key, NULL, text);
}

static void add_episodes(SlDoc *doc, const SlTraining *training) {
    const SlEngineState *now = &training->now;
    const SlReal *weights;
    size_t n = sl_engine_weights(training->engine, &weights);
    char episodes[SL_UNIT_ROOM], all[SL_UNIT_ROOM], steps[SL_UNIT_ROOM], rounds[SL_UNIT_ROOM];
    sl_doc_number(doc, "episodes", "episodes", SL_UNIT_COUNT, (double)now->episodes);
    sl_doc_shown(doc, "%s of %s: %s steps, %s rounds of updates",
                 show_count(now->episodes, episodes), show_count(training->episodes, all),
                 show_count(now->steps, steps), show_count(now->rounds, rounds));
    sl_doc_plain(doc, "steps", (double)now->steps);
    sl_doc_plain(doc, "rounds", (double)now->rounds);
    sl_doc_plain(doc, "weights", (double)n);
    add_digest(doc, "weights_digest", weights, n * sizeof *weights);
    add_digest(doc, "returns_digest", sl_engine_returns(training->engine),
               (size_t)now->episodes * sizeof(float));
}

static void add_returns(SlDoc *doc, const SlTraining *training, const Blocks *blocks) {
    int last = (int)fmin((double)training->now.episodes, BLOCK);
    sl_doc_plain(doc, "block", BLOCK);
    sl_doc_numbers(doc, "returns", blocks->n, blocks->means);
    if (blocks->n > 0)
        sl_doc_text(doc, NULL, "return", "%.2f in the last %d episodes, %.2f in the first",
                    training->now.recent, last, blocks->means[0]);
    if (blocks->n > 1) sl_doc_spark(doc, "curve", blocks->n, blocks->means);
}

// ---- the evaluation, and what it says ----

static void add_return(SlDoc *doc, const char *key, const SlReturn *value) {
    sl_doc_open(doc, key, NULL);
    sl_doc_plain(doc, "mean", value->mean);
    sl_doc_plain(doc, "error", value->error);
    sl_doc_close(doc);
}

static void add_trials(SlDoc *doc, const SlTraining *training) {
    char heading[128], text[RETURN_ROOM];
    snprintf(heading, sizeof heading,
             "Return of an agent in %s new episodes, mean ± standard error",
             show_count(training->trials, text));
    sl_doc_open(doc, "evaluation", heading);
    sl_doc_plain(doc, "episodes", (double)training->trials);
    sl_doc_string(doc, NULL, "as in training", show_return(&training->noisy, text));
    sl_doc_string(doc, NULL, "likeliest actions", show_return(&training->greedy, text));
    sl_doc_string(doc, NULL, "random actions", show_return(&training->random, text));
    add_return(doc, "noisy", &training->noisy);
    add_return(doc, "greedy", &training->greedy);
    add_return(doc, "random", &training->random);
    sl_doc_close(doc);
}

// "no better than chance"
static const char *verdict_words(const SlTraining *training) {
    return training->verdict.learnt == SL_LEARNT_NO_UPDATE       ? "no update"
           : training->verdict.learnt == SL_LEARNT_BETTER        ? "better than chance"
           : training->verdict.last.mean > training->random.mean ? "not clearly better than chance"
                                                                 : "no better than chance";
}

static void tell_no_update(const SlTraining *training, SlText *out) {
    const SlEngineSetup *setup = sl_engine_setup(training->engine);
    char steps[SL_UNIT_ROOM], first[SL_UNIT_ROOM];
    int64_t every = setup->update_every, length = setup->world.episode_steps;
    int64_t needed = (setup->warm + every - 1) / every * every;
    int64_t episodes = 5 * ((needed + length - 1) / length);
    sl_text_add(out,
                "No update was made: %s steps are fewer than the %s before the first one (--warm, "
                "--every). Give --episodes %lld, or a smaller --warm.",
                show_count(training->now.steps, steps), show_count(needed, first),
                (long long)(episodes > LEAST_ADVISED ? episodes : LEAST_ADVISED));
}

static void tell_chance(const SlTraining *training, SlText *out) {
    const char *words = verdict_words(training);
    char episodes[SL_UNIT_ROOM], last[RETURN_ROOM], chance[RETURN_ROOM];
    sl_text_add(out, "%c%s: the last %s episodes returned %s, random actions %s.%s",
                toupper((unsigned char)words[0]), words + 1,
                show_count(training->verdict.episodes, episodes),
                show_return(&training->verdict.last, last), show_return(&training->random, chance),
                training->verdict.learnt == SL_LEARNT_BETTER
                    ? ""
                    : " Give more --episodes, a smaller --rate or another --seed.");
}

static void add_learning(SlDoc *doc, const SlTraining *training) {
    SlText sentence;
    sl_text_init(&sentence, sl_doc_arena(doc));
    if (training->verdict.learnt == SL_LEARNT_NO_UPDATE)
        tell_no_update(training, &sentence);
    else
        tell_chance(training, &sentence);
    if (sentence.failed) sl_doc_fail(doc);
    sl_doc_open(doc, "learning", NULL);
    sl_doc_string(doc, "verdict", NULL, sl_learnt_names[training->verdict.learnt]);
    sl_doc_plain(doc, "episodes", (double)training->verdict.episodes);
    add_return(doc, "last", &training->verdict.last);
    sl_doc_string(doc, "sentence", NULL, sentence.data);
    if (training->verdict.learnt == SL_LEARNT_BETTER)
        sl_doc_words(doc, "%s", sentence.data);
    else
        sl_doc_warn(doc, "%s", sentence.data);
    sl_doc_close(doc);
}

// ---- the picture ----

// Points of a curve: means and quartiles of a window of episodes that ends there.
static SlCurve smooth(SlDoc *doc, const SlTraining *training, const char *name) {
    const float *returns = sl_engine_returns(training->engine);
    int64_t all = training->now.episodes, width = all / 25;
    if (width < BLOCK) width = all < BLOCK ? all : BLOCK;
    int64_t ends = all - width + 1; // places where a window can end
    int n = all == 0 ? 0 : (int)fmin((double)ends, CURVE_POINTS);
    double *window = sl_doc_need(doc, SL_NEW(sl_doc_arena(doc), width + 1, double));
    double *x = sl_doc_need(doc, SL_NEW(sl_doc_arena(doc), 4 * n + 1, double));
    if (!window || !x) return (SlCurve){.name = name};
    double *y = x + n, *low = y + n, *high = low + n;
    for (int i = 0; i < n; i++) {
        int64_t first = n > 1 ? (ends - 1) * i / (n - 1) : 0;
        for (int64_t e = 0; e < width; e++) window[e] = returns[first + e];
        x[i] = (double)(first + width);
        y[i] = sl_mean((int)width, window);
        sl_sort((int)width, window);
        low[i] = sl_quantile_sorted((int)width, window, 0.25);
        high[i] = sl_quantile_sorted((int)width, window, 0.75);
    }
    return (SlCurve){.name = name, .n = n, .x = x, .y = y, .low = low, .high = high};
}

static void add_figure(SlDoc *doc, const SlTraining *training) {
    const SlEngineSetup *s = sl_engine_setup(training->engine);
    SlCurve curve = smooth(doc, training, sl_algo_names[s->algo]);
    SlText title, svg;
    sl_text_init(&title, sl_doc_arena(doc));
    sl_text_init(&svg, sl_doc_arena(doc));
    sl_text_add(&title, "%s, %lld agents, %s, mode %s, sampling %s", s->world.world->name,
                (long long)s->world.n_agents, sl_algo_names[s->algo], sl_engine_mode_names[s->mode],
                sl_sampling_names[s->sampling]);
    if (training->verdict.learnt != SL_LEARNT_BETTER)
        sl_text_add(&title, ": %s", verdict_words(training));
    SlCurvePlot plot = {.n = 1,
                        .curves = &curve,
                        .title = title.data,
                        .x_label = "episodes",
                        .y_label = "return of an agent, mean and quartiles",
                        .line = training->random.mean,
                        .line_name = "random actions"};
    sl_draw_curves_svg(&plot, &svg);
    if (title.failed || svg.failed) sl_doc_fail(doc);
    sl_doc_figure(doc, "curve", svg.data,
                  "The return of an agent over the episodes: mean and quartiles of a window that "
                  "ends there, beside random actions.");
}

// the same as numbers, in curve.csv
static void add_numbers(SlDoc *doc, const SlTraining *training, const Blocks *blocks) {
    SlTable *table = sl_table_make(sl_doc_arena(doc), "", "episodes|mean_return");
    for (int i = 0; i < blocks->n; i++) {
        int64_t last = (int64_t)(i + 1) * BLOCK, all = training->now.episodes;
        sl_table_row(table);
        sl_table_cell(table, "%lld", (long long)(last < all ? last : all));
        sl_table_cell(table, "%.9g", blocks->means[i]);
    }
    sl_doc_detail(doc, true);
    sl_doc_grid(doc, "curve", table);
    sl_doc_detail(doc, false);
}

// ---- what the clock says, of this run alone ----

static void add_phases(SlDoc *doc, const SlTraining *training) {
    const double *seconds = training->now.seconds;
    char share[SL_UNIT_ROOM];
    double sum = 0;
    for (int p = 0; p < SL_N_PHASES; p++) sum += seconds[p];
    sl_doc_open(doc, "phase_seconds", NULL);
    for (int p = 0; p < SL_N_PHASES; p++) {
        const char *name = sl_phase_names[p];
        sl_doc_number(doc, name, sum > 0 ? name : NULL, SL_UNIT_SECONDS, seconds[p]);
        sl_doc_remark(doc, "%s", sl_unit_show(SL_UNIT_SHARE, seconds[p] / sum, share));
    }
    sl_doc_close(doc);
}

static void add_speed(SlDoc *doc, const SlTraining *training) {
    int64_t steps = training->now.steps - training->first_step;
    double rate = steps > 0 ? (double)steps / training->seconds : (double)NAN;
    char speed[SL_UNIT_ROOM];
    sl_doc_open(doc, "speed", NULL);
    sl_doc_plain(doc, "from_episode", (double)training->resumed);
    sl_doc_plain(doc, "steps", (double)steps);
    sl_doc_plain(doc, "seconds", training->seconds);
    sl_doc_number(doc, "steps_per_second", steps > 0 ? "speed" : NULL, SL_UNIT_COUNT, rate);
    sl_doc_shown(doc, "%s steps/s", sl_unit_show(SL_UNIT_COUNT, round(rate), speed));
    if (training->resumed > 0) sl_doc_remark(doc, " in this run, which went on from a checkpoint");
    add_phases(doc, training);
    sl_doc_close(doc);
}

SlDoc *sl_report_training(const SlTraining *training, const char *key, SlArena *arena) {
    SlDoc *doc = sl_doc_make(arena, "train", 1);
    if (!doc) return NULL;
    Blocks blocks = block_means(doc, training);
    add_head(doc, training, key);
    add_episodes(doc, training);
    add_returns(doc, training, &blocks);
    add_trials(doc, training);
    add_learning(doc, training);
    add_speed(doc, training);
    add_figure(doc, training);
    add_numbers(doc, training, &blocks);
    return doc;
}

// train_doc.c - what `starling train` came to, as a document (docs/formats/train-json.md).
#include <ctype.h>
#include <math.h>
#include <stdio.h>

#include "starling/report.h"
#include "train.h"

enum {
    BLOCK = 100,          // episodes that one number of a curve stands for
    CURVE_POINTS = 400,   // of the picture
    LEAST_ADVISED = 5000, // episodes that are advised at least
    RETURN_ROOM = 64
};

static void add_number(SlDoc *doc, const char *key, double value) {
    sl_doc_number(doc, key, NULL, SL_UNIT_PLAIN, value);
}

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

void train_add_setup(const Train *train, SlDoc *doc) {
    const SlEngineSetup *s = sl_engine_setup(train->engine);
    const SlParticleSetup *w = &s->world;
    bool near = s->sampling != SL_SAMPLE_UNIFORM;
    sl_doc_string(doc, "env", NULL, w->world->name);
    add_number(doc, "agents", (double)w->n_agents);
    sl_doc_string(doc, "rules", NULL, sl_particle_rules_names[w->rules]);
    sl_doc_string(doc, "prey", NULL, w->world->scripts[w->script]);
    add_number(doc, "envs", (double)w->n_envs);
    add_number(doc, "episode_steps", w->episode_steps);
    sl_doc_string(doc, "algo", NULL, sl_algo_names[s->algo]);
    sl_doc_string(doc, "mode", NULL, sl_engine_mode_names[s->mode]);
    sl_doc_string(doc, "layout", NULL, sl_replay_layout_names[s->layout]);
    sl_doc_string(doc, "sampling", NULL, sl_sampling_names[s->sampling]);
    add_number(doc, "neighbors", near ? (double)s->neighbors : (double)NAN);
    add_number(doc, "capacity", (double)s->capacity);
    add_number(doc, "batch", (double)s->batch);
    add_number(doc, "hidden", (double)s->hidden);
    add_number(doc, "rate", s->rate);
    add_number(doc, "gamma", s->gamma);
    add_number(doc, "tau", s->tau);
    add_number(doc, "clip", s->clip);
    add_number(doc, "regulariser", s->algo == SL_MADDPG ? s->regulariser : (double)NAN);
    add_number(doc, "entropy", s->algo == SL_MASAC ? s->entropy : (double)NAN);
    add_number(doc, "update_every", (double)s->update_every);
    add_number(doc, "warm", (double)s->warm);
    add_number(doc, "seed", (double)s->seed);
}

static void add_head(const Train *train, SlDoc *doc) {
    const SlEngineSetup *s = sl_engine_setup(train->engine);
    char near[32] = "";
    if (s->sampling != SL_SAMPLE_UNIFORM)
        snprintf(near, sizeof near, " (%lld)", (long long)s->neighbors);
    sl_doc_title(doc, "%s, %lld agent%s, %s, mode %s, layout %s, sampling %s%s, seed %lld",
                 s->world.world->name, (long long)s->world.n_agents,
                 s->world.n_agents == 1 ? "" : "s", sl_algo_names[s->algo],
                 sl_engine_mode_names[s->mode], sl_replay_layout_names[s->layout],
                 sl_sampling_names[s->sampling], near, (long long)s->seed);
    sl_doc_string(doc, "key", NULL, train->key);
    sl_doc_open(doc, "setup", NULL);
    train_add_setup(train, doc);
    sl_doc_close(doc);
    sl_doc_flag(doc, "finished", NULL, train_finished(train));
}

// ---- returns ----

// means of blocks of episodes, the last of which may be short; (n)
static const double *block_means(const Train *train, int *n) {
    const float *returns = sl_engine_returns(train->engine);
    int64_t all = train->now.episodes;
    *n = (int)((all + BLOCK - 1) / BLOCK);
    double *means = call_need(SL_NEW(train->arena, *n > 0 ? *n : 1, double));
    for (int64_t i = 0; i < *n; i++) {
        int64_t first = i * BLOCK, last = first + BLOCK < all ? first + BLOCK : all;
        double sum = 0;
        for (int64_t e = first; e < last; e++) sum += returns[e];
        means[i] = sum / (double)(last - first);
    }
    return means;
}

static void add_digest(SlDoc *doc, const char *key, const void *data, size_t n) {
    char text[SL_FOLDER_KEY];
    sl_folder_digest(data, n, text);
    sl_doc_string(doc, key, NULL, text);
}

static void add_episodes(const Train *train, SlDoc *doc) {
    const SlEngineState *now = &train->now;
    const SlReal *weights;
    size_t n = sl_engine_weights(train->engine, &weights);
    char episodes[SL_UNIT_ROOM], all[SL_UNIT_ROOM], steps[SL_UNIT_ROOM], rounds[SL_UNIT_ROOM];
    sl_doc_number(doc, "episodes", "episodes", SL_UNIT_COUNT, (double)now->episodes);
    sl_doc_shown(doc, "%s of %s: %s steps, %s rounds of updates",
                 show_count(now->episodes, episodes), show_count(train->options->episodes, all),
                 show_count(now->steps, steps), show_count(now->rounds, rounds));
    add_number(doc, "steps", (double)now->steps);
    add_number(doc, "rounds", (double)now->rounds);
    add_number(doc, "weights", (double)n);
    add_digest(doc, "weights_digest", weights, n * sizeof *weights);
    add_digest(doc, "returns_digest", sl_engine_returns(train->engine),
               (size_t)now->episodes * sizeof(float));
}

static void add_returns(const Train *train, SlDoc *doc) {
    int n, last = (int)fmin((double)train->now.episodes, BLOCK);
    const double *means = block_means(train, &n);
    add_number(doc, "block", BLOCK);
    sl_doc_numbers(doc, "returns", n, means);
    if (n > 0)
        sl_doc_text(doc, NULL, "return", "%.2f in the last %d episodes, %.2f in the first",
                    train->now.recent, last, means[0]);
    if (n > 1) sl_doc_spark(doc, "curve", n, means);
}

// ---- the evaluation, and what it says ----

static void add_return(SlDoc *doc, const char *key, const SlReturn *value) {
    sl_doc_open(doc, key, NULL);
    add_number(doc, "mean", value->mean);
    add_number(doc, "error", value->error);
    sl_doc_close(doc);
}

static void add_trials(const Train *train, SlDoc *doc) {
    char heading[128], text[RETURN_ROOM];
    snprintf(heading, sizeof heading,
             "Return of an agent in %s new episodes, mean ± standard error",
             show_count(train->options->trials, text));
    sl_doc_open(doc, "evaluation", heading);
    add_number(doc, "episodes", (double)train->options->trials);
    sl_doc_string(doc, NULL, "as in training", show_return(&train->noisy, text));
    sl_doc_string(doc, NULL, "likeliest actions", show_return(&train->greedy, text));
    sl_doc_string(doc, NULL, "random actions", show_return(&train->random, text));
    add_return(doc, "noisy", &train->noisy);
    add_return(doc, "greedy", &train->greedy);
    add_return(doc, "random", &train->random);
    sl_doc_close(doc);
}

// "no better than chance"
static const char *verdict_words(const Train *train, const SlEngineVerdict *verdict) {
    return verdict->learnt == SL_LEARNT_NO_UPDATE    ? "no update"
           : verdict->learnt == SL_LEARNT_BETTER     ? "better than chance"
           : verdict->last.mean > train->random.mean ? "not clearly better than chance"
                                                     : "no better than chance";
}

static void tell_no_update(const Train *train, SlText *out) {
    const SlEngineSetup *setup = sl_engine_setup(train->engine);
    char steps[SL_UNIT_ROOM], first[SL_UNIT_ROOM];
    int64_t every = setup->update_every, length = setup->world.episode_steps;
    int64_t needed = (setup->warm + every - 1) / every * every;
    int64_t episodes = 5 * ((needed + length - 1) / length);
    sl_text_add(out,
                "No update was made: %s steps are fewer than the %s before the first one (--warm, "
                "--every). Give --episodes %lld, or a smaller --warm.",
                show_count(train->now.steps, steps), show_count(needed, first),
                (long long)(episodes > LEAST_ADVISED ? episodes : LEAST_ADVISED));
}

static void tell_chance(const Train *train, const SlEngineVerdict *verdict, SlText *out) {
    const char *words = verdict_words(train, verdict);
    char episodes[SL_UNIT_ROOM], last[RETURN_ROOM], chance[RETURN_ROOM];
    sl_text_add(out, "%c%s: the last %s episodes returned %s, random actions %s.%s",
                toupper((unsigned char)words[0]), words + 1,
                show_count(verdict->episodes, episodes), show_return(&verdict->last, last),
                show_return(&train->random, chance),
                verdict->learnt == SL_LEARNT_BETTER
                    ? ""
                    : " Give more --episodes, a smaller --rate or another --seed.");
}

static void add_learning(const Train *train, const SlEngineVerdict *verdict, SlDoc *doc) {
    SlText sentence;
    sl_text_init(&sentence, train->arena);
    if (verdict->learnt == SL_LEARNT_NO_UPDATE)
        tell_no_update(train, &sentence);
    else
        tell_chance(train, verdict, &sentence);
    if (sentence.failed) call_no_memory();
    sl_doc_open(doc, "learning", NULL);
    sl_doc_string(doc, "verdict", NULL, sl_learnt_names[verdict->learnt]);
    add_number(doc, "episodes", (double)verdict->episodes);
    add_return(doc, "last", &verdict->last);
    sl_doc_string(doc, "sentence", NULL, sentence.data);
    if (verdict->learnt == SL_LEARNT_BETTER)
        sl_doc_words(doc, "%s", sentence.data);
    else
        sl_doc_warn(doc, "%s", sentence.data);
    sl_doc_close(doc);
}

// ---- the picture ----

// Points of a curve: means and quartiles of a window of episodes that ends there.
static SlCurve smooth(const Train *train, const char *name) {
    const float *returns = sl_engine_returns(train->engine);
    int64_t all = train->now.episodes, width = all / 25;
    if (width < BLOCK) width = all < BLOCK ? all : BLOCK;
    int64_t ends = all - width + 1; // places where a window can end
    int n = all == 0 ? 0 : (int)fmin((double)ends, CURVE_POINTS);
    double *window = call_need(SL_NEW(train->arena, width + 1, double));
    double *x = call_need(SL_NEW(train->arena, 4 * n + 1, double));
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

static void add_figure(const Train *train, const SlEngineVerdict *verdict, SlDoc *doc) {
    const SlEngineSetup *s = sl_engine_setup(train->engine);
    SlCurve curve = smooth(train, sl_algo_names[s->algo]);
    SlText title, svg;
    sl_text_init(&title, train->arena);
    sl_text_init(&svg, train->arena);
    sl_text_add(&title, "%s, %lld agents, %s, mode %s, sampling %s", s->world.world->name,
                (long long)s->world.n_agents, sl_algo_names[s->algo], sl_engine_mode_names[s->mode],
                sl_sampling_names[s->sampling]);
    if (verdict->learnt != SL_LEARNT_BETTER)
        sl_text_add(&title, ": %s", verdict_words(train, verdict));
    SlCurvePlot plot = {.n = 1,
                        .curves = &curve,
                        .title = title.data,
                        .x_label = "episodes",
                        .y_label = "return of an agent, mean and quartiles",
                        .line = train->random.mean,
                        .line_name = "random actions"};
    sl_draw_curves_svg(&plot, &svg);
    if (title.failed || svg.failed) call_no_memory();
    sl_doc_figure(doc, "curve", svg.data,
                  "The return of an agent over the episodes: mean and quartiles of a window that "
                  "ends there, beside random actions.");
}

// the same as numbers, in curve.csv
static void add_numbers(const Train *train, SlDoc *doc) {
    int n;
    const double *means = block_means(train, &n);
    SlTable *table = call_need(sl_table_make(train->arena, "", "episodes|mean_return"));
    for (int i = 0; i < n; i++) {
        int64_t last = (int64_t)(i + 1) * BLOCK;
        sl_table_row(table);
        sl_table_cell(table, "%lld",
                      (long long)(last < train->now.episodes ? last : train->now.episodes));
        sl_table_cell(table, "%.9g", means[i]);
    }
    sl_doc_detail(doc, true);
    sl_doc_grid(doc, "curve", table);
    sl_doc_detail(doc, false);
}

// ---- what the clock says, of this run alone ----

static void add_phases(const Train *train, SlDoc *doc) {
    const double *seconds = train->now.seconds;
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

static void add_speed(const Train *train, SlDoc *doc) {
    int64_t steps = train->now.steps - train->first_step;
    double rate = steps > 0 ? (double)steps / train->seconds : (double)NAN;
    char speed[SL_UNIT_ROOM];
    sl_doc_open(doc, "speed", NULL);
    add_number(doc, "from_episode", (double)train->resumed);
    add_number(doc, "steps", (double)steps);
    add_number(doc, "seconds", train->seconds);
    sl_doc_number(doc, "steps_per_second", steps > 0 ? "speed" : NULL, SL_UNIT_COUNT, rate);
    sl_doc_shown(doc, "%s steps/s", sl_unit_show(SL_UNIT_COUNT, round(rate), speed));
    if (train->resumed > 0) sl_doc_remark(doc, " in this run, which went on from a checkpoint");
    add_phases(train, doc);
    sl_doc_close(doc);
}

SlDoc *train_document(const Train *train) {
    SlDoc *doc = sl_doc_make(train->arena, "train", 1);
    SlEngineVerdict verdict = sl_engine_judge(train->engine, train->random);
    add_head(train, doc);
    add_episodes(train, doc);
    add_returns(train, doc);
    add_trials(train, doc);
    add_learning(train, &verdict, doc);
    add_speed(train, doc);
    add_figure(train, &verdict, doc);
    add_numbers(train, doc);
    return doc;
}

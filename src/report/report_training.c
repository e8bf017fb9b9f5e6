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
    RETURN_ROOM = 64,
    TEAMS_ROOM = 128
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

// "3 agents", "predators (3) and prey (1)"
static const char *show_teams(const SlTraining *training, char out[static TEAMS_ROOM]) {
    const SlParticleSetup *w = &sl_engine_setup(training->engine)->world;
    const long long n = (long long)w->n_agents;
    if (sl_engine_teams(training->engine) == 1)
        snprintf(out, TEAMS_ROOM, "%lld agent%s", n, n == 1 ? "" : "s");
    else
        snprintf(out, TEAMS_ROOM, "%s (%lld) and %s (%d)", w->world->teams[0], n,
                 w->world->teams[1], sl_engine_members(training->engine, 1));
    return out;
}

static void add_verdict(SlDoc *doc, const SlTraining *training);

static void add_head(SlDoc *doc, const SlTraining *training, const char *key) {
    const SlEngineSetup *s = sl_engine_setup(training->engine);
    char near[32] = "", teams[TEAMS_ROOM];
    if (s->sampling != SL_SAMPLE_UNIFORM)
        snprintf(near, sizeof near, " (%lld)", (long long)s->neighbors);
    sl_doc_title(doc, "%s, %s, %s, mode %s, layout %s, sampling %s%s, seed %lld",
                 s->world.world->name, show_teams(training, teams), sl_algo_names[s->algo],
                 sl_engine_mode_names[s->mode], sl_replay_layout_names[s->layout],
                 sl_sampling_names[s->sampling], near, (long long)s->seed);
    add_verdict(doc, training);
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

static Blocks block_means(SlDoc *doc, const SlTraining *training, int team) {
    const float *returns = sl_engine_returns(training->engine, team);
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
    add_digest(doc, "returns_digest", sl_engine_returns(training->engine, 0),
               (size_t)now->episodes * sizeof(float));
}

// `blocks` (n_teams); for machines the second team's stand with the rest of it
static void add_returns(SlDoc *doc, const SlTraining *training, const Blocks *blocks) {
    const char *const *names = sl_engine_setup(training->engine)->world.world->teams;
    const int last = (int)fmin((double)training->now.episodes, BLOCK);
    const int teams = sl_engine_teams(training->engine);
    sl_doc_plain(doc, "block", BLOCK);
    sl_doc_numbers(doc, "returns", blocks->n, blocks->means);
    for (int t = 0; t < teams && blocks[t].n > 0; t++) {
        sl_doc_text(doc, NULL, teams == 1 ? "return" : names[t],
                    "%.2f in the last %d episodes, %.2f in the first", training->now.recent[t],
                    last, blocks[t].means[0]);
        if (blocks[t].n > 1) sl_doc_spark(doc, "curve", blocks[t].n, blocks[t].means);
    }
}

// ---- the evaluation, and what it says ----

static void add_return(SlDoc *doc, const char *key, const SlReturn *value) {
    sl_doc_open(doc, key, NULL);
    sl_doc_plain(doc, "mean", value->mean);
    sl_doc_plain(doc, "error", value->error);
    sl_doc_close(doc);
}

static void add_scores(SlDoc *doc, const SlTraining *training, int t) {
    const SlTrained *team = &training->teams[t];
    add_return(doc, "noisy", &team->noisy);
    add_return(doc, "greedy", &team->greedy);
    add_return(doc, "random", &team->random);
    if (sl_engine_teams(training->engine) > 1)
        add_return(doc, "against_random", &team->against_random);
}

// a row for people: what both teams return
static void show_row(SlDoc *doc, const char *const *names, const char *label, const SlReturn *one,
                     const SlReturn *two) {
    char a[RETURN_ROOM], b[RETURN_ROOM];
    sl_doc_text(doc, NULL, label, "%s %s, %s %s", names[0], show_return(one, a), names[1],
                show_return(two, b));
}

// both teams beside each other
static void show_both(SlDoc *doc, const SlTraining *training) {
    const char *const *names = sl_engine_setup(training->engine)->world.world->teams;
    const SlTrained *one = &training->teams[0], *two = &training->teams[1];
    char label[TEAMS_ROOM];
    show_row(doc, names, "as in training", &one->noisy, &two->noisy);
    show_row(doc, names, "likeliest actions", &one->greedy, &two->greedy);
    snprintf(label, sizeof label, "random %s", names[0]);
    show_row(doc, names, label, &one->random, &two->against_random);
    snprintf(label, sizeof label, "random %s", names[1]);
    show_row(doc, names, label, &one->against_random, &two->random);
}

static void add_trials(SlDoc *doc, const SlTraining *training) {
    const SlTrained *team = &training->teams[0];
    char heading[128], text[RETURN_ROOM];
    snprintf(heading, sizeof heading,
             "Return of an agent in %s new episodes, mean ± standard error",
             show_count(training->trials, text));
    sl_doc_open(doc, "evaluation", heading);
    sl_doc_plain(doc, "episodes", (double)training->trials);
    if (sl_engine_teams(training->engine) > 1) {
        show_both(doc, training);
    } else {
        sl_doc_string(doc, NULL, "as in training", show_return(&team->noisy, text));
        sl_doc_string(doc, NULL, "likeliest actions", show_return(&team->greedy, text));
        sl_doc_string(doc, NULL, "random actions", show_return(&team->random, text));
    }
    add_scores(doc, training, 0);
    sl_doc_close(doc);
}

// "no better than chance"
static const char *verdict_words(const SlTrained *team) {
    return team->verdict.learnt == SL_LEARNT_NO_UPDATE   ? "no update"
           : team->verdict.learnt == SL_LEARNT_BETTER    ? "better than chance"
           : team->verdict.last.mean > team->random.mean ? "not clearly better than chance"
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

static void tell_chance(const SlTraining *training, int t, SlText *out) {
    const SlTrained *team = &training->teams[t];
    const char *words = verdict_words(team);
    char episodes[SL_UNIT_ROOM], last[RETURN_ROOM], chance[RETURN_ROOM];
    if (sl_engine_teams(training->engine) > 1)
        sl_text_add(out, "%s are ", sl_engine_setup(training->engine)->world.world->teams[t]);
    sl_text_add(out, "%s: the last %s episodes returned %s, random actions %s.%s", words,
                show_count(team->verdict.episodes, episodes),
                show_return(&team->verdict.last, last), show_return(&team->random, chance),
                team->verdict.learnt == SL_LEARNT_BETTER
                    ? ""
                    : " Give more --episodes, a smaller --rate or another --seed.");
    if (!out->failed) out->data[0] = (char)toupper((unsigned char)out->data[0]);
}

static const char *learning_words(SlDoc *doc, const SlTraining *training, int team) {
    SlText sentence;
    sl_text_init(&sentence, sl_doc_arena(doc));
    if (training->teams[team].verdict.learnt == SL_LEARNT_NO_UPDATE)
        tell_no_update(training, &sentence);
    else
        tell_chance(training, team, &sentence);
    if (sentence.failed) sl_doc_fail(doc);
    return sentence.data;
}

// the verdict has the sentence for people
static void add_learning(SlDoc *doc, const SlTraining *training, int team) {
    const SlEngineVerdict *verdict = &training->teams[team].verdict;
    sl_doc_open(doc, "learning", NULL);
    sl_doc_string(doc, "verdict", NULL, sl_learnt_names[verdict->learnt]);
    sl_doc_plain(doc, "episodes", (double)verdict->episodes);
    add_return(doc, "last", &verdict->last);
    sl_doc_string(doc, "sentence", NULL, learning_words(doc, training, team));
    sl_doc_close(doc);
}

// has any team learnt?
static bool has_learnt(const SlTraining *training) {
    for (int t = 0; t < sl_engine_teams(training->engine); t++)
        if (training->teams[t].verdict.learnt == SL_LEARNT_BETTER) return true;
    return false;
}

// what was learnt, of both teams; one sentence where nothing was updated
static void add_verdict(SlDoc *doc, const SlTraining *training) {
    bool both = sl_engine_teams(training->engine) > 1 &&
                training->teams[0].verdict.learnt != SL_LEARNT_NO_UPDATE;
    sl_doc_verdict(doc, "%s%s%s", learning_words(doc, training, 0), both ? " " : "",
                   both ? learning_words(doc, training, 1) : "");
}

// the second team, where it learns
static void add_opponents(SlDoc *doc, const SlTraining *training, const Blocks *blocks) {
    const SlParticleSetup *w = &sl_engine_setup(training->engine)->world;
    if (sl_engine_teams(training->engine) == 1) return;
    sl_doc_open(doc, "opponents", NULL);
    sl_doc_string(doc, "name", NULL, w->world->teams[1]);
    sl_doc_plain(doc, "agents", (double)sl_engine_members(training->engine, 1));
    sl_doc_numbers(doc, "returns", blocks[1].n, blocks[1].means);
    sl_doc_open(doc, "evaluation", NULL);
    add_scores(doc, training, 1);
    sl_doc_close(doc);
    add_learning(doc, training, 1);
    sl_doc_close(doc);
}

// ---- the picture ----

// Points of a curve: means and quartiles of a window of episodes that ends there.
static SlCurve smooth(SlDoc *doc, const SlTraining *training, int team, const char *name) {
    const float *returns = sl_engine_returns(training->engine, team);
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

static void name_figure(const SlTraining *training, SlText *title) {
    const SlEngineSetup *s = sl_engine_setup(training->engine);
    char teams[TEAMS_ROOM];
    sl_text_add(title, "%s, %s, %s, mode %s, sampling %s", s->world.world->name,
                show_teams(training, teams), sl_algo_names[s->algo], sl_engine_mode_names[s->mode],
                sl_sampling_names[s->sampling]);
    if (training->teams[0].verdict.learnt != SL_LEARNT_BETTER)
        sl_text_add(title, ": %s", verdict_words(&training->teams[0]));
}

static void add_figure(SlDoc *doc, const SlTraining *training) {
    const SlEngineSetup *s = sl_engine_setup(training->engine);
    const int teams = sl_engine_teams(training->engine);
    SlCurve curves[SL_ENGINE_TEAMS];
    SlText title, svg;
    sl_text_init(&title, sl_doc_arena(doc));
    sl_text_init(&svg, sl_doc_arena(doc));
    for (int t = 0; t < teams; t++) {
        const char *name = teams == 1 ? sl_algo_names[s->algo] : s->world.world->teams[t];
        curves[t] = smooth(doc, training, t, name);
    }
    name_figure(training, &title);
    SlCurvePlot plot = {.n = teams,
                        .curves = curves,
                        .title = title.data,
                        .x_label = "episodes",
                        .y_label = "return of an agent, mean and quartiles",
                        .line = training->teams[0].random.mean,
                        .line_name = "random actions"};
    sl_draw_curves_svg(&plot, &svg);
    if (title.failed || svg.failed) sl_doc_fail(doc);
    sl_doc_figure(doc, "curve", svg.data,
                  "The return of an agent over the episodes: mean and quartiles of a window that "
                  "ends there, beside random actions.");
}

// the same as numbers, in curve.csv
static void add_numbers(SlDoc *doc, const SlTraining *training, const Blocks *blocks) {
    const int teams = sl_engine_teams(training->engine);
    const char *columns = "episodes|mean_return|opponents_return";
    SlTable *table =
        sl_table_make(sl_doc_arena(doc), "", teams == 1 ? "episodes|mean_return" : columns);
    for (int i = 0; i < blocks->n; i++) {
        int64_t last = (int64_t)(i + 1) * BLOCK, all = training->now.episodes;
        sl_table_row(table);
        sl_table_cell(table, "%lld", (long long)(last < all ? last : all));
        for (int t = 0; t < teams; t++)
            sl_table_cell(table, "%.9g", i < blocks[t].n ? blocks[t].means[i] : (double)NAN);
    }
    sl_doc_detail(doc, true);
    sl_doc_grid(doc, "curve", table);
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
    Blocks blocks[SL_ENGINE_TEAMS] = {{0}};
    for (int t = 0; t < sl_engine_teams(training->engine); t++)
        blocks[t] = block_means(doc, training, t);
    add_head(doc, training, key);
    // where nothing was learnt a terminal says that alone
    sl_doc_detail(doc, !has_learnt(training));
    add_episodes(doc, training);
    add_returns(doc, training, blocks);
    add_trials(doc, training);
    add_learning(doc, training, 0);
    add_opponents(doc, training, blocks);
    add_speed(doc, training);
    add_figure(doc, training);
    add_numbers(doc, training, blocks);
    return doc;
}

// train_report.c - what `starling train` came to, for people: text, a curve, its numbers.
#include <math.h>

#include "show.h"
#include "starling/draw.h"
#include "text_table.h"
#include "train.h"

enum { CURVE_POINTS = 400, SPARK = 60 };

bool train_finished(const Train *train) {
    return train->now.episodes >= train->options->episodes;
}

int64_t train_blocks(const Train *train) {
    return (train->now.episodes + TRAIN_BLOCK - 1) / TRAIN_BLOCK;
}

double train_block(const Train *train, int64_t i) {
    const float *returns = sl_engine_returns(train->engine);
    int64_t first = i * TRAIN_BLOCK, last = first + TRAIN_BLOCK;
    double sum = 0;
    if (last > train->now.episodes) last = train->now.episodes;
    for (int64_t e = first; e < last; e++) sum += returns[e];
    return sum / (double)(last - first);
}

// ---- text ----

static void add_head(const Train *train, SlText *out) {
    const SlEngineSetup *s = &train->setup;
    sl_text_add(out, "%s, %d agent%s, %s, mode %s, layout %s, sampling %s", s->world.world->name,
                s->world.n_agents, s->world.n_agents == 1 ? "" : "s", sl_algo_names[s->algo],
                sl_engine_mode_names[s->mode], sl_replay_layout_names[s->layout],
                sl_sampling_names[s->sampling]);
    if (s->sampling != SL_SAMPLE_UNIFORM) sl_text_add(out, " (%d)", s->neighbors);
    sl_text_add(out, ", seed %llu\n\n", (unsigned long long)s->seed);
}

static void add_episodes(const Train *train, SlText *out) {
    const SlEngineState *now = &train->now;
    char episodes[32], wanted[32], steps[32], rounds[32];
    sl_text_add(out, "Episodes     %s of %s: %s steps, %s rounds of updates\n",
                sl_show_count((double)now->episodes, episodes),
                sl_show_count((double)train->options->episodes, wanted),
                sl_show_count((double)now->steps, steps),
                sl_show_count((double)now->rounds, rounds));
    int64_t n = train_blocks(train);
    if (n == 0) return;
    double *means = command_need(SL_NEW(train->arena, n, double));
    for (int64_t i = 0; i < n; i++) means[i] = train_block(train, i);
    sl_text_add(out, "Return       %.2f in the last %d episodes, %.2f in the first\n", now->recent,
                (int)fmin((double)now->episodes, TRAIN_BLOCK), means[0]);
    if (n > 1) {
        sl_text_add(out, "Curve        ");
        sl_draw_spark((int)n, means, SPARK, out);
        sl_text_add(out, "\n");
    }
}

static void add_trial(const char *name, const SlReturn *value, SlText *out) {
    sl_text_add(out, "  %-22s%9.2f ± %.2f\n", name, value->mean, value->error);
}

static void add_speed(const Train *train, SlText *out) {
    double sum = 0;
    char speed[32], share[SHOW_ROOM];
    int64_t steps = train->now.steps - train->first_step;
    TextTable table;
    if (steps == 0) return;
    sl_text_add(out, "\nSpeed        %s steps/s%s\n\n",
                sl_show_count(round((double)steps / train->seconds), speed),
                train->resumed > 0 ? " in this run, which went on from a checkpoint" : "");
    for (int p = 0; p < SL_N_PHASES; p++) sum += train->now.seconds[p];
    table_init(&table, train->arena, "<phase|seconds|share");
    for (int p = 0; p < SL_N_PHASES; p++) {
        table_row(&table);
        table_cell(&table, "%s", sl_phase_names[p]);
        table_cell(&table, "%.3f", train->now.seconds[p]);
        table_cell(&table, "%s", show_share(train->now.seconds[p] / sum, share));
    }
    table_draw(&table, out);
}

void train_text(const Train *train, SlText *out) {
    char trials[32];
    add_head(train, out);
    add_episodes(train, out);
    sl_text_add(out, "\nReturn of an agent in %s new episodes, mean ± standard error:\n",
                sl_show_count((double)train->options->trials, trials));
    add_trial("as in training", &train->trials.noisy, out);
    add_trial("likeliest actions", &train->trials.greedy, out);
    add_trial("random actions", &train->trials.random, out);
    sl_text_add(out, "\n");
    show_wrapped("", "", train_judge(train).sentence, out);
    add_speed(train, out);
}

// ---- the curve ----

void train_csv(const Train *train, SlText *out) {
    sl_text_add(out, "episodes,mean_return\n");
    for (int64_t i = 0; i < train_blocks(train); i++) {
        int64_t last = (i + 1) * TRAIN_BLOCK;
        if (last > train->now.episodes) last = train->now.episodes;
        sl_text_add(out, "%lld,%.9g\n", (long long)last, train_block(train, i));
    }
}

// Points of a curve: means and quartiles of a window of episodes that ends there.
typedef struct {
    int n;
    double *x, *y, *low, *high;
} Smooth;

static void smooth(const Train *train, Smooth *to) {
    const float *returns = sl_engine_returns(train->engine);
    int64_t n = train->now.episodes, width = n / 25;
    if (width < TRAIN_BLOCK) width = n < TRAIN_BLOCK ? n : TRAIN_BLOCK;
    int64_t room = n - width + 1;
    to->n = n == 0 ? 0 : (int)fmin((double)room, CURVE_POINTS);
    double *window = command_need(SL_NEW(train->arena, width, double));
    to->x = command_need(SL_NEW(train->arena, 4 * to->n, double));
    to->y = to->x + to->n;
    to->low = to->y + to->n;
    to->high = to->low + to->n;
    for (int i = 0; i < to->n; i++) {
        int64_t first = to->n > 1 ? (room - 1) * i / (to->n - 1) : 0;
        for (int64_t e = 0; e < width; e++) window[e] = returns[first + e];
        to->x[i] = (double)(first + width);
        to->y[i] = sl_mean((int)width, window);
        sl_sort((int)width, window);
        to->low[i] = sl_quantile_sorted((int)width, window, 0.25);
        to->high[i] = sl_quantile_sorted((int)width, window, 0.75);
    }
}

void train_svg(const Train *train, SlText *out) {
    const SlEngineSetup *s = &train->setup;
    Smooth curve;
    SlText title;
    TrainVerdict verdict = train_judge(train);
    smooth(train, &curve);
    sl_text_init(&title, train->arena);
    sl_text_add(&title, "%s, %d agents, %s, mode %s, sampling %s", s->world.world->name,
                s->world.n_agents, sl_algo_names[s->algo], sl_engine_mode_names[s->mode],
                sl_sampling_names[s->sampling]);
    if (verdict.learnt != TRAIN_BETTER) sl_text_add(&title, ": %s", verdict.words);
    SlCurve one = {.name = sl_algo_names[s->algo],
                   .n = curve.n,
                   .x = curve.x,
                   .y = curve.y,
                   .low = curve.low,
                   .high = curve.high};
    SlCurvePlot plot = {.n = 1,
                        .curves = &one,
                        .title = title.data,
                        .x_label = "episodes",
                        .y_label = "return of an agent, mean and quartiles",
                        .line = train->trials.random.mean,
                        .line_name = "random actions"};
    sl_draw_curves_svg(&plot, out);
}

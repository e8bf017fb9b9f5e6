// report_tuned.c - a tuned network as a document: what was asked for, sums, its parts
// (docs/formats/tune-json.md).
#include <math.h>
#include <string.h>

#include "tuned_inside.h"

void sl_tuned_number(SlDoc *doc, const char *key, double value) {
    sl_doc_number(doc, key, NULL, SL_UNIT_PLAIN, value);
}

const char *sl_tuned_text(SlDoc *doc, const SlText *words) {
    if (words->failed) sl_doc_fail(doc);
    return words->data;
}

static const char *show_count(double value, char out[static SL_UNIT_ROOM]) {
    return sl_unit_show(SL_UNIT_COUNT, value, out);
}

// ---- what was asked for ----

// which one, and what was spent on it before
static void add_flock(SlDoc *doc, const SlTunedView *view) {
    const SlFlock *flock = view->setup->flock;
    if (!flock) {
        sl_doc_null(doc, "flock");
        return;
    }
    sl_doc_open(doc, "flock", NULL);
    sl_doc_string(doc, "name", NULL, view->given->flock);
    sl_doc_text(doc, "digest", NULL, "%016llx", (unsigned long long)sl_flock_digest(flock));
    sl_tuned_number(doc, "tasks", sl_flock_info(flock)->n_tasks);
    sl_tuned_number(doc, "evaluations", (double)sl_flock_info(flock)->evaluations);
    sl_doc_close(doc);
}

static void add_setup(SlDoc *doc, const SlTunedView *view) {
    const SlJobSetup *setup = view->setup;
    int64_t budget = setup->budget.samples;
    sl_doc_string(doc, "target", NULL, setup->kind->name);
    sl_doc_string(doc, "method", NULL, setup->method->name);
    sl_doc_options(doc, "options", setup->method->options, setup->options);
    sl_tuned_number(doc, "budget", budget ? (double)budget : (double)NAN);
    sl_tuned_number(doc, "seconds", setup->task_seconds > 0 ? setup->task_seconds : (double)NAN);
    sl_tuned_number(doc, "batch", (double)view->given->batch);
    sl_tuned_number(doc, "seed", (double)setup->seed);
    sl_doc_flag(doc, "skip_first", NULL, setup->skip_first);
    view->kind->add_setup(doc, view);
    sl_doc_string(doc, "transfer", NULL, view->given->transfer);
    add_flock(doc, view);
}

void sl_doc_tuned_setup(SlDoc *doc, const SlTuned *tuned) {
    SlTunedView view;
    if (sl_tuned_open(tuned, &view) == SL_OK)
        add_setup(doc, &view);
    else
        sl_doc_fail(doc);
}

// "resnet18:conv3_1 on vta 1x16x16"
static void add_title(SlDoc *doc, const SlTunedView *view) {
    const SlNetwork *net = view->setup->net;
    bool one = net->n_layers == 1, inside = one && strcmp(net->name, "inline") != 0;
    SlText machine;
    sl_text_init(&machine, view->arena);
    view->kind->name(view, &machine);
    sl_doc_title(doc, "%s%s%s on %s", inside ? net->name : "", inside ? ":" : "",
                 one ? net->layers[0].name : net->name, sl_tuned_text(doc, &machine));
}

static void add_target(SlDoc *doc, const SlTunedView *view) {
    SlText words;
    sl_text_init(&words, view->arena);
    view->kind->describe(view, &words);
    if (view->given->batch > 1) sl_text_add(&words, ", batch %lld", (long long)view->given->batch);
    sl_doc_string(doc, NULL, "target", sl_tuned_text(doc, &words));
}

static void add_method(SlDoc *doc, const SlTunedView *view) {
    const SlJobSetup *setup = view->setup;
    bool limited = setup->budget.samples > 0;
    SlText words;
    char count[SL_UNIT_ROOM];
    sl_text_init(&words, view->arena);
    sl_text_add(&words, "%s, ", setup->method->name);
    if (limited)
        sl_text_add(&words, "%s measurements%s", show_count((double)setup->budget.samples, count),
                    view->n_layers > 1 ? " per layer" : "");
    if (setup->n_cores > 0) sl_text_add(&words, " shared by %d cores", setup->n_cores);
    if (setup->task_seconds > 0)
        sl_text_add(&words, "%s%g seconds", limited ? " or " : "", setup->task_seconds);
    if (setup->transfer) sl_text_add(&words, ", starting from other tasks");
    sl_text_add(&words, ", seed %llu", (unsigned long long)setup->seed);
    sl_doc_string(doc, NULL, "method", sl_tuned_text(doc, &words));
    if (!setup->flock) return;
    const SlFlockInfo *flock = sl_flock_info(setup->flock);
    sl_doc_text(doc, NULL, "flock", "%s: %s measurements of %d other layers before",
                view->given->flock, show_count((double)flock->evaluations, count), flock->n_tasks);
}

// ---- what comes first ----

// layers whose optimum is proven, those that are at it, the largest distance of the others
typedef struct {
    int n_proven, n_optimal;
    double most;
} Optimal;

static Optimal count_optimal(const SlTunedView *view) {
    Optimal optimal = {0};
    for (int i = 0; i < view->n_layers; i++) {
        double regret = sl_tuned_regret(&view->layers[i]);
        if (isnan(regret)) continue;
        optimal.n_proven++;
        optimal.n_optimal += regret <= 0;
        optimal.most = fmax(optimal.most, regret);
    }
    return optimal;
}

static int count_searched(const SlTunedView *view) {
    int n = 0;
    for (int i = 0; i < view->n_layers; i++) n += view->layers[i].task->task != NULL;
    return n;
}

static void add_goodness(const SlTunedView *view, SlText *out) {
    Optimal optimal = count_optimal(view);
    int n = count_searched(view);
    char share[SL_UNIT_ROOM];
    if (optimal.n_proven == 0)
        sl_text_add(out, "; not proven");
    else if (optimal.n_optimal == n)
        sl_text_add(out, "; %sproven optimal in %s search space", n > 1 ? "every layer is " : "",
                    n > 1 ? "its" : "the");
    else if (optimal.n_optimal == optimal.n_proven)
        sl_text_add(out, "; %d of %d layers are proven optimal, the others are not proven",
                    optimal.n_optimal, n);
    else if (n == 1)
        sl_text_add(out, "; proven %s above the optimum of the search space",
                    sl_unit_show(SL_UNIT_SHARE, optimal.most, share));
    else
        sl_text_add(out, "; %d of %d layers with a proof are optimal, the others up to %s above",
                    optimal.n_optimal, optimal.n_proven,
                    sl_unit_show(SL_UNIT_SHARE, optimal.most, share));
}

// "12.3 ms per inference, 35.4 × faster than untuned; every layer is proven optimal"
static void add_verdict(SlDoc *doc, const SlTunedView *view) {
    double seconds = view->sums.seconds, faster = view->untuned_seconds / seconds;
    char text[SL_UNIT_ROOM];
    SlText words;
    sl_text_init(&words, view->arena);
    if (!isfinite(seconds)) {
        sl_doc_verdict(doc, "Not every layer has a schedule that works.");
        return;
    }
    sl_text_add(&words, "%s%s", sl_unit_show(SL_UNIT_SECONDS, seconds, text),
                view->n_layers > 1 ? " for all layers" : "");
    if (isfinite(faster) && fabs(faster - 1) < 0.0005)
        sl_text_add(&words, ", no difference from the untuned schedule%s",
                    view->n_layers > 1 ? "s" : "");
    else if (isfinite(faster))
        sl_text_add(&words, ", %s faster than untuned", sl_unit_show(SL_UNIT_TIMES, faster, text));
    add_goodness(view, &words);
    sl_doc_verdict(doc, "%s.", sl_tuned_text(doc, &words));
}

static void add_head(SlDoc *doc, const SlTunedView *view) {
    const SlNetwork *net = view->setup->net;
    add_title(doc, view);
    add_verdict(doc, view);
    sl_doc_string(doc, "key", NULL, view->given->key);
    sl_doc_string(doc, "workload", NULL, net->name);
    sl_doc_open(doc, "setup", NULL);
    add_setup(doc, view);
    sl_doc_close(doc);
    sl_doc_flag(doc, "finished", NULL, sl_tuned_is_finished(view->given));
    if (net->title[0]) sl_doc_string(doc, NULL, "workload", net->title);
    add_target(doc, view);
    add_method(doc, view);
    if (view->given->interrupted)
        sl_doc_warn(doc, "INTERRUPTED: the best so far; rerun the command to finish.");
}

// ---- sums ----

// how far from the optimum, where that was proven
static void add_optimal(SlDoc *doc, const SlTunedView *view) {
    Optimal found = count_optimal(view);
    int proven = found.n_proven, optimal = found.n_optimal;
    double most = found.most;
    char share[SL_UNIT_ROOM];
    if (proven == 0) return;
    sl_unit_show(SL_UNIT_SHARE, most, share);
    if (view->n_layers == 1) {
        sl_doc_text(doc, NULL, "above best", most > 0 ? "+%s" : "optimal", share);
        sl_doc_remark(doc, "proven for the space");
        return;
    }
    sl_doc_text(doc, NULL, "optimal", "%d of %d", optimal, proven);
    sl_doc_remark(doc, most > 0 ? " that are proven; others up to +%s" : " that are proven", share);
}

static void add_times(SlDoc *doc, const SlTunedView *view) {
    double seconds = view->sums.seconds, batch = (double)view->given->batch;
    double faster = view->untuned_seconds / seconds;
    bool known = isfinite(seconds);
    char text[SL_UNIT_ROOM];
    sl_doc_number(doc, "seconds", known ? "time" : NULL, SL_UNIT_SECONDS, seconds);
    view->kind->add_sums(doc, view);
    sl_doc_number(doc, "images_per_second", known ? "images" : NULL, SL_UNIT_RATE, batch / seconds);
    sl_doc_remark(doc, " per second, batch %g", batch);
    sl_doc_number(doc, "gops", known ? "GOP/s" : NULL, SL_UNIT_RATE,
                  2e-9 * view->sums.macs / seconds);
    sl_doc_remark(doc, "%s MACs", sl_unit_show(SL_UNIT_SHORT, view->sums.macs, text));
    if (!isfinite(faster)) return;
    sl_doc_number(doc, NULL, "speed-up", SL_UNIT_TIMES, faster);
    sl_doc_remark(doc, "untuned: %s", sl_unit_show(SL_UNIT_SECONDS, view->untuned_seconds, text));
}

static void add_measurements(SlDoc *doc, const SlJobEffort *effort) {
    char count[SL_UNIT_ROOM];
    sl_doc_number(doc, "measurements", "measurements", SL_UNIT_COUNT, (double)effort->samples);
    sl_doc_remark(doc, "of which %s without a program",
                  show_count((double)effort->failures, count));
    sl_tuned_number(doc, "failures", (double)effort->failures);
}

static void add_sums(SlDoc *doc, const SlTunedView *view) {
    sl_doc_cards(doc, "total", NULL);
    add_times(doc, view);
    add_optimal(doc, view);
    add_measurements(doc, &view->effort);
    sl_tuned_number(doc, "layers", view->sums.n_layers);
    sl_tuned_number(doc, "macs", view->sums.macs);
    sl_tuned_number(doc, "untuned_seconds", view->untuned_seconds);
    sl_doc_close(doc);
}

// what the clock says, of this run alone
static void add_speed(SlDoc *doc, const SlTunedView *view) {
    const SlJobEffort *effort = &view->effort;
    sl_doc_open(doc, "speed", NULL);
    sl_tuned_number(doc, "measured", (double)(effort->samples - effort->replayed));
    sl_tuned_number(doc, "replayed", (double)effort->replayed);
    sl_tuned_number(doc, "seconds", view->given->seconds);
    sl_tuned_number(doc, "method_seconds", effort->method_seconds);
    sl_tuned_number(doc, "measure_seconds", effort->eval_seconds);
    sl_doc_close(doc);
}

SlDoc *sl_report_tuned(const SlTuned *tuned) {
    SlTunedView view;
    if (sl_tuned_open(tuned, &view) != SL_OK || sl_tuned_look(&view) != SL_OK) return NULL;
    SlDoc *doc = sl_doc_make(tuned->arena, "tune", 1);
    if (!doc) return NULL;
    add_head(doc, &view);
    add_sums(doc, &view);
    sl_tuned_layers(doc, &view);
    sl_tuned_figures(doc, &view);
    sl_tuned_schedules(doc, &view);
    view.kind->add_machine(doc, &view);
    add_speed(doc, &view);
    return doc;
}

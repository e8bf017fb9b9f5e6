// tuned_cpu.c - a network tuned for this processor: times of C programs, and the share of the peak.
#include <math.h>

#include "tuned_inside.h"

static const SlCpuOptions *options_of(const SlTunedView *view) {
    return view->machine;
}

static double peak_share(const SlTunedView *view, double gops) {
    return gops / (view->given->peak_gops * options_of(view)->threads);
}

// ---- what it comes to ----

static SlStatus open_machine(SlTunedView *view) {
    const SlCpuOptions *given = view->setup->kind_options;
    SlCpuOptions *options = view->machine = SL_NEW(view->arena, 1, SlCpuOptions);
    if (!options) return SL_ENOMEM;
    *options = given ? *given : (SlCpuOptions){.threads = 1};
    return SL_OK;
}

static double seconds(const SlTunedView *view, double value) {
    (void)view;
    return value;
}

static double busy(const SlTunedView *view, const SlTunedLayer *layer) {
    return fmin(1, peak_share(view, sl_tuned_gops(layer, layer->best.seconds)));
}

static void write_program(const SlJobTask *task, SlText *out) {
    SlKernelTask kernel;
    SlKernelSchedule schedule;
    sl_task_cpu(task->task, task->record.best.point, &kernel, &schedule);
    sl_kernel_source(&kernel, &schedule, out);
}

// ---- names and members ----

static void name(const SlTunedView *view, SlText *out) {
    (void)view;
    sl_text_add(out, "this cpu");
}

static void describe(const SlTunedView *view, SlText *out) {
    const SlCpuOptions *options = options_of(view);
    sl_text_add(out, "this cpu, %s, %d thread%s", sl_kernel_type_names[options->type],
                options->threads, options->threads == 1 ? "" : "s");
}

static void add_setup(SlDoc *doc, const SlTunedView *view) {
    const SlCpuOptions *options = options_of(view);
    sl_doc_string(doc, "type", NULL, sl_kernel_type_names[options->type]);
    sl_tuned_number(doc, "threads", options->threads);
}

static void add_layer(SlDoc *doc, const SlTunedView *view, const SlTunedLayer *layer) {
    if (!sl_tuned_has_result(layer->task)) return;
    sl_doc_flag(doc, "duelled", NULL, layer->task->duelled);
    sl_doc_flag(doc, "untuned_won", NULL, layer->task->untuned_won);
    sl_doc_number(doc, "peak_share", NULL, SL_UNIT_SHARE,
                  peak_share(view, sl_tuned_gops(layer, layer->best.seconds)));
}

static void add_sums(SlDoc *doc, const SlTunedView *view) {
    double share = peak_share(view, 2e-9 * view->sums.macs / view->sums.seconds);
    if (!isfinite(share)) return;
    sl_doc_number(doc, NULL, "of the peak", SL_UNIT_SHARE, share);
    sl_doc_remark(doc, "multiply-adds that the cores can do");
}

static void add_machine(SlDoc *doc, const SlTunedView *view) {
    double peak = view->given->peak_gops;
    char text[256];
    sl_doc_open(doc, NULL, "Processor");
    if (sl_processor_name(sizeof text, text)[0]) sl_doc_string(doc, NULL, "model", text);
    sl_doc_number(doc, NULL, "threads", SL_UNIT_COUNT, options_of(view)->threads);
    sl_doc_number(doc, "peak_gops", "peak of one core", SL_UNIT_RATE, peak);
    sl_doc_remark(doc, isfinite(peak) ? " GOP/s, as just measured" : "not known");
    sl_doc_words(doc, "Times hold for this machine and this run.");
    sl_doc_close(doc);
}

static const SlColumn columns[] = {
    SL_COLUMN("best.measured_s", "time", .unit = SL_UNIT_SECONDS, .csv = "measured_s"),
    SL_COLUMN("peak_share", "of peak"),
};

const SlTunedKind sl_tuned_cpu = {
    .kind = &sl_kind_cpu,
    .unit = SL_UNIT_SECONDS,
    .key = "measured_s",
    .axis = "ms",
    .axis_scale = 1e3,
    .n_columns = sizeof columns / sizeof *columns,
    .columns = columns,
    .legend = "time: measured again in turns with the untuned schedule. of peak: of the "
              "multiply-adds that the cores can do.",
    .program = "C program",
    .ending = ".c",
    .open = open_machine,
    .seconds = seconds,
    .busy = busy,
    .write_program = write_program,
    .name = name,
    .describe = describe,
    .add_setup = add_setup,
    .add_layer = add_layer,
    .add_sums = add_sums,
    .add_machine = add_machine,
};

// tune_cpu.c - this processor as a target of `starling tune`: C programs, their times, its peak.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "interrupt.h"
#include "tune_command.h"

typedef struct {
    SlCpuOptions options;
    SlKernelBench bench;
    double peak_gops; // of one core, NAN = unknown
} Machine;

static const Machine *machine_of(const Tune *tune) {
    return tune->machine;
}

static double peak_share(const Tune *tune, double gops) {
    return gops / (machine_of(tune)->peak_gops * machine_of(tune)->options.threads);
}

// ---- what is asked for ----

static const char *conflict(const TuneOptions *options) {
    if (options->hw == SL_HARDWARE_SEARCH)
        return "--hw search: the cpu is as it is; expected --target vta";
    if (options->core || options->resources || options->iso_resource)
        return "--core, --resources, --iso-resource: expected --target vta";
    if (options->optimum == OPTIMUM_ON)
        return "--optimum: measured times prove nothing; expected --target vta";
    return NULL;
}

static SlStatus plan(Tune *tune, SlError *err) {
    const TuneOptions *options = tune->options;
    Machine *machine = call_need(SL_NEW(tune->arena, 1, Machine));
    tune->machine = machine;
    machine->peak_gops = NAN;
    machine->options = (SlCpuOptions){.type = (SlKernelType)options->type,
                                      .threads = options->threads > 0 ? (int)options->threads : 1,
                                      .bench = &machine->bench};
    return sl_compiler_init(&machine->bench.compiler, NULL, err);
}

static void set_job(Tune *tune, int n, SlJobSetup *setup) {
    (void)n;
    setup->kind_options = &machine_of(tune)->options;
}

// ---- what came of it ----

static SlStatus measure_peak(Tune *tune, SlError *err) {
    Machine *machine = tune->machine;
    SlKernelResult peak;
    (void)err;
    if (interrupt_caught()) return SL_OK;
    sl_kernel_peak(&machine->bench, machine->options.type, sl_kernel_vector_bytes(), &peak);
    if (peak.error == SL_KERNEL_OK && peak.gops > 0) machine->peak_gops = peak.gops;
    return SL_OK;
}

static double seconds(const Tune *tune, double value) {
    (void)tune;
    return value;
}

static double busy(const Tune *tune, const TuneLayer *layer) {
    return fmin(1, peak_share(tune, tune_gops(layer, layer->best.seconds)));
}

static void write_program(const Tune *tune, const TuneLayer *layer, SlText *out) {
    SlKernelTask task;
    SlKernelSchedule schedule;
    (void)tune;
    sl_task_cpu(layer->job->task, layer->job->record.best.point, &task, &schedule);
    sl_kernel_source(&task, &schedule, out);
}

// ---- names and members ----

static void name(const Tune *tune, SlText *out) {
    (void)tune;
    sl_text_add(out, "this cpu");
}

static void describe(const Tune *tune, SlText *out) {
    const SlCpuOptions *options = &machine_of(tune)->options;
    sl_text_add(out, "this cpu, %s, %d thread%s", sl_kernel_type_names[options->type],
                options->threads, options->threads == 1 ? "" : "s");
}

static void add_setup(const Tune *tune, SlDoc *doc) {
    const SlCpuOptions *options = &machine_of(tune)->options;
    sl_doc_string(doc, "type", NULL, sl_kernel_type_names[options->type]);
    sl_doc_number(doc, "threads", NULL, SL_UNIT_PLAIN, options->threads);
}

static void add_layer(const Tune *tune, const TuneLayer *layer, SlDoc *doc) {
    if (!tune_has_result(layer)) return;
    sl_doc_flag(doc, "duelled", NULL, layer->job->duelled);
    sl_doc_flag(doc, "untuned_won", NULL, layer->job->untuned_won);
    sl_doc_number(doc, "peak_share", NULL, SL_UNIT_SHARE,
                  peak_share(tune, tune_gops(layer, layer->best.seconds)));
}

static void add_sums(const Tune *tune, const TuneSums *sums, SlDoc *doc) {
    double share = peak_share(tune, 2e-9 * sums->macs / sums->seconds);
    if (!isfinite(share)) return;
    sl_doc_number(doc, NULL, "of the peak", SL_UNIT_SHARE, share);
    sl_doc_remark(doc, "multiply-adds that the cores can do");
}

// as the system calls it, "" if it does not
static void processor_name(size_t n, char *out) {
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    out[0] = '\0';
    while (file && !out[0] && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon) continue;
        colon += 1 + strspn(colon + 1, " \t");
        snprintf(out, n, "%.*s", (int)strcspn(colon, "\n"), colon);
    }
    if (file) fclose(file);
}

static void add_machine(const Tune *tune, SlDoc *doc) {
    char text[256];
    processor_name(sizeof text, text);
    sl_doc_open(doc, NULL, "Processor");
    if (text[0]) sl_doc_string(doc, NULL, "model", text);
    sl_doc_number(doc, NULL, "threads", SL_UNIT_COUNT, machine_of(tune)->options.threads);
    sl_doc_number(doc, "peak_gops", "peak of one core", SL_UNIT_RATE, machine_of(tune)->peak_gops);
    sl_doc_remark(doc,
                  isfinite(machine_of(tune)->peak_gops) ? " GOP/s, as just measured" : "not known");
    sl_doc_words(doc, "Times are those of one machine on one day.");
    sl_doc_close(doc);
}

static const SlColumn columns[] = {
    SL_COLUMN("best.measured_s", "time", .unit = SL_UNIT_SECONDS, .csv = "measured_s"),
    SL_COLUMN("peak_share", "of peak"),
};

const TuneTarget tune_cpu = {
    .kind = &sl_kind_cpu,
    .idle = "profile bus cores bias",
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
    .conflict = conflict,
    .plan = plan,
    .set_job = set_job,
    .finish = measure_peak,
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

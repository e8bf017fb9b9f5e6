// bench_schedules.c - `starling bench schedules`: given schedules of one layer, measured in turns.
//
// Times of one machine drift by more than good schedules differ, so finalists of several searches
// are compared in one run: every round measures all of them, beginning with another one each time.
#include <string.h>

#include "bench.h"
#include "starling/kernel.h"

typedef struct {
    CommonOptions common;
    int64_t repeats, threads;
    int type;
} SchedulesOptions;

static const SlOption options_table[] = {
    BENCH_REPEATS(SchedulesOptions, "15", "rounds in which every schedule is measured once"),
    SL_OPT_CHOICE(SchedulesOptions, "type", type, NULL, sl_kernel_type_names, "NAME", "data type"),
    SL_OPT_WHOLE(SchedulesOptions, "threads", threads, "1", 1, 1024, "N",
                 "thread limit of a program"),
    COMMON_OPTIONS,
    {0},
};

enum { MOST_SCHEDULES = 1024, MOST_BYTES = 1 << 20 };

// The contest.
typedef struct {
    const SchedulesOptions *options;
    SlKernelBench bench;
    SlKernelTask task;
    int n;
    SlKernelSchedule *schedules; // (n)
    SlKernelResult *results;     // (n)
} Contest;

static SlStatus read_layer(const Call *call, Contest *contest, SlError *err) {
    BenchLayers layers = {0};
    SlStatus status = bench_add_layers(call->words.words[0], call->arena, &layers, err);
    if (status != SL_OK) return status;
    if (layers.n != 1)
        return sl_fail(err, SL_EINPUT, "%s: expected one layer, got %d", call->words.words[0],
                       layers.n);
    contest->task = (SlKernelTask){.layer = layers.list[0].layer,
                                   .type = (SlKernelType)contest->options->type,
                                   .threads = (int)contest->options->threads,
                                   .vector_bytes = sl_kernel_vector_bytes()};
    const char *why = sl_kernel_task_check(&contest->task);
    return why ? sl_fail(err, SL_EINPUT, "%s: %s", layers.list[0].name, why) : SL_OK;
}

// one schedule a line; empty lines and lines behind # are passed over
static SlStatus read_line(Contest *contest, const char *path, int line, const char *text,
                          SlError *err) {
    SlError inside;
    if (!*text || *text == '#') return SL_OK;
    if (contest->n == MOST_SCHEDULES)
        return sl_fail(err, SL_EINPUT, "%s:%d: expected at most %d schedules", path, line,
                       MOST_SCHEDULES);
    SlKernelSchedule *schedule = &contest->schedules[contest->n++];
    sl_kernel_default(&contest->task, schedule);
    if (sl_kernel_parse(text, schedule, &inside) != SL_OK)
        return sl_fail(err, SL_EINPUT, "%s:%d: %s", path, line, inside.text);
    const char *why = sl_kernel_check(&contest->task, schedule);
    return why ? sl_fail(err, SL_EINPUT, "%s:%d: %s", path, line, why) : SL_OK;
}

static SlStatus read_schedules(const Call *call, Contest *contest, SlError *err) {
    const char *path = call->words.words[1];
    char *text, *rest;
    size_t n;
    SlStatus status = sl_file_read(path, MOST_BYTES, call->arena, &text, &n, err);
    if (status != SL_OK) return status;
    contest->schedules = call_need(SL_NEW(call->arena, MOST_SCHEDULES, SlKernelSchedule));
    for (int line = 1; text && status == SL_OK; text = rest, line++) {
        rest = strchr(text, '\n');
        if (rest) *rest++ = '\0';
        status = read_line(contest, path, line, text, err);
    }
    if (status == SL_OK && contest->n == 0)
        return sl_fail(err, SL_EINPUT, "%s: expected a schedule a line, got none", path);
    return status;
}

// programs are built side by side first, so that turns follow each other closely
static SlStatus measure(const Call *call, Contest *contest, SlError *err) {
    contest->results = call_need(SL_NEW(call->arena, contest->n, SlKernelResult));
    sl_kernel_build_all(&contest->bench, &contest->task, contest->n, contest->schedules, 0,
                        contest->results);
    bool done = sl_kernel_contest(&contest->bench, &contest->task, contest->n, contest->schedules,
                                  (int)contest->options->repeats, contest->results);
    return done ? SL_OK : sl_fail(err, SL_ENOMEM, "not enough memory");
}

static void add_row(const SlKernelSchedule *schedule, const SlKernelResult *result, SlDoc *doc) {
    char text[256];
    const bool ran = result->error == SL_KERNEL_OK;
    sl_doc_row(doc);
    sl_doc_number(doc, "median_s", "median", SL_UNIT_SECONDS, result->median_s);
    sl_doc_plain(doc, "least_s", result->least_s);
    sl_doc_number(doc, "spread", "spread", SL_UNIT_SHARE, result->spread);
    bench_fixed(doc, "gops", "GOP/s", 1, result->gops);
    sl_doc_string(doc, "error", NULL, ran ? "" : sl_kernel_error_name(result->error));
    sl_doc_string(doc, "why", NULL, result->why);
    sl_doc_string(doc, "schedule", "schedule", sl_kernel_show(schedule, sizeof text, text));
}

static int deliver(const Call *call, const Contest *contest) {
    char layer[512];
    SlDoc *doc = bench_doc(call);
    sl_doc_title(doc, "%d schedules of %s, measured in %d rounds", contest->n,
                 contest->task.layer.name, (int)contest->options->repeats);
    sl_doc_string(doc, "layer", NULL, sl_layer_write(&contest->task.layer, sizeof layer, layer));
    sl_doc_string(doc, "type", NULL, sl_kernel_type_names[contest->task.type]);
    sl_doc_plain(doc, "threads", contest->task.threads);
    sl_doc_plain(doc, "rounds", (double)contest->options->repeats);
    sl_doc_rows(doc, "schedules", NULL);
    for (int i = 0; i < contest->n; i++) add_row(&contest->schedules[i], &contest->results[i], doc);
    sl_doc_close(doc);
    return bench_deliver(call, doc);
}

static int run(Call *call) {
    Contest *contest = call_need(SL_NEW(call->arena, 1, Contest));
    SlError err;
    contest->options = call->options;
    if (call->words.n != 2)
        return call_refuse(call, "bench schedules: expected a layer and a file of schedules");
    SlStatus status = sl_compiler_init(&contest->bench.compiler, NULL, &err);
    if (status == SL_OK) status = read_layer(call, contest, &err);
    if (status == SL_OK) status = read_schedules(call, contest, &err);
    if (status == SL_OK) status = measure(call, contest, &err);
    return status == SL_OK ? deliver(call, contest) : call_fail(call, status, &err);
}

BENCH_ROW(schedules, SchedulesOptions, "LAYER FILE ",
          "measured time of given schedules of a layer, in turns",
          "Measures schedules of one layer as C programs in turns, so that slow phases of the "
          "machine affect\n"
          "all of them alike. FILE has one schedule per line, as 'starling bench kernel "
          "--schedule' takes it;\n"
          "missing knobs take their defaults. Results keep the order of the file.",
          "starling bench schedules resnet18:conv2_1 finalists.txt --json");

// eval_maestro.c - `starling eval --model maestro`: read, price in both models, deliver.
#include "eval_maestro.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "show.h"

// ---- what is given ----

// where the name of the file ends: behind the last ".m" with nothing or a ':' after it
const char *maestro_file_end(const char *word) {
    const char *end = NULL;
    for (const char *at = word; (at = strstr(at, ".m"));) {
        at += 2;
        if (*at == ':' || !*at) end = at;
    }
    return end;
}

bool maestro_is_file(const char *word) {
    return maestro_file_end(word) != NULL;
}

typedef struct {
    const char *name;
    size_t offset;
} Number;

// the numbers that a hardware file also says
static const Number numbers[] = {
    {"--num-pes", offsetof(MaestroOptions, num_pes)},
    {"--noc-bw", offsetof(MaestroOptions, noc_bw)},
    {"--noc-hops", offsetof(MaestroOptions, noc_hops)},
    {"--noc-hop-latency", offsetof(MaestroOptions, noc_hop_latency)},
    {"--offchip-bw", offsetof(MaestroOptions, offchip_bw)},
    {"--l1-size", offsetof(MaestroOptions, l1_size)},
    {"--l2-size", offsetof(MaestroOptions, l2_size)},
};
enum { N_NUMBERS = sizeof numbers / sizeof numbers[0] };

// the first of them that is given, from `i` on
static const char *given_number(const MaestroOptions *given, int i) {
    for (; i < N_NUMBERS; i++) {
        const void *field = (const char *)given + numbers[i].offset;
        if (*(const int64_t *)field) return numbers[i].name;
    }
    return NULL;
}

const char *maestro_given_hardware(const MaestroOptions *given, int skip) {
    const char *name = given_number(given, skip);
    if (given->hw_file) return "--hw-file";
    return name ? name : given->simd_lanes ? "--num-simd-lanes" : NULL;
}

static const char *native_conflict(const EvalOptions *options, char out[static CONFLICT_ROOM]) {
    // a list for MAESTRO needs to know its PEs
    bool list = options->mapping && maestro_is_file(options->mapping);
    const char *name = maestro_given_hardware(&options->maestro, list);
    if (!name) return NULL;
    snprintf(out, CONFLICT_ROOM, "%s is of MAESTRO's hardware, so only with --model maestro", name);
    return out;
}

static const char *hardware_conflict(const EvalOptions *options, char out[static CONFLICT_ROOM]) {
    const MaestroOptions *given = &options->maestro;
    const char *name = given_number(given, 0);
    if (given->hw_file && name) {
        snprintf(out, CONFLICT_ROOM, "--hw-file says it already, so not with %s", name);
        return out;
    }
    name = maestro_given_hardware(given, 0);
    if (options->accel && name) {
        snprintf(out, CONFLICT_ROOM, "--accel says it already, so not with %s", name);
        return out;
    }
    int64_t hops = given->noc_hops ? given->noc_hops : 1;
    if (given->noc_hop_latency && hops > INT32_MAX / given->noc_hop_latency)
        return "--noc-hops times --noc-hop-latency: expected at most 2147483647 cycles";
    return NULL;
}

const char *maestro_conflict(const EvalOptions *options, const char *word,
                             char out[static CONFLICT_ROOM]) {
    if (options->model == MODEL_NATIVE) return native_conflict(options, out);
    if (options->nests) return "--nests counts exactly, so not with --model maestro";
    if (options->form) return "--export is of nests, so not with --model maestro";
    if (options->repair) return "--model maestro has nothing to repair";
    if (options->objective) return "--model maestro has no floors, so not with --objective";
    if (word && maestro_is_file(word)) {
        if (options->mapping) return "a .m file has dataflows of its own, so not with --mapping";
        if (options->batch != 1) return "a .m file has batches of its own, so not with --batch";
    }
    return hardware_conflict(options, out);
}

SlStatus maestro_hardware(const EvalOptions *options, SlArena *arena, SlMaestroHardware *hardware,
                          SlError *err) {
    const MaestroOptions *given = &options->maestro;
    sl_maestro_hardware_init(hardware);
    if (options->accel) {
        SlAccel *accel = command_need(SL_NEW(arena, 1, SlAccel));
        SlStatus status = sl_accel_find(options->accel, arena, accel, err);
        if (status != SL_OK) return status;
        const char *reason = sl_maestro_hardware_of(accel, hardware);
        return reason ? sl_fail(err, SL_EINPUT, "--accel %s: %s", accel->name, reason) : SL_OK;
    }
    if (given->simd_lanes) hardware->simd_lanes = (int32_t)given->simd_lanes;
    if (given->hw_file) return sl_maestro_hardware_read(given->hw_file, arena, hardware, err);
    int64_t hops = given->noc_hops ? given->noc_hops : 1;
    hardware->noc_latency = (int32_t)(hops * given->noc_hop_latency);
    if (given->num_pes) hardware->num_pes = (int32_t)given->num_pes;
    if (given->noc_bw) hardware->noc_bw = (int32_t)given->noc_bw;
    if (given->offchip_bw) hardware->offchip_bw = (int32_t)given->offchip_bw;
    if (given->l1_size) hardware->l1_bytes = (int32_t)given->l1_size;
    if (given->l2_size) hardware->l2_bytes = (int32_t)given->l2_size;
    return SL_OK;
}

// ---- the file ----

// by name, else by number from 1
int maestro_find_layer(const SlMaestroNetwork *net, const char *name) {
    int64_t number = 0;
    for (int i = 0; i < net->n_layers; i++)
        if (strcmp(net->layers[i].name, name) == 0) return i;
    bool found = sl_parse_int(name, 1, net->n_layers, &number, NULL) == SL_OK;
    return found ? (int)number - 1 : -1;
}

static SlStatus select_layer(MaestroEval *eval, const char *name, SlError *err) {
    const SlMaestroNetwork *net = &eval->net;
    int at = maestro_find_layer(net, name);
    if (at < 0)
        return sl_fail(err, SL_EINPUT, "%s has no layer '%.80s'; its layers are 1 to %d, %s to %s",
                       eval->file, name, net->n_layers, net->layers[0].name,
                       net->layers[net->n_layers - 1].name);
    eval->from = at;
    eval->to = at + 1;
    return SL_OK;
}

static SlStatus read_file(MaestroEval *eval, const char *word, SlError *err) {
    const char *end = maestro_file_end(word);
    eval->file = command_need(sl_arena_text(eval->arena, word, (size_t)(end - word)));
    SlStatus status = sl_maestro_read(eval->file, eval->arena, &eval->net, err);
    eval->to = eval->net.n_layers;
    return status == SL_OK && *end ? select_layer(eval, end + 1, err) : status;
}

SlStatus maestro_read(const EvalOptions *options, const char *word, SlArena *arena,
                      MaestroEval *eval, SlError *err) {
    *eval =
        (MaestroEval){.options = options, .arena = arena, .word = word, .machine = options->accel};
    SlStatus status = maestro_hardware(options, arena, &eval->hardware, err);
    if (status != SL_OK) return status;
    sl_maestro_accel(&eval->hardware, &eval->accel);
    return maestro_is_file(word) ? read_file(eval, word, err) : maestro_make_lists(eval, word, err);
}

// ---- prices ----

static void outlast(double cycles, SlBindKind kind, int level, double *longest, SlBinder *binder) {
    if (cycles <= *longest) return;
    *longest = cycles;
    *binder = (SlBinder){kind, level};
}

// The lanes of a PE share its work, whatever the loops; transfers are as without them.
static void set_exact_latency(const MaestroEval *eval, MaestroPriced *priced) {
    const SlCost *exact = &priced->exact;
    SlBreakdown parts;
    sl_cost_explain(&eval->accel, &priced->nest, exact, &parts);
    double longest = ceil(exact->counts.cycles / eval->hardware.simd_lanes);
    priced->binder = (SlBinder){SL_BIND_COMPUTE, 0};
    for (int l = 0; l < eval->accel.n_levels; l++) {
        outlast(parts.port_cycles[l], SL_BIND_PORT, l, &longest, &priced->binder);
        outlast(parts.link_cycles[l], SL_BIND_LINK, l, &longest, &priced->binder);
    }
    priced->exact_latency = longest + exact->ramp_cycles;
}

// the exact side of it
static void compare(const MaestroEval *eval, int i, MaestroPriced *priced) {
    const SlMaestroLayer *shape = &eval->net.layers[i];
    const SlMaestroMapping *list = &eval->net.mappings[i];
    priced->no_layer = sl_maestro_layer(shape, &priced->layer);
    priced->no_nest = priced->no_layer;
    if (priced->no_layer) return;
    // a batch that is coupled to nothing is work all the same
    bool conv = shape->type != SL_MAESTRO_GEMM;
    if (conv && shape->size[SL_MV_N]) priced->layer.dims[SL_N] = shape->size[SL_MV_N];
    priced->no_nest =
        sl_maestro_nest(shape, list, eval->hardware.num_pes, &priced->layer, &priced->nest);
    if (!priced->no_nest) {
        sl_cost_eval(&priced->layer, &eval->accel, &priced->nest, &priced->exact);
        set_exact_latency(eval, priced);
    }
    sl_maestro_guard(shape, list, &eval->hardware, &priced->cost, &priced->layer,
                     priced->no_nest ? NULL : &priced->nest, &priced->guard);
}

SlStatus maestro_price(MaestroEval *eval, SlError *err) {
    const SlMaestroNetwork *net = &eval->net;
    eval->layers = command_need(SL_NEW(eval->arena, net->n_layers, MaestroPriced));
    for (int i = 0; i < net->n_layers; i++) {
        MaestroPriced *priced = &eval->layers[i];
        SlMaestroFault fault;
        char sentence[256];
        // the energy of a layer depends on the one before it
        const SlMaestroCost *previous = i ? &eval->layers[i - 1].cost : NULL;
        if (!sl_maestro_eval(&net->layers[i], &net->mappings[i], &eval->hardware, previous,
                             &priced->cost, &fault))
            return sl_fail_at(err, SL_EINPUT, eval->file, net->lines ? net->lines[i] : 0, 0,
                              "layer %s: %s", net->layers[i].name,
                              sl_maestro_fault_text(&fault, sizeof sentence, sentence));
        compare(eval, i, priced);
    }
    return SL_OK;
}

// ---- what comes out ----

void add_maestro_csv(const MaestroEval *eval, SlText *out) {
    sl_text_add(out, "%s\n", sl_maestro_csv_header);
    for (int i = eval->from; i < eval->to; i++)
        sl_maestro_csv_row(eval->net.name, eval->net.layers[i].name, &eval->hardware,
                           &eval->layers[i].cost, out);
}

static SlStatus write_files(const char *dir, const SlText *report, const SlText *json,
                            const SlText *csv, SlError *err) {
    SlStatus status = command_make_dir(dir, err);
    if (status == SL_OK) status = command_write(dir, "report.txt", report, err);
    if (status == SL_OK) status = command_write(dir, "maestro.json", json, err);
    return status == SL_OK ? command_write(dir, "maestro.csv", csv, err) : status;
}

static int deliver(const MaestroEval *eval) {
    const CommonOptions *common = &eval->options->common;
    SlText report, json, csv;
    SlError err;
    sl_text_init(&report, eval->arena);
    sl_text_init(&json, eval->arena);
    sl_text_init(&csv, eval->arena);
    add_maestro_report(eval, &report);
    add_maestro_csv(eval, &csv);
    if (report.failed || csv.failed) command_no_memory();
    SlStatus status = SL_OK;
    if (command_wants_json(common)) status = sl_json_print(maestro_json(eval), &json, &err);
    if (status == SL_OK && common->out)
        status = write_files(common->out, &report, &json, &csv, &err);
    if (status != SL_OK) return command_fail(status, &err);
    if (common->out)
        command_note(common, "Written to %s: report.txt, maestro.json, maestro.csv", common->out);
    const SlText *shown = common->json ? &json : eval->options->csv ? &csv : &report;
    return command_print(shown->data, shown->n, CODE_DONE);
}

int eval_maestro(const EvalOptions *options, const char *word) {
    SlArena arena;
    MaestroEval eval;
    SlError err;
    sl_arena_init(&arena, 0);
    SlStatus status = maestro_read(options, word, &arena, &eval, &err);
    if (status == SL_OK) status = maestro_price(&eval, &err);
    int code = status == SL_OK ? deliver(&eval) : command_fail(status, &err);
    sl_arena_free(&arena);
    return code;
}

// eval_maestro.c - `starling eval --model maestro`: read, price in both models, deliver.
#include "eval_maestro.h"

#include <stdio.h>
#include <string.h>

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

// options that a hardware file also says, and the one that it does not
static const char *const numbers[] = {"num-pes",    "noc-bw",  "noc-hops", "noc-hop-latency",
                                      "offchip-bw", "l1-size", "l2-size",  NULL};

static bool is_given(const Call *call, const char *name) {
    return !sl_option_is_default(call->command->options, name, call->options);
}

// the first of them that is given, from `i` on
static const char *given_number(const Call *call, int i) {
    while (numbers[i] && !is_given(call, numbers[i])) i++;
    return numbers[i];
}

static const char *given_hardware(const Call *call, int i) {
    const char *name = is_given(call, "hw-file") ? "hw-file" : given_number(call, i);
    return name || !is_given(call, "num-simd-lanes") ? name : "num-simd-lanes";
}

const char *maestro_given_hardware(const Call *call) {
    return given_hardware(call, 0);
}

static const char *native_conflict(const Call *call, char out[static CONFLICT_ROOM]) {
    const EvalOptions *options = call->options;
    // a list for MAESTRO needs to know its PEs
    bool list = options->mapping && maestro_is_file(options->mapping);
    const char *name = given_hardware(call, list);
    if (!name) return NULL;
    snprintf(out, CONFLICT_ROOM, "--%s is of MAESTRO's hardware, so only with --model maestro",
             name);
    return out;
}

static const char *hardware_conflict(const Call *call, char out[static CONFLICT_ROOM]) {
    const EvalOptions *options = call->options;
    const MaestroOptions *given = &options->maestro;
    const char *number = given_number(call, 0), *any = given_hardware(call, 0);
    int64_t hops = given->noc_hops ? given->noc_hops : 1;
    if (given->hw_file && number)
        snprintf(out, CONFLICT_ROOM, "--hw-file says it already, so not with --%s", number);
    else if (options->accel && any)
        snprintf(out, CONFLICT_ROOM, "--accel says it already, so not with --%s", any);
    else if (given->noc_hop_latency && hops > INT32_MAX / given->noc_hop_latency)
        return "--noc-hops times --noc-hop-latency: expected at most 2147483647 cycles";
    else
        return NULL;
    return out;
}

const char *maestro_conflict(const Call *call, const char *word, char out[static CONFLICT_ROOM]) {
    const EvalOptions *options = call->options;
    if (options->model == MODEL_NATIVE) return native_conflict(call, out);
    if (options->nests) return "--nests counts exactly, so not with --model maestro";
    if (options->export) return "--export is of nests, so not with --model maestro";
    if (options->repair) return "--model maestro has nothing to repair";
    if (options->objective) return "--model maestro has no floors, so not with --objective";
    if (word && maestro_is_file(word)) {
        if (options->mapping) return "a .m file has dataflows of its own, so not with --mapping";
        if (options->batch != 1) return "a .m file has batches of its own, so not with --batch";
    }
    return hardware_conflict(call, out);
}

// the hardware that the options describe
static SlStatus read_hardware(const EvalOptions *options, SlArena *arena,
                              SlMaestroHardware *hardware, SlError *err) {
    const MaestroOptions *given = &options->maestro;
    sl_maestro_hardware_init(hardware);
    if (options->accel) {
        SlAccel *accel = call_need(SL_NEW(arena, 1, SlAccel));
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
    eval->file = call_need(sl_arena_text(eval->arena, word, (size_t)(end - word)));
    SlStatus status = sl_maestro_read(eval->file, eval->arena, &eval->net, err);
    eval->to = eval->net.n_layers;
    return status == SL_OK && *end ? select_layer(eval, end + 1, err) : status;
}

SlStatus maestro_read(const Call *call, const char *word, MaestroEval *eval, SlError *err) {
    const EvalOptions *options = call->options;
    *eval = (MaestroEval){.call = call,
                          .options = options,
                          .arena = call->arena,
                          .word = word,
                          .machine = options->accel};
    SlStatus status = read_hardware(options, eval->arena, &eval->hardware, err);
    if (status != SL_OK) return status;
    sl_maestro_accel(&eval->hardware, &eval->accel);
    return maestro_is_file(word) ? read_file(eval, word, err) : maestro_make_lists(eval, word, err);
}

SlStatus maestro_price(MaestroEval *eval, SlError *err) {
    const SlMaestroNetwork *net = &eval->net;
    eval->layers = call_need(SL_NEW(eval->arena, net->n_layers, SlMaestroComparison));
    for (int i = 0; i < net->n_layers; i++) {
        SlMaestroFault fault;
        char sentence[256];
        // the energy of a layer depends on the one before it
        const SlMaestroCost *previous = i ? &eval->layers[i - 1].cost : NULL;
        if (!sl_maestro_compare(&net->layers[i], &net->mappings[i], &eval->hardware, previous,
                                &eval->layers[i], &fault))
            return sl_fail_at(err, SL_EINPUT, eval->file, net->lines ? net->lines[i] : 0, 0,
                              "layer %s: %s", net->layers[i].name,
                              sl_maestro_fault_text(&fault, sizeof sentence, sentence));
    }
    return SL_OK;
}

// ---- what comes out ----

static int deliver(const MaestroEval *eval) {
    const Call *call = eval->call;
    const char *dir = call->common->out;
    const SlDoc *doc = maestro_document(eval);
    SlText csv;
    SlError err;
    sl_text_init(&csv, eval->arena);
    add_maestro_csv(eval, &csv);
    SlStatus status = dir ? call_write_files(doc, dir, "maestro", &err) : SL_OK;
    if (status == SL_OK && dir) status = folder_write(dir, "maestro.csv", &csv, &err);
    if (status != SL_OK) return call_fail(call, status, &err);
    if (dir)
        call_note(call,
                  "Written to %s: maestro.html, maestro.txt, maestro.json, maestro.csv, layers.csv",
                  dir);
    return eval_is_csv(call) ? call_print(call, csv.data, csv.n, CODE_DONE)
                             : call_show(call, doc, CODE_DONE);
}

int eval_maestro(const Call *call, const char *word) {
    MaestroEval eval;
    SlError err;
    SlStatus status = maestro_read(call, word, &eval, &err);
    if (status == SL_OK) status = maestro_price(&eval, &err);
    return status == SL_OK ? deliver(&eval) : call_fail(call, status, &err);
}

// eval_maestro.c - `starling eval --model maestro`: read, price in both models, deliver.
#include <stdio.h>
#include <string.h>

#include "eval.h"
#include "starling/report/maestro_doc.h"

// ---- what is given ----

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

// the first option of MAESTRO's hardware that is given
static const char *given_hardware(const Call *call, int i) {
    const char *name = is_given(call, "hw-file") ? "hw-file" : given_number(call, i);
    return name || !is_given(call, "num-simd-lanes") ? name : "num-simd-lanes";
}

static const char *native_conflict(const Call *call, char out[static CONFLICT_ROOM]) {
    const EvalOptions *options = call->options;
    // a list for MAESTRO needs to know its PEs
    bool list = options->mapping && sl_maestro_path_end(options->mapping);
    const char *name = given_hardware(call, list);
    if (!name) return NULL;
    snprintf(out, CONFLICT_ROOM, "--%s: expected --model maestro too", name);
    return out;
}

static const char *hardware_conflict(const Call *call, char out[static CONFLICT_ROOM]) {
    const EvalOptions *options = call->options;
    const MaestroOptions *given = &options->maestro;
    const char *number = given_number(call, 0), *any = given_hardware(call, 0);
    int64_t hops = given->noc_hops ? given->noc_hops : 1;
    if (given->hw_file && number)
        snprintf(out, CONFLICT_ROOM, "--%s: not together with --hw-file, which has it", number);
    else if (options->accel && any)
        snprintf(out, CONFLICT_ROOM, "--%s: not together with --accel, which has it", any);
    else if (given->noc_hop_latency && hops > INT32_MAX / given->noc_hop_latency)
        return "--noc-hops times --noc-hop-latency: expected at most 2147483647 cycles";
    else
        return NULL;
    return out;
}

const char *maestro_conflict(const Call *call, const char *word, char out[static CONFLICT_ROOM]) {
    const EvalOptions *options = call->options;
    if (options->model == MODEL_NATIVE) return native_conflict(call, out);
    if (options->nests) return "--nests: not together with --model maestro";
    if (options->export) return "--export: not together with --model maestro";
    if (options->repair) return "--repair: not together with --model maestro";
    if (options->objective) return "--objective: not together with --model maestro";
    if (word && sl_maestro_path_end(word)) {
        if (options->mapping)
            return "--mapping: not together with a .m file, which has dataflows of its own";
        if (options->batch != 1)
            return "--batch: not together with a .m file, which has batches of its own";
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

// ---- layers of ours ----

// the mappings of ours, on the same machine; those of a run have a machine of their own
static SlStatus read_native(const Call *call, SlMaestroEvaluation *eval, SlEvaluation *native,
                            SlError *err) {
    RunName run;
    const EvalOptions *options = call->options;
    if (!run_find(eval->word, eval->arena, &run))
        return evaluation_make(options, eval->word, options->accel ? NULL : &eval->accel,
                               eval->arena, native, err);
    const char *hardware = given_hardware(call, 0);
    if (hardware)
        return sl_fail(
            err, SL_EINPUT,
            "%s is a run of 'starling map' with its own hardware: not together with --%s", run.dir,
            hardware);
    SlStatus status = evaluation_read_run(options, &run, eval->arena, native, err);
    if (status != SL_OK) return status;
    const char *reason = sl_maestro_hardware_of(&native->accel, &eval->hardware);
    if (reason) return sl_fail(err, SL_EINPUT, "--accel %s: %s", native->accel.name, reason);
    sl_maestro_accel(&eval->hardware, &eval->accel);
    eval->machine =
        call_need(sl_arena_text(eval->arena, native->accel.name, strlen(native->accel.name)));
    return SL_OK;
}

// a layer of ours with the list of a .m file as it is
static SlStatus read_given(const Call *call, SlMaestroEvaluation *eval, SlError *err) {
    const EvalOptions *options = call->options;
    SlNetwork net;
    const SlWorkload asked = workload_asked(eval->word, options->batch, &options->graph);
    SlStatus status = sl_workload_read(&asked, eval->arena, &net, err);
    if (status == SL_OK) status = evaluation_need_one(&net, eval->word, err);
    return status == SL_OK ? sl_maestro_evaluation_given(eval, &net, options->mapping, err)
                           : status;
}

static SlStatus read_layers(const Call *call, SlMaestroEvaluation *eval, SlError *err) {
    const char *mapping = ((const EvalOptions *)call->options)->mapping;
    SlEvaluation native = {0};
    if (sl_maestro_path_end(eval->word)) return sl_maestro_evaluation_read(eval, err);
    if (mapping && sl_maestro_path_end(mapping)) return read_given(call, eval, err);
    SlStatus status = read_native(call, eval, &native, err);
    return status == SL_OK ? sl_maestro_evaluation_make(eval, &native, err) : status;
}

// ---- what comes out ----

static int deliver(const Call *call, const SlMaestroEvaluation *eval) {
    const char *dir = call->common->out;
    const SlDoc *doc = sl_report_maestro(eval);
    SlText csv;
    SlError err;
    sl_text_init(&csv, eval->arena);
    sl_maestro_csv(eval, &csv);
    if (csv.failed) call_no_memory();
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
    const EvalOptions *options = call->options;
    SlMaestroEvaluation eval = {.arena = call->arena, .word = word, .machine = options->accel};
    SlError err;
    SlStatus status = read_hardware(options, call->arena, &eval.hardware, &err);
    if (status == SL_OK) {
        sl_maestro_accel(&eval.hardware, &eval.accel);
        status = read_layers(call, &eval, &err);
    }
    if (status == SL_OK) status = sl_maestro_evaluation_price(&eval, &err);
    return status == SL_OK ? deliver(call, &eval) : call_fail(call, status, &err);
}

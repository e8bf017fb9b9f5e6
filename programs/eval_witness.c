// eval_witness.c - `starling eval --witness`: execute mappings as C programs and compare every
// count with the model's.
#include <string.h>

#include "eval.h"
#include "starling/report/witness_doc.h"

static SlStatus write_source(const Call *call, const SlWitnessCheck *check, SlError *err) {
    const SlWitnessed *it = &check->layers[0];
    const char *path = ((const EvalOptions *)call->options)->witness_source;
    char shape[384];
    SlText source;
    sl_text_init(&source, call->arena);
    sl_witness_source(check, 0, &source);
    if (source.failed) call_no_memory();
    if (it->trips)
        call_note(call, "The program has the layer scaled down: %s",
                  sl_layer_show(&it->layer, sizeof shape, shape));
    if (strcmp(path, "-") != 0) return sl_file_write(path, source.data, source.n, err);
    int code = call_print(call, source.data, source.n, CODE_DONE);
    return code == CODE_DONE ? SL_OK : sl_fail(err, SL_EIO, "cannot write the program");
}

int eval_witness(const Call *call, const SlEvaluation *eval) {
    const EvalOptions *options = call->options;
    SlWitnessCheck check;
    SlError err;
    if (options->witness_source && eval->n_distinct > 1)
        return call_refuse(
            call, "--witness-source: expected one layer, %s has %d; name one, such as %s:%s",
            eval->net.name, eval->net.n_layers, eval->net.name, eval->net.layers[0].name);
    SlStatus status = sl_witness_prepare(eval, &check, &err);
    if (status == SL_EINPUT) return call_refuse(call, "--witness: %s", err.text);
    if (status == SL_OK && options->witness_source) status = write_source(call, &check, &err);
    if (status == SL_OK && options->witness) status = sl_witness_execute(&check, &err);
    if (status != SL_OK) return call_fail(call, status, &err);
    if (!options->witness) return CODE_DONE;
    return call_deliver(call, sl_report_witness(&check), "witness",
                        check.equal ? CODE_DONE : CODE_FALSE);
}

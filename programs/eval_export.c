// eval_export.c - `starling eval --export`: the mapping in the forms of MAESTRO and Timeloop.
#include "eval.h"
#include "starling/mapping/maestro_nest.h"
#include "starling/mapping/timeloop.h"

int eval_export(const Call *call, const SlEvaluation *eval) {
    const SlLayer *layer = &eval->layers[0]->layer;
    const SlMapping *mapping = &eval->layers[0]->mapping;
    bool maestro = ((const EvalOptions *)call->options)->export == EXPORT_MAESTRO;
    if (eval->net.n_layers > 1)
        return call_refuse(call, "--export: expected one layer, %s has %d; name one, such as %s:%s",
                           eval->net.name, eval->net.n_layers, eval->net.name,
                           eval->net.layers[0].name);
    SlText text;
    sl_text_init(&text, eval->arena);
    const char *reason =
        maestro ? sl_maestro_write_nest(layer, &eval->accel, mapping, eval->net.name, &text)
                : sl_timeloop_write(layer, &eval->accel, mapping, &text);
    if (reason)
        return call_refuse(call, "--export %s: %s", maestro ? "maestro" : "timeloop", reason);
    if (text.failed) call_no_memory();
    return call_print(call, text.data, text.n, CODE_DONE);
}

// eval_maestro_lists.c - workloads of ours for MAESTRO's model: every mapping as a directive list.
#include <stdio.h>
#include <string.h>

#include "eval_maestro.h"

// The default mapping moved to what MAESTRO can say: filters whole, no work lost at edges;
// `single`: also one output at a time in L1. NULL, or why not.
static const char *adapt(const Evaluation *native, const SlLayer *layer, bool single,
                         SlMapping *mapping) {
    SlConstraints rules;
    SlSpaceOptions options = {.constraints = &rules, .maestro = true};
    SlSpace space;
    int32_t point[SL_MAX_PARAMS];
    SlStatus status = sl_constraints_find("maestro", native->arena, &rules, NULL);
    if (status == SL_OK && single && rules.n_rules < SL_MAX_RULES) {
        SlRuleSet *rule = &rules.rules[rules.n_rules++];
        *rule = (SlRuleSet){.level = "inner"};
        rule->most[SL_P] = rule->most[SL_Q] = 1;
    }
    if (status == SL_OK)
        status = sl_space_make(layer, &native->accel, &options, native->arena, &space, NULL);
    if (status != SL_OK) return "filters do not fit whole";
    sl_space_encode(&space, mapping, point);
    sl_space_mapping(&space, point, true, mapping);
    return NULL;
}

// A list for the default mapping, or for one like it where MAESTRO dies of that.
static const char *make_default(const Evaluation *native, const SlMaestroHardware *hardware, int i,
                                const SlMaestroLayer *shape, SlMaestroMapping *list) {
    const SlLayer *layer = &native->net.layers[i];
    const char *reason = NULL;
    for (int single = 0; single < 2; single++) {
        SlMapping mapping = native->layers[i]->mapping;
        SlMaestroCost cost;
        SlMaestroFault fault;
        reason = adapt(native, layer, single, &mapping);
        if (!reason)
            reason = sl_maestro_of_nest(layer, &mapping, hardware->num_pes, shape, list, NULL);
        if (!reason && sl_maestro_eval(shape, list, hardware, NULL, &cost, &fault)) return NULL;
    }
    return reason;
}

static SlStatus make_list(const Evaluation *native, int i, MaestroEval *eval, SlError *err) {
    const SlLayer *layer = &native->net.layers[i];
    SlMaestroLayer *shape = &eval->net.layers[i];
    SlMaestroMapping *list = &eval->net.mappings[i];
    bool given = eval->options->mapping || native->run;
    int32_t pes = eval->hardware.num_pes;
    const char *reason = sl_maestro_shape(layer, shape);
    if (reason) return sl_fail(err, SL_EINPUT, "layer %s: %s", layer->name, reason);
    if (given)
        reason = sl_maestro_of_nest(layer, &native->layers[i]->mapping, pes, shape, list, NULL);
    else
        reason = make_default(native, &eval->hardware, i, shape, list);
    if (!reason) return SL_OK;
    return sl_fail(err, SL_EINPUT, "layer %s: the %s mapping has no directive list for %d PEs: %s",
                   layer->name, given ? "given" : "default", (int)pes, reason);
}

// the mappings of ours, on the same machine; those of a run have a machine of their own
static SlStatus read_native(MaestroEval *eval, const char *word, Evaluation *native, SlError *err) {
    RunName run;
    const EvalOptions *options = eval->options;
    if (!run_find(word, eval->arena, &run))
        return evaluation_make(options, word, options->accel ? NULL : &eval->accel, eval->arena,
                               native, err);
    const char *hardware = maestro_given_hardware(eval->call);
    if (hardware)
        return sl_fail(err, SL_EINPUT,
                       "%s is a run of 'starling map' with its own hardware, so not with --%s",
                       run.dir, hardware);
    SlStatus status = evaluation_read_run(options, &run, eval->arena, native, err);
    if (status != SL_OK) return status;
    const char *reason = sl_maestro_hardware_of(&native->accel, &eval->hardware);
    if (reason) return sl_fail(err, SL_EINPUT, "--accel %s: %s", native->accel.name, reason);
    sl_maestro_accel(&eval->hardware, &eval->accel);
    return SL_OK;
}

// the list of a .m file as it is
static SlStatus given_list(MaestroEval *eval, const char *word, SlError *err) {
    SlNetwork net;
    const EvalOptions *options = eval->options;
    SlStatus status = sl_workload_find(word, options->batch, eval->arena, &net, err);
    if (status != SL_OK) return status;
    if (net.n_layers > 1)
        return sl_fail(err, SL_EINPUT,
                       "--mapping maps one layer, %s has %d; name one of them, such as %s:%s",
                       net.name, net.n_layers, word, net.layers[0].name);
    eval->mapping_from = "given";
    maestro_make_net(eval, net.name, 1);
    return maestro_read_list(options->mapping, &net.layers[0], eval->arena, eval->net.layers,
                             eval->net.mappings, err);
}

void maestro_make_net(MaestroEval *eval, const char *name, int n) {
    SlMaestroNetwork *net = &eval->net;
    snprintf(net->name, sizeof net->name, "%s", name);
    net->n_layers = n;
    net->layers = call_need(SL_NEW(eval->arena, n, SlMaestroLayer));
    net->mappings = call_need(SL_NEW(eval->arena, n, SlMaestroMapping));
    eval->to = n;
}

SlStatus maestro_make_lists(MaestroEval *eval, const char *word, SlError *err) {
    const EvalOptions *options = eval->options;
    if (options->mapping && maestro_is_file(options->mapping)) return given_list(eval, word, err);
    Evaluation native = {0};
    SlStatus status = read_native(eval, word, &native, err);
    if (status != SL_OK) return status;
    eval->mapping_from = native.mapping_from;
    if (native.run)
        eval->machine =
            call_need(sl_arena_text(eval->arena, native.accel.name, strlen(native.accel.name)));
    maestro_make_net(eval, native.net.name, native.net.n_layers);
    for (int i = 0; i < native.net.n_layers && status == SL_OK; i++)
        status = make_list(&native, i, eval, err);
    return status;
}

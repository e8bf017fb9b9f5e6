// maestro_evaluation.c - layers in MAESTRO's model: lists of a file, or of mappings of ours.
#include "starling/network/maestro_evaluation.h"

#include <stdio.h>
#include <string.h>

#include "starling/mapping/maestro_nest.h"

// ---- a file ----

static SlStatus select_layer(SlMaestroEvaluation *eval, const char *name, SlError *err) {
    const SlMaestroNetwork *net = &eval->net;
    int at = sl_maestro_find_layer(net, name);
    if (at < 0)
        return sl_fail(err, SL_EINPUT, "%s has no layer '%.80s'; its layers are 1 to %d, %s to %s",
                       eval->file, name, net->n_layers, net->layers[0].name,
                       net->layers[net->n_layers - 1].name);
    eval->from = at;
    eval->to = at + 1;
    return SL_OK;
}

SlStatus sl_maestro_evaluation_read(SlMaestroEvaluation *eval, SlError *err) {
    const char *end = sl_maestro_path_end(eval->word);
    eval->file = sl_arena_text(eval->arena, eval->word, (size_t)(end - eval->word));
    if (!eval->file) return sl_fail(err, SL_ENOMEM, "no memory for the name of a file");
    SlStatus status = sl_maestro_read(eval->file, eval->arena, &eval->net, err);
    eval->to = eval->net.n_layers;
    return status == SL_OK && *end ? select_layer(eval, end + 1, err) : status;
}

// ---- layers of ours ----

static SlStatus make_net(SlMaestroEvaluation *eval, const SlNetwork *from, SlError *err) {
    SlMaestroNetwork *net = &eval->net;
    snprintf(net->name, sizeof net->name, "%s", from->name);
    net->n_layers = eval->to = from->n_layers;
    net->layers = SL_NEW(eval->arena, net->n_layers, SlMaestroLayer);
    net->mappings = SL_NEW(eval->arena, net->n_layers, SlMaestroMapping);
    return net->layers && net->mappings ? SL_OK : sl_fail(err, SL_ENOMEM, "no memory for layers");
}

// The default mapping moved to what MAESTRO can say: filters whole, no work lost at edges;
// `single`: also one output at a time in L1. NULL, or why not.
static const char *adapt(const SlEvaluation *native, const SlLayer *layer, bool single,
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
static const char *make_default(const SlEvaluation *native, const SlMaestroHardware *hardware,
                                int i, const SlMaestroLayer *shape, SlMaestroMapping *list) {
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

static SlStatus make_list(SlMaestroEvaluation *eval, const SlEvaluation *native, int i,
                          SlError *err) {
    const SlLayer *layer = &native->net.layers[i];
    SlMaestroLayer *shape = &eval->net.layers[i];
    SlMaestroMapping *list = &eval->net.mappings[i];
    bool given = strcmp(native->mapping_from, "default") != 0;
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

SlStatus sl_maestro_evaluation_make(SlMaestroEvaluation *eval, const SlEvaluation *native,
                                    SlError *err) {
    eval->mapping_from = native->mapping_from;
    SlStatus status = make_net(eval, &native->net, err);
    for (int i = 0; i < native->net.n_layers && status == SL_OK; i++)
        status = make_list(eval, native, i, err);
    return status;
}

SlStatus sl_maestro_evaluation_given(SlMaestroEvaluation *eval, const SlNetwork *net,
                                     const char *list_word, SlError *err) {
    eval->mapping_from = "given";
    SlStatus status = make_net(eval, net, err);
    if (status != SL_OK) return status;
    return sl_maestro_list_find(list_word, &net->layers[0], eval->arena, eval->net.layers,
                                eval->net.mappings, err);
}

// ---- both models ----

SlStatus sl_maestro_evaluation_price(SlMaestroEvaluation *eval, SlError *err) {
    const SlMaestroNetwork *net = &eval->net;
    eval->layers = SL_NEW(eval->arena, net->n_layers, SlMaestroComparison);
    if (!eval->layers) return sl_fail(err, SL_ENOMEM, "no memory for %d layers", net->n_layers);
    for (int i = 0; i < net->n_layers; i++) {
        SlMaestroFault fault;
        char sentence[256];
        const SlMaestroCost *previous = i ? &eval->layers[i - 1].cost : NULL;
        if (!sl_maestro_compare(&net->layers[i], &net->mappings[i], &eval->hardware, previous,
                                &eval->layers[i], &fault))
            return sl_fail_at(err, SL_EINPUT, eval->file, net->lines ? net->lines[i] : 0, 0,
                              "layer %s: %s", net->layers[i].name,
                              sl_maestro_fault_text(&fault, sizeof sentence, sentence));
    }
    return SL_OK;
}

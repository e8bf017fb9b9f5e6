// maestro_write.c - MAESTRO's .m files as text.
#include <assert.h>

#include "starling/workload/maestro_file.h"

// strides that are not 1, then the dims, both by name
static void write_shape(const SlMaestroLayer *layer, SlText *out) {
    const char *between = "\t\tStride { ";
    bool strided = false;
    for (int v = 0; v < SL_N_MV; v++) {
        if (layer->stride[v] == 1) continue;
        sl_text_add(out, "%s%s: %d", between, sl_maestro_var_names[v], (int)layer->stride[v]);
        between = ", ";
        strided = true;
    }
    if (strided) sl_text_add(out, " }\n");
    between = "\t\tDimensions { ";
    for (int v = 0; v < SL_N_MV; v++) {
        if (!layer->size[v]) continue;
        sl_text_add(out, "%s%s: %d", between, sl_maestro_var_names[v], (int)layer->size[v]);
        between = ", ";
    }
    sl_text_add(out, " }\n");
}

static void write_directive(const SlDirective *directive, SlText *out) {
    if (directive->kind == SL_MAP_CLUSTER) {
        sl_text_add(out, "\t\t\tCluster(%d, %c);\n", (int)directive->size, directive->unit);
        return;
    }
    const char *kind = directive->kind == SL_MAP_SPATIAL ? "SpatialMap" : "TemporalMap";
    sl_text_add(out, "\t\t\t%s(%d,%d) %s;\n", kind, (int)directive->size, (int)directive->offset,
                sl_maestro_var_names[directive->var]);
}

static void write_layer(const SlMaestroLayer *layer, const SlMaestroMapping *mapping, SlText *out) {
    assert(mapping->n <= SL_MAX_DIRECTIVES);
    sl_text_add(out, "\tLayer %s {\n\t\tType: %s\n", layer->name,
                sl_maestro_type_names[layer->type]);
    write_shape(layer, out);
    sl_text_add(out, "\t\tDataflow {\n");
    for (int i = 0; i < mapping->n; i++) write_directive(&mapping->list[i], out);
    sl_text_add(out, "\t\t}\n\t}\n");
}

void sl_maestro_write(const SlMaestroNetwork *net, SlText *out) {
    sl_text_add(out, "Network %s {\n", net->name);
    for (int i = 0; i < net->n_layers; i++) write_layer(&net->layers[i], &net->mappings[i], out);
    sl_text_add(out, "}\n");
}

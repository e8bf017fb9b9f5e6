// timeloop_write.c - a mapping as a document for Timeloop's front end, version 0.4.
//
// The form is that of the public exercises (Accelergy-Project/timeloop-accelergy-exercises) and of
// the front end that reads them (Accelergy-Project/timeloop-python, pytimeloop/timeloopfe/v4).
//
// Timeloop gives a node each dim once. So the loops between two storage levels are cut into runs:
// the first ones in time belong to the level itself, spatial ones to a container with a fan-out,
// and further ones in time to a storage that keeps nothing and is there for its place alone.
#include "starling/mapping/timeloop.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "timeloop_inside.h"

const char *const sl_timeloop_tensors[SL_N_TENSORS + 1] = {"Weights", "Inputs", "Outputs", NULL};

void sl_timeloop_name(const char *level, char out[static SL_TIMELOOP_NAME]) {
    snprintf(out, SL_TIMELOOP_NAME, "%s%.24s", isdigit((unsigned char)level[0]) ? "L" : "", level);
    for (char *c = out; *c; c++)
        if (!isalnum((unsigned char)*c)) *c = '_';
}

// --- the nodes, outermost first

typedef enum { NODE_LEVEL, NODE_FANOUT, NODE_STEP } NodeKind;

typedef struct {
    NodeKind kind;
    int level;      // storage level, or the one above
    int begin, end; // its loops
    int64_t mesh;   // NODE_FANOUT: instances side by side
    char name[SL_TIMELOOP_NAME];
} Node;

typedef struct {
    const SlLayer *layer;
    const SlAccel *accel;
    SlMapping nest; // without loops that never iterate
    SlFootprint foot;
    int n_nodes;
    Node nodes[SL_TIMELOOP_NODES];
} Plan;

// the end of the run that begins here: loops of one kind, each dim once
static int run_end(const SlMapping *nest, int begin, int end, bool spatial) {
    int seen = 0, i = begin;
    for (; i < end && nest->loops[i].spatial == spatial; i++) {
        if (seen >> nest->loops[i].dim & 1) break;
        seen |= 1 << nest->loops[i].dim;
    }
    return i;
}

static Node *add_node(Plan *plan, NodeKind kind, int level, int begin, int end) {
    static const char *const endings[] = {"", "_fanout", "_step"};
    int nth = 1;
    for (int i = 0; i < plan->n_nodes; i++)
        nth += plan->nodes[i].kind == kind && plan->nodes[i].level == level;
    Node *node = &plan->nodes[plan->n_nodes++];
    *node = (Node){.kind = kind, .level = level, .begin = begin, .end = end};

    char name[SL_TIMELOOP_NAME], number[12] = "";
    sl_timeloop_name(plan->accel->levels[level].name, name);
    if (nth > 1) snprintf(number, sizeof number, "%d", nth);
    snprintf(node->name, sizeof node->name, "%.25s%s%.4s", name, endings[kind], number);
    return node;
}

// what the fan-outs of a level have in instances: what their loops need, the last one all the rest
static void set_meshes(Plan *plan, int level) {
    int64_t left = sl_fanout_size(&plan->accel->fanouts[level]);
    Node *last = NULL;
    for (int i = 0; i < plan->n_nodes; i++) {
        Node *node = &plan->nodes[i];
        if (node->kind != NODE_FANOUT || node->level != level) continue;
        node->mesh = 1;
        for (int k = node->begin; k < node->end; k++) node->mesh *= plan->foot.trips[k];
        left /= node->mesh;
        last = node;
    }
    if (last && left > 1) last->mesh *= left;
}

static void plan_level(Plan *plan, int level) {
    const SlMapping *nest = &plan->nest;
    int i = sl_segment_begin(nest, level), end = sl_segment_end(nest, level);
    int stop = run_end(nest, i, end, false);
    bool spread = false;
    add_node(plan, NODE_LEVEL, level, i, stop);
    for (i = stop; i < end; i = stop) {
        bool spatial = nest->loops[i].spatial;
        stop = run_end(nest, i, end, spatial);
        add_node(plan, spatial ? NODE_FANOUT : NODE_STEP, level, i, stop);
        spread |= spatial;
    }
    if (!spread && sl_fanout_size(&plan->accel->fanouts[level]) > 1)
        add_node(plan, NODE_FANOUT, level, end, end);
    set_meshes(plan, level);
}

static const char *check_names(const Plan *plan) {
    for (int i = 0; i < plan->n_nodes; i++) {
        const char *name = plan->nodes[i].name;
        if (strcmp(name, "system") == 0 || strcmp(name, "mac") == 0)
            return "a level is called as another part of the document ('system', 'mac')";
        for (int k = 0; k < i; k++)
            if (strcmp(name, plan->nodes[k].name) == 0)
                return "two levels would have the same name for Timeloop";
    }
    return NULL;
}

// Timeloop's loops count iterations, so every tile must be cut into equal ones
static const char *check_tiles(const Plan *plan) {
    static const char *const uneven[SL_N_DIMS] = {
        "the tiles of N do not divide, and Timeloop v4 has no remainders",
        "the tiles of G do not divide, and Timeloop v4 has no remainders",
        "the tiles of K do not divide, and Timeloop v4 has no remainders",
        "the tiles of C do not divide, and Timeloop v4 has no remainders",
        "the tiles of P do not divide, and Timeloop v4 has no remainders",
        "the tiles of Q do not divide, and Timeloop v4 has no remainders",
        "the tiles of R do not divide, and Timeloop v4 has no remainders",
        "the tiles of S do not divide, and Timeloop v4 has no remainders",
    };
    int64_t extent[SL_N_DIMS];
    memcpy(extent, plan->layer->dims, sizeof extent);
    for (int i = 0; i < plan->nest.n_loops; i++) {
        const SlLoop *loop = &plan->nest.loops[i];
        if (extent[loop->dim] % loop->tile != 0) return uneven[loop->dim];
        extent[loop->dim] = loop->tile;
    }
    return NULL;
}

static const char *make_plan(Plan *plan, const SlLayer *layer, const SlAccel *accel,
                             const SlMapping *mapping) {
    const char *reason = sl_mapping_check(layer, mapping);
    if (reason) return reason;
    if (mapping->n_boundaries != accel->n_levels - 1)
        return "the nest has another number of storage levels than the accelerator";
    *plan = (Plan){.layer = layer, .accel = accel, .nest = *mapping};
    sl_mapping_simplify(layer, &plan->nest);
    reason = check_tiles(plan);
    if (reason) return reason;
    sl_mapping_footprint(layer, &plan->nest, &plan->foot);
    for (int l = 0; l < accel->n_levels; l++) plan_level(plan, l);
    return check_names(plan);
}

// --- the problem

static void write_space(const char *name, const char *projection, SlText *out) {
    sl_text_add(out, "    - name: %s\n      projection: [%s]\n", name, projection);
}

static void write_problem(const SlLayer *layer, SlText *out) {
    // the type, not the name: a name may hold any byte
    sl_text_add(out, "problem:\n  version: 0.4\n  shape:\n    name: %s\n    dimensions: [",
                sl_layer_type_names[layer->type]);
    for (int d = 0; d < SL_N_DIMS; d++) sl_text_add(out, "%s%s", d ? ", " : "", sl_dim_names[d]);
    sl_text_add(out, "]\n    coefficients:\n"
                     "    - {name: Wstride, default: 1}\n    - {name: Hstride, default: 1}\n"
                     "    - {name: Wdilation, default: 1}\n    - {name: Hdilation, default: 1}\n"
                     "    data_spaces:\n");
    write_space("Weights", "[[G]], [[K]], [[C]], [[R]], [[S]]", out);
    write_space("Inputs",
                "[[N]], [[G]], [[C]], [[R, Wdilation], [P, Wstride]], "
                "[[S, Hdilation], [Q, Hstride]]",
                out);
    write_space("Outputs", "[[N]], [[G]], [[K]], [[P]], [[Q]]", out);
    sl_text_add(out, "      read_write: true\n  instance:\n");
    for (int d = 0; d < SL_N_DIMS; d++)
        sl_text_add(out, "    %s: %lld\n", sl_dim_names[d], (long long)layer->dims[d]);
    sl_text_add(out, "    Wstride: %d\n    Hstride: %d\n    Wdilation: %d\n    Hdilation: %d\n",
                layer->stride[0], layer->stride[1], layer->dilation[0], layer->dilation[1]);
}

// --- the architecture

// bits of the smallest word that a level holds, so that what fits here fits there
static int word_bits(const Plan *plan, int level) {
    double bytes = INFINITY;
    for (int t = 0; t < SL_N_TENSORS; t++)
        if (plan->accel->levels[level].keep >> t & 1)
            bytes = fmin(bytes, sl_word_bytes(plan->layer, plan->accel, (SlTensor)t));
    return isfinite(bytes) && bytes > 0.125 ? (int)lrint(bytes * 8) : 1;
}

static void write_storage(const Plan *plan, const Node *node, SlText *out) {
    enum { REGFILE_BYTES = 1024, DRAM_LINE = 64, DRAM_LINES = 1 << 30 };
    const SlLevel *level = &plan->accel->levels[node->level];
    bool outermost = node->level == 0;
    int bits = word_bits(plan, node->level), width = bits;
    int64_t depth = level->capacity_bytes * 8 / bits;
    if (outermost) {
        // some versions of the front end want a depth even here: 8 GiB in lines of whole words
        depth = DRAM_LINES;
        width = bits < DRAM_LINE ? DRAM_LINE / bits * bits : bits;
    }
    const char *on_chip = level->capacity_bytes > REGFILE_BYTES ? "SRAM" : "regfile";
    sl_text_add(out,
                "  - !Component\n    name: %s\n    class: %s\n    attributes:\n"
                "      depth: %lld\n      width: %d\n      datawidth: %d\n",
                node->name, outermost ? "DRAM" : on_chip, (long long)depth, width, bits);
    if (isfinite(level->port_words))
        sl_text_add(out, "      shared_bandwidth: %.10g\n", level->port_words);
    if (level->buffering == SL_BUFFER_DOUBLE) sl_text_add(out, "      multiple_buffering: 2\n");
}

static void write_node(const Plan *plan, const Node *node, SlText *out) {
    if (node->kind == NODE_LEVEL)
        write_storage(plan, node, out);
    else if (node->kind == NODE_FANOUT)
        sl_text_add(out, "  - !Container\n    name: %s\n    spatial: {meshX: %lld}\n", node->name,
                    (long long)node->mesh);
    else
        sl_text_add(out,
                    "  - !Component # keeps nothing: a place for loops\n    name: %s\n"
                    "    class: dummy_storage\n"
                    "    attributes: {depth: 1, width: 1, datawidth: 1, technology: -1}\n",
                    node->name);
}

static void write_architecture(const Plan *plan, SlText *out) {
    sl_text_add(out,
                "architecture: # sizes and bandwidths of %s; technology is to be chosen\n"
                "  version: 0.4\n  nodes:\n  - !Container\n    name: system\n"
                "    attributes: {technology: \"45nm\", global_cycle_seconds: %.10g}\n",
                plan->accel->name, 1e-6 / plan->accel->clock_mhz);
    for (int i = 0; i < plan->n_nodes; i++) write_node(plan, &plan->nodes[i], out);
    double bytes = sl_word_bytes(plan->layer, plan->accel, SL_W);
    sl_text_add(out,
                "  - !Component\n    name: mac\n    class: intmac\n    attributes: {width: %d}\n",
                bytes > 0.125 ? (int)lrint(bytes * 8) : 1);
}

// --- the mapping

static void write_tensors(const char *key, int mask, SlText *out) {
    sl_text_add(out, "    %s: [", key);
    for (int t = 0, n = 0; t < SL_N_TENSORS; t++)
        if (mask >> t & 1) sl_text_add(out, "%s%s", n++ ? ", " : "", sl_timeloop_tensors[t]);
    sl_text_add(out, "]\n");
}

// iterations of every dim, then the dims from the innermost loop out
static void write_loops(const Plan *plan, const Node *node, SlText *out) {
    int64_t factors[SL_N_DIMS];
    for (int d = 0; d < SL_N_DIMS; d++) factors[d] = 1;
    for (int i = node->begin; i < node->end; i++)
        factors[plan->nest.loops[i].dim] = plan->foot.trips[i];
    sl_text_add(out, "  - target: %s\n    type: %s\n    factors: [", node->name,
                node->kind == NODE_FANOUT ? "spatial" : "temporal");
    for (int d = 0; d < SL_N_DIMS; d++)
        sl_text_add(out, "%s%s=%lld", d ? ", " : "", sl_dim_names[d], (long long)factors[d]);
    sl_text_add(out, "]\n    permutation: [");
    int n = 0;
    for (int i = node->end; i-- > node->begin;)
        sl_text_add(out, "%s%s", n++ ? ", " : "", sl_dim_names[plan->nest.loops[i].dim]);
    for (int d = 0; d < SL_N_DIMS; d++)
        if (factors[d] == 1) sl_text_add(out, "%s%s", n++ ? ", " : "", sl_dim_names[d]);
    sl_text_add(out, "]\n");
}

static void write_entries(const Plan *plan, const Node *node, SlText *out) {
    if (node->kind == NODE_FANOUT) {
        const SlFanout *fanout = &plan->accel->fanouts[node->level];
        int alone = (fanout->multicast ? 0 : 1 << SL_W | 1 << SL_I) |
                    (fanout->reduction ? 0 : 1 << SL_O); // tensors without multicast or reduction
        write_loops(plan, node, out);
        if (alone) write_tensors("no_reuse", alone, out);
        return;
    }
    int keep = node->level == 0 ? SL_KEEP_ALL : plan->nest.keep[node->level - 1];
    if (node->kind == NODE_STEP) keep = 0;
    sl_text_add(out, "  - target: %s\n    type: dataspace\n", node->name);
    write_tensors("keep", keep, out);
    write_tensors("bypass", SL_KEEP_ALL & ~keep, out);
    write_loops(plan, node, out);
}

const char *sl_timeloop_write(const SlLayer *layer, const SlAccel *accel, const SlMapping *mapping,
                              SlText *out) {
    Plan plan;
    const char *reason = make_plan(&plan, layer, accel, mapping);
    if (reason) return reason;
    write_problem(layer, out);
    write_architecture(&plan, out);
    sl_text_add(out, "mapping: # outermost first; permutations from the innermost loop out\n");
    for (int i = 0; i < plan.n_nodes; i++) write_entries(&plan, &plan.nodes[i], out);
    return NULL;
}

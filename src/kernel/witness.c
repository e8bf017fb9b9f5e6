// witness.c - whether a job can be executed, its layout, and the whole program.
#include "witness_inside.h"

#include <stdio.h>

// ---- the layout ----

static void tile_sizes(const SlLayer *layer, const int64_t e[SL_N_DIMS],
                       int64_t size[SL_N_TENSORS][WITNESS_AXES]) {
    int64_t rows = (e[SL_P] - 1) * layer->stride[0] + (e[SL_R] - 1) * layer->dilation[0] + 1;
    int64_t columns = (e[SL_Q] - 1) * layer->stride[1] + (e[SL_S] - 1) * layer->dilation[1] + 1;
    const int64_t sizes[SL_N_TENSORS][WITNESS_AXES] = {
        [SL_W] = {e[SL_G], e[SL_K], e[SL_C], e[SL_R], e[SL_S]},
        [SL_I] = {e[SL_N], e[SL_G], e[SL_C], rows, columns},
        [SL_O] = {e[SL_N], e[SL_G], e[SL_K], e[SL_P], e[SL_Q]},
    };
    for (int t = 0; t < SL_N_TENSORS; t++) {
        for (int i = 0; i < WITNESS_AXES; i++) size[t][i] = sizes[t][i];
    }
}

static void plan_levels(const SlMapping *mapping, WitnessPlan *plan) {
    plan->n_levels = mapping->n_boundaries + 1;
    for (int b = 0; b < mapping->n_boundaries; b++) {
        plan->at[b + 1] = mapping->at[b];
        plan->keep[b + 1] = mapping->keep[b];
    }
    plan->at[plan->n_levels] = mapping->n_loops;
    plan->keep[0] = plan->keep[plan->n_levels] = SL_KEEP_ALL;
}

// The extents that instance 0 sees in a dim while time passes, and how often each.
typedef struct {
    int n;
    int64_t extent[SL_MAX_LOOPS + 1]; // all different: a loop adds at most one
    double times[SL_MAX_LOOPS + 1];
} Contexts;

static void see(Contexts *contexts, int64_t extent, double times) {
    int i = 0;
    while (i < contexts->n && contexts->extent[i] != extent) i++;
    if (i == contexts->n) contexts->extent[contexts->n++] = extent;
    contexts->times[i] += times;
}

// inside a loop: whole tiles and the rest, or the tile of instance 0
static void enter_loop(Contexts *contexts, SlLoop loop) {
    Contexts inside = {0};
    for (int i = 0; i < contexts->n; i++) {
        int64_t extent = contexts->extent[i], tile = loop.tile < extent ? loop.tile : extent;
        double times = contexts->times[i];
        see(&inside, tile, loop.spatial ? times : times * (double)(extent / tile));
        if (!loop.spatial && extent % tile) see(&inside, extent % tile, times);
    }
    *contexts = inside;
}

// moments that the loops so far tell apart
static double count_steps(const Contexts contexts[SL_N_DIMS]) {
    double steps = 1;
    for (int d = 0; d < SL_N_DIMS; d++) {
        double times = 0;
        for (int i = 0; i < contexts[d].n; i++) times += contexts[d].times[i];
        steps *= times;
    }
    return steps;
}

// tiles and grids are largest in the first step of instance 0
void sl_witness_plan(const SlWitnessJob *job, WitnessPlan *plan) {
    const SlMapping *mapping = job->mapping;
    int64_t extent[SL_N_DIMS];
    Contexts contexts[SL_N_DIMS] = {0};
    double instances = 1;
    *plan = (WitnessPlan){.job = job};
    plan_levels(mapping, plan);
    for (int d = 0; d < SL_N_DIMS; d++) see(&contexts[d], extent[d] = job->layer->dims[d], 1);
    for (int i = 0, l = 0; l <= plan->n_levels; l++) {
        for (; i < plan->at[l]; i++) {
            SlLoop loop = mapping->loops[i];
            int64_t *e = &extent[loop.dim], tile = loop.tile < *e ? loop.tile : *e;
            plan->trips[i] = (*e + tile - 1) / tile;
            plan->width[i] = loop.spatial ? plan->trips[i] : 1;
            instances *= (double)plan->width[i];
            enter_loop(&contexts[loop.dim], loop);
            *e = tile;
        }
        plan->instances[l] = instances;
        plan->steps[l] = count_steps(contexts);
        tile_sizes(job->layer, extent, plan->size[l]);
    }
}

double sl_witness_slots(const WitnessPlan *plan, int level, int tensor) {
    double n = 1;
    if (level == plan->n_levels) return 1;
    for (int i = 0; i < WITNESS_AXES; i++) n *= (double)plan->size[level][tensor][i];
    return n;
}

int sl_witness_parent(const WitnessPlan *plan, int level, int tensor) {
    int parent = level - 1;
    while (!(plan->keep[parent] >> tensor & 1)) parent--;
    return parent;
}

// a loop lies in the fan-out below the last level that stands before it
bool sl_witness_shares(const WitnessPlan *plan, int level, int tensor, int loop) {
    int fanout = 0;
    while (fanout + 1 < plan->n_levels && plan->at[fanout + 1] <= loop) fanout++;
    const SlFanout *network = &plan->job->accel->fanouts[fanout];
    bool inside =
        loop >= plan->at[sl_witness_parent(plan, level, tensor)] && loop < plan->at[level];
    bool same = !(sl_tensor_dims[tensor] >> plan->job->mapping->loops[loop].dim & 1);
    return inside && same && (tensor == SL_O ? network->reduction : network->multicast);
}

// ---- the limits ----

enum { WORD_BYTES = 64 }; // of a word of a buffer in the program, what lies beside it included

// bytes of a tensor at a level: words, and flags of sums that have begun or were held
static double tensor_bytes(const WitnessPlan *plan, int level, int tensor) {
    double bytes = plan->instances[level] * sl_witness_slots(plan, level, tensor) * WORD_BYTES;
    if (tensor != SL_O || level == 0) return bytes;
    double parents = plan->instances[sl_witness_parent(plan, level, tensor)];
    return bytes + (parents + 1) * sl_witness_slots(plan, 0, tensor);
}

static const char *check_size(const WitnessPlan *plan) {
    int n = plan->n_levels;
    double bytes = 0, visits = 0;
    if (plan->steps[n] * plan->instances[n] > SL_WITNESS_MAX_MACS)
        return "it has more than 4,194,304 MACs (idle ones included)";
    for (int l = 0; l <= n; l++) {
        for (int t = 0; t < SL_N_TENSORS; t++) {
            if (!(plan->keep[l] >> t & 1)) continue;
            bytes += tensor_bytes(plan, l, t);
            visits += plan->instances[l] * sl_witness_slots(plan, l, t) * plan->steps[l];
        }
    }
    if (bytes > SL_WITNESS_MAX_BYTES) return "its buffers need more than 256 MiB";
    if (visits > SL_WITNESS_MAX_VISITS) return "its steps look at more than 268,435,456 words";
    return NULL;
}

const char *sl_witness_check(const SlWitnessJob *job) {
    WitnessPlan plan;
    const char *reason = sl_layer_check(job->layer);
    if (!reason) reason = sl_mapping_check(job->layer, job->mapping);
    if (reason) return reason;
    if (job->mapping->n_boundaries + 1 != job->accel->n_levels)
        return "the mapping has not as many levels as the accelerator";
    for (int l = 0; l < job->accel->n_levels; l++) {
        if (!sl_accel_name_ok(job->accel->levels[l].name)) return "a level has no proper name";
    }
    sl_witness_plan(job, &plan);
    return check_size(&plan);
}

// ---- the program ----

static void add_header(SlText *source) {
    sl_text_add(source,
                "// A witness, written by starling: it executes mapped loop nests with explicit "
                "buffers, counts\n"
                "// every word that moves, and compares the output with a direct computation.\n"
                "//\n"
                "//     cc -std=c11 -O1 witness.c -o witness && ./witness\n"
                "//\n"
                "// First what every nest needs: boxes, buffers and their rules. The nest itself "
                "is at the end.\n");
}

static void add_main(int n, SlText *source) {
    sl_text_add(source, "\nint main(void) {\n");
    for (int i = 0; n > 1 && i < n; i++)
        sl_text_add(source, "    printf(\"nest %d\\n\");\n    w%d_run();\n", i, i);
    if (n == 1) sl_text_add(source, "    run();\n");
    sl_text_add(source, "    return 0;\n}\n");
}

void sl_witness_write(int n, const SlWitnessJob *jobs, SlText *source) {
    add_header(source);
    sl_witness_add_runtime(source);
    for (int i = 0; i < n; i++) {
        WitnessPlan plan;
        char prefix[24] = "";
        if (n > 1) snprintf(prefix, sizeof prefix, "w%d_", i);
        sl_witness_plan(&jobs[i], &plan);
        sl_witness_add_nest(&plan, prefix, source);
    }
    add_main(n, source);
}

// results_optimum.c - the least value known of a task, and how good it is proven to be.
#include <math.h>
#include <string.h>

#include "results_inside.h"

#define SAME 1e-7 // relative gap that counts as none, as for proofs

// the least value that a run has found, INFINITY = none
static double least_found(const SlResults *results, int t) {
    double least = INFINITY;
    for (int r = 0; r < results->n_rows; r++) {
        for (int s = 0; s < results->n_seeds; s++) {
            const SlCellRecord *run = sl_results_run(results, t, r, s);
            if (run) least = fmin(least, sl_run_best_at(results, run, INT64_MAX));
        }
    }
    return least;
}

// `lower_bound` of a proof's detail; 0 = none
static SlStatus read_bound(const SlCellRecord *proof, SlArena *arena, double *bound, SlError *err) {
    *bound = 0;
    if (!proof->detail || !proof->detail[0]) return SL_OK;
    size_t mark = sl_arena_mark(arena);
    const SlNode *root = NULL, *node = NULL;
    SlStatus status =
        sl_tree_parse(proof->key, proof->detail, strlen(proof->detail), arena, &root, err);
    if (status == SL_OK) node = sl_node_get(root, "lower_bound");
    bool none = node && node->kind == SL_NODE_SCALAR && strcmp(node->text, "null") == 0;
    if (node && !none) status = sl_node_real(node, 0, INFINITY, bound, err);
    sl_arena_rewind(arena, mark);
    return status;
}

static bool has_status(const SlCellRecord *proof, SlProofStatus status) {
    return proof && proof->stopped && strcmp(proof->stopped, sl_proof_names[status]) == 0;
}

SlStatus sl_task_optimum(const SlResults *results, int t, SlArena *arena, SlResultTask *task,
                         SlError *err) {
    const SlCellRecord *proof = task->proof;
    double known = least_found(results, t), bound = 0;
    if (proof) known = fmin(known, proof->value); // NAN = none
    if (has_status(proof, SL_PROOF_OPTIMAL) && isfinite(proof->value)) {
        bound = proof->value;
    } else if (proof) {
        SlStatus status = read_bound(proof, arena, &bound, err);
        if (status != SL_OK) return status;
    }
    task->optimum = isfinite(known) ? known : NAN;
    task->gap = INFINITY;
    task->proven = false;
    // below the bound by more than rounding: a mapping from outside the space
    if (!isfinite(known) || !(bound > 0) || known < bound * (1 - SAME)) return SL_OK;
    task->optimum = fmax(known, bound);
    task->gap = task->optimum / bound - 1;
    if (task->gap <= SAME) task->gap = 0;
    task->proven = task->gap == 0 || has_status(proof, SL_PROOF_WITHIN);
    return SL_OK;
}

// exact.c - branch and bound over the ways to spread the work: prove how good a mapping is, or find
// a better one (docs/optimum.md).
//
// Land & Doig, "An automatic method of solving discrete programming problems", Econometrica 28(3),
// 1960. In passes with smaller and smaller gaps: a branch is open while its bound is below
// value / (1 + gap). Open branches are closed in rounds, those with the least bounds first. A round
// sees the incumbent of its beginning only, and its results are merged in order, so the proof is
// the same for any number of threads.
#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "prove_inside.h"
#include "starling/cost/bound.h"

const char *const sl_proof_names[SL_N_PROOFS + 1] = {"optimal", "within",    "stopped",
                                                     "outside", "uncovered", NULL};

enum { ROUND = 8 };        // branches closed side by side
#define SAME 1e-9          // relative difference that rounding may make
#define POINT_STEP 1e-6    // relative change that is worth a point
#define WATCH_SECONDS 0.05 // between two calls of the watch

// Passes on the way to a gap that is not reached at once: half of what is left each time.
#define WIDEST_GAP 0.05
#define NARROWEST_GAP 5e-4
enum { MAX_PASSES = 32, FIRST_NODES = 8000000 };

typedef struct {
    const SlProveSetup *setup;
    SlProveWatch *watch;
    void *context;
    SlArena work; // everything but the results
    SlTask *task;
    SlBounds *bounds;
    int n_workers;
    SlBoundWork **workers; // (n_workers)

    SlProof *proof;
    bool inside; // the incumbent is in the space
    bool broken; // two numbers that must agree do not: nothing is proven

    int *order;     // (n_branches) by bound at the beginning of the pass
    bool *finished; // (n_branches) closed in this pass
    double epsilon; // of the pass
    int64_t cap;    // nodes in all after which the pass gives up, 0 = none

    int n_round;
    int round[ROUND];
    double threshold; // of the round
    int64_t share;    // nodes that each of the round may look at, 0 = no limit
    SlClosed *closed; // (ROUND)
    SlStatus status[ROUND];
    SlError error[ROUND];

    double begun;
    SlProofPoint now, *points; // (point_room)
    int point_room;

    atomic_bool stopped;
    atomic_flag telling; // someone is calling the watch
    double told;         // when it was called last; owned by who holds the flag
} Prover;

// --- time and those who watch

static void tell_watch(Prover *prover, double now, double patience) {
    if (!prover->watch || atomic_flag_test_and_set(&prover->telling)) return;
    if (now - prover->told >= patience) {
        SlProofPoint point = prover->now;
        point.seconds = now - prover->begun;
        prover->told = now;
        if (prover->watch(prover->context, &point)) atomic_store(&prover->stopped, true);
    }
    atomic_flag_clear(&prover->telling);
}

// asked by any thread
static bool should_stop(void *context) {
    Prover *prover = context;
    double limit = prover->setup->seconds;
    if (atomic_load(&prover->stopped) || (!prover->watch && limit <= 0))
        return atomic_load(&prover->stopped);
    double now = sl_clock_seconds();
    if (limit > 0 && now - prover->begun >= limit) atomic_store(&prover->stopped, true);
    tell_watch(prover, now, WATCH_SECONDS);
    return atomic_load(&prover->stopped);
}

// --- what is known

// no mapping of the space is below; 0 = nothing known
static double least_bound(const SlProof *proof) {
    double least = INFINITY;
    for (int i = 0; i < proof->n_branches; i++) least = fmin(least, proof->branches[i].bound);
    return isfinite(least) ? least : 0;
}

static bool differs(double a, double b) {
    return !(fabs(a - b) <= POINT_STEP * fabs(b));
}

// a point of the curve wherever value or bound has moved; false without memory
static bool note_point(Prover *prover) {
    SlProof *proof = prover->proof;
    proof->lower_bound = least_bound(proof);
    if (proof->n_points > 0 && !differs(proof->value, prover->now.value) &&
        !differs(proof->lower_bound, prover->now.lower_bound))
        return true;
    double now = sl_clock_seconds();
    prover->now = (SlProofPoint){now - prover->begun, proof->value, proof->lower_bound};
    if (proof->n_points == prover->point_room) {
        int room = prover->point_room ? 2 * prover->point_room : 64;
        SlProofPoint *points = SL_NEW(&prover->work, room, SlProofPoint);
        if (!points) return false;
        if (proof->n_points)
            memcpy(points, prover->points, (size_t)proof->n_points * sizeof *points);
        prover->points = points;
        prover->point_room = room;
    }
    prover->points[proof->n_points++] = prover->now;
    tell_watch(prover, now, 0);
    return true;
}

static double gap_of(double value, double bound) {
    return bound > 0 ? fmax(0, value / bound - 1) : INFINITY;
}

// branches with a bound of at least this need no look
static double target(double value, double epsilon) {
    return epsilon > SL_OPTIMAL_GAP ? value / (1 + epsilon) : value * (1 - SL_OPTIMAL_GAP);
}

// --- a round of branches

static void close_one(void *context, int item, int worker) {
    Prover *prover = context;
    SlClosed *closed = &prover->closed[item];
    prover->status[item] = SL_OK;
    *closed = (SlClosed){.value = INFINITY};
    if (should_stop(prover)) return;
    SlCloseLimits limits = {.threshold = prover->threshold,
                            .nodes = prover->share,
                            .stop = should_stop,
                            .context = prover};
    prover->status[item] = sl_bounds_close(prover->workers[worker], prover->round[item], &limits,
                                           prover->epsilon, closed, &prover->error[item]);
}

static void run_round(Prover *prover) {
    if (prover->setup->pool) {
        sl_pool_run(prover->setup->pool, prover->n_round, close_one, prover);
    } else {
        for (int i = 0; i < prover->n_round; i++) close_one(prover, i, 0);
    }
}

// the open branches with the least bounds; false if none is left or no nodes are
static bool choose_round(Prover *prover) {
    const SlProof *proof = prover->proof;
    prover->threshold = target(proof->value, prover->epsilon);
    prover->n_round = 0;
    for (int k = 0; k < proof->n_branches && prover->n_round < ROUND; k++) {
        int i = prover->order[k];
        if (!prover->finished[i] && proof->branches[i].bound < prover->threshold)
            prover->round[prover->n_round++] = i;
    }
    int64_t limit = prover->setup->nodes, cap = prover->cap;
    bool capped = cap > 0 && (limit == 0 || cap < limit);
    if (capped) limit = cap;
    prover->share = 0;
    if (prover->n_round == 0 || limit == 0) return prover->n_round > 0;
    prover->share = (limit - proof->nodes) / prover->n_round;
    if (prover->share < 1 && !capped) atomic_store(&prover->stopped, true);
    return prover->share > 0;
}

// Price what the walk found once more, through the door that counts. The two must agree.
static void take_mapping(Prover *prover, const SlClosed *closed) {
    const SlSpace *space = prover->setup->space;
    SlSample outcome = {.value = INFINITY};
    SlFit fit;
    if (!sl_mapping_check(space->layer, &closed->mapping) &&
        sl_mapping_fit(space->layer, space->accel, &closed->mapping, &fit))
        sl_task_eval_mapping(prover->task, &closed->mapping, &outcome);
    bool same = fabs(outcome.value - closed->value) <= SAME * closed->value;
    assert(same && "the walk and the cost model disagree");
    prover->broken |= !same;
    if (!same || !(outcome.value < prover->proof->value)) return;
    prover->proof->value = outcome.value;
    prover->proof->mapping = closed->mapping;
    prover->inside = true;
}

// results in order: bounds rise, the best mapping becomes the incumbent, of equal ones that of the
// first branch
static SlStatus merge_round(Prover *prover, SlError *err) {
    SlProof *proof = prover->proof;
    int best = -1;
    for (int k = 0; k < prover->n_round; k++) {
        int i = prover->round[k];
        const SlClosed *closed = &prover->closed[k];
        if (prover->status[k] != SL_OK) {
            if (err) *err = prover->error[k];
            return prover->status[k];
        }
        SlBranchProof *branch = &proof->branches[i];
        prover->broken |= closed->value < branch->bound * (1 - SAME);
        assert(!prover->broken && "a mapping is below the bound of its branch");
        branch->nodes += closed->nodes;
        branch->bound = fmax(branch->bound, closed->bound); // a NAN never wins
        proof->nodes += closed->nodes;
        prover->finished[i] = closed->complete;
        bool better = best < 0 || closed->value < prover->closed[best].value ||
                      (closed->value == prover->closed[best].value && i < prover->round[best]);
        if (better) best = k;
    }
    if (prover->closed[best].value < proof->value) take_mapping(prover, &prover->closed[best]);
    return SL_OK;
}

// --- passes

typedef struct {
    double bound;
    int branch;
} Rank;

static int by_bound(const void *a, const void *b) {
    const Rank *x = a, *y = b;
    if (x->bound != y->bound) return x->bound < y->bound ? -1 : 1;
    return (x->branch > y->branch) - (x->branch < y->branch);
}

static bool sort_branches(Prover *prover) {
    const SlProof *proof = prover->proof;
    size_t mark = sl_arena_mark(&prover->work);
    Rank *ranks = SL_NEW(&prover->work, proof->n_branches, Rank);
    if (!ranks) return false;
    for (int i = 0; i < proof->n_branches; i++) ranks[i] = (Rank){proof->branches[i].bound, i};
    qsort(ranks, (size_t)proof->n_branches, sizeof *ranks, by_bound);
    for (int i = 0; i < proof->n_branches; i++) prover->order[i] = ranks[i].branch;
    sl_arena_rewind(&prover->work, mark);
    return true;
}

// close every branch below value / (1 + epsilon), within `cap` nodes in all
static SlStatus run_pass(Prover *prover, double epsilon, int64_t cap, SlError *err) {
    SlProof *proof = prover->proof;
    prover->epsilon = epsilon;
    prover->cap = cap;
    memset(prover->finished, 0, (size_t)proof->n_branches * sizeof *prover->finished);
    if (!sort_branches(prover)) return SL_ENOMEM;
    while (!prover->broken && !should_stop(prover) && choose_round(prover)) {
        run_round(prover);
        SlStatus status = merge_round(prover, err);
        if (status != SL_OK) return status;
        if (!note_point(prover)) return SL_ENOMEM;
    }
    return SL_OK;
}

static bool is_over(const Prover *prover, double epsilon) {
    const SlProof *proof = prover->proof;
    return prover->broken || atomic_load(&prover->stopped) ||
           proof->lower_bound >= target(proof->value, epsilon);
}

// First a gap that is quickly proven. Then try to go all the way with about as many nodes as were
// spent so far; where that is not enough, halve the gap first, so that there is a good bound
// whenever time is over.
static SlStatus run_passes(Prover *prover, SlError *err) {
    const SlProof *proof = prover->proof;
    double last = prover->setup->epsilon;
    SlStatus status = SL_OK;
    if (last < WIDEST_GAP) status = run_pass(prover, WIDEST_GAP, 0, err);
    for (int i = 0; i < MAX_PASSES && status == SL_OK && !is_over(prover, last); i++) {
        double next = fmin(gap_of(proof->value, proof->lower_bound) / 2, WIDEST_GAP);
        bool final = i == MAX_PASSES - 1 || next <= fmax(1.5 * last, NARROWEST_GAP);
        int64_t more = proof->nodes > FIRST_NODES ? proof->nodes : FIRST_NODES;
        status = run_pass(prover, last, final ? 0 : proof->nodes + more, err);
        if (final) break;
        if (status == SL_OK && !is_over(prover, last)) status = run_pass(prover, next, 0, err);
    }
    return status;
}

// --- beginning and end

static SlStatus make_branches(Prover *prover, SlArena *arena) {
    SlProof *proof = prover->proof;
    prover->bounds = sl_bounds_make(prover->setup->space, &prover->setup->goal, &prover->work);
    if (!prover->bounds) return SL_ENOMEM;
    int n = sl_bounds_n_spreads(prover->bounds);
    proof->branches = SL_NEW(arena, n, SlBranchProof);
    prover->order = SL_NEW(&prover->work, n, int);
    prover->finished = SL_NEW(&prover->work, n, bool);
    prover->closed = SL_NEW(&prover->work, ROUND, SlClosed);
    if (!proof->branches || !prover->order || !prover->finished || !prover->closed)
        return SL_ENOMEM;
    proof->n_branches = n;
    for (int i = 0; i < n; i++) {
        double bound = sl_bounds_root(prover->bounds, i);
        proof->branches[i] = (SlBranchProof){.branch = i, .bound = bound > 0 ? bound : 0};
    }
    int n_workers = prover->setup->pool ? sl_pool_threads(prover->setup->pool) : 1;
    prover->workers = SL_NEW(&prover->work, n_workers, SlBoundWork *);
    if (!prover->workers) return SL_ENOMEM;
    for (; prover->n_workers < n_workers; prover->n_workers++) {
        SlBoundWork *made = sl_bound_work_make(prover->bounds, &prover->work);
        if (!made) return SL_ENOMEM;
        prover->workers[prover->n_workers] = made;
    }
    return SL_OK;
}

// what the bounds say about the value
static void conclude(Prover *prover) {
    SlProof *proof = prover->proof;
    // rounding must not put a mapping below the bound that it was found by
    for (int i = 0; i < proof->n_branches; i++) {
        double *bound = &proof->branches[i].bound;
        if (*bound > proof->value && *bound <= proof->value * (1 + SAME)) *bound = proof->value;
    }
    proof->lower_bound = least_bound(proof);
    bool below = proof->value < proof->lower_bound;
    assert(!(below && prover->inside) && "a mapping of the space is below its bound");
    if (prover->broken || (below && prover->inside) || !isfinite(proof->value))
        proof->lower_bound = 0;
    proof->gap = gap_of(proof->value, proof->lower_bound);
    proof->status = SL_PROOF_STOPPED;
    if (proof->lower_bound == 0) return;
    if (below)
        proof->status = SL_PROOF_OUTSIDE;
    else if (proof->gap <= SL_OPTIMAL_GAP * (1 + 1e-6))
        proof->status = SL_PROOF_OPTIMAL;
    else if (proof->gap <= prover->setup->epsilon * (1 + SAME))
        proof->status = SL_PROOF_WITHIN;
}

static SlStatus prove(Prover *prover, SlArena *arena, SlError *err) {
    const SlProveSetup *setup = prover->setup;
    SlProof *proof = prover->proof;
    const SlTaskSetup task = {.space = setup->space, .goal = setup->goal};
    SlIncumbent start;
    SlStatus status = sl_task_make(&task, &prover->work, &prover->task, err);
    if (status != SL_OK) return status;
    status =
        sl_incumbent_find(setup, prover->task, should_stop, prover, &prover->work, &start, err);
    if (status != SL_OK) return status;
    proof->mapping = start.mapping;
    proof->value = proof->start = start.value;
    prover->inside = start.inside;

    proof->reason = sl_bounds_reason(setup->space, &setup->goal);
    if (proof->reason) {
        proof->status = SL_PROOF_UNCOVERED;
        return SL_OK;
    }
    status = make_branches(prover, arena);
    if (status != SL_OK) return status;
    if (!note_point(prover)) return SL_ENOMEM;
    if (isfinite(proof->value)) status = run_passes(prover, err);
    if (status != SL_OK) return status;
    conclude(prover);
    return SL_OK;
}

static SlStatus keep_points(const Prover *prover, SlArena *arena) {
    SlProof *proof = prover->proof;
    proof->points = SL_NEW(arena, proof->n_points, SlProofPoint);
    if (!proof->points) return SL_ENOMEM;
    if (proof->n_points)
        memcpy(proof->points, prover->points, (size_t)proof->n_points * sizeof *proof->points);
    return SL_OK;
}

SlStatus sl_prove(const SlProveSetup *setup, SlProveWatch *watch, void *context, SlArena *arena,
                  SlProof *proof, SlError *err) {
    if (!(setup->epsilon >= 0) || !(setup->seconds >= 0) || setup->nodes < 0)
        return sl_fail(err, SL_EINPUT,
                       "a proof has no negative gap, no negative time and no negative nodes");
    Prover prover = {.setup = setup, .watch = watch, .context = context, .proof = proof};
    atomic_init(&prover.stopped, false);
    atomic_flag_clear(&prover.telling);
    prover.begun = prover.told = sl_clock_seconds();
    *proof = (SlProof){.value = INFINITY, .gap = INFINITY, .start = INFINITY};
    prover.now = (SlProofPoint){.value = INFINITY};

    // scratch has a home of its own, within what the caller's arena may still hand out
    size_t left = arena->limit - arena->used;
    sl_arena_init(&prover.work, left ? left : 1);
    SlError why = {0};
    SlStatus status = prove(&prover, arena, &why);
    if (status == SL_OK) status = keep_points(&prover, arena);
    if (status == SL_ENOMEM && !why.text[0])
        sl_fail(&why, status, "not enough memory for the proof");
    if (status != SL_OK && err) *err = why;
    for (int i = 0; i < prover.n_workers; i++) sl_bound_work_free(prover.workers[i]);
    sl_arena_free(&prover.work);
    proof->improved = proof->value < proof->start;
    proof->seconds = sl_clock_seconds() - prover.begun;
    return status;
}

// certificate_verify.c - prove a certificate again: price its mapping, list its branches anew,
// close each down to its bound.
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "certificate_inside.h"

#define SAME 1e-9 // relative difference that rounding may make

// A branch may take this many times the nodes it says, and a few more.
enum { NODE_FACTOR = 2, NODE_REST = 10000 };

typedef struct {
    const SlCertificate *certificate;
    SlVerdict *verdict;
    SlPool *pool;
    SlArena *arena;
    SlBounds *bounds;
    int n_workers;
    SlBoundWork **workers;  // (n_workers)
    SlClosed *closed;       // (n_workers)
    SlStatus *statuses;     // (n_claims)
    int64_t *nodes;         // (n_claims)
    double *found;          // (n_claims) least value below the claim, INFINITY = none
    bool *open;             // (n_claims) not closed within its nodes
    atomic_int first_false; // no branch after this one matters
} Check;

static bool refute(Check *check, const char *fmt, ...) SL_PRINTF(2, 3);
static bool refute(Check *check, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    vsnprintf(check->verdict->reason, sizeof check->verdict->reason, fmt, args);
    va_end(args);
    return false;
}

static bool same_number(double a, double b) {
    return a == b || (isfinite(b) && fabs(a - b) <= SAME * fabs(b));
}

// --- the mapping

// the first word that differs between what is said and what is true
static bool same_words(Check *check, const char *said, const char *is) {
    while (*said == *is && *said) said++, is++;
    if (*said == *is) return true;
    // back to the beginning of the word; both are equal up to here
    while (said > check->certificate->counts && said[-1] != ' ') said--, is--;
    return refute(check, "the counts say %.*s, the mapping has %.*s",
                  (int)strcspn(said, " ") < 60 ? (int)strcspn(said, " ") : 60, said,
                  (int)strcspn(is, " "), is);
}

static bool price_holds(Check *check, const char *what, double said, double is) {
    if (same_number(said, is)) return true;
    return refute(check, "the %s of the mapping is %.17g, not %.17g", what, is, said);
}

static bool mapping_holds(Check *check) {
    const SlCertificate *c = check->certificate;
    SlFit fit;
    char text[160];
    const char *why = sl_mapping_check(&c->layer, &c->mapping);
    if (!why && !sl_mapping_fit(&c->layer, &c->accel, &c->mapping, &fit))
        why = sl_violation_text(&c->accel, &fit.list[0], sizeof text, text);
    if (why) return refute(check, "the mapping is none: %s", why);
    const SlTaskSetup setup = {.space = &c->space, .goal = c->goal};
    SlTask *task = NULL;
    if (sl_task_make(&setup, check->arena, &task, NULL) != SL_OK) return refute(check, "no memory");
    SlSample outcome;
    sl_task_eval_mapping(task, &c->mapping, &outcome);
    const SlCost *cost = sl_task_cost(task);
    SlText counts;
    sl_text_init(&counts, check->arena);
    sl_certificate_counts(&cost->counts, &c->mapping, &counts);
    return same_words(check, c->counts, counts.data) &&
           price_holds(check, "latency", c->latency, cost->latency_cycles) &&
           price_holds(check, "energy", c->energy, cost->energy_pj) &&
           price_holds(check, "value", c->value, outcome.value);
}

// --- the branches

static bool lists_hold(Check *check) {
    const SlCertificate *c = check->certificate;
    const char *why = sl_bounds_reason(&c->space, &c->goal);
    if (why) return refute(check, "there are no proofs for it: %s", why);
    if (c->constrained) return true;
    uint8_t open;
    bool same = sl_certificate_preset(&c->space, &open, check->arena) && open == c->open;
    return same || refute(check, "the lists are not those of the space %s",
                          sl_space_names[c->space.preset]);
}

static bool branches_hold(Check *check) {
    const SlCertificate *c = check->certificate;
    int n = sl_bounds_n_spreads(check->bounds);
    if (c->n_claims != n) return refute(check, "the space has %d branches, not %d", n, c->n_claims);
    double least = INFINITY;
    SlText spread; // one for all: there may be tens of thousands
    sl_text_init(&spread, check->arena);
    for (int i = 0; i < n; i++) {
        spread.n = 0;
        if (spread.room > 0) spread.data[0] = '\0';
        sl_certificate_spread(sl_bounds_spread(check->bounds, i), &spread);
        if (strcmp(spread.data, c->claims[i].spread) != 0)
            return refute(check, "branch %d is '%s', not '%.80s'", i, spread.data,
                          c->claims[i].spread);
        least = fmin(least, c->claims[i].bound);
    }
    return least == c->bound ||
           refute(check, "the bound is %.17g, the least of its branches %.17g", c->bound, least);
}

// close branch i again down to what is claimed
static void close_again(void *context, int i, int worker) {
    Check *check = context;
    const SlClaim *claim = &check->certificate->claims[i];
    double least = claim->bound * (1 - SAME);
    check->found[i] = INFINITY;
    if (sl_bounds_root(check->bounds, i) >= least || i > atomic_load(&check->first_false)) return;
    int64_t most = claim->nodes < INT64_MAX / 4 ? NODE_FACTOR * claim->nodes + NODE_REST : 0;
    SlCloseLimits limits = {.threshold = least, .nodes = most};
    SlClosed *closed = &check->closed[worker];
    check->statuses[i] = sl_bounds_close(check->workers[worker], i, &limits, 0, closed, NULL);
    if (check->statuses[i] != SL_OK) return;
    check->nodes[i] = closed->nodes;
    check->found[i] = closed->value < least ? closed->value : INFINITY;
    check->open[i] = !closed->complete || !(closed->bound >= least);
    if (isinf(check->found[i]) && !check->open[i]) return;
    int first = atomic_load(&check->first_false);
    while (i < first && !atomic_compare_exchange_weak(&check->first_false, &first, i)) {}
}

static SlStatus make_workers(Check *check) {
    int n = check->pool ? sl_pool_threads(check->pool) : 1, n_claims = check->certificate->n_claims;
    check->workers = SL_NEW(check->arena, n, SlBoundWork *);
    check->closed = SL_NEW(check->arena, n, SlClosed);
    check->statuses = SL_NEW(check->arena, n_claims, SlStatus);
    check->nodes = SL_NEW(check->arena, n_claims, int64_t);
    check->found = SL_NEW(check->arena, n_claims, double);
    check->open = SL_NEW(check->arena, n_claims, bool);
    if (!check->workers || !check->closed || !check->statuses || !check->nodes || !check->found ||
        !check->open)
        return SL_ENOMEM;
    for (; check->n_workers < n; check->n_workers++) {
        SlBoundWork *made = sl_bound_work_make(check->bounds, check->arena);
        if (!made) return SL_ENOMEM;
        check->workers[check->n_workers] = made;
    }
    return SL_OK;
}

static SlStatus close_all(Check *check) {
    const SlCertificate *c = check->certificate;
    SlStatus status = make_workers(check);
    if (status != SL_OK) return status;
    atomic_init(&check->first_false, c->n_claims);
    if (check->pool) {
        sl_pool_run(check->pool, c->n_claims, close_again, check);
    } else {
        for (int i = 0; i < c->n_claims; i++) close_again(check, i, 0);
    }
    check->verdict->valid = true;
    int last = atomic_load(&check->first_false);
    for (int i = 0; i < c->n_claims && i <= last; i++) {
        if (check->statuses[i] != SL_OK) return check->statuses[i];
        check->verdict->nodes += check->nodes[i];
        if (isinf(check->found[i]) && !check->open[i]) continue;
        check->verdict->valid = false;
        if (isfinite(check->found[i]))
            refute(check, "branch %d has a mapping of %.17g, below its bound of %.17g", i,
                   check->found[i], c->claims[i].bound);
        else
            refute(check, "branch %d is not closed after %lld nodes", i,
                   (long long)check->nodes[i]);
    }
    return SL_OK;
}

// --- the whole

static void fill_verdict(const SlCertificate *c, SlVerdict *verdict) {
    char layer[384];
    snprintf(verdict->layer, sizeof verdict->layer, "%.127s",
             sl_layer_write(&c->layer, sizeof layer, layer));
    snprintf(verdict->accel, sizeof verdict->accel, "%s", c->accel.name);
    sl_goal_text(&c->goal, sizeof verdict->goal, verdict->goal);
    verdict->value = c->value;
    verdict->lower_bound = c->bound;
    verdict->gap = c->bound > 0 ? fmax(0, c->value / c->bound - 1) : INFINITY;
    verdict->n_branches = c->n_claims;
}

static SlStatus check_claims(Check *check) {
    const SlCertificate *c = check->certificate;
    SlStatus status = sl_certificate_proven_space(c, check->arena, &check->verdict->space);
    if (status != SL_OK) return status;
    if (!mapping_holds(check) || !lists_hold(check)) return SL_OK;
    check->bounds = sl_bounds_make(&c->space, &c->goal, check->arena);
    if (!check->bounds) return SL_ENOMEM;
    return branches_hold(check) ? close_all(check) : SL_OK;
}

SlStatus sl_certificate_verify(const char *name, const char *text, size_t n, SlPool *pool,
                               SlArena *arena, SlVerdict *verdict, SlError *err) {
    *verdict = (SlVerdict){0};
    size_t mark = sl_arena_mark(arena);
    SlCertificate *certificate = SL_NEW(arena, 1, SlCertificate);
    if (!certificate) return sl_fail(err, SL_ENOMEM, "not enough memory for the certificate");
    SlStatus status = sl_certificate_read(name, text, n, arena, certificate, err);
    if (status == SL_OK) {
        Check check = {
            .certificate = certificate, .verdict = verdict, .pool = pool, .arena = arena};
        fill_verdict(certificate, verdict);
        status = check_claims(&check);
        for (int i = 0; i < check.n_workers; i++) sl_bound_work_free(check.workers[i]);
        if (status != SL_OK) sl_fail(err, status, "not enough memory for the certificate");
    }
    sl_arena_rewind(arena, mark);
    return status;
}

// overlap.c - what two consecutive tiles of one dim have in common.
//
// In a transition temporal loops outside of the one that advances keep their index, those inside
// wrap from the last index of the OLD context (lock step: that of instance 0) to 0.
#include "factors.h"

#include <assert.h>

// A leaf on its way down that still knows the old extent of the lock-step leader.
typedef struct {
    Leaf leaf;
    int64_t leader;
} Branch;

typedef struct {
    int n;
    Branch list[MAX_LEAVES];
} Branches;

// append, or add to an equal one; equal ones lie at the end, among those with the same shift
static void push(Branches *out, Branch b) {
    for (int j = out->n - 1; j >= 0 && out->list[j].leaf.shift == b.leaf.shift; j--) {
        Branch *x = &out->list[j];
        if (x->leaf.now != b.leaf.now || x->leaf.old != b.leaf.old || x->leader != b.leader)
            continue;
        x->leaf.times += b.leaf.times;
        return;
    }
    assert(out->n < MAX_LEAVES);
    out->list[out->n++] = b;
}

static Branch branch(int64_t now, int64_t old, int64_t leader, int64_t shift, double times) {
    return (Branch){{now, old, shift, times}, leader};
}

static void step_kept(int64_t tile, const Branch *b, Branches *out) {
    int64_t extent = b->leaf.now, whole = extent / tile, edge = extent - whole * tile;
    if (whole) push(out, branch(tile, tile, tile, 0, b->leaf.times * (double)whole));
    if (!edge) return;
    int64_t leader = min_size(tile, b->leader - whole * tile);
    push(out, branch(edge, edge, leader, 0, b->leaf.times));
}

static void step_advance(int64_t tile, const Branch *b, Branches *out) {
    int64_t extent = b->leaf.now, whole = extent / tile, edge = extent - whole * tile;
    if (whole > 1) push(out, branch(tile, tile, tile, tile, b->leaf.times * (double)(whole - 1)));
    if (whole && edge) push(out, branch(edge, tile, tile, tile, b->leaf.times));
}

// an instance out of work at the leader's last index held nothing
static void step_wrap(int64_t tile, const Branch *b, Branches *out) {
    int64_t last = (b->leader - 1) / tile * tile;
    if (b->leaf.old <= last) return;
    push(out, branch(min_size(tile, b->leaf.now), b->leaf.old - last, b->leader - last,
                     b->leaf.shift - last, b->leaf.times));
}

static void step_spread(int64_t tile, const Branch *b, Branches *out) {
    int64_t both = min_size(b->leaf.now, b->leaf.old), whole = both / tile, start = whole * tile;
    int64_t leader = min_size(tile, b->leader);
    if (whole) push(out, branch(tile, tile, leader, b->leaf.shift, b->leaf.times * (double)whole));
    if (both == start) return;
    push(out, branch(min_size(tile, b->leaf.now - start), min_size(tile, b->leaf.old - start),
                     leader, b->leaf.shift, b->leaf.times));
}

static void step_instance_0(int64_t tile, const Branch *b, Branches *out) {
    push(out, branch(min_size(tile, b->leaf.now), min_size(tile, b->leaf.old),
                     min_size(tile, b->leader), b->leaf.shift, b->leaf.times));
}

typedef void Step(int64_t tile, const Branch *b, Branches *out);

// what loop i does in the state that has `kept` loops still to keep and one to advance
static Step *step_of(const DimLoop *loop, bool first_only, int *kept, int *advances) {
    if (loop->spatial) return first_only ? step_instance_0 : step_spread;
    if (*kept > 0) return --*kept, step_kept;
    if (*advances) return *advances = 0, step_advance;
    return step_wrap;
}

static const Branches *walk(const DimTable *dim, int level, int state, uint64_t zero,
                            Branches pair[2]) {
    int kept = dim->levels[level].temporal - (state + 1) / 2, advances = state & 1;
    Branches *from = &pair[0], *to = &pair[1];
    from->n = 1;
    from->list[0] = branch(dim->extent, dim->extent, dim->extent, 0, 1);
    for (int i = 0; i < dim->levels[level].above; i++) {
        Step *step = step_of(&dim->loops[i], zero >> i & 1, &kept, &advances);
        to->n = 0;
        for (int j = 0; j < from->n; j++) step(dim->loops[i].tile, &from->list[j], to);
        Branches *swap = from;
        from = to, to = swap;
    }
    return from;
}

// where every tile divides what it splits there is one leaf
static Leaf walk_exact(const DimTable *dim, int level, int state, uint64_t zero) {
    int kept = dim->levels[level].temporal - (state + 1) / 2, advances = state & 1;
    int64_t extent = dim->extent;
    Leaf leaf = {.times = 1};
    for (int i = 0; i < dim->levels[level].above; i++) {
        int64_t tile = dim->loops[i].tile, trips = extent / tile;
        extent = tile;
        if (dim->loops[i].spatial) {
            if (!(zero >> i & 1)) leaf.times *= (double)trips;
        } else if (kept > 0) {
            kept--;
            leaf.times *= (double)trips;
        } else if (advances) {
            advances = 0;
            leaf.times *= (double)(trips - 1);
            leaf.shift += tile;
        } else {
            leaf.shift -= (trips - 1) * tile;
        }
    }
    leaf.now = leaf.old = extent;
    return leaf;
}

int sl_dim_leaves(const DimTable *dim, int level, int state, uint64_t zero, Leaf *list) {
    if (dim->exact) {
        list[0] = walk_exact(dim, level, state, zero);
        return 1;
    }
    Branches pair[2];
    const Branches *leaves = walk(dim, level, state, zero, pair);
    for (int j = 0; j < leaves->n; j++) list[j] = leaves->list[j].leaf;
    return leaves->n;
}

double sl_dim_overlap(const DimTable *dim, int level, int wrapped, uint64_t zero) {
    Branches pair[2];
    const Branches *leaves = walk(dim, level, 2 * wrapped, zero, pair);
    double sum = 0;
    for (int j = 0; j < leaves->n; j++) {
        const Leaf *leaf = &leaves->list[j].leaf;
        int64_t end = min_size(leaf->now, leaf->old - leaf->shift);
        int64_t start = leaf->shift < 0 ? -leaf->shift : 0;
        if (end > start) sum += leaf->times * (double)(end - start);
    }
    return sum;
}

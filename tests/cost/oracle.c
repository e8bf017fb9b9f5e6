// oracle.c - see oracle.h.
//
// Each instance of each level has, per tensor, the set it holds and the set that its MACs touch
// while a step lasts. When the step is over, rules 1-3 turn the second into the first, and what
// arrived and what left is tallied per network group.
#include "oracle.h"

#include <string.h>

#include "nest_walk.h"

typedef uint64_t Bits; // 64 elements of a set

// One tensor at one level. Sets are rows of n_words; rows are instances unless said otherwise.
typedef struct {
    int n_words, parent;
    int *leader;          // (instances) network group of each
    Bits *held, *touched; // now; in this step
    Bits *arrive, *leave; // in this step
    Bits *came;           // union of arrive over a group, at the row of its leader
    Bits *updated;        // (instances of the parent) elements updated there, ever; O only
    Bits *covered;        // (1) elements instance 0 ever held; O only
    int64_t *served;      // (instances) moment + 1 at which a group of MACs was served last
    int *element;         // (instances) the element it was served
    double begun;         // residencies
} Shelf;

typedef struct {
    Walk walk;
    int64_t now; // moment of the walk
    Shelf shelf[SL_MAX_LEVELS + 1][SL_N_TENSORS];
    int64_t step[SL_MAX_LEVELS + 1]; // of each level
    bool *worked[SL_MAX_LEVELS + 1]; // (instances) ever
    SlCounts *counts;
} Oracle;

static void *zeroed(size_t n, size_t size) {
    void *block = calloc(n ? n : 1, size);
    REQUIRE(block != NULL);
    return block;
}

static void shelf_make(Oracle *o, int level, SlTensor tensor) {
    const Walk *walk = &o->walk;
    Shelf *shelf = &o->shelf[level][tensor];
    size_t n = (size_t)walk->n_instances[level], words = (size_t)walk->n_elements[tensor] / 64 + 1;
    shelf->n_words = (int)words;
    shelf->parent = walk_parent(walk, level, tensor);
    shelf->leader = zeroed(n, sizeof(int));
    for (size_t x = 0; x < n; x++) shelf->leader[x] = walk_group(walk, level, tensor, (int)x);
    shelf->served = zeroed(n, sizeof(int64_t));
    shelf->element = zeroed(n, sizeof(int));
    shelf->updated = zeroed((size_t)walk->n_instances[shelf->parent] * words, sizeof(Bits));
    shelf->covered = zeroed(words, sizeof(Bits));
    if (level == walk->n_levels) return; // MACs hold nothing
    shelf->held = zeroed(5 * n * words, sizeof(Bits));
    shelf->touched = shelf->held + n * words;
    shelf->arrive = shelf->touched + n * words;
    shelf->leave = shelf->arrive + n * words;
    shelf->came = shelf->leave + n * words;
}

static void shelf_free(Shelf *shelf) {
    free(shelf->leader);
    free(shelf->served);
    free(shelf->element);
    free(shelf->updated);
    free(shelf->covered);
    free(shelf->held);
}

static void insert(Bits *set, int element) {
    set[element / 64] |= (Bits)1 << element % 64;
}

static bool contains(const Bits *set, int element) {
    return set[element / 64] >> element % 64 & 1;
}

static int size(const Bits *set, int n_words) {
    int n = 0;
    for (int i = 0; i < n_words; i++) n += __builtin_popcountll(set[i]);
    return n;
}

// --- updates of O at the parent

// A group sends `n` updates of elements of which `again` had been updated under this parent
// instance before: those need the old value.
static void tally_updates(SlLevelCounts *c, int parent_instance, int n, int again) {
    c->upd += n;
    c->pread[SL_O] += again;
    if (parent_instance != 0) return;
    c->upd0 += n;
    c->srv0[SL_O] += again;
}

// A residency in a group is that of its leader, who works whenever a member does: what leaves the
// leader is one update of the parent instance, with the sums of all members. (A member that pauses
// while the leader moves on keeps the element, but has nothing left to send; machine.c checks it.)
static void send_updates(Oracle *o, int level, int group) {
    Shelf *shelf = &o->shelf[level][SL_O];
    int parent_instance = group % o->walk.n_instances[shelf->parent], again = 0;
    const Bits *went = shelf->leave + (size_t)group * shelf->n_words;
    Bits *updated = shelf->updated + (size_t)parent_instance * shelf->n_words;
    for (int i = 0; i < shelf->n_words; i++) {
        again += __builtin_popcountll(went[i] & updated[i]);
        updated[i] |= went[i];
    }
    tally_updates(&o->counts->level[level], parent_instance, size(went, shelf->n_words), again);
}

// --- the end of a step

// Rule 1: fetch what is new, then hold exactly the tile.
static void take_tile(Shelf *shelf, int x) {
    size_t row = (size_t)x * shelf->n_words;
    for (int i = 0; i < shelf->n_words; i++) {
        Bits held = shelf->held[row + i], touched = shelf->touched[row + i];
        shelf->arrive[row + i] = touched & ~held;
        shelf->leave[row + i] = held & ~touched;
        shelf->held[row + i] = touched;
        shelf->touched[row + i] = 0;
    }
}

// Rule 3: hold nothing any more.
static void give_up(Shelf *shelf, int x) {
    size_t row = (size_t)x * shelf->n_words, bytes = (size_t)shelf->n_words * sizeof(Bits);
    memcpy(shelf->leave + row, shelf->held + row, bytes);
    memset(shelf->held + row, 0, bytes);
}

static void tally_fill(SlLevelCounts *c, const Shelf *shelf, SlTensor tensor, int x) {
    size_t row = (size_t)x * shelf->n_words;
    int arrived = size(shelf->arrive + row, shelf->n_words);
    int tile = size(shelf->held + row, shelf->n_words);
    c->fill[tensor] += arrived;
    if (x == 0) c->own0[tensor] += arrived;
    if (tile > c->tile[tensor]) c->tile[tensor] = tile;
}

static void apply_rules(Oracle *o, int level, SlTensor tensor, int x, const Place *place) {
    Shelf *shelf = &o->shelf[level][tensor];
    size_t row = (size_t)x * shelf->n_words, bytes = (size_t)shelf->n_words * sizeof(Bits);
    bool works = place_works(place, 255);
    memset(shelf->arrive + row, 0, bytes);
    memset(shelf->leave + row, 0, bytes);
    REQUIRE(works == (size(shelf->touched + row, shelf->n_words) > 0));
    if (works) {
        take_tile(shelf, x);
        tally_fill(&o->counts->level[level], shelf, tensor, x);
    } else if (!place_works(place, walk_relevant[tensor])) {
        give_up(shelf, x);
    } // else rule 2: a pause
    if (tensor == SL_O && x == 0) {
        for (int i = 0; i < shelf->n_words; i++) shelf->covered[i] |= shelf->held[i];
    }
}

// what arrived at any member of each group
static void unite_groups(Shelf *shelf, int n_instances) {
    size_t n_words = (size_t)shelf->n_words;
    memset(shelf->came, 0, (size_t)n_instances * n_words * sizeof(Bits));
    for (int x = 0; x < n_instances; x++) {
        size_t row = (size_t)x * n_words, to = (size_t)shelf->leader[x] * n_words;
        for (size_t i = 0; i < n_words; i++) shelf->came[to + i] |= shelf->arrive[row + i];
    }
}

// whoever works in a group needs the same words, so serving the leader serves them all
static void require_same_delta(const Shelf *shelf, int x) {
    const Bits *mine = shelf->arrive + (size_t)x * shelf->n_words;
    const Bits *all = shelf->came + (size_t)shelf->leader[x] * shelf->n_words;
    REQUIRE(memcmp(mine, all, (size_t)shelf->n_words * sizeof(Bits)) == 0);
}

static void tally_group(Oracle *o, int level, SlTensor tensor, int group) {
    Shelf *shelf = &o->shelf[level][tensor];
    SlLevelCounts *c = &o->counts->level[level];
    int n = size(shelf->came + (size_t)group * shelf->n_words, shelf->n_words);
    bool parent0 = group % o->walk.n_instances[shelf->parent] == 0;
    if (o->step[level] == 0) c->first[tensor] += n;
    if (tensor == SL_O) {
        shelf->begun += n;
        send_updates(o, level, group);
        return;
    }
    c->pread[tensor] += n;
    if (parent0) c->srv0[tensor] += n;
}

static void finish_tensor(Oracle *o, int level, SlTensor tensor, const Place *places) {
    Shelf *shelf = &o->shelf[level][tensor];
    int n = o->walk.n_instances[level];
    for (int x = 0; x < n; x++) apply_rules(o, level, tensor, x, &places[x]);
    unite_groups(shelf, n);
    for (int x = 0; x < n; x++) {
        if (place_works(&places[x], 255)) require_same_delta(shelf, x);
        if (shelf->leader[x] == x) tally_group(o, level, tensor, x);
    }
}

static void finish_step(Oracle *o, int level) {
    Place places[WALK_MAX_INSTANCES];
    for (int x = 0; x < o->walk.n_instances[level]; x++) {
        places[x] = walk_place(&o->walk, level, x);
        if (place_works(&places[x], 255)) o->worked[level][x] = true;
    }
    for (int t = 0; t < SL_N_TENSORS; t++) {
        if (o->walk.keep[level] >> t & 1) finish_tensor(o, level, (SlTensor)t, places);
    }
    o->step[level]++;
}

// after the last moment everything that is still held leaves
static void drain(Oracle *o, int level) {
    Shelf *shelf = &o->shelf[level][SL_O];
    int n = o->walk.n_instances[level];
    for (int x = 0; x < n; x++) {
        give_up(shelf, x);
        if (shelf->leader[x] == x) send_updates(o, level, x);
    }
    REQUIRE(shelf->begun == o->counts->level[level].upd);
    o->counts->level[level].cov0 = size(shelf->covered, shelf->n_words);
}

// --- one moment

// a MAC fetches its word whenever it works; a group is served once
static void serve_mac(Oracle *o, SlTensor tensor, int x, int element) {
    int level = o->walk.n_levels;
    Shelf *shelf = &o->shelf[level][tensor];
    SlLevelCounts *c = &o->counts->level[level];
    int group = shelf->leader[x], parent_instance = x % o->walk.n_instances[shelf->parent];
    c->fill[tensor] += 1;
    c->own0[tensor] += x == 0;
    c->tile[tensor] = 1;
    if (shelf->served[group] == o->now + 1) {
        REQUIRE(shelf->element[group] == element);
        return;
    }
    shelf->served[group] = o->now + 1;
    shelf->element[group] = element;
    if (o->now == 0) c->first[tensor] += 1;
    if (tensor == SL_O) {
        Bits *updated = shelf->updated + (size_t)parent_instance * shelf->n_words;
        tally_updates(c, parent_instance, 1, contains(updated, element));
        insert(updated, element);
        return;
    }
    c->pread[tensor] += 1;
    c->srv0[tensor] += parent_instance == 0;
}

static void execute_mac(Oracle *o, int x, const Place *place) {
    int macs = o->walk.n_levels;
    for (int d = 0; d < SL_N_DIMS; d++) REQUIRE(place->extent[d] == 1);
    o->worked[macs][x] = true;
    o->counts->macs += 1;
    for (int t = 0; t < SL_N_TENSORS; t++) {
        int element = walk_element(&o->walk, (SlTensor)t, place->start);
        serve_mac(o, (SlTensor)t, x, element);
        if (t == SL_O && x == 0) insert(o->shelf[macs][SL_O].covered, element);
        for (int l = 1; l < macs; l++) {
            if (!(o->walk.keep[l] >> t & 1)) continue;
            Shelf *shelf = &o->shelf[l][t];
            int above = x % o->walk.n_instances[l];
            insert(shelf->touched + (size_t)above * shelf->n_words, element);
        }
    }
}

static void execute(Oracle *o) {
    int macs = o->walk.n_levels;
    for (int x = 0; x < o->walk.n_instances[macs]; x++) {
        Place place = walk_place(&o->walk, macs, x);
        if (place_works(&place, 255)) execute_mac(o, x, &place);
    }
    o->counts->cycles += 1;
    o->now++;
}

// --- the whole walk

static void oracle_open(Oracle *o) {
    for (int l = 1; l <= o->walk.n_levels; l++) {
        o->worked[l] = zeroed((size_t)o->walk.n_instances[l], sizeof(bool));
        for (int t = 0; t < SL_N_TENSORS; t++) {
            if (o->walk.keep[l] >> t & 1) shelf_make(o, l, (SlTensor)t);
        }
    }
}

static void oracle_close(Oracle *o) {
    for (int l = 1; l <= o->walk.n_levels; l++) {
        SlLevelCounts *c = &o->counts->level[l];
        c->grid = o->walk.n_instances[l];
        for (int x = 0; x < o->walk.n_instances[l]; x++) c->inst += o->worked[l][x];
        free(o->worked[l]);
        for (int t = 0; t < SL_N_TENSORS; t++) shelf_free(&o->shelf[l][t]);
    }
    walk_free(&o->walk);
}

void oracle_count(const SlLayer *layer, SlNet net, const SlMapping *mapping, SlCounts *out) {
    Oracle o = {.counts = out};
    *out = (SlCounts){.n_levels = mapping->n_boundaries + 1};
    walk_init(&o.walk, layer, net, mapping);
    oracle_open(&o);
    int moving;
    do {
        execute(&o);
        moving = walk_moving(&o.walk);
        for (int l = 1; l < o.walk.n_levels; l++) {
            if (o.walk.at[l] > moving) finish_step(&o, l);
        }
        if (moving >= 0) walk_move(&o.walk, moving);
    } while (moving >= 0);
    for (int l = 1; l < o.walk.n_levels; l++) {
        if (o.walk.keep[l] >> SL_O & 1) drain(&o, l);
    }
    const Shelf *macs = &o.shelf[o.walk.n_levels][SL_O];
    out->level[o.walk.n_levels].cov0 = size(macs->covered, macs->n_words);
    oracle_close(&o);
}

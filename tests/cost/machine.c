// machine.c - see machine.h.
//
// A moment: everything that ends is sent outwards, innermost level first; then everything that
// begins is fetched, outermost level first; then all MACs work. A partial sum that is fetched
// moves: it is no longer at the parent until it comes back.
#include "machine.h"

#include <string.h>

#include "nest_walk.h"

// What an instance does with a tensor in the step that begins.
typedef enum { WORKS, PAUSES, OUT } Duty;

// One tensor at one level; rows are instances, columns elements.
typedef struct {
    int n_elements, parent;
    int *leader;    // (instances)
    bool *here;     // held
    int64_t *value; // what is held; a sum on its way of O
    bool *next;     // tile of the step that begins
    Duty *duty;     // (instances)
    bool *seen;     // (instances of the parent) a residency has begun there; O only
    bool *moving;   // at the row of a leader: on the network now
    bool *sent;     // at the row of a leader: the sum of this residency has gone up
    int64_t *load;  // the sum of what its members send up
} Store;

typedef struct {
    Walk walk;
    Store store[SL_MAX_LEVELS + 1][SL_N_TENSORS];
    SlCounts *moved;
    const char *broken; // the first reason, or NULL
} Machine;

static void *zeroed(size_t n, size_t size) {
    void *block = calloc(n ? n : 1, size);
    REQUIRE(block != NULL);
    return block;
}

static void store_make(Machine *m, int level, SlTensor tensor) {
    const Walk *walk = &m->walk;
    Store *store = &m->store[level][tensor];
    size_t n = (size_t)walk->n_instances[level], cells = n * (size_t)walk->n_elements[tensor];
    store->n_elements = walk->n_elements[tensor];
    store->here = zeroed(cells, sizeof(bool));
    store->value = zeroed(cells, sizeof(int64_t));
    if (level == 0) return;
    store->parent = walk_parent(walk, level, tensor);
    size_t above = (size_t)walk->n_instances[store->parent] * (size_t)store->n_elements;
    store->next = zeroed(cells, sizeof(bool));
    store->duty = zeroed(n, sizeof(Duty));
    store->seen = zeroed(above, sizeof(bool));
    store->moving = zeroed(cells, sizeof(bool));
    store->sent = zeroed(cells, sizeof(bool));
    store->load = zeroed(cells, sizeof(int64_t));
    store->leader = zeroed(n, sizeof(int));
    for (size_t x = 0; x < n; x++) store->leader[x] = walk_group(walk, level, tensor, (int)x);
}

static void store_free(Store *store) {
    free(store->leader);
    free(store->here);
    free(store->value);
    free(store->next);
    free(store->duty);
    free(store->seen);
    free(store->moving);
    free(store->sent);
    free(store->load);
}

static size_t cell(const Store *store, int instance, int element) {
    return (size_t)instance * (size_t)store->n_elements + (size_t)element;
}

// the cell of the parent that feeds an instance; broken if the parent does not hold the element
static size_t parent_cell(Machine *m, int level, SlTensor tensor, int x, int element) {
    const Store *store = &m->store[level][tensor], *above = &m->store[store->parent][tensor];
    size_t at = cell(above, x % m->walk.n_instances[store->parent], element);
    if (!above->here[at] && !m->broken)
        m->broken = "a word is needed that the parent does not hold";
    return at;
}

// --- the plan of a step: who works, and on which elements

static void plan_box(Machine *m, Store *store, SlTensor tensor, int x, const Place *place) {
    int64_t lo[SL_N_DIMS], hi[SL_N_DIMS], at[SL_N_DIMS];
    for (int d = 0; d < SL_N_DIMS; d++) {
        bool counts = walk_relevant[tensor] >> d & 1;
        lo[d] = at[d] = place->start[d];
        hi[d] = lo[d] + (counts ? place->extent[d] : 1);
    }
    for (int d = 0; d >= 0;) {
        store->next[cell(store, x, walk_element(&m->walk, tensor, at))] = true;
        for (d = SL_N_DIMS - 1; d >= 0 && ++at[d] == hi[d]; d--) at[d] = lo[d];
    }
}

static void plan(Machine *m, int level, SlTensor tensor) {
    Store *store = &m->store[level][tensor];
    for (int x = 0; x < m->walk.n_instances[level]; x++) {
        Place place = walk_place(&m->walk, level, x);
        bool alive = place_works(&place, walk_relevant[tensor]);
        store->duty[x] = place_works(&place, 255) ? WORKS : alive ? PAUSES : OUT;
        memset(store->next + cell(store, x, 0), 0, (size_t)store->n_elements);
        if (store->duty[x] == WORKS) plan_box(m, store, tensor, x, &place);
    }
}

// --- what leaves

static bool leaves(const Store *store, int x, int element) {
    size_t at = cell(store, x, element);
    return store->duty[x] != PAUSES && store->here[at] && !store->next[at];
}

// A sum is sent when its element leaves the leader of its group, and at the latest when the element
// leaves a level further out: an instance that pauses may still hold it then.
static bool sends(const Machine *m, int level, int x, int element) {
    if (level == 0) return false;
    const Store *store = &m->store[level][SL_O];
    int leader = store->leader[x];
    if (!store->here[cell(store, x, element)]) return false;
    if (leaves(store, leader, element)) return true;
    return sends(m, store->parent, leader % m->walk.n_instances[store->parent], element);
}

// what a leader sends takes the sums of all members with it, also of those that pause
static void collect_sums(Machine *m, int level) {
    Store *store = &m->store[level][SL_O];
    for (int x = 0; x < m->walk.n_instances[level]; x++) {
        for (int e = 0; e < store->n_elements; e++) {
            size_t at = cell(store, x, e), to = cell(store, store->leader[x], e);
            if (!sends(m, level, x, e)) continue;
            store->moving[to] = !store->sent[to];
            store->load[to] += store->value[at];
            store->value[at] = 0;
        }
    }
}

// the sums of all members of a group arrive at the parent as one word
static void deliver(Machine *m, int level, int group, int element) {
    Store *store = &m->store[level][SL_O];
    SlLevelCounts *c = &m->moved->level[level];
    size_t from = cell(store, group, element), to = parent_cell(m, level, SL_O, group, element);
    m->store[store->parent][SL_O].value[to] += store->load[from];
    c->upd += 1;
    c->upd0 += group % m->walk.n_instances[store->parent] == 0;
    store->moving[from] = false;
    store->sent[from] = true;
    store->load[from] = 0;
}

static void leave(Machine *m, int level, SlTensor tensor) {
    Store *store = &m->store[level][tensor];
    if (tensor == SL_O) collect_sums(m, level);
    for (int x = 0; x < m->walk.n_instances[level]; x++) {
        for (int e = 0; e < store->n_elements; e++) {
            size_t at = cell(store, x, e);
            if (store->moving[at]) deliver(m, level, x, e);
            store->here[at] = store->here[at] && !leaves(store, x, e);
            bool lost = tensor == SL_O && !store->here[at] && (store->value[at] || store->load[at]);
            if (lost && !m->broken) m->broken = "a partial sum is left behind";
        }
    }
}

// --- what arrives

// a sum begins at zero the first time, later the leader takes over what the parent has of it
static void begin_sum(Machine *m, int level, int group, int element) {
    Store *store = &m->store[level][SL_O];
    SlLevelCounts *c = &m->moved->level[level];
    size_t above = parent_cell(m, level, SL_O, group, element);
    bool *seen = &store->seen[above];
    store->sent[cell(store, group, element)] = false;
    if (*seen) {
        int64_t *sum = &m->store[store->parent][SL_O].value[above];
        store->value[cell(store, group, element)] = *sum;
        *sum = 0;
        c->pread[SL_O] += 1;
        c->srv0[SL_O] += group % m->walk.n_instances[store->parent] == 0;
    }
    *seen = true;
}

static void serve_group(Machine *m, int level, SlTensor tensor, int group, int element) {
    Store *store = &m->store[level][tensor];
    SlLevelCounts *c = &m->moved->level[level];
    store->moving[cell(store, group, element)] = false;
    if (tensor == SL_O) {
        begin_sum(m, level, group, element);
        return;
    }
    c->pread[tensor] += 1;
    c->srv0[tensor] += group % m->walk.n_instances[store->parent] == 0;
}

static void fetch(Machine *m, int level, SlTensor tensor, int x, int element) {
    Store *store = &m->store[level][tensor];
    size_t at = cell(store, x, element), above = parent_cell(m, level, tensor, x, element);
    store->here[at] = true;
    store->value[at] = tensor == SL_O ? 0 : m->store[store->parent][tensor].value[above];
    store->moving[cell(store, store->leader[x], element)] = true;
    m->moved->level[level].fill[tensor] += 1;
    m->moved->level[level].own0[tensor] += x == 0;
}

static void arrive(Machine *m, int level, SlTensor tensor) {
    Store *store = &m->store[level][tensor];
    int n = m->walk.n_instances[level];
    for (int x = 0; x < n; x++) {
        for (int e = 0; e < store->n_elements; e++) {
            size_t at = cell(store, x, e);
            if (store->next[at] && !store->here[at]) fetch(m, level, tensor, x, e);
        }
    }
    for (int x = 0; x < n; x++) {
        for (int e = 0; e < store->n_elements; e++) {
            size_t at = cell(store, x, e);
            if (!store->moving[at]) continue;
            if (!store->here[at] && !m->broken) m->broken = "a group moves without its leader";
            serve_group(m, level, tensor, x, e);
        }
    }
}

// --- the MACs

static int64_t operand(Machine *m, SlTensor tensor, int x, const Place *place) {
    int level = m->walk.n_levels, element = walk_element(&m->walk, tensor, place->start);
    Store *store = &m->store[level][tensor];
    size_t above = parent_cell(m, level, tensor, x, element);
    bool *moving = &store->moving[cell(store, store->leader[x], element)];
    bool parent0 = x % m->walk.n_instances[store->parent] == 0;
    m->moved->level[level].fill[tensor] += 1;
    m->moved->level[level].own0[tensor] += x == 0;
    m->moved->level[level].pread[tensor] += !*moving;
    m->moved->level[level].srv0[tensor] += !*moving && parent0;
    *moving = true;
    return m->store[store->parent][tensor].value[above];
}

// the products of a group are added up on the way to one read-modify-write of the parent
static void accumulate(Machine *m, int group, int element) {
    int level = m->walk.n_levels;
    Store *store = &m->store[level][SL_O];
    bool *seen = &store->seen[parent_cell(m, level, SL_O, group, element)];
    bool parent0 = group % m->walk.n_instances[store->parent] == 0;
    m->moved->level[level].pread[SL_O] += *seen;
    m->moved->level[level].srv0[SL_O] += *seen && parent0;
    *seen = true;
    deliver(m, level, group, element);
}

static void multiply(Machine *m, int x, const Place *place) {
    Store *store = &m->store[m->walk.n_levels][SL_O];
    int element = walk_element(&m->walk, SL_O, place->start);
    size_t to = cell(store, store->leader[x], element);
    store->load[to] += operand(m, SL_W, x, place) * operand(m, SL_I, x, place);
    store->moving[to] = true;
    m->moved->level[m->walk.n_levels].fill[SL_O] += 1;
    m->moved->level[m->walk.n_levels].own0[SL_O] += x == 0;
    m->moved->macs += 1;
}

static void work(Machine *m) {
    int level = m->walk.n_levels, n = m->walk.n_instances[level];
    Place places[WALK_MAX_INSTANCES];
    for (int x = 0; x < n; x++) {
        places[x] = walk_place(&m->walk, level, x);
        if (place_works(&places[x], 255)) multiply(m, x, &places[x]);
    }
    for (int x = 0; x < n; x++) {
        if (!place_works(&places[x], 255)) continue;
        for (int t = 0; t < SL_N_TENSORS; t++) {
            Store *store = &m->store[level][t];
            int element = walk_element(&m->walk, (SlTensor)t, places[x].start);
            bool *moving = &store->moving[cell(store, store->leader[x], element)];
            if (t == SL_O && *moving) accumulate(m, store->leader[x], element);
            *moving = false;
        }
    }
    m->moved->cycles += 1;
}

// --- the whole run

// run one phase for every kept tensor of a level
static void each_tensor(Machine *m, int level, void (*phase)(Machine *, int, SlTensor)) {
    for (int t = 0; t < SL_N_TENSORS; t++) {
        if (m->walk.keep[level] >> t & 1) phase(m, level, (SlTensor)t);
    }
}

// everything that moves once temporal loop `moved` has advanced (-1: at the start)
static void move_data(Machine *m, int moved) {
    int outermost = 1, levels = m->walk.n_levels;
    while (outermost < levels && m->walk.at[outermost] <= moved) outermost++;
    for (int l = outermost; l < levels; l++) each_tensor(m, l, plan);
    for (int l = levels - 1; l >= outermost; l--) each_tensor(m, l, leave);
    for (int l = outermost; l < levels; l++) each_tensor(m, l, arrive);
}

static void drain(Machine *m) {
    for (int l = m->walk.n_levels - 1; l > 0; l--) {
        if (!(m->walk.keep[l] >> SL_O & 1)) continue;
        Store *store = &m->store[l][SL_O];
        for (int x = 0; x < m->walk.n_instances[l]; x++) store->duty[x] = OUT;
        memset(store->next, 0, cell(store, m->walk.n_instances[l], 0));
        leave(m, l, SL_O);
    }
}

// every tensor is in DRAM: random weights and inputs, sums of 0
static void fill_dram(Machine *m, SlRng *rng) {
    for (int t = 0; t < SL_N_TENSORS; t++) {
        Store *dram = &m->store[0][t];
        for (int e = 0; e < dram->n_elements; e++) {
            dram->here[e] = true;
            dram->value[e] = t == SL_O ? 0 : sl_rng_range(rng, -1000, 1000);
        }
    }
}

// the convolution by its definition, from what is in DRAM
static bool result_is_right(const Machine *m) {
    const Store *w = &m->store[0][SL_W], *in = &m->store[0][SL_I], *out = &m->store[0][SL_O];
    const int64_t *dims = m->walk.layer->dims;
    int64_t *want = zeroed((size_t)out->n_elements, sizeof *want), at[SL_N_DIMS] = {0};
    for (int d = 0; d >= 0;) {
        want[walk_element(&m->walk, SL_O, at)] += w->value[walk_element(&m->walk, SL_W, at)] *
                                                  in->value[walk_element(&m->walk, SL_I, at)];
        for (d = SL_N_DIMS - 1; d >= 0 && ++at[d] == dims[d]; d--) at[d] = 0;
    }
    bool right = memcmp(want, out->value, (size_t)out->n_elements * sizeof *want) == 0;
    free(want);
    return right;
}

const char *machine_run(const SlLayer *layer, SlNet net, const SlMapping *mapping, SlRng *rng,
                        SlCounts *moved) {
    Machine m = {.moved = moved};
    *moved = (SlCounts){.n_levels = mapping->n_boundaries + 1};
    walk_init(&m.walk, layer, net, mapping);
    for (int l = 0; l <= m.walk.n_levels; l++) {
        for (int t = 0; t < SL_N_TENSORS; t++) {
            if (m.walk.keep[l] >> t & 1) store_make(&m, l, (SlTensor)t);
        }
    }
    fill_dram(&m, rng);
    for (int loop = -1; !m.broken;) {
        move_data(&m, loop);
        work(&m);
        loop = walk_moving(&m.walk);
        if (loop < 0) break;
        walk_move(&m.walk, loop);
    }
    drain(&m);
    if (!m.broken && !result_is_right(&m)) m.broken = "the result is not the convolution";
    for (int l = 0; l <= m.walk.n_levels; l++) {
        for (int t = 0; t < SL_N_TENSORS; t++) store_free(&m.store[l][t]);
    }
    walk_free(&m.walk);
    return m.broken;
}

// bound_stage.c - where a walk stands: the options of every level, what is chosen of them, and the
// bound of all mappings below.
#include "bound_blocks.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    DEEP_NODES = 4000,     // spent on the bound of a level whose tiles are all open
    ASK_STEP = 1024,       // of them between two questions whether to stop
    CACHE_BYTES = 1 << 29, // tables are forgotten beyond this
};

// ---- the work ----

SlBoundWork *sl_bound_work_make(const SlBounds *bounds, SlArena *arena) {
    SlBoundWork *work = SL_NEW(arena, 1, SlBoundWork);
    SlPricer *pricer = sl_pricer_make(bounds->layer, bounds->accel, arena);
    if (!work || !pricer) return NULL;
    work->bounds = bounds;
    work->pricer = pricer;
    work->fronts = sl_fronts_make(bounds->n_chip, arena);
    if (!work->fronts) return NULL;
    SlMapping levels = {.n_boundaries = (uint8_t)bounds->n_chip};
    memcpy(levels.keep, &bounds->keep[1], (size_t)bounds->n_chip);
    sl_tables_levels(&work->tables, bounds->layer, bounds->net, &levels);
    int entry = 0;
    for (int d = 0; d < SL_N_DIMS; d++) {
        for (int l = 1; l <= bounds->n_chip + 1; l++) {
            work->tables.dims[d].levels[l].entry = entry;
            entry += l + 1; // one per number of wrapped loops
        }
    }
    assert(entry <= MAX_ENTRIES);
    return work;
}

void sl_bound_work_free(SlBoundWork *work) {
    sl_work_clear(work);
}

// ---- stages ----

void sl_tiles_above(const SlBoundWork *work, int d, int level, int64_t *tiles) {
    tiles[0] = work->bounds->start[d];
    for (int l = 1; l < level; l++) {
        const Stage *stage = &work->stages[l];
        tiles[l] = stage->block[d]->list[stage->chosen[d]].tile;
    }
}

double sl_instances_of(const SlBoundWork *work, int p, int chosen_upto) {
    const SlBounds *bounds = work->bounds;
    const Stage *stage = p <= chosen_upto ? &work->stages[p] : NULL;
    double all = 1;
    if (p == 0) return 1;
    for (int k = 0; k < bounds->n_live; k++) {
        int d = bounds->live[k];
        if (is_relevant(d, SL_O)) continue;
        bool known = stage && stage->chosen[d] >= 0;
        all *=
            known ? stage->block[d]->list[stage->chosen[d]].own.inst : work->most_instances[p][d];
    }
    return all;
}

static void set_most_instances(SlBoundWork *work) {
    const SlBounds *bounds = work->bounds;
    for (int p = 1; p <= bounds->n_chip; p++)
        for (int d = 0; d < SL_N_DIMS; d++)
            work->most_instances[p][d] =
                fmin(sl_role_instances(bounds, sl_work_role(work, d), 1, p - 1),
                     (double)bounds->layer->dims[d]);
}

// dims that are spread come first, those over clusters before those inside
static void set_walk_order(const SlBoundWork *work, int level, Stage *stage) {
    const SlBounds *bounds = work->bounds;
    int n = 0;
    unsigned seen = 0;
    for (int pass = 0; pass < 3; pass++) {
        for (int k = 0; k < bounds->n_live; k++) {
            int d = bounds->live[k];
            const Role *role = sl_work_role(work, d);
            bool over = role->clusters[level] > 1;
            if (has(seen, d) || (pass == 0 && !over) || (pass == 1 && !role->spread)) continue;
            stage->order[n++] = (uint8_t)d;
            seen |= 1u << d;
        }
    }
}

static void start_stage(const SlBoundWork *work, int level, Stage *stage) {
    for (int d = 0; d < SL_N_DIMS; d++) {
        stage->chosen[d] = work->bounds->layer->dims[d] == 1 ? 0 : -1; // there is one option
        stage->cap[d] = stage->block[d]->n - 1;
    }
    for (int g = 0; g < 2; g++) {
        const uint8_t *dims = WINDOW_DIMS[g];
        stage->window_split[g] = sl_work_role(work, dims[0])->spread_above[level] ||
                                 sl_work_role(work, dims[1])->spread_above[level];
    }
    set_walk_order(work, level, stage);
}

bool sl_stage_enter(SlBoundWork *work, int level) {
    Stage *stage = &work->stages[level];
    int64_t tiles[SL_N_DIMS][MAX_CHIP + 2];
    for (int d = 0; d < SL_N_DIMS; d++) {
        sl_tiles_above(work, d, level, tiles[d]);
        if (!(stage->block[d] = sl_block_get(work, d, level, tiles[d]))) return false;
    }
    for (int g = 0; g < 2; g++) {
        const uint8_t *dims = WINDOW_DIMS[g];
        stage->pair[g] = sl_pair_get(work, g, level, tiles[dims[0]], tiles[dims[1]]);
        if (!stage->pair[g]) return false;
    }
    start_stage(work, level, stage);
    stage->strict = level == work->bounds->n_chip;
    stage->instances = sl_instances_of(work, work->bounds->parent[level][SL_O], level - 1);
    return true;
}

// ---- the bound of a node ----

// the MACs under what is chosen at this level
static double node_macs(const SlBoundWork *work, int level, Load *load) {
    const SlBounds *bounds = work->bounds;
    const Stage *stage = &work->stages[level];
    const Factors *of[SL_N_DIMS];
    for (int k = 0; k < bounds->n_live; k++) {
        int d = bounds->live[k], i = stage->chosen[d];
        of[d] = i >= 0 ? &stage->block[d]->list[i].own : &stage->block[d]->least[stage->cap[d]];
    }
    int keeper = bounds->parent[bounds->n_chip + 1][SL_O];
    return sl_macs_bound(bounds, of, sl_instances_of(work, keeper, level), load);
}

double sl_node_bound(const SlBoundWork *work, int level) {
    const SlBounds *bounds = work->bounds;
    const Stage *stage = &work->stages[level];
    Load rest, load;
    double cycles = node_macs(work, level, &rest), ramp = sl_ramp_bound(bounds, level, stage);
    for (int l = 1; l < level; l++) {
        load_add(&rest, &work->fixed[l]);
        ramp += work->ramp[l];
    }
    for (int l = level + 1; l <= bounds->n_chip; l++) load_add(&rest, &work->deep[l]);
    if (stage->strict) {
        sl_level_bound(bounds, level, stage, work->class_now, &load);
        load_add(&load, &rest);
        return sl_load_value(bounds, &load, cycles, ramp);
    }
    double least = INFINITY;
    for (int k = 0; k <= bounds->n_live; k++) {
        int c = k < bounds->n_live ? bounds->live[k] : NO_CLASS;
        if (!sl_class_open(bounds, level, stage, c)) continue;
        sl_level_bound(bounds, level, stage, c, &load);
        load_add(&load, &rest);
        double value = sl_load_value(bounds, &load, cycles, ramp);
        if (value < least) least = value;
    }
    return least;
}

// ---- levels whose tiles are all open ----

// The least of one load over all tiles of a level, whatever is outside.
typedef struct {
    const SlBounds *bounds;
    SlBoundWork *work;
    int level, load;
    Stage stage;
    double best; // found, or left open
    int nodes;
    bool interrupted; // then nothing is known
} Deep;

static double deep_bound(const Deep *deep) {
    double least = INFINITY;
    for (int k = 0; k <= deep->bounds->n_live; k++) {
        int c = k < deep->bounds->n_live ? deep->bounds->live[k] : NO_CLASS;
        if (!sl_class_open(deep->bounds, deep->level, &deep->stage, c)) continue;
        Load load;
        sl_level_bound(deep->bounds, deep->level, &deep->stage, c, &load);
        if (load.of[deep->load] < least) least = load.of[deep->load];
    }
    return least;
}

static void deep_walk(Deep *deep, int depth) {
    Stage *stage = &deep->stage;
    int caps[SL_N_DIMS];
    memcpy(caps, stage->cap, sizeof caps);
    deep->nodes++;
    if (deep->nodes % ASK_STEP == 0) deep->interrupted |= sl_work_interrupted(deep->work);
    if (deep->interrupted) return;
    if (sl_stage_caps(deep->bounds, deep->level, stage)) {
        double bound = deep_bound(deep);
        if (bound < deep->best) {
            if (depth == deep->bounds->n_live || deep->nodes > DEEP_NODES) {
                deep->best = bound;
            } else {
                int d = stage->order[depth];
                for (int i = stage->cap[d]; i >= 0; i--) {
                    stage->chosen[d] = i;
                    deep_walk(deep, depth + 1);
                }
                stage->chosen[d] = -1;
            }
        }
    }
    memcpy(stage->cap, caps, sizeof caps);
}

// loads that a level takes part in and that can matter
static bool load_matters(const SlBounds *bounds, int level, int load) {
    if (load == LOAD_ENERGY) return bounds->energy_power > 0;
    if (load < LOAD_PORT)
        return load - LOAD_LINK + 1 == level && bounds->accel->levels[level].link_words < INFINITY;
    int at = load - LOAD_PORT;
    bool touched = at == level;
    for (int t = 0; t < SL_N_TENSORS; t++)
        touched |= (bounds->keep[level] >> t & 1) && bounds->parent[level][t] == at;
    return at <= bounds->n_chip && touched && bounds->accel->levels[at].port_words < INFINITY;
}

static bool find_deep(SlBoundWork *work, int level) {
    const SlBounds *bounds = work->bounds;
    Deep deep = {.bounds = bounds, .work = work, .level = level};
    for (int d = 0; d < SL_N_DIMS; d++)
        if (!(deep.stage.block[d] = sl_block_any(work, d, level))) return false;
    for (int g = 0; g < 2; g++)
        if (!(deep.stage.pair[g] = sl_pair_any(work, g, level))) return false;
    deep.stage.instances = sl_instances_of(work, bounds->parent[level][SL_O], 0);
    load_clear(&work->deep[level]);
    for (int r = 0; r < N_LOADS; r++) {
        if (!load_matters(bounds, level, r)) continue;
        start_stage(work, level, &deep.stage);
        deep.load = r;
        deep.nodes = 0;
        deep.best = INFINITY;
        deep_walk(&deep, 0);
        if (deep.interrupted) return false;
        work->deep[level].of[r] = deep.best < INFINITY ? deep.best : 0;
    }
    return true;
}

SlStatus sl_branch_enter(SlBoundWork *work, int i, SlError *err) {
    const SlBounds *bounds = work->bounds;
    if (work->bytes > CACHE_BYTES) sl_work_clear(work);
    work->failed = false;
    work->branch = &bounds->branches[i];
    set_most_instances(work);
    for (int d = 0; d < SL_N_DIMS && !work->failed; d++) work->sizes[d] = sl_sizes_get(work, d);
    bool entered = !work->failed;
    for (int l = 2; l <= bounds->n_chip && entered; l++) entered = find_deep(work, l);
    entered = entered && sl_stage_enter(work, 1);
    if (entered || (work->stopped && !work->failed)) return SL_OK;
    sl_work_clear(work);
    return sl_fail(err, SL_ENOMEM, "no memory for the bounds of a branch");
}

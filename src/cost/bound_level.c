// bound_level.c - what one level moves at least, whatever becomes of the tiles still open.
//
// A class names the dim of the innermost loop in time above the level. For a tensor that this dim
// indexes, every other transition finds that loop wrapped, so everything is fetched again in every
// step of the loops the tensor does not see (docs/optimum.md, B3). Open dims count with the least
// they can contribute (B4).
#include "bound_inside.h"

#include <math.h>

// Doubles of a bound may be off by their last digits; a whole number must not be rounded up.
static const double SLACK = 1 - 1e-12;

static double window_words(int64_t a, int64_t b, int64_t stride, int64_t dilation) {
    int64_t a_left = a - dilation, b_left = b - stride;
    double words = (double)a * (double)b;
    return a_left > 0 && b_left > 0 ? words - (double)a_left * (double)b_left : words;
}

double sl_level_bytes(const SlBounds *bounds, int level, const int64_t e[SL_N_DIMS]) {
    const double *word = bounds->rates.word_bytes;
    int keep = bounds->keep[level];
    double groups = (double)e[SL_G], bytes = 0;
    if (keep >> SL_W & 1)
        bytes +=
            word[SL_W] * groups * (double)e[SL_K] * (double)e[SL_C] * (double)(e[SL_R] * e[SL_S]);
    if (keep >> SL_I & 1)
        bytes += word[SL_I] * groups * (double)e[SL_N] * (double)e[SL_C] *
                 window_words(e[SL_P], e[SL_R], bounds->stride[0], bounds->dilation[0]) *
                 window_words(e[SL_Q], e[SL_S], bounds->stride[1], bounds->dilation[1]);
    if (keep >> SL_O & 1)
        bytes += word[SL_O] * groups * (double)e[SL_N] * (double)e[SL_K] * (double)e[SL_P] *
                 (double)e[SL_Q];
    return bytes * bounds->rates.need_factor[level];
}

static void smallest_extents(const SlBounds *bounds, const Stage *stage, int64_t e[SL_N_DIMS]) {
    for (int d = 0; d < SL_N_DIMS; d++) e[d] = 1;
    for (int k = 0; k < bounds->n_live; k++) {
        int d = bounds->live[k], i = stage->chosen[d];
        e[d] = stage->block[d]->list[i < 0 ? 0 : i].extent;
    }
}

// Bytes of a level as a function of the extent of one dim: `fixed` + `linear` * e + `window` *
// words(e, other).
typedef struct {
    double fixed, linear, window;
    int64_t other, less, other_less; // of the window; stride and dilation as its dims see them
} Growth;

static double grown(const Growth *g, int64_t e) {
    double bytes = g->fixed + g->linear * (double)e;
    if (g->window == 0) return bytes;
    int64_t more = e - g->less;
    double words = (double)e * (double)g->other;
    if (more > 0 && g->other_less > 0) words -= (double)more * (double)g->other_less;
    return bytes + g->window * words;
}

// Bytes of every tensor at the extents `e`, and of its windows.
typedef struct {
    double of[SL_N_TENSORS], window[2];
} Volume;

static void volume_of(const SlBounds *bounds, int level, const int64_t e[SL_N_DIMS], Volume *v) {
    int keep = bounds->keep[level];
    double bytes[SL_N_TENSORS];
    for (int t = 0; t < SL_N_TENSORS; t++)
        bytes[t] =
            keep >> t & 1 ? bounds->rates.word_bytes[t] * bounds->rates.need_factor[level] : 0;
    for (int g = 0; g < 2; g++)
        v->window[g] = window_words(e[WINDOW_DIMS[g][0]], e[WINDOW_DIMS[g][1]], bounds->stride[g],
                                    bounds->dilation[g]);
    double n = (double)e[SL_N], groups = (double)e[SL_G], k = (double)e[SL_K], c = (double)e[SL_C];
    v->of[SL_W] = bytes[SL_W] * groups * k * c * (double)e[SL_R] * (double)e[SL_S];
    v->of[SL_I] = bytes[SL_I] * groups * n * c * v->window[0] * v->window[1];
    v->of[SL_O] = bytes[SL_O] * groups * n * k * (double)e[SL_P] * (double)e[SL_Q];
}

static void growth_of(const SlBounds *bounds, const Volume *v, const int64_t e[SL_N_DIMS], int d,
                      Growth *g) {
    *g = (Growth){0};
    for (int t = 0; t < SL_N_TENSORS; t++) {
        if (!is_relevant(d, t))
            g->fixed += v->of[t];
        else if (t != SL_I || d < SL_P)
            g->linear += v->of[t] / (double)e[d];
    }
    if (d < SL_P) return;
    int group = d == SL_Q || d == SL_S, second = d >= SL_R;
    g->window = v->of[SL_I] / v->window[group];
    g->other = e[WINDOW_DIMS[group][!second]];
    g->less = second ? bounds->stride[group] : bounds->dilation[group];
    g->other_less = g->other - (second ? bounds->dilation[group] : bounds->stride[group]);
}

bool sl_stage_caps(const SlBounds *bounds, int level, Stage *stage) {
    // divisions may round; what fits exactly must not be lost
    double room = (double)bounds->accel->levels[level].capacity_bytes * (1 + 1e-12);
    if (room == 0) return true;
    int64_t e[SL_N_DIMS];
    Volume volume;
    smallest_extents(bounds, stage, e);
    volume_of(bounds, level, e, &volume);
    if (volume.of[SL_W] + volume.of[SL_I] + volume.of[SL_O] > room) return false;
    for (int k = 0; k < bounds->n_live; k++) {
        int d = bounds->live[k], high = stage->cap[d], low = 0;
        if (stage->chosen[d] >= 0) continue;
        const Option *list = stage->block[d]->list;
        Growth growth;
        growth_of(bounds, &volume, e, d, &growth);
        if (grown(&growth, list[high].extent) <= room) continue;
        while (high - low > 1) {
            int middle = (low + high) / 2;
            if (grown(&growth, list[middle].extent) <= room)
                low = middle;
            else
                high = middle;
        }
        stage->cap[d] = low;
    }
    return true;
}

// can every loop above the level stand still?
static bool may_rest(const SlBounds *bounds, int level, const Stage *stage) {
    int64_t e[SL_N_DIMS] = {1, 1, 1, 1, 1, 1, 1, 1};
    double room = (double)bounds->accel->levels[level].capacity_bytes;
    for (int k = 0; k < bounds->n_live; k++) {
        int d = bounds->live[k], i = stage->chosen[d];
        const Block *block = stage->block[d];
        if (i >= 0 ? !block->list[i].rests : block->rest_extent == 0) return false;
        e[d] = i >= 0 ? block->list[i].extent : block->rest_extent;
    }
    return room == 0 || sl_level_bytes(bounds, level, e) <= room;
}

bool sl_class_open(const SlBounds *bounds, int level, const Stage *stage, int c) {
    if (c == NO_CLASS) return may_rest(bounds, level, stage);
    const Block *block = stage->block[c];
    int i = stage->chosen[c];
    if (i < 0) return stage->cap[c] >= block->first_class;
    return stage->strict ? block->list[i].moves : block->list[i].active;
}

// ---- counts ----

// What every live dim and both windows contribute at a node.
typedef struct {
    const Factors *of[SL_N_DIMS];
    const PairFactors *pair[2];
    double ratio[SL_N_TENSORS]; // of near to plain, the best of the relevant dims known to move
} Node;

INLINE void raise(Lanes *count, Lanes to) {
    for (int k = 0; k < N_LANES; k++)
        if (to[k] > (*count)[k]) (*count)[k] = to[k];
}

INLINE void gather(const SlBounds *bounds, const Stage *stage, int c, Node *node) {
    node->ratio[SL_W] = node->ratio[SL_I] = node->ratio[SL_O] = 0;
    for (int k = 0; k < bounds->n_live; k++) {
        int d = bounds->live[k], i = stage->chosen[d];
        const Block *block = stage->block[d];
        if (i < 0) {
            node->of[d] = &(c == d ? block->least_class : block->least)[stage->cap[d]];
            continue;
        }
        const Option *option = &block->list[i];
        node->of[d] = &option->own;
        if (!stage->strict || !option->moves) continue;
        for (int t = 0; t < SL_N_TENSORS; t++)
            if (is_relevant(d, t) && option->ratio[t] > node->ratio[t])
                node->ratio[t] = option->ratio[t];
    }
    for (int g = 0; g < 2; g++) {
        const PairBlock *pair = stage->pair[g];
        int i = stage->chosen[WINDOW_DIMS[g][0]], j = stage->chosen[WINDOW_DIMS[g][1]];
        node->pair[g] = i >= 0 && j >= 0 ? &pair->own[i * pair->n[1] + j]
                        : i >= 0         ? &pair->row[i]
                        : j >= 0         ? &pair->column[j]
                                         : &pair->least[stage->cap[WINDOW_DIMS[g][0]]];
    }
}

// W and O
INLINE Lanes count_least(const SlBounds *bounds, const Node *node, int c, int t) {
    Lanes moving = {1, 1, 1, 1}, passing = moving, still = moving;
    bool seen = c != NO_CLASS && is_relevant(c, t);
    for (int k = 0; k < bounds->n_live; k++) {
        int d = bounds->live[k];
        const Factors *f = node->of[d];
        bool relevant = is_relevant(d, t);
        moving *= d == c && relevant ? f->near[t] : f->plain[t];
        passing *= relevant ? f->plain[t] : f->near[t];
        still *= relevant ? f->plain[t] : f->still[t];
    }
    Lanes count = still;
    if (seen) raise(&count, moving);
    if (!seen && node->ratio[t] > 0) raise(&count, passing * node->ratio[t]);
    return count;
}

INLINE Lanes count_input_least(const SlBounds *bounds, const Stage *stage, const Node *node,
                               int c) {
    Lanes alone = {1, 1, 1, 1}, k = alone, k_near = alone, k_still = alone, seen = alone;
    for (int i = 0; i < bounds->n_live; i++) {
        int d = bounds->live[i];
        const Factors *f = node->of[d];
        if (d == SL_K) {
            k = f->plain[SL_I], k_near = f->near[SL_I], k_still = f->still[SL_I];
        } else if (d < SL_P) {
            alone *= f->plain[SL_I];
            seen *= d == c ? f->near[SL_I] : f->plain[SL_I];
        }
    }
    // every coordinate at least once; instance 0 alone need not see them all
    Lanes whole = {1, 1, 1, 1};
    for (int g = 0; g < 2; g++) {
        double words = bounds->window[g];
        bool split = stage->window_split[g];
        whole *= (Lanes){words, words, split ? 0 : words, split ? 0 : words};
    }
    Lanes count = alone * k_still * whole;
    if (c == NO_CLASS) return count;
    const PairFactors *rows = node->pair[0], *columns = node->pair[1];
    if (c < SL_P && c != SL_K)
        raise(&count, seen * k * rows->plain * columns->plain);
    else if (c == SL_P || c == SL_R)
        raise(&count, alone * k * rows->near[c == SL_R] * columns->plain);
    else if (c == SL_Q || c == SL_S)
        raise(&count, alone * k * rows->plain * columns->near[c == SL_S]);
    else if (node->ratio[SL_I] > 0)
        raise(&count, alone * k_near * whole * node->ratio[SL_I]);
    return count;
}

// words of O that begin at zero: D0 of docs/model.md, and cov0
INLINE Lanes output_reach(const SlBounds *bounds, const Factors *const of[SL_N_DIMS], bool macs) {
    Lanes reach = {1, 1, 1, 1};
    for (int k = 0; k < bounds->n_live; k++) {
        int d = bounds->live[k];
        if (is_relevant(d, SL_O)) reach *= macs ? of[d]->mac[SL_O] : of[d]->plain[SL_O];
    }
    return reach;
}

// what counts of one tensor use up
INLINE void add_counts(const SlBounds *bounds, int level, int t, Lanes count, Load *load) {
    Lanes energy = bounds->energy[level][t] * count;
    double *of = load->of;
    bool macs = level > bounds->n_chip;
    double twice = t == SL_O ? 2 : 1; // a partial sum comes back for every update but the first
    of[LOAD_ENERGY] += energy[LANE_FILL] + energy[LANE_PREAD];
    of[LOAD_PORT + bounds->parent[level][t]] += twice * count[LANE_SRV0];
    if (macs) return;
    of[LOAD_LINK + level - 1] += count[LANE_PREAD];
    of[LOAD_PORT + level] += twice * count[LANE_OWN0];
}

INLINE void add_partial_sums(const SlBounds *bounds, int level, Lanes count, Lanes reach,
                             double instances, Load *load) {
    double sums = count[LANE_PREAD] - bounds->words[SL_O] * instances;
    if (sums < 0) sums = 0;
    load->of[LOAD_ENERGY] += sums * bounds->psum_pj[level];
    load->of[LOAD_PORT + bounds->parent[level][SL_O]] -= reach[LANE_SRV0];
    if (level > bounds->n_chip) return;
    load->of[LOAD_LINK + level - 1] += sums;
    load->of[LOAD_PORT + level] -= reach[LANE_OWN0];
}

CLONES static void level_bound(const SlBounds *bounds, int level, const Stage *stage, int c,
                               Load *out) {
    Node node;
    int keep = bounds->keep[level];
    load_clear(out);
    gather(bounds, stage, c, &node);
    if (keep >> SL_W & 1) add_counts(bounds, level, SL_W, count_least(bounds, &node, c, SL_W), out);
    if (keep >> SL_I & 1)
        add_counts(bounds, level, SL_I, count_input_least(bounds, stage, &node, c), out);
    if (keep >> SL_O & 1) {
        Lanes count = count_least(bounds, &node, c, SL_O);
        add_counts(bounds, level, SL_O, count, out);
        add_partial_sums(bounds, level, count, output_reach(bounds, node.of, false),
                         stage->instances, out);
    }
}

void sl_level_bound(const SlBounds *bounds, int level, const Stage *stage, int c, Load *out) {
    level_bound(bounds, level, stage, c, out);
}

CLONES static void level_volume(const SlBounds *bounds, int level, const Stage *stage, Load *out) {
    const Factors *of[SL_N_DIMS];
    int keep = bounds->keep[level];
    Lanes count[SL_N_TENSORS];
    for (int t = 0; t < SL_N_TENSORS; t++) {
        count[t] = (Lanes){1, 1, 1, 1};
        for (int k = 0; k < bounds->n_live; k++) {
            int d = bounds->live[k];
            of[d] = &stage->block[d]->list[stage->chosen[d]].own;
            if (t != SL_I || d < SL_P) count[t] *= of[d]->plain[t];
        }
    }
    for (int g = 0; g < 2; g++) {
        const PairBlock *pair = stage->pair[g];
        int i = stage->chosen[WINDOW_DIMS[g][0]], j = stage->chosen[WINDOW_DIMS[g][1]];
        count[SL_I] *= pair->own[i * pair->n[1] + j].plain;
    }
    load_clear(out);
    for (int t = 0; t < SL_N_TENSORS; t++)
        if (keep >> t & 1) add_counts(bounds, level, t, count[t], out);
    if (keep >> SL_O & 1)
        add_partial_sums(bounds, level, count[SL_O], output_reach(bounds, of, false),
                         stage->instances, out);
}

void sl_level_volume(const SlBounds *bounds, int level, const Stage *stage, Load *out) {
    level_volume(bounds, level, stage, out);
}

// Every MAC asks the innermost level for itself, and its port never binds: energy is that of all
// MACs, whatever the tiles, but for the sums that begin at zero.
static double plain_macs_bound(const SlBounds *bounds, const Factors *const of[SL_N_DIMS],
                               double instances, Load *out) {
    int level = bounds->n_chip + 1;
    double cycles = 1, sums = bounds->macs - bounds->words[SL_O] * instances;
    for (int k = 0; k < bounds->n_live; k++) cycles *= of[bounds->live[k]]->mac[SL_W][LANE_OWN0];
    load_clear(out);
    out->of[LOAD_ENERGY] = bounds->macs * bounds->accel->mac_pj;
    for (int t = 0; t < SL_N_TENSORS; t++)
        out->of[LOAD_ENERGY] += bounds->macs * bounds->energy[level][t][LANE_PREAD];
    if (sums > 0) out->of[LOAD_ENERGY] += sums * bounds->psum_pj[level];
    return cycles;
}

CLONES static double any_macs_bound(const SlBounds *bounds, const Factors *const of[SL_N_DIMS],
                                    double instances, Load *out) {
    int level = bounds->n_chip + 1;
    Lanes count[SL_N_TENSORS];
    load_clear(out);
    out->of[LOAD_ENERGY] = bounds->macs * bounds->accel->mac_pj;
    for (int t = 0; t < SL_N_TENSORS; t++) {
        count[t] = (Lanes){1, 1, 1, 1};
        for (int k = 0; k < bounds->n_live; k++) count[t] *= of[bounds->live[k]]->mac[t];
        add_counts(bounds, level, t, count[t], out);
    }
    add_partial_sums(bounds, level, count[SL_O], output_reach(bounds, of, true), instances, out);
    return count[SL_W][LANE_OWN0];
}

double sl_macs_bound(const SlBounds *bounds, const Factors *const of[SL_N_DIMS], double instances,
                     Load *out) {
    return bounds->plain_macs ? plain_macs_bound(bounds, of, instances, out)
                              : any_macs_bound(bounds, of, instances, out);
}

// ---- time ----

double sl_ramp_bound(const SlBounds *bounds, int level, const Stage *stage) {
    double rate = bounds->accel->levels[level].link_words, words[2] = {1, 1};
    if (!(rate < INFINITY)) return 0;
    const Factors *of[SL_N_DIMS] = {0};
    for (int k = 0; k < bounds->n_live; k++) {
        int d = bounds->live[k], i = stage->chosen[d];
        const Block *block = stage->block[d];
        of[d] = i >= 0 ? &block->list[i].own : &block->least[stage->cap[d]];
        words[SL_W] *= of[d]->first[SL_W];
        if (d < SL_P) words[SL_I] *= of[d]->first[SL_I];
    }
    for (int g = 0; g < 2; g++) {
        int p = WINDOW_DIMS[g][0], r = WINDOW_DIMS[g][1];
        double a = of[p] ? of[p]->first[SL_I] : 1, b = of[r] ? of[r]->first[SL_I] : 1;
        bool exact = (!of[p] || stage->chosen[p] >= 0) && (!of[r] || stage->chosen[r] >= 0);
        if (exact && of[p] && of[r])
            words[SL_I] *= a * b - of[p]->first_more * of[r]->first_more;
        else
            words[SL_I] *= a > b ? a : b; // no two outputs share all their rows
    }
    double sum = 0;
    for (int t = 0; t < 2; t++)
        if (bounds->keep[level] >> t & 1) sum += words[t];
    return ceil(sum / rate * SLACK);
}

double sl_load_value(const SlBounds *bounds, const Load *load, double cycles, double ramp) {
    double longest = cycles, stalls = 0;
    for (int i = 0; i < bounds->n_timed; i++) {
        const Timed *timed = &bounds->timed[i];
        double time = ceil(load->of[timed->load] * timed->cycles_per_word * SLACK);
        if (timed->adds)
            stalls += time;
        else if (time > longest)
            longest = time;
    }
    double latency = longest + stalls + ramp, energy = load->of[LOAD_ENERGY];
    double a = bounds->latency_power, b = bounds->energy_power, value = bounds->factor;
    value *= a == 0 ? 1 : a == 1 ? latency : pow(latency, a);
    value *= b == 0 ? 1 : b == 1 ? energy : pow(energy, b);
    return value;
}

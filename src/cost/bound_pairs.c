// bound_pairs.c - window groups: what every pair of tile sizes of P and R, or Q and S, contributes.
#include "bound_blocks.h"

#include <math.h>

// the states of a dim as sl_window_factor names them; -1 = no such loop
static void state_codes(const DimTable *dim, int level, int code[MAX_STATES]) {
    code[0] = 0;
    for (int s = level - 1, k = 1; s >= 0; s--, k += 2) {
        code[k] = sl_loop_in(dim, level, s) ? 2 * sl_wrapped_from(dim, level, s + 1) + 1 : -1;
        code[k + 1] = 2 * sl_wrapped_from(dim, level, s);
    }
}

void sl_pair_states(SlBoundWork *work, int group, int level, Lanes *state) {
    int n = 2 * level + 1, code[2][MAX_STATES] = {{0}};
    bool known[MAX_STATES + 1][MAX_STATES + 1] = {{false}};
    Lanes value[MAX_STATES + 1][MAX_STATES + 1];
    for (int k = 0; k < 2; k++)
        state_codes(&work->tables.dims[WINDOW_DIMS[group][k]], level, code[k]);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            int a = code[0][i], b = code[1][j];
            state[i * n + j] = (Lanes){0, 0, 0, 0};
            if (a < 0 || b < 0 || (a & b & 1)) continue;
            if (!known[a][b]) sl_window_factor(&work->tables, group, level, a, b, &value[a][b]);
            known[a][b] = true;
            state[i * n + j] = value[a][b];
        }
    }
}

INLINE void subtract_most(Lanes *from, int n, const Lanes *const candidate[]) {
    Lanes most = {0, 0, 0, 0};
    for (int i = 0; i < n; i++)
        for (int k = 0; k < N_LANES; k++)
            if ((*candidate[i])[k] > most[k]) most[k] = (*candidate[i])[k];
    *from -= most;
}

void sl_window_near(const Lanes *state, int level, int a, const bool moves[2][MAX_CHIP],
                    Lanes *out) {
    int n = 2 * level + 1, own = level - 1;
#define AT(of_a, of_b) (a == 0 ? &state[(of_a)*n + (of_b)] : &state[(of_b)*n + (of_a)])
#define ADVANCED(s) (2 * (level - (s)) - 1)
#define WRAPPED(s) (2 * (level - (s))) // segments s.. wrapped; WRAPPED(level) = 0
    while (own >= 0 && !moves[a][own]) own--;
    if (own < 0) {
        *out = (Lanes){INFINITY, INFINITY, INFINITY, INFINITY};
        return;
    }
    Lanes left = *AT(0, 0) - *AT(ADVANCED(own), 0), stays = {0, 0, 0, 0};
    for (int s = own; s >= 0; s--) {
        // the other loops of the group, with those inside wrapped and those beside them or not
        const Lanes *outer[] = {AT(ADVANCED(s), WRAPPED(s + 1)), AT(ADVANCED(s), WRAPPED(s))};
        if (s < own) subtract_most(&left, 2, outer);
        int wrapped = s == own ? WRAPPED(s) : WRAPPED(s + 1);
        const Lanes *other[] = {AT(wrapped, ADVANCED(s)), AT(WRAPPED(s), ADVANCED(s))};
        subtract_most(&left, 2, other);
        // loops outside the group: one of them is the last to move before each of their steps
        const Lanes *outside[] = {AT(wrapped, WRAPPED(s + 1)), AT(wrapped, WRAPPED(s)),
                                  AT(WRAPPED(s), WRAPPED(s + 1)), AT(WRAPPED(s), WRAPPED(s))};
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < N_LANES; k++)
                if ((*outside[i])[k] > stays[k]) stays[k] = (*outside[i])[k];
    }
    left -= stays;
    for (int k = 0; k < N_LANES; k++) (*out)[k] = left[k] > 0 ? left[k] : 0;
#undef AT
#undef ADVANCED
#undef WRAPPED
}

static void least_pair(PairFactors *a, const PairFactors *b) {
    SL_LEAST(a->plain, b->plain);
    for (int k = 0; k < 2; k++) SL_LEAST(a->near[k], b->near[k]);
}

static const PairFactors NO_PAIR = {
    {INFINITY, INFINITY, INFINITY, INFINITY},
    {{INFINITY, INFINITY, INFINITY, INFINITY}, {INFINITY, INFINITY, INFINITY, INFINITY}}};

PairBlock *sl_pair_take(SlBoundWork *work, int n_a, int n_b) {
    PairBlock *pair = sl_work_take(work, 1, sizeof *pair);
    size_t n = (size_t)n_a * (size_t)n_b + 2 * (size_t)n_a + (size_t)n_b;
    PairFactors *all = sl_work_take(work, n, sizeof *all);
    if (!pair || !all) return NULL;
    for (size_t i = 0; i < n; i++) all[i] = NO_PAIR;
    *pair = (PairBlock){.n = {n_a, n_b}, .own = all};
    pair->row = all + (size_t)n_a * (size_t)n_b;
    pair->least = pair->row + n_a;
    pair->column = pair->least + n_a;
    return pair;
}

void sl_pair_least(PairBlock *pair) {
    for (int i = 0; i < pair->n[0]; i++) {
        for (int j = 0; j < pair->n[1]; j++) {
            const PairFactors *own = &pair->own[i * pair->n[1] + j];
            least_pair(&pair->row[i], own);
            least_pair(&pair->column[j], own);
        }
        if (i > 0) pair->least[i] = pair->least[i - 1];
        least_pair(&pair->least[i], &pair->row[i]);
    }
}

enum { ASK_STEP = 64 }; // rows between two questions whether to stop

static PairBlock *build_pair(SlBoundWork *work, int group, int level, int64_t *const tiles[2]) {
    const uint8_t *dims = WINDOW_DIMS[group];
    const Block *block[2];
    for (int k = 0; k < 2; k++)
        if (!(block[k] = sl_block_get(work, dims[k], level, tiles[k]))) return NULL;
    PairBlock *pair = sl_pair_take(work, block[0]->n, block[1]->n);
    size_t n_states = 2 * (size_t)level + 1;
    Lanes *states = sl_work_take(
        work, (size_t)block[0]->n * (size_t)block[1]->n * n_states * n_states, sizeof *states);
    if (!pair || !states) return NULL;
    pair->n_states = (int)n_states;
    pair->state = states;
    for (int i = 0; i < pair->n[0]; i++) {
        if (i % ASK_STEP == ASK_STEP - 1 && sl_work_interrupted(work)) return NULL;
        tiles[0][level] = block[0]->list[i].tile;
        sl_build_loops(work, dims[0], level, tiles[0]);
        for (int j = 0; j < pair->n[1]; j++, states += n_states * n_states) {
            tiles[1][level] = block[1]->list[j].tile;
            sl_build_loops(work, dims[1], level, tiles[1]);
            sl_pair_states(work, group, level, states);
            PairFactors *own = &pair->own[i * pair->n[1] + j];
            bool moves[2][MAX_CHIP] = {{false}};
            for (int k = 0; k < 2; k++)
                for (int s = 0; s < level; s++)
                    moves[k][s] = sl_loop_in(&work->tables.dims[dims[k]], level, s);
            own->plain = states[0];
            for (int k = 0; k < 2; k++) sl_window_near(states, level, k, moves, &own->near[k]);
        }
    }
    sl_pair_least(pair);
    return pair;
}

const PairBlock *sl_pair_get(SlBoundWork *work, int group, int level, const int64_t *tiles_a,
                             const int64_t *tiles_b) {
    const uint8_t *dims = WINDOW_DIMS[group];
    int64_t tiles[2][MAX_CHIP + 2];
    Key key = sl_key(KIND_PAIR, group, level, work->branch->role[dims[0]]);
    key.word[2] = work->branch->role[dims[1]];
    key.word[0] |= (int64_t)work->thrifty << 32;
    for (int l = 0; l < level; l++) {
        tiles[0][l] = tiles_a[l];
        tiles[1][l] = tiles_b[l];
        if (l == 0) continue;
        key.word[2 + l] = tiles_a[l];
        key.word[2 + MAX_CHIP + l] = tiles_b[l];
    }
    const PairBlock *pair = sl_work_recall(work, &key);
    if (pair) return pair;
    pair = build_pair(work, group, level, (int64_t *const[]){tiles[0], tiles[1]});
    if (pair) sl_work_keep(work, &key, pair);
    return work->failed ? NULL : pair;
}

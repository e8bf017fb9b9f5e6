// test_pricer.c - the search path prices every nest to the last bit as sl_cost_eval does, whatever
// moves led to it.
#include <string.h>

#include "cost/price.h"
#include "random_accel.h"
#include "support/check.h"

// A pricer and, beside it, the nest that it should hold.
typedef struct {
    Case c;
    SlAccel accel;
    SlArena arena;
    SlPricer *pricer;
} Search;

static void search_begin(SlRng *rng, Search *s) {
    priced_case_sample(rng, 20000, &s->c, &s->accel);
    sl_arena_init(&s->arena, 0);
    s->pricer = sl_pricer_make(&s->c.layer, &s->accel, &s->arena);
    assert_non_null(s->pricer);
    sl_pricer_set_nest(s->pricer, &s->c.mapping);
}

static void check_price(const Search *s, const char *move) {
    SlCost got, want;
    char why[512], text[CASE_TEXT_MAX];
    memset(&got, 0x55, sizeof got);
    memset(&want, 0xaa, sizeof want);
    sl_pricer_eval(s->pricer, &got);
    sl_cost_eval(&s->c.layer, &s->accel, &s->c.mapping, &want);
    if (!cost_differs(&got, &want, sizeof why, why)) return;
    fail_msg("after %s, %s: %s", move, why, case_text(&s->c, sizeof text, text));
}

// the nest that it gives back may have loops elsewhere, but it is the same by every count
static void check_nest(const Search *s, const char *move) {
    SlMapping held;
    SlCost got, want;
    char why[512], text[SL_NEST_TEXT_MAX];
    sl_pricer_mapping(s->pricer, &held);
    assert_null(sl_mapping_check(&s->c.layer, &held));
    sl_cost_eval(&s->c.layer, &s->accel, &held, &got);
    sl_cost_eval(&s->c.layer, &s->accel, &s->c.mapping, &want);
    if (!cost_differs(&got, &want, sizeof why, why)) return;
    fail_msg("after %s: holds %s, %s", move, sl_mapping_write(&held, sizeof text, text), why);
}

// --- moves

// other tiles for every loop over one dim
static void move_tiles(SlRng *rng, Search *s) {
    SlMapping *m = &s->c.mapping;
    int64_t tiles[SL_MAX_LOOPS];
    int dim = (int)sl_rng_below(rng, SL_N_DIMS), n = 0, last = -1;
    for (int i = 0; i < m->n_loops; i++) {
        if (m->loops[i].dim == dim) last = i;
    }
    for (int i = 0; i <= last; i++) {
        if (m->loops[i].dim != dim) continue;
        tiles[n] = i == last ? 1 : sl_rng_range(rng, 1, s->c.layer.dims[dim] + 1);
        m->loops[i].tile = tiles[n++];
    }
    sl_pricer_set_tiles(s->pricer, (SlDim)dim, tiles);
}

// Lay the loops `from`..`to` of `old` out again with their temporal loops in the order of `dims`.
// The loops over one dim stay in their order, spatial ones included; those left over come last.
static void lay_out(const SlMapping *old, int from, int to, const uint8_t *dims, SlMapping *m) {
    bool done[SL_MAX_LOOPS] = {false};
    int n = from;
    for (const uint8_t *dim = dims; n < to;) {
        bool more = dim < dims + SL_MAX_LOOPS && *dim < SL_N_DIMS;
        for (int i = from; i < to; i++) {
            if (done[i] || (more && old->loops[i].dim != *dim)) continue;
            m->loops[n++] = old->loops[i];
            done[i] = true;
            if (more && !old->loops[i].spatial) break;
        }
        dim += more;
    }
}

// another order of the temporal loops between each two boundaries
static void move_order(SlRng *rng, Search *s) {
    SlMapping *m = &s->c.mapping, old = *m;
    uint8_t dims[SL_MAX_LOOPS];
    int n_dims = 0;
    for (int b = 0; b <= old.n_boundaries; b++) {
        int from = b > 0 ? old.at[b - 1] : 0, to = b < old.n_boundaries ? old.at[b] : old.n_loops;
        int order[SL_MAX_LOOPS], n = 0;
        uint8_t mine[SL_MAX_LOOPS];
        for (int i = from; i < to; i++) {
            if (!old.loops[i].spatial) order[n++] = old.loops[i].dim;
        }
        sl_rng_shuffle(rng, n, order);
        memset(mine, 255, sizeof mine);
        for (int i = 0; i < n; i++) dims[n_dims++] = mine[i] = (uint8_t)order[i];
        lay_out(&old, from, to, mine, m);
    }
    sl_pricer_set_order(s->pricer, dims);
}

// any other nest of the same layer with as many boundaries
static void move_nest(SlRng *rng, Search *s) {
    Case other;
    bool nearby = sl_rng_below(rng, 2);
    do {
        case_sample(rng, 20000, &other);
        other.layer = s->c.layer;
    } while (!nearby && (other.mapping.n_boundaries != s->c.mapping.n_boundaries ||
                         sl_mapping_check(&other.layer, &other.mapping) != NULL));
    if (nearby) {
        other.mapping = s->c.mapping; // only what it keeps and where a boundary lies
        int b = (int)sl_rng_below(rng, other.mapping.n_boundaries);
        other.mapping.keep[b] = (uint8_t)sl_rng_below(rng, 8);
        int lo = b > 0 ? other.mapping.at[b - 1] : 0;
        other.mapping.at[b] = (uint8_t)sl_rng_range(rng, lo, other.mapping.at[b]);
    }
    s->c.mapping = other.mapping;
    sl_pricer_set_nest(s->pricer, &s->c.mapping);
}

// --- cases

static void the_pricer_equals_the_cost_of_any_first_nest(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 1, "pricer nests");
    for (int i = 0; i < 5000; i++) {
        Search s;
        search_begin(&rng, &s);
        check_price(&s, "set_nest");
        check_nest(&s, "set_nest");
        sl_arena_free(&s.arena);
    }
}

static void long_walks(const char *stream, const char *name, void (*move)(SlRng *, Search *)) {
    SlRng rng;
    sl_rng_init(&rng, 2, stream);
    for (int i = 0; i < 600; i++) {
        Search s;
        search_begin(&rng, &s);
        for (int k = 0; k < 30; k++) {
            move(&rng, &s);
            check_price(&s, name);
            check_nest(&s, name);
        }
        sl_arena_free(&s.arena);
    }
}

static void the_pricer_follows_changes_of_tiles(void **state) {
    (void)state;
    long_walks("pricer tiles", "set_tiles", move_tiles);
}

static void the_pricer_follows_changes_of_order(void **state) {
    (void)state;
    long_walks("pricer orders", "set_order", move_order);
}

static void the_pricer_follows_changes_of_the_whole_nest(void **state) {
    (void)state;
    long_walks("pricer whole nests", "set_nest", move_nest);
}

// several moves may come before the next question
static void move_anything(SlRng *rng, Search *s) {
    void (*const moves[])(SlRng *, Search *) = {move_tiles, move_tiles, move_order, move_nest};
    for (uint64_t n = sl_rng_below(rng, 3) + 1; n > 0; n--) moves[sl_rng_below(rng, 4)](rng, s);
}

static void the_pricer_follows_any_sequence_of_moves(void **state) {
    (void)state;
    long_walks("pricer sequences", "a sequence", move_anything);
}

static void asking_twice_gives_the_same(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 3, "pricer twice");
    for (int i = 0; i < 200; i++) {
        Search s;
        search_begin(&rng, &s);
        check_price(&s, "the first question");
        check_price(&s, "the second question");
        sl_arena_free(&s.arena);
    }
}

static void a_pricer_without_memory_is_null(void **state) {
    (void)state;
    SlRng rng;
    Case c;
    SlAccel accel;
    SlArena arena;
    sl_rng_init(&rng, 4, "pricer memory");
    priced_case_sample(&rng, 1000, &c, &accel);
    sl_arena_init(&arena, 16);
    assert_null(sl_pricer_make(&c.layer, &accel, &arena));
    sl_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_pricer_equals_the_cost_of_any_first_nest),
        cmocka_unit_test(the_pricer_follows_changes_of_tiles),
        cmocka_unit_test(the_pricer_follows_changes_of_order),
        cmocka_unit_test(the_pricer_follows_changes_of_the_whole_nest),
        cmocka_unit_test(the_pricer_follows_any_sequence_of_moves),
        cmocka_unit_test(asking_twice_gives_the_same),
        cmocka_unit_test(a_pricer_without_memory_is_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

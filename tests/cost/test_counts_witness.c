// test_counts_witness.c - generated C programs that execute nests count what the closed form says.
//
// Many nests share a program, since the compiler takes longer than they do.
#include <stdio.h>
#include <stdlib.h>

#include "count_fields.h"
#include "random_accel.h"
#include "starling/kernel/witness.h"
#include "support/check.h"

enum { PER_PROGRAM = 56 };

// Nests that become one program.
typedef struct {
    int n;
    SlLayer layer[PER_PROGRAM];
    SlAccel accel[PER_PROGRAM];
    SlMapping mapping[PER_PROGRAM];
    SlWitnessJob jobs[PER_PROGRAM];
    SlWitnessCounts counts[PER_PROGRAM];
} Program;

static Program *program_make(void) {
    Program *program = calloc(1, sizeof *program);
    assert_non_null(program);
    return program;
}

static void program_add(Program *p, const SlLayer *layer, const SlAccel *accel,
                        const SlMapping *mapping) {
    int i = p->n++;
    p->layer[i] = *layer;
    p->accel[i] = *accel;
    p->mapping[i] = *mapping;
    p->jobs[i] = (SlWitnessJob){&p->layer[i], &p->accel[i], &p->mapping[i]};
    const char *reason = sl_witness_check(&p->jobs[i]);
    if (reason) fail_msg("nest %d: %s", i, reason);
}

static SlCounts counts_of(const SlWitnessCounts *from) {
    SlCounts counts = {
        .n_levels = from->n_levels, .macs = (SlCount)from->macs, .cycles = (SlCount)from->cycles};
    for (int l = 1; l <= from->n_levels; l++) {
        for (int i = 0; i < N_COUNT_FIELDS; i++) {
            assert_string_equal(sl_count_names[i], count_fields[i].name);
            SlCount *to = (SlCount *)((char *)&counts.level[l] + count_fields[i].offset);
            *to = (SlCount)sl_witness_count(&from->level[l], i);
        }
    }
    return counts;
}

static void expect_equal(const SlWitnessJob *job, const SlWitnessCounts *witness) {
    const Case c = {
        .layer = *job->layer, .net = sl_accel_net(job->accel), .mapping = *job->mapping};
    SlCounts model, execution = counts_of(witness);
    char why[256], nest[CASE_TEXT_MAX];
    case_text(&c, sizeof nest, nest);
    sl_counts_eval(job->layer, c.net, job->mapping, &model);
    if (witness->fault[0]) fail_msg("%s: %s", witness->fault, nest);
    if (!witness->output_right) fail_msg("the output is wrong: %s", nest);
    if (counts_differ(&model, &execution, false, sizeof why, why)) fail_msg("%s: %s", why, nest);
}

// run what was added, if anything, and start again
static void program_run(Program *p) {
    const SlWitnessOptions options = {0};
    SlArena arena;
    SlError err = {0};
    sl_arena_init(&arena, 0);
    if (p->n && sl_witness_run(p->n, p->jobs, &options, &arena, p->counts, &err) != SL_OK)
        fail_msg("%s", err.text);
    for (int i = 0; i < p->n; i++) expect_equal(&p->jobs[i], &p->counts[i]);
    sl_arena_free(&arena);
    p->n = 0;
}

// ---- random nests ----

// What random nests must have shown by the end.
typedef struct {
    int strided, dilated, spread, bypassed, partial;
} Seen;

static void look(const Case *c, Seen *seen) {
    bool spread = false, bypassed = false, partial = false;
    int64_t extent[SL_N_DIMS];
    for (int d = 0; d < SL_N_DIMS; d++) extent[d] = c->layer.dims[d];
    for (int i = 0; i < c->mapping.n_loops; i++) {
        SlLoop loop = c->mapping.loops[i];
        int64_t *e = &extent[loop.dim];
        spread |= loop.spatial && loop.tile < *e;
        partial |= loop.tile < *e && *e % loop.tile;
        if (loop.tile < *e) *e = loop.tile;
    }
    for (int b = 0; b < c->mapping.n_boundaries; b++) bypassed |= c->mapping.keep[b] != SL_KEEP_ALL;
    seen->strided += c->layer.stride[0] > 1 && c->layer.dims[SL_P] > 1;
    seen->dilated += c->layer.dilation[1] > 1 && c->layer.dims[SL_S] > 1;
    seen->spread += spread;
    seen->bypassed += bypassed;
    seen->partial += partial;
}

static void the_closed_form_equals_programs_that_execute_224_random_nests(void **state) {
    (void)state;
    Program *program = program_make();
    Seen seen = {0};
    SlRng rng;
    sl_rng_init(&rng, 1, "counts against witness");
    for (int i = 0; i < 224; i++) {
        Case c;
        SlAccel accel;
        case_sample(&rng, 500, &c);
        accel_sample(&rng, &c, &accel);
        look(&c, &seen);
        program_add(program, &c.layer, &accel, &c.mapping);
        if (program->n == PER_PROGRAM) program_run(program);
    }
    program_run(program);
    free(program);
    assert_true(seen.strided >= 20 && seen.dilated >= 20 && seen.spread >= 100);
    assert_true(seen.bypassed >= 60 && seen.partial >= 100);
}

// ---- mappings of accelerators that exist ----

static const char *const layers[] = {
    "conv:K=5,C=3,P=6,Q=4,R=3,S=2",
    "conv:N=2,K=4,C=3,P=5,Q=3,R=3,S=3,stride=2x1",
    "conv:K=3,C=4,P=4,Q=5,R=2,S=3,dilation=2",
    "dw:G=7,P=5,Q=4,R=3,S=3,stride=2",
    "conv:G=3,K=4,C=2,P=4,Q=3,R=3,S=1",
    "linear:K=19,C=23,N=3",
    "gemm:M=13,N=11,K=9",
    "bmm:B=3,M=5,N=7,K=6",
};

// the default mapping, or one at random from the space that methods search
static void choose_mapping(const SlLayer *layer, const SlAccel *accel, bool plain, SlRng *rng,
                           SlMapping *mapping) {
    const SlSpaceOptions options = {.preset = SL_SPACE_NATIVE};
    SlArena scratch;
    SlSpace space;
    SlError err = {0};
    sl_arena_init(&scratch, 0);
    assert_int_equal(sl_mapping_default(layer, accel, mapping, &err), SL_OK);
    assert_int_equal(sl_space_make(layer, accel, &options, &scratch, &space, &err), SL_OK);
    int32_t *point = SL_NEW(&scratch, space.n_params, int32_t);
    sl_space_sample(&space, rng, point);
    if (!plain) sl_space_mapping(&space, point, true, mapping);
    sl_arena_free(&scratch);
}

static void every_kind_of_layer_counts_the_same_on_every_bundled_accelerator(void **state) {
    (void)state;
    const char *names[64];
    int n_accels = sl_bundle_names("accels", 64, names);
    Program *program = program_make();
    SlArena scratch;
    SlRng rng;
    SlError err = {0};
    sl_arena_init(&scratch, 0);
    sl_rng_init(&rng, 1, "witness of accelerators");
    assert_true(n_accels >= 10);
    for (int a = 0; a < n_accels; a++) {
        SlAccel accel;
        assert_int_equal(sl_accel_find(names[a], &scratch, &accel, &err), SL_OK);
        for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) {
            SlLayer layer;
            assert_int_equal(sl_layer_parse(layers[i], &layer, &err), SL_OK);
            SlMapping mapping;
            choose_mapping(&layer, &accel, (a + (int)i) % 2 == 0, &rng, &mapping);
            program_add(program, &layer, &accel, &mapping);
            if (program->n == PER_PROGRAM) program_run(program);
        }
    }
    program_run(program);
    sl_arena_free(&scratch);
    free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_closed_form_equals_programs_that_execute_224_random_nests),
        cmocka_unit_test(every_kind_of_layer_counts_the_same_on_every_bundled_accelerator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

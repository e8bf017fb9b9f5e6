// test_certificate.c - certificates: they hold, they read back, and whatever is changed in them is
// seen.
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prove/certificate_inside.h"
#include "support/world.h"

typedef struct {
    World world;
    SlMapping start;
    SlProveSetup setup;
    SlProof proof;
    SlText text;
} Case;

static void shrink(World *world, int64_t pes) {
    SlFanout *fanout = &world->accel.fanouts[1];
    if (fanout->n_axes == 1) fanout->axes[0].size = pes;
}

// prove, beginning with the mapping of the space that is nearest to the default one, and write the
// certificate
static void certify(Case *c, const char *goal, double epsilon) {
    SlError err = {0};
    int32_t point[SL_MAX_PARAMS];
    assert_int_equal(sl_mapping_default(&c->world.layer, &c->world.accel, &c->start, NULL), SL_OK);
    sl_space_encode(&c->world.space, &c->start, point);
    sl_space_mapping(&c->world.space, point, true, &c->start);
    c->setup = (SlProveSetup){.space = &c->world.space,
                              .goal = world_goal(goal),
                              .epsilon = epsilon,
                              .incumbent = &c->start};
    SlStatus status = sl_prove(&c->setup, NULL, NULL, &c->world.arena, &c->proof, &err);
    if (status != SL_OK) print_message("%s\n", err.text);
    assert_int_equal(status, SL_OK);
    sl_text_init(&c->text, &c->world.arena);
    sl_certificate_write(&c->setup, &c->proof, &c->text);
    assert_false(c->text.failed);
}

static void make_case(Case *c, const char *layer, const char *goal, double epsilon) {
    world_make(&c->world, layer, "eyeriss");
    shrink(&c->world, 12);
    world_remake(&c->world);
    certify(c, goal, epsilon);
}

static SlStatus verify(const char *text, size_t n, SlVerdict *verdict, SlError *err) {
    SlArena arena;
    sl_arena_init(&arena, 0);
    SlStatus status = sl_certificate_verify("a.cert", text, n, NULL, &arena, verdict, err);
    sl_arena_free(&arena);
    return status;
}

static void expect_valid(const char *text, SlVerdict *verdict) {
    SlError err = {0};
    SlStatus status = verify(text, strlen(text), verdict, &err);
    if (status != SL_OK) print_message("line %d: %s\n", err.line, err.text);
    assert_int_equal(status, SL_OK);
    if (!verdict->valid) print_message("%s\n", verdict->reason);
    assert_true(verdict->valid);
    assert_string_equal(verdict->reason, "");
}

static void expect_false(const char *text, const char *reason) {
    SlVerdict verdict;
    SlError err = {0};
    SlStatus status = verify(text, strlen(text), &verdict, &err);
    if (status != SL_OK) fail_msg("line %d: %s", err.line, err.text);
    assert_false(verdict.valid);
    if (!strstr(verdict.reason, reason)) fail_msg("'%s' is not '%s'", verdict.reason, reason);
}

static void expect_refused(const char *text, int line, const char *reason) {
    SlVerdict verdict;
    SlError err = {0};
    assert_int_equal(verify(text, strlen(text), &verdict, &err), SL_EINPUT);
    assert_false(verdict.valid);
    if (!strstr(err.text, reason)) fail_msg("'%s' is not '%s'", err.text, reason);
    assert_string_equal(err.file, "a.cert");
    assert_true(line == 0 ? err.line > 0 : err.line == line);
}

// --- changes

// the beginning of line `key`, the n-th of them
static char *find_line(const char *text, const char *key, int n) {
    char start[64];
    snprintf(start, sizeof start, "\n%s ", key);
    const char *at = text;
    for (int i = 0; i <= n; i++) {
        at = strstr(i ? at + 1 : at, start);
        assert_non_null(at);
    }
    return (char *)at + 1;
}

// a copy with the line `key` (the n-th) replaced; "" drops it
static char *with_line(Case *c, const char *key, int n, const char *line) {
    const char *text = c->text.data, *at = find_line(text, key, n), *end = strchr(at, '\n');
    SlText out;
    sl_text_init(&out, &c->world.arena);
    sl_text_put(&out, text, (size_t)(at - text));
    sl_text_add(&out, "%s%s", line, *line ? "\n" : "");
    sl_text_add(&out, "%s", end + 1);
    return out.data;
}

// a copy with the first `from` after line `key` changed
static char *with_word(Case *c, const char *key, const char *from, const char *to) {
    const char *text = c->text.data, *at = strstr(find_line(text, key, 0), from);
    assert_non_null(at);
    SlText out;
    sl_text_init(&out, &c->world.arena);
    sl_text_put(&out, text, (size_t)(at - text));
    sl_text_add(&out, "%s%s", to, at + strlen(from));
    return out.data;
}

static char *number_line(Case *c, const char *key, double value) {
    char line[64];
    snprintf(line, sizeof line, "%s %.17g", key, value);
    return with_line(c, key, 0, line);
}

// --- cases

static void certificates_of_proofs_hold(void **state) {
    (void)state;
    static const char *const layers[] = {"conv:K=6,C=5,P=7,R=3,stride=2", "dw:G=5,P=6,Q=4,R=3,S=2",
                                         "gemm:M=11,N=5,K=7", "conv:K=1",
                                         "conv:N=2,K=3,C=4,P=5,S=3,dilation=2,bytes=2x1x4,pad=1"};
    static const char *const goals[] = {"edp", "energy", "latency", "latency=2,energy=0.5", "edp"};
    static const double epsilons[] = {0, 0.005, 0, 0.02, 0};
    for (int i = 0; i < 5; i++) {
        Case c;
        SlVerdict verdict;
        make_case(&c, layers[i], goals[i], epsilons[i]);
        expect_valid(c.text.data, &verdict);
        assert_true(verdict.value == c.proof.value);
        assert_true(verdict.lower_bound == c.proof.lower_bound);
        assert_true(verdict.gap == c.proof.gap);
        assert_int_equal(verdict.n_branches, c.proof.n_branches);
        assert_string_equal(verdict.accel, "eyeriss");
        assert_string_equal(verdict.goal, goals[i]);
        assert_memory_equal(verdict.layer, "conv:", 5);
        assert_true(verdict.nodes <= c.proof.nodes);
        world_free(&c.world);
    }
}

static void stopped_proofs_have_certificates_too(void **state) {
    (void)state;
    Case c;
    SlVerdict verdict;
    make_case(&c, "conv:K=12,C=8,P=7,Q=7,R=3,S=3", "edp", 0);
    SlError err;
    c.setup.nodes = 300;
    assert_int_equal(sl_prove(&c.setup, NULL, NULL, &c.world.arena, &c.proof, &err), SL_OK);
    assert_int_equal(c.proof.status, SL_PROOF_STOPPED);
    sl_text_init(&c.text, &c.world.arena);
    sl_certificate_write(&c.setup, &c.proof, &c.text);
    expect_valid(c.text.data, &verdict);
    assert_true(verdict.gap > 0);
    world_free(&c.world);
}

static void a_pool_gives_the_same_verdict(void **state) {
    (void)state;
    Case c;
    SlVerdict alone, together;
    SlError err;
    make_case(&c, "conv:K=6,C=5,P=7,R=3", "edp", 0);
    const char *texts[] = {
        c.text.data, number_line(&c, "bound", c.proof.lower_bound * 1.001),
        with_line(&c, "branch", 3, "branch 3 1c:K*6 1a0:C*2 bound=1e99 nodes=0")};
    SlPool *pool = sl_pool_make(3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(verify(texts[i], strlen(texts[i]), &alone, &err), SL_OK);
        assert_int_equal(sl_certificate_verify("a.cert", texts[i], strlen(texts[i]), pool,
                                               &c.world.arena, &together, &err),
                         SL_OK);
        assert_int_equal(alone.valid, i == 0);
        assert_int_equal(together.valid, alone.valid);
        assert_string_equal(alone.reason, together.reason);
        if (alone.valid) assert_int_equal(alone.nodes, together.nodes);
    }
    sl_pool_free(pool);
    world_free(&c.world);
}

static void every_space_is_written_and_read_back(void **state) {
    (void)state;
    static const struct {
        const char *layer, *accel, *constraints;
        SlSpacePreset preset;
        uint8_t open;
        bool constrained;
        uint8_t opened;
    } cases[] = {
        {"conv:K=6,C=5,P=7,R=3", "eyeriss", NULL, SL_SPACE_NATIVE, 0, false, 0},
        {"conv:K=6,C=5,P=7,R=3", "eyeriss", NULL, SL_SPACE_ALL, 0, false, 0},
        {"conv:N=3,K=6,C=5,P=7,R=3", "eyeriss", NULL, SL_SPACE_NATIVE, 1 << SL_N | 1 << SL_R, false,
         1 << SL_N | 1 << SL_R},
        {"conv:K=6,C=5,P=7,R=3", "eyeriss", "weight-stationary", SL_SPACE_NATIVE, 0, true, 0},
        {"conv:K=6,C=5,P=7,R=3", "gemmini", NULL, SL_SPACE_NATIVE, 0, false, 0},
        {"conv:K=6,C=5,P=7,R=3", "nvdla", NULL, SL_SPACE_NATIVE, 0, false, 0},
        {"conv:K=6,C=5,P=7,R=3", "tpu", NULL, SL_SPACE_NATIVE, 0, false, 0},
        {"conv:K=6,C=5,P=7,R=3", "eyeriss", NULL, SL_SPACE_PAPER, 0, false, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        World world;
        SlError err = {0};
        SlConstraints constraints;
        world_make(&world, cases[i].layer, cases[i].accel);
        SlSpaceOptions options = {.preset = cases[i].preset, .open = cases[i].open};
        if (cases[i].constraints) {
            assert_int_equal(
                sl_constraints_find(cases[i].constraints, &world.arena, &constraints, &err), SL_OK);
            options.constraints = &constraints;
        }
        assert_int_equal(
            sl_space_make(&world.layer, &world.accel, &options, &world.arena, &world.space, &err),
            SL_OK);
        uint8_t open = 99;
        bool preset = sl_certificate_preset(&world.space, &open, &world.arena);
        assert_int_equal(preset, !cases[i].constrained);
        assert_int_equal(open, cases[i].opened);
        world_free(&world);
    }
}

static void what_is_read_is_what_was_written(void **state) {
    (void)state;
    static const char *const accels[] = {"eyeriss", "gemmini", "nvdla"};
    static const char *const layers[] = {"conv:N=2,K=3,C=4,P=5,S=3,dilation=2,bytes=2x1x4",
                                         "gemm:M=5,N=6,K=7", "conv:K=3,C=4,P=5,S=3,stride=2"};
    for (int i = 0; i < 3; i++) {
        Case c;
        SlError err = {0};
        SlCertificate *read;
        world_make(&c.world, layers[i], accels[i]);
        shrink(&c.world, 6);
        world_remake(&c.world);
        certify(&c, "edp", 0.05);
        read = SL_NEW(&c.world.arena, 1, SlCertificate);
        SlStatus status =
            sl_certificate_read("a.cert", c.text.data, c.text.n, &c.world.arena, read, &err);
        if (status != SL_OK) print_message("line %d: %s\n", err.line, err.text);
        assert_int_equal(status, SL_OK);
        SlText a, b;
        sl_text_init(&a, &c.world.arena);
        sl_text_init(&b, &c.world.arena);
        sl_certificate_space(&c.world.space, false, 0, &a);
        sl_certificate_space(&read->space, false, 0, &b);
        assert_string_equal(a.data, b.data);
        const SlSpace *from = &c.world.space, *to = &read->space;
        assert_int_equal(from->dims, to->dims);
        assert_int_equal(from->outermost, to->outermost);
        assert_memory_equal(from->word_bytes, to->word_bytes, sizeof from->word_bytes);
        assert_memory_equal(from->dilation, to->dilation, sizeof from->dilation);
        assert_memory_equal(c.world.layer.dims, read->layer.dims, sizeof read->layer.dims);
        assert_memory_equal(&c.proof.mapping, &read->mapping, sizeof read->mapping);
        for (int l = 0; l < read->accel.n_levels; l++) {
            const SlLevel *x = &c.world.accel.levels[l], *y = &read->accel.levels[l];
            assert_int_equal(x->capacity_bytes, y->capacity_bytes);
            assert_true(x->read_pj == y->read_pj && x->link_words == y->link_words);
            assert_int_equal(x->keep, y->keep);
        }
        assert_true(read->value == c.proof.value && read->bound == c.proof.lower_bound);
        assert_int_equal(read->n_claims, c.proof.n_branches);
        world_free(&c.world);
    }
}

static void a_changed_bound_is_seen(void **state) {
    (void)state;
    Case c;
    make_case(&c, "conv:K=6,C=5,P=7,R=3", "edp", 0);
    double bound = c.proof.lower_bound;
    expect_false(number_line(&c, "bound", bound * 1.001), "the least of its branches");
    expect_false(number_line(&c, "bound", bound * 0.999), "the least of its branches");

    // the bound of the branch that has it, and everything that could show it by comparison
    int least = 0;
    while (c.proof.branches[least].bound > bound) least++;
    for (int i = 0; i < c.proof.n_branches; i++)
        c.proof.branches[i].bound = fmax(c.proof.branches[i].bound, bound * 1.001);
    c.proof.lower_bound = bound * 1.001;
    sl_text_init(&c.text, &c.world.arena);
    sl_certificate_write(&c.setup, &c.proof, &c.text);
    char reason[64];
    snprintf(reason, sizeof reason, "branch %d has a mapping of", least);
    expect_false(c.text.data, reason);
    world_free(&c.world);
}

static void a_bound_far_too_high_is_not_walked_forever(void **state) {
    (void)state;
    Case c;
    make_case(&c, "conv:K=12,C=8,P=7,Q=7,R=3,S=3", "edp", 0.05);
    for (int i = 0; i < c.proof.n_branches; i++) c.proof.branches[i].bound = 1e300;
    c.proof.lower_bound = 1e300;
    sl_text_init(&c.text, &c.world.arena);
    sl_certificate_write(&c.setup, &c.proof, &c.text);
    expect_false(c.text.data, "branch 0");
    world_free(&c.world);
}

static void changed_branches_are_seen(void **state) {
    (void)state;
    Case c;
    make_case(&c, "conv:K=6,C=5,P=7,R=3", "edp", 0);
    int n = c.proof.n_branches;
    char line[64];
    expect_refused(with_line(&c, "branch", 5, ""), 0, "expected a whole number from 5 to 5");
    expect_refused(with_line(&c, "branch", n - 1, ""), 0, "expected 'branch', got 'end'");
    // the last one dropped, and their number with it
    c.text.data = with_line(&c, "branch", n - 1, "");
    snprintf(line, sizeof line, "branches %d", n - 1);
    c.text.data = with_line(&c, "branches", 0, line);
    snprintf(line, sizeof line, "the space has %d branches, not %d", n, n - 1);
    expect_false(c.text.data, line);
    world_free(&c.world);

    make_case(&c, "conv:K=6,C=5,P=7,R=3", "edp", 0);
    expect_false(with_word(&c, "branch", "1c:K*12", "1c:C*12"), "branch 0 is '1c:K*12'");
    expect_false(with_word(&c, "branch", "1c:K*12", "1c:K*13"), "branch 0 is '1c:K*12'");
    world_free(&c.world);
}

static void changed_facts_are_seen(void **state) {
    (void)state;
    Case c;
    make_case(&c, "conv:K=6,C=5,P=7,R=3", "edp", 0);
    expect_false(with_word(&c, "sizes", "sizes 1 K 1 2 3 6", "sizes 1 K 1 2 6"), "the lists");
    expect_false(with_word(&c, "sizes", "sizes 1 K 1 2 3 6", "sizes 1 K 1 2 3 5 6"), "the lists");
    expect_false(with_word(&c, "clusters", "over=KCP", "over=KP"), "the lists");
    expect_false(with_word(&c, "space", "open=-", "open=R"), "the lists");
    expect_false(with_word(&c, "counts", "fill-1-W=", "fill-1-W=1"), "the counts say fill-1-W=1");
    expect_false(with_word(&c, "counts", "cycles=", "cycles=2"), "the counts say cycles=2");
    expect_false(with_word(&c, "counts", " upd-2=", " more=0 upd-2="), "the counts say more=0");
    expect_false(with_line(&c, "counts", 0, "counts cycles=1"), "the counts say cycles=1");
    expect_false(with_line(&c, "mapping", 0, "mapping K:1 C:1 P:1 R:1 @7 @7"), "the counts say");
    expect_false(with_line(&c, "mapping", 0, "mapping K:2 @7 @7"), "the mapping is none");
    expect_false(with_line(&c, "mapping", 0, "mapping K:1 C:1 P:1 R:1 @7"), "the mapping is none");
    expect_false(number_line(&c, "latency", 1), "the latency of the mapping is");
    expect_false(number_line(&c, "energy", c.proof.value), "the energy of the mapping is");
    expect_false(number_line(&c, "value", c.proof.value * (1 + 1e-6)), "the value of the mapping");
    expect_false(with_line(&c, "goal", 0, "goal energy"), "the value of the mapping");
    expect_false(with_line(&c, "goal", 0, "goal area"), "the value of the mapping");
    expect_false(with_word(&c, "layer", "K=6", "K=7"), "");
    expect_false(with_word(&c, "level", "read-pj=200", "read-pj=201"), "the energy");
    expect_false(with_word(&c, "words", "W=1", "W=300"), "");
    world_free(&c.world);
}

static void a_narrowed_space_is_taken_as_it_is_said(void **state) {
    (void)state;
    Case c;
    SlVerdict verdict;
    world_make(&c.world, "conv:K=6,C=5,P=7,R=3", "eyeriss");
    shrink(&c.world, 12);
    world_remake(&c.world);
    SlParam *param = &c.world.space.params[c.world.space.tile_param[2][SL_K]];
    param->n--; // the whole dim is no tile of the innermost level any more
    c.world.space.constrained = true;
    certify(&c, "energy", 0);
    assert_non_null(strstr(c.text.data, "\nspace native constrained=1 "));
    expect_valid(c.text.data, &verdict);
    expect_false(with_word(&c, "space", "constrained=1", "constrained=0"), "the lists");
    world_free(&c.world);
}

static void what_cannot_be_read_names_the_line(void **state) {
    (void)state;
    static const struct {
        const char *key, *line;
        int at;
        const char *reason;
    } cases[] = {
        {"layer", "layer conv:K=0", 2, "K"},
        {"layer", "layers conv:K=6", 2, "expected 'layer', got 'layers'"},
        {"words", "words W=1 I=1", 3, "expected 'O='"},
        {"words", "words W=1 I=1 O=0", 0, "bytes per word"},
        {"words", "words W=1 I=1 O=nan", 3, "expected a number"},
        {"words", "words W=1 I=1 O=1 X=2", 3, "nothing more"},
        {"accel", "accel a/b", 0, "one word"},
        {"mac-pj", "mac-pj -1", 5, "expected a number"},
        {"level", "level 1 DRAM", 7, "expected a whole number"},
        {"fanout", "fanout 1 flat multicast=1 reduction=1 sizes=12 spread=KC", 10, "unknown word"},
        {"fanout", "fanout 1 grid multicast=1 reduction=1 sizes=12 spread=KC", 10, "as many"},
        {"fanout", "fanout 1 flexible multicast=2 reduction=1 sizes=12 spread=KC", 10, "0 to 1"},
        {"fanout", "fanout 1 flexible multicast=1 reduction=1 sizes=12 spread=KK", 10, "each once"},
        {"fanout", "fanout 3 flexible multicast=1 reduction=1 sizes=12 spread=K", 10, "0 to 2"},
        {"goal", "goal speed", 11, "expected an objective"},
        {"space", "space paper10 constrained=0 waves=0 open=- outermost=-", 12, "no proofs"},
        {"space", "space native constrained=0 waves=0 open=- outermost=-", 12, "whole waves"},
        {"space", "space native constrained=0 waves=1 open=- outermost=K", 0, "K must be tiled"},
        {"order", "order 1 before=K free=KCP after=-", 13, "two places"},
        {"order", "order 1 before=- free=CP after=-", 0, "level 1: K must have sizes"},
        {"sizes", "sizes 1 K 1 3 2 6", 14, "expected a whole number from 4"},
        {"sizes", "sizes 1 K 1 2 3 7", 14, "from 4 to 6"},
        {"sizes", "sizes 1 K", 14, "expected sizes"},
        {"sizes", "sizes 1 KC 1", 14, "expected one dim"},
        {"sizes", "sizes 1 K 1  2", 14, "expected one blank between words"},
        {"sizes", "sizes 1 K 1\t2", 14, "printable ASCII"},
        {"sizes", "sizes 1 K +1 2", 14, "without a sign"},
        {"layer", "layer conv:K=6,C=5,P=7,R=3,pad=1", 2, "expected a layer such as"},
        {"layer", "layer gemm:M=6,N=5,K=7", 2, "expected a layer such as"},
        {"mac-pj", "mac-pj 1_0", 5, "expected a number such as"},
        {"mac-pj", "mac-pj 1.", 5, "expected a number such as"},
        {"goal", "goal latency=2", 11, "expected the goal as 'latency'"},
        {"clusters", "clusters 1 over=N inside=K sizes=1", 0, "without tiles"},
        {"clusters", "clusters 1 over=K inside=K sizes=1,13", 0, "from 2 to 12"},
        {"mapping", "mapping K:0", 0, "tile size"},
        {"bound", "bound x", 0, "expected a number"},
        {"branches", "branches 0", 0, "from 1 to"},
        {"branch", "branch 0 1c:K*12 nodes=0", 0, "expected 'bound='"},
        {"branch", "branch 0 1c:K*12 bound=1 nodes=-1", 0, "without a sign"},
        {"branch", "branch 1 1c:K*12 bound=1 nodes=1", 0, "from 0 to 0"},
        {"latency", "", 0, "expected 'latency', got 'energy'"},
    };
    Case c;
    make_case(&c, "conv:K=6,C=5,P=7,R=3", "edp", 0.05);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_refused(with_line(&c, cases[i].key, 0, cases[i].line), cases[i].at, cases[i].reason);
    SlVerdict verdict;
    SlError err = {0};
    expect_refused("starling-certificate 2\n", 1, "from 1 to 1");
    assert_int_equal(verify("a\0b", 3, &verdict, &err), SL_EINPUT);
    assert_non_null(strstr(err.text, "zero byte"));
    sl_text_add(&c.text, "# a comment\n\n");
    expect_valid(c.text.data, &verdict);
    sl_text_add(&c.text, "end\n");
    expect_refused(c.text.data, 0, "after 'end'");
    world_free(&c.world);
}

static void a_cut_off_certificate_is_never_read(void **state) {
    (void)state;
    Case c;
    make_case(&c, "conv:K=6,C=5", "edp", 0.05);
    SlRng rng;
    sl_rng_init(&rng, 1, "cuts");
    SlVerdict verdict;
    SlError err;
    for (int i = 0; i < 400; i++) {
        size_t n = (size_t)sl_rng_below(&rng, c.text.n - 1); // without "end" at least
        n = i < 4 ? (size_t)i : n;
        assert_int_equal(verify(c.text.data, n, &verdict, &err), SL_EINPUT);
        assert_false(verdict.valid);
    }
    world_free(&c.world);
}

static void random_changes_never_prove_too_much(void **state) {
    (void)state;
    Case c;
    make_case(&c, "conv:K=5,C=3,R=2", "edp", 0);
    const char *claims = find_line(c.text.data, "mapping", 0); // before it: what is proven about
    size_t world_bytes = (size_t)(claims - c.text.data);
    char *copy = malloc(c.text.n);
    SlRng rng;
    sl_rng_init(&rng, 1, "changes");
    int n_valid = 0;
    for (int i = 0; i < 1500; i++) {
        memcpy(copy, c.text.data, c.text.n);
        int changes = 1 + (int)sl_rng_below(&rng, 2);
        for (int k = 0; k < changes; k++) {
            static const char bytes[] = "0123456789=-. \n*KCPR:@,ae";
            size_t at = (size_t)sl_rng_below(&rng, c.text.n);
            copy[at] = sl_rng_below(&rng, 4) ? bytes[sl_rng_below(&rng, sizeof bytes - 1)]
                                             : (char)sl_rng_below(&rng, 256);
        }
        SlVerdict verdict;
        SlError err;
        if (verify(copy, c.text.n, &verdict, &err) != SL_OK || !verdict.valid) continue;
        n_valid++;
        if (memcmp(copy, c.text.data, world_bytes) == 0)
            assert_true(verdict.lower_bound <= c.proof.value * (1 + 1e-9));
    }
    assert_true(n_valid < 600); // nodes, comments, the epsilon
    free(copy);
    world_free(&c.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(certificates_of_proofs_hold),
        cmocka_unit_test(stopped_proofs_have_certificates_too),
        cmocka_unit_test(a_pool_gives_the_same_verdict),
        cmocka_unit_test(every_space_is_written_and_read_back),
        cmocka_unit_test(what_is_read_is_what_was_written),
        cmocka_unit_test(a_changed_bound_is_seen),
        cmocka_unit_test(a_bound_far_too_high_is_not_walked_forever),
        cmocka_unit_test(changed_branches_are_seen),
        cmocka_unit_test(changed_facts_are_seen),
        cmocka_unit_test(a_narrowed_space_is_taken_as_it_is_said),
        cmocka_unit_test(what_cannot_be_read_names_the_line),
        cmocka_unit_test(a_cut_off_certificate_is_never_read),
        cmocka_unit_test(random_changes_never_prove_too_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

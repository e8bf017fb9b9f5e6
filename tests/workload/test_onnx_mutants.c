// test_onnx_mutants.c - broken ONNX files by the thousand, in process: a network or one sentence,
// in little time and memory, whatever the bytes. STARLING_MUTANTS says how many, 50,000 if not set.
#include "workload_help.h"

#include <stdio.h>

#include "workload/network_build.h"

enum { MUTANTS = 50000, MAX_BYTES = 1 << 14, MEMORY = 512 << 20 };

#define SEEDS SL_SOURCE_DIR "/tests/fuzz/seeds/fuzz_onnx/"

static const char *const seed_names[] = {
    "conv",      "conv_transpose", "matmul",   "integer", "attention",  "attention_ms",
    "einsum",    "shapes",         "function", "names",   "refused_if", "refused_recursive",
    "recurrent",
};

enum { N_SEEDS = sizeof seed_names / sizeof *seed_names };

typedef struct {
    const char *name;
    char *bytes;
    size_t n;
} Seed;

static void read_seeds(SlArena *arena, Seed seeds[N_SEEDS]) {
    for (int i = 0; i < N_SEEDS; i++) {
        char path[512];
        SlError err;
        seeds[i].name = seed_names[i];
        snprintf(path, sizeof path, SEEDS "%s.onnx", seed_names[i]);
        if (sl_file_read(path, MAX_BYTES / 2, arena, &seeds[i].bytes, &seeds[i].n, &err) != SL_OK)
            fail_msg("%s: %s", path, err.text);
    }
}

static size_t pick(SlRng *rng, size_t n) {
    return (size_t)(sl_rng_next(rng) % (n ? n : 1));
}

// bytes that mean something: ends of varints, tags, -1, the largest numbers
static uint8_t odd_byte(SlRng *rng) {
    static const uint8_t odd[] = {0, 1, 2, 7, 8, 0x0a, 0x12, 0x3a, 0x40, 0x7f, 0x80, 0xff};
    return sl_rng_next(rng) & 1 ? odd[pick(rng, sizeof odd)] : (uint8_t)sl_rng_next(rng);
}

// change, insert, delete, repeat or cut; the new length
static size_t mutate_once(SlRng *rng, uint8_t *bytes, size_t n) {
    size_t at = pick(rng, n), length = 1 + pick(rng, 12);
    if (at + length > n) length = n - at;
    switch (pick(rng, 6)) {
    case 0:
    case 1:
        bytes[at] = odd_byte(rng);
        return n;
    case 2:
        bytes[at] ^= (uint8_t)(1u << pick(rng, 8));
        return n;
    case 3:
        memmove(bytes + at, bytes + at + length, n - at - length);
        return n - length;
    case 4:
        if (n + length > MAX_BYTES) return n;
        memmove(bytes + at + length, bytes + at, n - at);
        return n + length;
    default:
        return pick(rng, 20) ? n : at;
    }
}

static bool read_mutant(const uint8_t *bytes, size_t n, bool skip, bool open) {
    SlArena arena, scratch;
    SlNetwork net = {0};
    SlError err = {0};
    sl_arena_init(&arena, MEMORY);
    sl_arena_init(&scratch, MEMORY);
    SlAsked asked = {
        .sizes = open ? "batch=2,rows=30" : NULL, .skip_unsupported = skip, .batch = 1};
    const SlNetworkText in = {"mutant.onnx", (const char *)bytes, n, &scratch, &asked};
    SlStatus status = sl_network_from_onnx(&in, &arena, &net, &err);
    for (int i = 0; status == SL_OK && i < net.n_layers; i++)
        assert_null(sl_layer_check(&net.layers[i]));
    if (status != SL_OK) assert_true(err.text[0] && !strchr(err.text, '\n'));
    sl_arena_free(&scratch);
    sl_arena_free(&arena);
    return status == SL_OK;
}

static void mutants_are_read_or_refused_in_one_sentence(void **state) {
    const char *asked = getenv("STARLING_MUTANTS");
    long n_mutants = asked ? atol(asked) : MUTANTS, n_read = 0;
    double slowest = 0;
    uint8_t *bytes = SL_NEW(*state, MAX_BYTES + 16, uint8_t);
    Seed seeds[N_SEEDS];
    SlRng rng;
    assert_non_null(bytes);
    read_seeds(*state, seeds);
    sl_rng_init(&rng, 1, "onnx mutants");
    for (long i = 0; i < n_mutants; i++) {
        const Seed *seed = &seeds[pick(&rng, N_SEEDS)];
        size_t n = seed->n;
        memcpy(bytes, seed->bytes, n);
        for (size_t k = 1 + pick(&rng, 8); k > 0 && n > 0; k--) n = mutate_once(&rng, bytes, n);
        double start = sl_clock_seconds();
        n_read += read_mutant(bytes, n, i % 2, strcmp(seed->name, "shapes") == 0);
        double seconds = sl_clock_seconds() - start;
        if (seconds > slowest) slowest = seconds;
    }
    printf("%ld mutants, %ld of them networks, the slowest %.3g s\n", n_mutants, n_read, slowest);
    assert_true(n_read > n_mutants / 50 && n_read < n_mutants);
    assert_true(slowest <
                5); // 1 s where nothing else runs; sanitizers and busy machines take longer
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST_WITH_ARENA(mutants_are_read_or_refused_in_one_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

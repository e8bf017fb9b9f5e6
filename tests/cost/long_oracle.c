// long_oracle.c - the long run: long_oracle N SEED compares N random nests of the closed form with
// the oracle; long_oracle CASE replays one (ext,conv,net,nest as a failure prints it).
//
// Every tenth nest also goes through the machine. Not part of the tests; exit code 1 on a mismatch.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nest_walk.h"
#include "oracle_compare.h"

static const int64_t sizes[] = {200, 1000, 1000, 3000, 3000, 20000};

static int replay(const char *text) {
    Case c;
    SlRng rng;
    char why[DIFFERENCE_MAX];
    sl_rng_init(&rng, 1, "machine");
    case_read(text, &c);
    const char *differs = oracle_differs(&c, sizeof why, why);
    if (!differs) differs = machine_differs(&c, &rng, sizeof why, why);
    puts(differs ? differs : "equal");
    return differs != NULL;
}

static const char *compare_one(SlRng *rng, long i, size_t n, char *why) {
    Case c;
    int64_t size = sizes[sl_rng_below(rng, sizeof sizes / sizeof *sizes)];
    case_sample(rng, size, &c);
    if (oracle_differs(&c, n, why)) return why;
    return i % 10 == 0 && size <= 3000 ? machine_differs(&c, rng, n, why) : NULL;
}

static int compare(long n, uint64_t seed) {
    SlRng rng;
    long bad = 0;
    char why[DIFFERENCE_MAX];
    sl_rng_init(&rng, seed, "long_oracle");
    for (long i = 0; i < n; i++) {
        if (compare_one(&rng, i, sizeof why, why)) {
            printf("nest %ld: %s\n", i, why);
            fflush(stdout);
            bad++;
        }
        if ((i + 1) % 20000 == 0) fprintf(stderr, "%ld of %ld nests, %ld differ\n", i + 1, n, bad);
    }
    printf("%ld random nests (seed %llu): %ld differ\n", n, (unsigned long long)seed, bad);
    return bad > 0;
}

int main(int argc, char **argv) {
    if (argc == 2 && strchr(argv[1], ',')) return replay(argv[1]);
    if (argc == 3) return compare(atol(argv[1]), strtoull(argv[2], NULL, 0));
    fprintf(stderr, "usage: long_oracle N SEED | long_oracle EXT,CONV,NET,NEST\n");
    return 2;
}

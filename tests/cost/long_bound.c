// long_bound.c - the long run of the bounds' checks:
//
//   long_bound tiny N SEED [MOST]   N tiny layers, every mapping priced, up to MOST mappings each
//   long_bound path N SEED [STEPS]  N climbs of STEPS mappings on real layers
//
// Stops at the first thing that is wrong and prints how to repeat it: -I instead of N is case I
// alone. Exit code 1 if something is wrong. Not a test, but mutants.py uses it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bound_check.h"

static void report(const char *what, const BoundTally *tally) {
    printf("%s: %ld cases (%ld drawn in vain), %ld branches, %ld choices of tiles, %ld mappings, "
           "%ld bounds compared\n",
           what, tally->cases, tally->skipped, tally->branches, tally->tiles, tally->mappings,
           tally->checks);
}

// Which cases, and how large they are.
typedef struct {
    bool tiny;
    long first, end;
    uint64_t seed;
    double size;
} Plan;

static int run(const Plan *plan) {
    const char *what = plan->tiny ? "tiny" : "path";
    char why[BOUND_WHY_MAX];
    BoundTally tally = {0};
    for (long i = plan->first; i < plan->end; i++) {
        const char *wrong =
            plan->tiny ? tiny_bounds_wrong(plan->seed, i, plan->size, &tally, sizeof why, why)
                       : path_bounds_wrong(plan->seed, i, (int)plan->size, &tally, sizeof why, why);
        if (wrong) {
            report(what, &tally);
            printf("WRONG: %srepeat with: long_bound %s -%ld %llu %.0f\n", wrong, what, i,
                   (unsigned long long)plan->seed, plan->size);
            return 1;
        }
        if ((i + 1) % 1000 == 0) {
            report(what, &tally);
            fflush(stdout);
        }
    }
    report(what, &tally);
    return 0;
}

int main(int argc, char **argv) {
    bool tiny = argc > 1 && strcmp(argv[1], "tiny") == 0;
    if ((argc != 4 && argc != 5) || (!tiny && strcmp(argv[1], "path") != 0)) {
        fprintf(stderr, "usage: long_bound tiny|path N|-I SEED [SIZE]\n");
        return 2;
    }
    bool alone = argv[2][0] == '-';
    long n = labs(atol(argv[2]));
    Plan plan = {.tiny = tiny,
                 .first = alone ? n : 0,
                 .end = alone ? n + 1 : n,
                 .seed = strtoull(argv[3], NULL, 0),
                 .size = argc == 5 ? atof(argv[4])
                         : tiny    ? 200000
                                   : 3000};
    return run(&plan);
}

// long_rows.c - the study of docs/studies/gemmini-rtl.md: long_rows [SEEDS [FOLDS]] prints its
// table.
//
// Every seed splits the layers anew; each row of the file is guessed once per seed, by what was
// taught by the layers of other folds.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "rows_rivals.h"

enum { MOST_SEEDS = 100, N_NUMBERS = 5 };

static bool guess_all(const Rtl *rtl, const Rival *rival, int n_folds, uint64_t seed,
                      double *guess) {
    int fold[1000];
    rtl_fold(rtl, n_folds, seed, fold);
    for (int held = 0; held < n_folds; held++)
        if (!rival->predict(rtl, fold, held, seed, guess)) return false;
    return true;
}

static void print_row(const char *name, int n, double numbers[N_NUMBERS][MOST_SEEDS]) {
    printf("| %s |", name);
    for (int i = 0; i < N_NUMBERS; i++) {
        double least = INFINITY, most = -INFINITY;
        for (int s = 0; s < n; s++) {
            least = fmin(least, numbers[i][s]);
            most = fmax(most, numbers[i][s]);
        }
        printf(" %.3f", sl_mean(n, numbers[i]));
        if (most - least >= 0.0005) printf(" (%.3f-%.3f)", least, most);
        printf(" |");
    }
    printf("\n");
    fflush(stdout);
}

static bool run(const Rtl *rtl, const Rival *rival, int n_seeds, int n_folds) {
    static double numbers[N_NUMBERS][MOST_SEEDS];
    double *guess = calloc((size_t)rtl->n, sizeof *guess);
    bool done = guess;
    for (int s = 0; s < n_seeds && done; s++) {
        done = guess_all(rtl, rival, n_folds, (uint64_t)s + 1, guess);
        RtlScore score = rtl_judge(rtl, guess);
        const double all[N_NUMBERS] = {score.first, score.third, score.tau, score.first_mean,
                                       score.third_mean};
        for (int i = 0; i < N_NUMBERS; i++) numbers[i][s] = all[i];
    }
    if (done) print_row(rival->name, n_seeds, numbers);
    free(guess);
    return done;
}

int main(int argc, char **argv) {
    int n_seeds = argc > 1 ? atoi(argv[1]) : 10, n_folds = argc > 2 ? atoi(argv[2]) : 11;
    if (n_seeds < 1 || n_seeds > MOST_SEEDS || n_folds < 2 || n_folds > 66) {
        fprintf(stderr, "usage: long_rows [SEEDS 1..100 [FOLDS 2..66]]\n");
        return 2;
    }
    Rtl rtl;
    rtl_make(&rtl);
    printf("| | first pick | best of 3 | tau | first pick, arithmetic | best of 3, arithmetic |\n"
           "|---|---|---|---|---|---|\n");
    bool done = true;
    for (const Rival *rival = rtl_rivals; rival->name && done; rival++)
        done = run(&rtl, rival, n_seeds, n_folds);
    rtl_free(&rtl);
    return done ? 0 : 1;
}

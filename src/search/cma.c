// cma.c - CMA-ES with weighted recombination, rank-one and rank-mu updates with negative weights,
// and cumulative step-size adaptation (Hansen, "The CMA evolution strategy: a tutorial", 2016);
// diagonal for many coordinates (Ros & Hansen 2008).
//
//   y_i = (x_i - mean) / sigma        mean += sigma sum+ w_i y_i
//   path_sigma = (1-cs) path_sigma + sqrt(cs (2-cs) mu_eff) C^-1/2 sum+ w_i y_i
//   sigma *= exp(cs/ds (|path_sigma| / E|N(0,I)| - 1))
//   C = (1 - c1 - cmu sum w) C + c1 path path' + cmu sum w_i y_i y_i'
#include "cma.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "eigen.h"

static const double MOST_SPREAD = 1e14; // condition of C beyond which it is degenerate

bool sl_cma_make(SlCma *cma, int n, int most, SlArena *arena) {
    assert(n >= 1 && most >= 2);
    *cma = (SlCma){.n = n, .most = most, .diagonal = n > SL_CMA_MOST_FULL};
    size_t n_c = cma->diagonal ? (size_t)n : (size_t)n * (size_t)n;
    cma->mean = SL_NEW(arena, n, double);
    cma->stretch = SL_NEW(arena, n, double);
    cma->weights = SL_NEW(arena, most, double);
    cma->c = SL_NEW(arena, n_c, double);
    cma->vectors = SL_NEW(arena, cma->diagonal ? 0 : n_c, double);
    cma->lengths = SL_NEW(arena, n, double);
    cma->path = SL_NEW(arena, n, double);
    cma->path_sigma = SL_NEW(arena, n, double);
    cma->order = SL_NEW(arena, most, int);
    cma->share = SL_NEW(arena, most, double);
    cma->step = SL_NEW(arena, n, double);
    cma->white = SL_NEW(arena, n, double);
    cma->scratch = SL_NEW(arena, 2 * n, double);
    return cma->mean && cma->stretch && cma->weights && cma->c && cma->vectors && cma->lengths &&
           cma->path && cma->path_sigma && cma->order && cma->share && cma->step && cma->white &&
           cma->scratch;
}

int sl_cma_population(int n) {
    return 4 + (int)(3 * log((double)n));
}

// table 1 of the tutorial, without the negative weights
static void set_rates(SlCma *cma) {
    double n = cma->n, sum = 0, squares = 0;
    int mu = cma->lambda / 2;
    for (int i = 0; i < cma->lambda; i++)
        cma->weights[i] = log((cma->lambda + 1) / 2.0) - log(i + 1.0);
    for (int i = 0; i < mu; i++) {
        sum += cma->weights[i];
        squares += cma->weights[i] * cma->weights[i];
    }
    double mu_eff = cma->mu_effective = sum * sum / squares;
    for (int i = 0; i < mu; i++) cma->weights[i] /= sum;
    cma->rate_path = (4 + mu_eff / n) / (n + 4 + 2 * mu_eff / n);
    cma->rate_sigma = (mu_eff + 2) / (n + mu_eff + 5);
    cma->damp = 1 + 2 * fmax(0, sqrt((mu_eff - 1) / (n + 1)) - 1) + cma->rate_sigma;
    cma->rate_one = 2 / ((n + 1.3) * (n + 1.3) + mu_eff);
    double rate_mu = 2 * (0.25 + mu_eff - 2 + 1 / mu_eff) / ((n + 2) * (n + 2) + mu_eff);
    if (cma->diagonal) {
        cma->rate_one = fmin(1, cma->rate_one * (n + 2) / 3);
        rate_mu *= (n + 2) / 3;
    }
    cma->rate_mu = fmin(1 - cma->rate_one, rate_mu);
}

// equations 50 to 53: the negative weights are as large as keeps C positive definite
static void scale_negative(SlCma *cma) {
    int mu = cma->lambda / 2;
    double sum = 0, squares = 0;
    for (int i = mu; i < cma->lambda; i++) {
        sum -= cma->weights[i];
        squares += cma->weights[i] * cma->weights[i];
    }
    if (sum <= 0) return;
    double mu_eff = sum * sum / squares;
    double most = fmin(1 + cma->rate_one / cma->rate_mu, 1 + 2 * mu_eff / (cma->mu_effective + 2));
    most = fmin(most, (1 - cma->rate_one - cma->rate_mu) / (cma->n * cma->rate_mu));
    for (int i = mu; i < cma->lambda; i++) cma->weights[i] *= most / sum;
}

void sl_cma_start(SlCma *cma, int lambda, const double *mean, double sigma) {
    assert(2 <= lambda && lambda <= cma->most);
    size_t n = (size_t)cma->n, bytes = n * sizeof(double);
    cma->lambda = lambda;
    cma->sigma = sigma;
    cma->generation = cma->decomposed = 0;
    set_rates(cma);
    scale_negative(cma);
    memcpy(cma->mean, mean, bytes);
    memset(cma->path, 0, bytes);
    memset(cma->path_sigma, 0, bytes);
    memset(cma->c, 0, cma->diagonal ? bytes : n * bytes);
    if (!cma->diagonal) memset(cma->vectors, 0, n * bytes);
    for (size_t i = 0; i < n; i++) {
        cma->stretch[i] = cma->lengths[i] = 1;
        cma->c[cma->diagonal ? i : i * n + i] = 1;
        if (!cma->diagonal) cma->vectors[i * n + i] = 1;
    }
}

static double variance(const SlCma *cma, int i) {
    return cma->c[cma->diagonal ? i : (ptrdiff_t)i * cma->n + i];
}

double sl_cma_deviation(const SlCma *cma, int i) {
    return cma->sigma * cma->stretch[i] * sqrt(variance(cma, i));
}

double sl_cma_deviation_between(const SlCma *cma, int i, int j) {
    double a = cma->stretch[i], b = cma->stretch[j];
    double both = cma->diagonal ? 0 : cma->c[(ptrdiff_t)i * cma->n + j];
    double square = a * a * variance(cma, i) + b * b * variance(cma, j) - 2 * a * b * both;
    return cma->sigma * sqrt(fmax(square, 0));
}

void sl_cma_draw(const SlCma *cma, SlRng *rng, double *x) {
    int n = cma->n;
    memset(x, 0, (size_t)n * sizeof *x);
    for (int k = 0; k < n; k++) {
        double z = cma->lengths[k] * sl_rng_normal(rng);
        const double *vector = cma->vectors + (ptrdiff_t)k * n;
        if (cma->diagonal)
            x[k] = z;
        else
            for (int i = 0; i < n; i++) x[i] += z * vector[i];
    }
    for (int i = 0; i < n; i++) x[i] = cma->mean[i] + cma->sigma * cma->stretch[i] * x[i];
}

// white = C^-1/2 y; returns its squared length
static double whiten(const SlCma *cma, const double *y, double *white) {
    int n = cma->n;
    double square = 0;
    memset(white, 0, (size_t)n * sizeof *white);
    for (int k = 0; k < n; k++) {
        const double *vector = cma->vectors + (ptrdiff_t)k * n;
        double along = 0;
        for (int i = 0; i < n && !cma->diagonal; i++) along += vector[i] * y[i];
        if (cma->diagonal) along = y[k];
        along /= cma->lengths[k];
        square += along * along;
        if (cma->diagonal)
            white[k] = along;
        else
            for (int i = 0; i < n; i++) white[i] += along * vector[i];
    }
    return square;
}

// weights of the candidates: those of their ranks, the mean of them among equal scores. Positive
// and negative weights are shared apart, so `positive` is asked for.
static void share_weights(SlCma *cma, const double *scores, bool positive) {
    int lambda = cma->lambda, *order = cma->order;
    for (int first = 0, next; first < lambda; first = next) {
        double sum = 0;
        for (next = first; next < lambda && scores[order[next]] == scores[order[first]]; next++) {
            double weight = cma->weights[next];
            if ((weight > 0) == positive) sum += weight;
        }
        for (int i = first; i < next; i++) cma->share[order[i]] = sum / (next - first);
    }
}

static void sort_scores(SlCma *cma, const double *scores) {
    for (int i = 0; i < cma->lambda; i++) {
        int place = i;
        for (; place > 0 && scores[i] < scores[cma->order[place - 1]]; place--)
            cma->order[place] = cma->order[place - 1];
        cma->order[place] = i;
    }
}

// y = (x - mean) / (sigma stretch)
static void take_step(const SlCma *cma, const double *x, double *y) {
    for (int i = 0; i < cma->n; i++) y[i] = (x[i] - cma->mean[i]) / (cma->sigma * cma->stretch[i]);
}

// C += weight y y'
static void add_outer(SlCma *cma, double weight, const double *y) {
    int n = cma->n;
    for (int i = 0; i < n; i++) {
        if (cma->diagonal)
            cma->c[i] += weight * y[i] * y[i];
        else
            for (int j = 0; j < n; j++) cma->c[(ptrdiff_t)i * n + j] += weight * y[i] * y[j];
    }
}

// the weighted sum of the steps of the better half into `step`
static void mean_step(SlCma *cma, const double *xs, const double *scores, double *y) {
    int n = cma->n;
    share_weights(cma, scores, true);
    memset(cma->step, 0, (size_t)n * sizeof *cma->step);
    for (int k = 0; k < cma->lambda; k++) {
        take_step(cma, xs + (ptrdiff_t)k * n, y);
        for (int i = 0; i < n; i++) cma->step[i] += cma->share[k] * y[i];
    }
}

static void scale_c(SlCma *cma, double factor) {
    ptrdiff_t n_c = cma->diagonal ? cma->n : (ptrdiff_t)cma->n * cma->n;
    for (ptrdiff_t i = 0; i < n_c; i++) cma->c[i] *= factor;
}

static void update_c(SlCma *cma, bool stalled, const double *xs, const double *scores) {
    int n = cma->n;
    double *y = cma->scratch, *white = cma->scratch + n, sum = 0;
    double lost = stalled ? cma->rate_one * cma->rate_path * (2 - cma->rate_path) : 0;
    for (int k = 0; k < cma->lambda; k++) sum += cma->weights[k];
    scale_c(cma, 1 + lost - cma->rate_one - cma->rate_mu * sum);
    add_outer(cma, cma->rate_one, cma->path);
    for (int side = 0; side < 2; side++) {
        bool positive = side == 0;
        share_weights(cma, scores, positive);
        for (int k = 0; k < cma->lambda; k++) {
            if (cma->share[k] == 0) continue;
            take_step(cma, xs + (ptrdiff_t)k * n, y);
            double weight = cma->share[k];
            if (!positive) weight *= n / fmax(whiten(cma, y, white), DBL_MIN);
            add_outer(cma, cma->rate_mu * weight, y);
        }
    }
}

// eigenvectors and lengths of C anew, unless that was done a short while ago
static bool decompose(SlCma *cma) {
    int n = cma->n;
    double gap = 1 / ((cma->rate_one + cma->rate_mu) * n * 10), low = INFINITY, high = 0;
    if (cma->diagonal) {
        memcpy(cma->lengths, cma->c, (size_t)n * sizeof *cma->c);
    } else {
        if ((double)(cma->generation - cma->decomposed) < gap) return true;
        memcpy(cma->vectors, cma->c, (size_t)n * (size_t)n * sizeof *cma->c);
        if (!sl_eigen_symmetric(n, cma->vectors, cma->lengths, cma->scratch)) return false;
    }
    cma->decomposed = cma->generation;
    for (int i = 0; i < n; i++) {
        low = fmin(low, cma->lengths[i]);
        high = fmax(high, cma->lengths[i]);
    }
    if (!(low > 0 && high < MOST_SPREAD * low)) return false;
    for (int i = 0; i < n; i++) cma->lengths[i] = sqrt(cma->lengths[i]);
    return true;
}

bool sl_cma_update(SlCma *cma, const double *xs, const double *scores) {
    int n = cma->n;
    double cs = cma->rate_sigma, cc = cma->rate_path, mu_eff = cma->mu_effective;
    cma->generation++;
    sort_scores(cma, scores);
    mean_step(cma, xs, scores, cma->scratch);

    // the two evolution paths; that of C pauses while sigma grows fast
    whiten(cma, cma->step, cma->white);
    double square = 0;
    for (int i = 0; i < n; i++) {
        double *path = &cma->path_sigma[i];
        *path = (1 - cs) * *path + sqrt(cs * (2 - cs) * mu_eff) * cma->white[i];
        square += *path * *path;
    }
    double expected = sqrt((double)n) * (1 - 1 / (4.0 * n) + 1 / (21.0 * n * n));
    double faded = 1 - pow(1 - cs, 2.0 * (double)(cma->generation + 1));
    bool stalled = sqrt(square / faded) >= (1.4 + 2 / (n + 1.0)) * expected;
    for (int i = 0; i < n; i++) {
        cma->path[i] *= 1 - cc;
        if (!stalled) cma->path[i] += sqrt(cc * (2 - cc) * mu_eff) * cma->step[i];
    }

    update_c(cma, stalled, xs, scores);
    for (int i = 0; i < n; i++) cma->mean[i] += cma->sigma * cma->stretch[i] * cma->step[i];
    cma->sigma *= exp(fmin(1, cs / cma->damp * (sqrt(square) / expected - 1)));
    return isfinite(cma->sigma) && cma->sigma > 0 && decompose(cma);
}

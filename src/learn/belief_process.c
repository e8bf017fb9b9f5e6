// belief_process.c - Gaussian processes whose mean and kernel were taught across tasks.
//
// process: the mean is what networks guess, the kernel sees features and their last hidden layers
// (Wistuba & Grabocka, FSBO, ICLR 2021; Wang et al., HyperBO, JMLR 2024). fidelity: the mean is the
// native cost, as its estimates stand among the features, times a factor (Kennedy & O'Hagan 2000).
#include <math.h>

#include "belief.h"
#include "flock_inside.h"

typedef struct {
    const SlRivals *rivals;
    SlRivalKernel kernel;
    SlRivalGroups groups;
    SlRivalAsker asker;
    int n_nets; // whose last layers the kernel sees
} Process;

// What the kernel sees of a point: features over deviations and lengths, last layers over reach.
static void *make_with(const SlBeliefSetup *setup, const SlRivalKernel *kernel, int n_nets,
                       SlArena *arena) {
    const SlFlock *flock = setup->flock;
    Process *process = SL_NEW(arena, 1, Process);
    if (!process) return NULL;
    *process = (Process){.rivals = &flock->rivals, .kernel = *kernel, .n_nets = n_nets};
    const double spread = 2 * log(fmax(setup->spread, 1e-6));
    process->kernel.inputs += spread;
    process->kernel.last += spread;
    sl_rivals_groups(setup->task, flock->deviation, &process->groups);
    return sl_rivals_asker(&flock->rivals, flock->deviation, flock->bend, arena, &process->asker)
               ? process
               : NULL;
}

static size_t n_features(const Process *process) {
    return (size_t)(process->groups.n_inputs - process->groups.first);
}

static size_t mark_bytes(const void *state) {
    const Process *process = state;
    return (n_features(process) + (size_t)process->n_nets * SL_RIVAL_LAST) * sizeof(float);
}

static void mark(void *state, const float *row, void *mark) {
    const Process *process = state;
    const SlRivalGroups *groups = &process->groups;
    const double reach = exp(-process->kernel.reach) / sqrt(SL_RIVAL_LAST);
    float *out = mark;
    for (int f = groups->first; f < groups->n_inputs; f++) {
        const int g = groups->group[f];
        *out++ = (float)((double)row[f] / (double)groups->deviation[f] / sqrt(groups->size[g]) *
                         exp(-process->kernel.length[g]));
    }
    for (int net = 0; net < process->n_nets; net++, out += SL_RIVAL_LAST) {
        sl_rivals_embed(&process->asker, net, row, out);
        for (int h = 0; h < SL_RIVAL_LAST; h++) out[h] = (float)((double)out[h] * reach);
    }
}

static double apart(size_t n, const float *a, const float *b) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double d = (double)a[i] - (double)b[i];
        sum += d * d;
    }
    return sum;
}

static double covary(const void *state, const void *a, const void *b) {
    const Process *process = state;
    const size_t n = n_features(process);
    const float *one = a, *other = b;
    const double square = apart(n, one, other);
    double last[SL_RIVAL_NETS];
    for (int net = 0; net < process->n_nets; net++) {
        size_t at = n + (size_t)net * SL_RIVAL_LAST;
        last[net] = apart(SL_RIVAL_LAST, one + at, other + at);
    }
    return 1 + sl_rivals_covary(&process->kernel, square, process->n_nets, last);
}

static double noise(const void *state) {
    return exp(((const Process *)state)->kernel.noise);
}

// ---- networks ----

static void *make_process(const SlBeliefSetup *setup, SlArena *arena) {
    const SlRivals *rivals = &setup->flock->rivals;
    return make_with(setup, &rivals->process, rivals->n_nets, arena);
}

static void guess_process(const void *state, int n, const float *rows, float *guess, float *doubt) {
    sl_rivals_guess(&((const Process *)state)->asker, n, rows, guess, doubt);
}

static bool has_process(const SlFlock *flock) {
    return flock->rivals.n_nets > 0;
}

const SlBeliefRow sl_belief_process = {
    .name = "process",
    .lack = SL_LACKS_RIVALS("process"),
    .taught = has_process,
    .make = make_process,
    .guess = guess_process,
    .mark_bytes = mark_bytes,
    .mark = mark,
    .covary = covary,
    .noise = noise,
};

// ---- the native cost as the cheap one ----

static void *make_fidelity(const SlBeliefSetup *setup, SlArena *arena) {
    return make_with(setup, &setup->flock->rivals.fidelity, 0, arena);
}

static void guess_cheap(const void *state, int n, const float *rows, float *guess, float *doubt) {
    const Process *process = state;
    for (int i = 0; i < n; i++) {
        const float *row = rows + (size_t)i * (size_t)process->groups.n_inputs;
        guess[i] = (float)sl_rivals_weigh(&process->rivals->cheap, row);
        if (doubt) doubt[i] = 0;
    }
}

static bool has_fidelity(const SlFlock *flock) {
    return flock->rivals.cheap.n > 0;
}

const SlBeliefRow sl_belief_fidelity = {
    .name = "fidelity",
    .lack = SL_LACKS_RIVALS("process beside the native cost"),
    .taught = has_fidelity,
    .make = make_fidelity,
    .guess = guess_cheap,
    .mark_bytes = mark_bytes,
    .mark = mark,
    .covary = covary,
    .noise = noise,
};

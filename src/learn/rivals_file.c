// rivals_file.c - the rivals of a critic as bytes (docs/formats/flock.md): a shape, then numbers.
#include "rivals_file.h"

#include "flock_inside.h"

static const char *const misshapen = "the shape of its networks is impossible";

// all numbers of a kernel, in the order of the file
static void list_kernel(SlRivalKernel *kernel, double *numbers[SL_KERNEL_NUMBERS]) {
    int n = 0;
    numbers[n++] = &kernel->inputs;
    for (int g = 0; g < SL_KERNEL_GROUPS; g++) numbers[n++] = &kernel->length[g];
    numbers[n++] = &kernel->last;
    numbers[n++] = &kernel->reach;
    numbers[n] = &kernel->noise;
}

static void put_kernel(SlText *out, const SlRivalKernel *kernel) {
    SlRivalKernel copy = *kernel;
    double *numbers[SL_KERNEL_NUMBERS];
    list_kernel(&copy, numbers);
    for (int i = 0; i < SL_KERNEL_NUMBERS; i++) sl_bytes_put_real(out, *numbers[i]);
}

static void put_terms(SlText *out, const SlRivalTerms *terms) {
    sl_bytes_put_whole(out, (uint64_t)terms->n, 4);
    for (int k = 0; k < terms->n; k++) {
        sl_bytes_put_whole(out, (uint64_t)terms->input[k], 4);
        sl_bytes_put_floats(out, 1, &terms->weight[k]);
    }
}

void sl_rivals_put(const SlRivals *rivals, SlText *out) {
    sl_bytes_put_whole(out, (uint64_t)rivals->n_nets, 4);
    if (rivals->n_nets == 0) return;
    sl_bytes_put_whole(out, SL_RIVAL_HIDDEN, 4);
    sl_bytes_put_whole(out, SL_RIVAL_LAST, 4);
    sl_bytes_put_floats(out, (size_t)rivals->shape.width[0], rivals->mean);
    for (int net = 0; net < rivals->n_nets; net++)
        sl_bytes_put_floats(out, sl_mlp_params(&rivals->shape), rivals->weights[net]);
    put_kernel(out, &rivals->process);
    put_kernel(out, &rivals->fidelity);
    put_terms(out, &rivals->cheap);
    put_terms(out, &rivals->calibration);
}

static void get_kernel(SlBytes *in, SlRivalKernel *kernel) {
    double *numbers[SL_KERNEL_NUMBERS];
    list_kernel(kernel, numbers);
    for (int i = 0; i < SL_KERNEL_NUMBERS; i++) *numbers[i] = sl_bytes_real(in);
}

static void get_terms(SlBytes *in, int n_inputs, SlRivalTerms *terms) {
    terms->n = sl_bytes_count(in, 0, SL_RIVAL_MOST_TERMS, "its number of weights is impossible");
    for (int k = 0; k < terms->n && !in->wrong; k++) {
        terms->input[k] = sl_bytes_count(in, 0, n_inputs - 1, "a weight in it belongs to no input");
        sl_bytes_finite(in, 1, &terms->weight[k]);
    }
}

void sl_rivals_get(SlBytes *in, int n_inputs, SlRivals *rivals) {
    const size_t width = (size_t)n_inputs;
    *rivals = (SlRivals){0};
    int n_nets = sl_bytes_count(in, 0, SL_RIVAL_NETS, misshapen);
    if (n_nets == 0 || in->wrong) return;
    sl_bytes_count(in, SL_RIVAL_HIDDEN, SL_RIVAL_HIDDEN, misshapen);
    sl_bytes_count(in, SL_RIVAL_LAST, SL_RIVAL_LAST, misshapen);
    rivals->n_nets = n_nets;
    rivals->shape = sl_rivals_shape(n_inputs);
    rivals->mean = sl_bytes_room(in, width, 4, sizeof(float));
    if (!in->wrong) sl_bytes_finite(in, width, rivals->mean);
    const size_t n = sl_mlp_params(&rivals->shape);
    for (int net = 0; net < n_nets && !in->wrong; net++) {
        rivals->weights[net] = sl_bytes_room(in, n, 4, sizeof(SlReal));
        if (!in->wrong) sl_bytes_finite(in, n, rivals->weights[net]);
    }
    get_kernel(in, &rivals->process);
    get_kernel(in, &rivals->fidelity);
    get_terms(in, n_inputs, &rivals->cheap);
    get_terms(in, n_inputs, &rivals->calibration);
    if (!in->wrong) in->wrong = sl_rivals_check(rivals);
}

// mlp.c - multilayer perceptrons over batches, forward and by backpropagation (Rumelhart, Hinton &
// Williams 1986).
//
// Work holds, one after another: the values of every layer, as forward left them; two pieces for
// gradients by values of hidden layers; one transposed weight matrix.
#include "starling/approx.h"

#include <assert.h>
#include <math.h>

#include "activate.h"
#include "product.h"
#include "vectors.h"

static size_t weights_of(const SlMlpShape *shape, int layer) {
    return (size_t)shape->width[layer] * (size_t)shape->width[layer + 1];
}

// weights and biases of one layer
static size_t params_of(const SlMlpShape *shape, int layer) {
    return weights_of(shape, layer) + (size_t)shape->width[layer + 1];
}

// numbers in the values of all layers for one row, outputs included, inputs not
static size_t values_of(const SlMlpShape *shape) {
    size_t sum = 0;
    for (int l = 1; l <= shape->n_layers; l++) sum += (size_t)shape->width[l];
    return sum;
}

static size_t widest_hidden(const SlMlpShape *shape) {
    int widest = 0;
    for (int l = 1; l < shape->n_layers; l++) {
        if (shape->width[l] > widest) widest = shape->width[l];
    }
    return (size_t)widest;
}

size_t sl_mlp_params(const SlMlpShape *shape) {
    assert(1 <= shape->n_layers && shape->n_layers <= SL_MLP_MAX_LAYERS);
    size_t sum = 0;
    for (int l = 0; l < shape->n_layers; l++) sum += params_of(shape, l);
    return sum;
}

size_t sl_mlp_work(const SlMlpShape *shape, int n) {
    assert(n >= 0);
    size_t largest = 0;
    for (int l = 0; l < shape->n_layers; l++) {
        if (weights_of(shape, l) > largest) largest = weights_of(shape, l);
    }
    return (size_t)n * (values_of(shape) + 2 * widest_hidden(shape)) + largest;
}

void sl_mlp_init(const SlMlpShape *shape, SlRng *rng, SlReal *params) {
    for (int l = 0; l < shape->n_layers; l++) {
        // He et al. (2015), Glorot & Bengio (2010), both as normal distributions
        double in = shape->width[l], out = shape->width[l + 1];
        double deviation = sqrt(shape->activation == SL_TANH ? 2 / (in + out) : 2 / in);
        size_t n = weights_of(shape, l);
        for (size_t i = 0; i < n; i++) params[i] = (SlReal)(deviation * sl_rng_normal(rng));
        memset(params + n, 0, (size_t)shape->width[l + 1] * sizeof *params);
        params += params_of(shape, l);
    }
}

void sl_mlp_scale_last(const SlMlpShape *shape, SlReal factor, SlReal *params) {
    int last = shape->n_layers - 1;
    params += sl_mlp_params(shape) - params_of(shape, last);
    for (size_t i = 0; i < weights_of(shape, last); i++) params[i] *= factor;
}

SlReal *sl_mlp_forward(const SlMlpShape *shape, const SlReal *params, int n, const SlReal *x,
                       SlReal *work) {
    const SlReal *in = x; // (n, width[l])
    SlReal *out = work;   // (n, width[l + 1])
    for (int l = 0;; l++) {
        int n_in = shape->width[l], n_out = shape->width[l + 1];
        sl_product_eval(&(SlProduct){.m = n,
                                     .n = n_out,
                                     .k = n_in,
                                     .a = in,
                                     .a_row = (size_t)n_in,
                                     .a_col = 1,
                                     .b = params,
                                     .start = params + weights_of(shape, l),
                                     .c = out});
        if (l == shape->n_layers - 1) return out;
        sl_activate(shape->activation, (size_t)n * (size_t)n_out, out);
        params += params_of(shape, l);
        in = out;
        out += (size_t)n * (size_t)n_out;
    }
}

// add the gradient by weights and biases of a layer, from its inputs and the gradient by its sums
static void add_gradient(int n, int n_in, int n_out, const SlReal *in, const SlReal *delta,
                         SlReal *grad) {
    sl_product_eval(&(SlProduct){.m = n_in,
                                 .n = n_out,
                                 .k = n,
                                 .a = in,
                                 .a_row = 1,
                                 .a_col = (size_t)n_in,
                                 .b = delta,
                                 .start = grad,
                                 .start_row = (size_t)n_out,
                                 .c = grad});
    SlReal *biases = grad + (size_t)n_in * (size_t)n_out;
    for (int i = 0; i < n; i++, delta += n_out) {
        for (int j = 0; j < n_out; j++) biases[j] += delta[j];
    }
}

void sl_mlp_backward(const SlMlpShape *shape, const SlReal *params, int n, const SlReal *x,
                     SlReal *work, SlReal *dout, SlReal *grad, SlReal *dx) {
    size_t rows = (size_t)n, piece = rows * widest_hidden(shape);
    const SlReal *values = work + rows * values_of(shape); // behind those of the layer below
    SlReal *pieces[2] = {work + rows * values_of(shape), work + rows * values_of(shape) + piece};
    SlReal *transposed = pieces[1] + piece;
    const SlReal *delta = dout; // (n, width[l + 1]) gradient by the sums of the layer
    params += sl_mlp_params(shape);
    grad += sl_mlp_params(shape);
    values -= rows * (size_t)shape->width[shape->n_layers];
    for (int l = shape->n_layers - 1; l >= 0; l--) {
        int n_in = shape->width[l], n_out = shape->width[l + 1];
        params -= params_of(shape, l);
        grad -= params_of(shape, l);
        if (l > 0) values -= rows * (size_t)n_in;
        const SlReal *in = l > 0 ? values : x;
        add_gradient(n, n_in, n_out, in, delta, grad);

        // the same gradient by the layer's inputs, then by the sums of the layer below
        SlReal *below = l > 0 ? pieces[l % 2] : dx;
        if (!below) return;
        sl_transpose(n_in, n_out, params, transposed);
        sl_product_eval(&(SlProduct){.m = n,
                                     .n = n_in,
                                     .k = n_out,
                                     .a = delta,
                                     .a_row = (size_t)n_out,
                                     .a_col = 1,
                                     .b = transposed,
                                     .c = below});
        if (l > 0) sl_activate_back(shape->activation, rows * (size_t)n_in, in, below);
        delta = below;
    }
}

// onnx_graph.h - a graph walked once from its inputs: shapes of all tensors, values of small ones,
// and the layers that come of its nodes. Private to the module.
//
// Flow: sl_onnx_sizes_parse, sl_onnx_bind -> sl_onnx_walk -> run.layers, run.skipped.
//
// A rule reads the inputs of a node and sets its outputs. Where it cannot, it returns the reason: a
// node without MACs leaves tensors of unknown shape with that reason, a node with MACs is refused.
#pragma once

#include "onnx_model.h"
#include "starling/workload.h"

enum {
    SL_ONNX_MAX_VALUES = 1024, // elements of a tensor whose values are followed
    SL_ONNX_MAX_DEPTH = 16,    // functions inside functions
    SL_ONNX_MAX_NODES = 1000000,
};

typedef union {
    int64_t i;
    double f;
} SlOnnxNumber;

typedef struct {
    SlBytes name;
    bool made;    // something before makes it
    bool known;   // the shape is
    bool weight;  // made of constants alone
    int elem;     // ONNX's element type, 0 = unknown
    int stored;   // bytes per word of what was dequantised into it, 0 = nothing was
    int quantise; // bytes per word that its only reader makes of it, 0 = none does
    int rank;
    const int64_t *dims;       // (rank)
    const SlOnnxNumber *value; // (count), NULL = not known
    const SlOnnxData *data;    // a constant whose value has not been read yet
    const char *why;           // no shape is known, or no value of a constant
} SlOnnxTensor;

// A size that was given: "batch=1".
typedef struct {
    SlBytes key;
    int64_t size;
    bool used;
    bool multiplies; // "batch" behind the name of the network: where no open size is called so
} SlOnnxSize;

typedef struct SlOnnxScope SlOnnxScope;

typedef struct {
    const SlOnnxModel *model;
    SlArena *arena; // scratch: nothing in it outlives the reading
    SlError *err;
    bool skip_unsupported;
    int64_t batch; // of a selector's "batch" where no open size is called so; 0 = not given
    int n_sizes;
    SlOnnxSize *sizes;
    SlOnnxScope *scope; // names of the graph, or of the function being walked
    const char *failed; // a reason from where no memory is left
    // what came of it
    int n_layers, layers_room;
    SlLayer *layers;
    int n_skipped, skipped_room;
    const char **skipped;
    int64_t macs;
    int64_t walked; // nodes, those of functions once per call
} SlOnnxRun;

// ---- what rules are made of ----

// NULL or the reason why the outputs cannot be told.
typedef const char *SlOnnxRule(SlOnnxRun *run, const SlOnnxNode *node);

// What an operator does with its words; tables end with op NULL.
typedef struct {
    const char *domain, *op;
    SlOnnxRule *rule;
} SlOnnxRow;
extern const SlOnnxRow sl_onnx_moves[];    // moves them: they stay as wide as they are stored
extern const SlOnnxRow sl_onnx_sizings[];  // makes others, of shapes that depend on values
extern const SlOnnxRow sl_onnx_points[];   // works on each or along an axis
extern const SlOnnxRow sl_onnx_products[]; // multiplies and adds: a reason is a refusal

SlOnnxTensor *sl_onnx_in(SlOnnxRun *run, const SlOnnxNode *node, int i); // NULL = left out
SlOnnxTensor *sl_onnx_out(SlOnnxRun *run, const SlOnnxNode *node, int i);

// A sentence in the arena; never NULL.
const char *sl_onnx_say(SlOnnxRun *run, const char *fmt, ...) SL_PRINTF(2, 3);
// At most 80 bytes of a name, made safe to show.
typedef struct {
    char text[84];
} SlOnnxShown;
SlOnnxShown sl_onnx_shown(SlBytes name);

// NULL, or why the input i is not there, has no known shape or not that rank.
const char *sl_onnx_need(SlOnnxRun *run, const SlOnnxNode *node, int i, SlOnnxTensor **tensor);
const char *sl_onnx_need_rank(SlOnnxRun *run, const SlOnnxNode *node, int i, int lo, int hi,
                              SlOnnxTensor **tensor);

// The values of a tensor, NULL if they are not known; *n of them. tensor->why says why not.
const SlOnnxNumber *sl_onnx_value(SlOnnxRun *run, SlOnnxTensor *tensor, int64_t *n);
// Whole numbers of input i, or of the attribute `name` (old opsets). *n = -1: neither is given.
const char *sl_onnx_numbers(SlOnnxRun *run, const SlOnnxNode *node, int i, const char *name,
                            int64_t out[SL_ONNX_MAX_INTS], int *n);

// Set the shape of output i (which may be left out), copied; the reason if an extent is negative or
// the tensor has 2^62 elements or more.
const char *sl_onnx_set(SlOnnxRun *run, const SlOnnxNode *node, int i, int elem, int rank,
                        const int64_t *dims);
const char *sl_onnx_like(SlOnnxRun *run, const SlOnnxNode *node, int i, const SlOnnxTensor *like);
int64_t sl_onnx_count(const SlOnnxTensor *tensor); // elements
int64_t sl_onnx_product(int n, const int64_t *dims);
bool sl_onnx_is_float(int elem);
int sl_onnx_bytes(int elem); // per word, rounded up; 0 = unknown

// Room for the values of output i, which has a shape; NULL if they are too many or nobody wants it.
SlOnnxNumber *sl_onnx_values_out(SlOnnxRun *run, const SlOnnxNode *node, int i);

// An axis of -rank..rank-1 as one of 0..rank-1; -1 if it is none.
int sl_onnx_axis(int64_t axis, int rank);

// NumPy's broadcast of two shapes; false if they do not fit.
bool sl_onnx_broadcast(int rank_a, const int64_t *a, int rank_b, const int64_t *b, int *rank,
                       int64_t out[SL_ONNX_MAX_RANK]);

// A layer of the node, named after it with `suffix` (".in"); nothing if an extent is 0. The reason
// if it is too large.
const char *sl_onnx_layer(SlOnnxRun *run, const SlOnnxNode *node, const char *suffix,
                          SlLayer *layer);
// word_bytes from the tensors: nothing unless one of them is quantised.
void sl_onnx_words(SlLayer *layer, const SlOnnxTensor *w, const SlOnnxTensor *in,
                   const SlOnnxTensor *out);

// ---- rules with files of their own ----

SlOnnxRule sl_onnx_conv, sl_onnx_conv_transpose, sl_onnx_lstm, sl_onnx_attention,
    sl_onnx_attention_packed, sl_onnx_multi_head, sl_onnx_group_query, sl_onnx_einsum,
    sl_onnx_resize, sl_onnx_pad, sl_onnx_pool, sl_onnx_slice, sl_onnx_constant;

// Values of element-wise operators on small tensors, after their shapes.
void sl_onnx_fold(SlOnnxRun *run, const SlOnnxNode *node);

// out[p] = ceil or floor of the positions of a window; the reason if it does not fit. Conv's and
// the pools' attributes, `spatial` axes.
typedef struct {
    int n; // spatial axes
    int64_t kernel[SL_ONNX_MAX_RANK], stride[SL_ONNX_MAX_RANK], dilation[SL_ONNX_MAX_RANK];
    int64_t begin[SL_ONNX_MAX_RANK], end[SL_ONNX_MAX_RANK]; // padding
    bool same;                                              // SAME_UPPER or SAME_LOWER
} SlOnnxWindow;
// `kernel` (n) holds the default extents, NULL = the attribute must be there.
const char *sl_onnx_window(SlOnnxRun *run, const SlOnnxNode *node, int n, const int64_t *kernel,
                           SlOnnxWindow *window);
const char *sl_onnx_window_out(SlOnnxRun *run, const SlOnnxWindow *window, const int64_t *in,
                               bool ceil, int64_t *out);

// ---- the walk ----

SlOnnxScope *sl_onnx_scope(SlOnnxRun *run, int n_names);
// The tensor of a name in the run's scope, made on first sight; NULL without memory.
SlOnnxTensor *sl_onnx_tensor(SlOnnxRun *run, SlBytes name);

// "batch=1,seq=128" appended to run->sizes. `selector`: it stood behind the name of the network.
SlStatus sl_onnx_sizes_parse(SlOnnxRun *run, const char *text, bool selector);
// Shapes of the graph's inputs, with their open sizes filled in.
SlStatus sl_onnx_bind(SlOnnxRun *run);
// Every node in order.
SlStatus sl_onnx_walk(SlOnnxRun *run);

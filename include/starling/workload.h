// workload.h - layers and networks: what is to be computed.
//
// Flow: sl_workload_find("resnet18:conv2_1", ...) -> SlNetwork -> layers[i] (an SlLayer) ->
// mapping, cost.
#pragma once

#include "starling/core.h"

SL_API_BEGIN

// The eight loops of a layer. K and C are per group.
typedef enum {
    SL_N, // batch
    SL_G, // groups, channels of a depthwise layer, heads of attention
    SL_K, // output channels, columns of a GEMM
    SL_C, // input channels, depth of a GEMM
    SL_P, // output rows, rows of a GEMM
    SL_Q, // output columns
    SL_R, // filter rows
    SL_S, // filter columns
    SL_N_DIMS
} SlDim;

typedef enum { SL_W, SL_I, SL_O, SL_N_TENSORS } SlTensor;

// Names: "N".."S" and "W", "I", "O"; both arrays end with NULL.
extern const char *const sl_dim_names[SL_N_DIMS + 1];
extern const char *const sl_tensor_names[SL_N_TENSORS + 1];

// Bit d is set where dim d indexes the tensor: W[g,k,c,r,s], I[n,g,c,p*sy+r*dy,q*sx+s*dx],
// O[n,g,k,p,q].
extern const uint8_t sl_tensor_dims[SL_N_TENSORS];

typedef enum { SL_CONV, SL_DEPTHWISE, SL_LINEAR, SL_GEMM, SL_BMM, SL_N_LAYER_TYPES } SlLayerType;
extern const char
    *const sl_layer_type_names[SL_N_LAYER_TYPES + 1]; // "conv", "dw", "linear", "gemm", "bmm"

enum { SL_LAYER_NAME = 256 }; // bytes of a layer's name with its NUL; files of ours allow 64

// One layer: a box of multiply-accumulates. Padding is remembered (it is part of what the layer is)
// but never counted.
typedef struct {
    char name[SL_LAYER_NAME];
    SlLayerType type; // how it is spelled and shown; the numbers below say everything to the models
    int64_t dims[SL_N_DIMS];
    int32_t stride[2], dilation[2], pad[2]; // rows (y), columns (x)
    int32_t word_bytes[SL_N_TENSORS];       // 0 = as the accelerator says
} SlLayer;

// Multiply-accumulates must stay below this, so that every count is exact in 64 bits and in
// doubles.
#define SL_MACS_LIMIT (INT64_C(1) << 53)

void sl_layer_init(SlLayer *layer); // a conv of one MAC: dims, strides and dilations 1

// NULL, or the first reason why the numbers make no layer ("K is below 1", "the layer has 2^53 MACs
// or more"). Fixed sentences; the readers add the numbers.
const char *sl_layer_check(const SlLayer *layer);

// The sizes of a layer that passed the check. W of a bmm is an activation, not a parameter.
int64_t sl_layer_macs(const SlLayer *layer);
int64_t sl_layer_words(const SlLayer *layer,
                       SlTensor tensor); // distinct elements; of I: touched coordinates
bool sl_layer_same(const SlLayer *a, const SlLayer *b); // equal but for name and type

// Distinct coordinates p*stride + r*dilation of `a` outputs and `b` taps, gaps and all. All >= 1,
// a*b in 64 bits.
int64_t sl_window_size(int64_t a, int64_t b, int64_t stride, int64_t dilation);

// Divide stride and dilation by their common divisor: two pairs (p, r) then name one coordinate iff
// they differ by a multiple of (dilation, -stride).
void sl_window_reduce(int64_t *stride, int64_t *dilation);

// "conv K=64 C=64 P=56 Q=56 R=3 S=3 stride=2", dims of extent 1 left out; and the inline form that
// reads back as the same layer (as a conv where the type has no key for a number). At most n-1
// bytes into `out`, which is returned; 384 are always enough.
const char *sl_layer_show(const SlLayer *layer, size_t n, char *out);
const char *sl_layer_write(const SlLayer *layer, size_t n, char *out);

// An inline layer: conv:K=64,C=64,P=56,Q=56,R=3,S=3[,N=,G=,stride=2|2x1,dilation=,pad=|H=,W=],
// dw:G=96,..., linear:K=,C=[,N=], gemm:M=512,N=768,K=768[,batch=], bmm:B=12,M=,N=,K=; all with
// bytes=2|1x1x4 (W x I x O) and name=. What is not given is 1; the name is the type. Errors have
// the column in `text`, no line.
SlStatus sl_layer_parse(const char *text, SlLayer *layer, SlError *err);

enum { SL_NETWORK_MAX_LAYERS = 4096 };

typedef struct {
    char name[64];
    char title[128];  // one line for lists, may be empty
    char source[256]; // where the shapes come from, may be empty
    int n_layers;
    SlLayer *layers; // (n_layers), in an arena
    // totals published elsewhere; 0 = not known
    int64_t published_macs, published_params;
    int64_t other_params; // of published_params, what is not a weight of a listed layer (bias,
                          // norms, embeddings)
    // nodes of a graph that may hold MACs and were left out because the caller allowed it
    int n_skipped;
    const char *const *skipped; // (n_skipped) "NAME (OPERATOR): REASON", in the arena
} SlNetwork;

// A network from YAML or JSON, from CSV if the name ends with .csv, the layers of a MAESTRO file
// if it ends with .m, or those of an ONNX graph if it ends with .onnx (docs/formats/network.md).
// `name` stands in errors and names a network that does not name itself. A failure leaves the arena
// as it was.
SlStatus sl_network_read(const char *path, SlArena *arena, SlNetwork *net, SlError *err);
SlStatus sl_network_parse(const char *name, const char *text, size_t n, SlArena *arena,
                          SlNetwork *net, SlError *err);

// first[i] (n_layers) = index of the first layer that is the same as layer i; returns the number of
// distinct layers.
int sl_network_distinct(const SlNetwork *net, int *first);

int sl_network_layer(const SlNetwork *net,
                     const char *name); // index by name or 1-based number, -1 if absent

// What a user types: an inline layer, or NAME[:KEY=SIZE,...][:LAYER]. NAME is a bundled network
// (resnet18) or a file (.yaml, .yml, .json, .csv, .m, .onnx; anything else with a '/' as a whole).
// LAYER is a name or a number from 1 and may hold ':'. Sizes are batch=, or of an ONNX graph its
// open dims. One layer comes as a network of one, without published totals. `batch` multiplies N of
// every layer (of a bmm G: each sample has both operands of its own) and published_macs, and is
// checked. Unknown names get a nearest-name hint.
SlStatus sl_workload_find(const char *selector, int64_t batch, SlArena *arena, SlNetwork *net,
                          SlError *err);

// The same with what only graphs need.
typedef struct {
    const char *selector;
    int64_t batch;         // 1 = as the network has it
    const char *sizes;     // "batch=1,seq=128,image:0=1": symbols, or INPUT:AXIS; NULL = none
    bool skip_unsupported; // leave out what cannot be counted; its nodes are in net->skipped
} SlWorkload;
SlStatus sl_workload_read(const SlWorkload *workload, SlArena *arena, SlNetwork *net, SlError *err);

SL_API_END

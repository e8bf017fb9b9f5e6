// network_build.h - a network being filled layer by layer, and the readers that fill it. Private to
// the module.
//
// Flow: sl_builder_init -> sl_builder_add ... -> the network.
#pragma once

#include "starling/workload.h"

typedef struct {
    SlNetwork *net;
    int room;    // of net->layers
    int n_slots; // power of two, at least twice the room
    int *slots;  // (n_slots) open addressing by name: layer number from 1, 0 = free
} SlNetworkBuilder;

// An empty network with room for `room` layers in the arena; the table of names is in `scratch`.
SlStatus sl_builder_init(SlNetworkBuilder *builder, int room, SlArena *arena, SlArena *scratch,
                         SlNetwork *net, SlError *err);

// Append a copy. A layer without a name is called layer<number>; a name that is taken is an error
// (without a place).
SlStatus sl_builder_add(SlNetworkBuilder *builder, const SlLayer *layer, SlError *err);

// Text whose tree, rows and tables need not outlive the call.
typedef struct {
    const char *name; // of the file, for errors
    const char *text;
    size_t n;
    SlArena *scratch;
} SlNetworkText;

// net->name is the default on entry.
SlStatus sl_network_from_yaml(const SlNetworkText *in, SlArena *arena, SlNetwork *net,
                              SlError *err);
SlStatus sl_network_from_maestro(const SlNetworkText *in, SlArena *arena, SlNetwork *net,
                                 SlError *err);
SlStatus sl_network_from_csv(const SlNetworkText *in, SlArena *arena, SlNetwork *net, SlError *err);

// What only graphs are asked.
typedef struct {
    const char *sizes;    // of open dims, "batch=1,image:0=1"; NULL = none
    const char *selector; // the same from behind the network's name; NULL = none
    bool skip_unsupported;
    int64_t *batch; // takes the selector's "batch" if no open dim is called so, may be NULL
} SlGraphOptions;
SlStatus sl_network_from_onnx(const SlNetworkText *in, const SlGraphOptions *options,
                              SlArena *arena, SlNetwork *net, SlError *err);
// The same from a file, which is mapped and not read whole. net->name is the default on entry.
SlStatus sl_network_read_onnx(const char *path, const SlGraphOptions *options, SlArena *arena,
                              SlNetwork *net, SlError *err);

// The same under the name of the file; a failure leaves the arena as it was.
SlStatus sl_network_read_graph(const char *path, const SlGraphOptions *options, SlArena *arena,
                               SlNetwork *net, SlError *err);

// A table of GAMMA's form (K,C,Y,X,R,S,T), by its header line.
bool sl_network_is_gamma(const SlNetworkText *in);
SlStatus sl_network_from_gamma(const SlNetworkText *in, SlArena *arena, SlNetwork *net,
                               SlError *err);

// Multiplies N of every layer (of a bmm G: each sample has both operands of its own) and
// published_macs. What would pass 2^53 stays there, so that sl_layer_check refuses it.
void sl_network_set_batch(SlNetwork *net, int64_t n);

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

// An empty network with space for `room` layers in the arena; the table of names is in `scratch`.
SlStatus sl_builder_init(SlNetworkBuilder *builder, int room, SlArena *arena, SlArena *scratch,
                         SlNetwork *net, SlError *err);

// Append a copy. A layer without a name is called layer<number>; a name that is taken is an error
// (without a place).
SlStatus sl_builder_add(SlNetworkBuilder *builder, const SlLayer *layer, SlError *err);

// What is asked of a network besides its name.
typedef struct {
    const char *sizes;    // of open dims, "batch=1,image:0=1"; NULL = none
    const char *selector; // the same from behind the network's name; NULL = none
    bool skip_unsupported;
    int64_t batch; // that the layers are still to be multiplied by; a reader may change it
    bool taken;    // the reader has dealt with all sizes
} SlAsked;

// Text whose tree, rows and tables need not outlive the call.
typedef struct {
    const char *name; // of the file, for errors
    const char *text;
    size_t n;
    SlArena *scratch;
    SlAsked *asked;
} SlNetworkText;

// net->name is the default on entry.
SlStatus sl_network_from_yaml(const SlNetworkText *in, SlArena *arena, SlNetwork *net,
                              SlError *err);
SlStatus sl_network_from_maestro(const SlNetworkText *in, SlArena *arena, SlNetwork *net,
                                 SlError *err);
SlStatus sl_network_from_csv(const SlNetworkText *in, SlArena *arena, SlNetwork *net, SlError *err);

SlStatus sl_network_from_onnx(const SlNetworkText *in, SlArena *arena, SlNetwork *net,
                              SlError *err);
// The same from a file, which is mapped and not read whole.
SlStatus sl_network_map_onnx(const char *path, SlAsked *asked, SlArena *arena, SlNetwork *net,
                             SlError *err);

// sl_network_parse and sl_network_read, asked for more.
SlStatus sl_network_parse_asked(const char *name, const char *text, size_t n, SlAsked *asked,
                                SlArena *arena, SlNetwork *net, SlError *err);
SlStatus sl_network_read_asked(const char *path, SlAsked *asked, SlArena *arena, SlNetwork *net,
                               SlError *err);

// The batch is asked for twice.
SlStatus sl_batch_twice(int64_t selector, int64_t option, SlError *err);

// A table of GAMMA's form (K,C,Y,X,R,S,T), by its header line.
bool sl_network_is_gamma(const SlNetworkText *in);
SlStatus sl_network_from_gamma(const SlNetworkText *in, SlArena *arena, SlNetwork *net,
                               SlError *err);

// Multiplies N of every layer (of a bmm G: each sample has both operands of its own) and
// published_macs. What would pass 2^53 stays there, so that sl_layer_check refuses it.
void sl_network_set_batch(SlNetwork *net, int64_t n);

// maestro_file.h - MAESTRO's .m files: layers and the directive lists that map them
// (docs/formats/maestro.md).
//
// Flow: sl_maestro_read -> SlMaestroNetwork -> layers[i] -> cost/maestro.h (MAESTRO's numbers),
//       mapping/maestro_nest.h (the same as a loop nest), or sl_maestro_layer (the layer alone).
#pragma once

#include "starling/workload.h"

SL_API_BEGIN

// Variables in the order of their names, as MAESTRO sorts them. YO and XO are Y' and X'.
typedef enum {
    SL_MV_C,
    SL_MV_G,
    SL_MV_K,
    SL_MV_M,
    SL_MV_N,
    SL_MV_R,
    SL_MV_S,
    SL_MV_X,
    SL_MV_XO,
    SL_MV_Y,
    SL_MV_YO,
    SL_N_MV
} SlMaestroVar;
extern const char *const sl_maestro_var_names[SL_N_MV + 1]; // "C", "G", ... "Y'", NULL

typedef enum {
    SL_MAESTRO_CONV,
    SL_MAESTRO_TRCONV, // priced as CONV: its inner stride is dropped
    SL_MAESTRO_DSCONV,
    SL_MAESTRO_NGCONV,
    SL_MAESTRO_GEMM,
    SL_N_MAESTRO_TYPES
} SlMaestroType;
extern const char *const sl_maestro_type_names[SL_N_MAESTRO_TYPES + 1]; // "CONV", ... NULL

typedef enum { SL_MAP_TEMPORAL, SL_MAP_SPATIAL, SL_MAP_CLUSTER } SlDirectiveKind;

// TemporalMap(size, offset) var, SpatialMap(size, offset) var, or Cluster(size).
typedef struct {
    uint8_t kind; // SlDirectiveKind
    uint8_t var;  // SlMaestroVar, of maps
    char unit;    // of clusters: 'P' or 'L'; no number depends on it
    int32_t size, offset;
} SlDirective;

enum { SL_MAX_DIRECTIVES = 64, SL_MAESTRO_MAX_LEVELS = 4 };

// A directive list, outermost first. Plain value.
typedef struct {
    int n;
    SlDirective list[SL_MAX_DIRECTIVES];
} SlMaestroMapping;

// A layer as MAESTRO sees it. Plain value.
typedef struct {
    char name[64];
    SlMaestroType type;
    int32_t size[SL_N_MV];   // as declared; 0 = not declared
    int32_t stride[SL_N_MV]; // as declared for that very name; else 1
    bool batched;            // N indexes inputs and outputs: the first layer of this type in the
                             // file declares it
} SlMaestroLayer;

typedef struct {
    char name[64];
    int n_layers;
    SlMaestroLayer *layers;     // (n_layers), in an arena
    SlMaestroMapping *mappings; // (n_layers)
    int *lines;                 // (n_layers) of the word Layer
} SlMaestroNetwork;

enum { SL_MAESTRO_MAX_BYTES = 16 << 20 };

// A file, or text named `name` in errors. Strict: what MAESTRO refuses to parse is refused with
// file, line, column and what was expected; so are layers without a dataflow, and names that it
// would garble. Of a name of several words the last one counts. SL_EINPUT; a failure leaves the
// arena as it was.
SlStatus sl_maestro_read(const char *path, SlArena *arena, SlMaestroNetwork *net, SlError *err);
SlStatus sl_maestro_parse(const char *name, const char *text, size_t n, SlArena *arena,
                          SlMaestroNetwork *net, SlError *err);

// Where the name of the file ends in FILE.m or FILE.m:LAYER; NULL = the word names no such file.
const char *sl_maestro_path_end(const char *word);
// A layer by name, else by number from 1; -1 = there is none.
int sl_maestro_find_layer(const SlMaestroNetwork *net, const char *name);

// The file again; what it reads back is equal.
void sl_maestro_write(const SlMaestroNetwork *net, SlText *out);

// The layer that the shape stands for: stride applied to P and Q, no padding. NULL, or why there is
// none ("X is smaller than S").
const char *sl_maestro_layer(const SlMaestroLayer *shape, SlLayer *layer);

// The shape of a layer: inputs as large as the windows touch. NULL, or why MAESTRO has none
// ("MAESTRO knows no dilation").
const char *sl_maestro_shape(const SlLayer *layer, SlMaestroLayer *shape);

SL_API_END

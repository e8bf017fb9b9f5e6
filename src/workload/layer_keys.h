// layer_keys.h - the keys a layer is written with: one table behind inline text, YAML and CSV.
// Private to the module.
//
// Flow: sl_draft_init -> for each key: sl_draft_key -> sl_draft_put_text or sl_draft_put ->
// sl_draft_finish -> a checked SlLayer. Errors carry no place; who knows it adds it with
// sl_error_place.
#pragma once

#include "starling/workload.h"

enum {
    SL_STEP_MAX = 1048576,  // largest stride, dilation and padding
    SL_WORD_BYTES_MAX = 64, // a cache line; wider words are surely a mistake
    SL_NAME_ROOM = 64,      // bytes of a name in a file, with its NUL
};

// A layer while its keys are read.
typedef struct {
    SlLayer layer;
    int64_t input[2]; // H, W; 0 = not given
    uint32_t seen;    // bit i = row i of the key table is set
} SlLayerDraft;

typedef enum {
    SL_KEY_DIM,   // int64_t
    SL_KEY_PAIR,  // int32_t[2], rows x columns; one number stands for both
    SL_KEY_BYTES, // int32_t[SL_N_TENSORS], W x I x O; one number stands for all
    SL_KEY_NAME,  // char[64]
} SlKeyKind;

enum { SL_KEY_MAX_PARTS = SL_N_TENSORS };

typedef struct {
    const char *name; // NULL ends the table
    uint8_t types;    // bit t = layers of type t have this key
    uint8_t needed;   // bit t = and must be given it
    SlKeyKind kind;
    size_t offset;    // of the field in SlLayerDraft
    int64_t fallback; // value when not given
    int64_t lo, hi;   // range of each part
} SlLayerKey;

// The table, in the order keys are shown.
extern const SlLayerKey sl_layer_keys[];

// An empty draft of the named type, every field at its fallback.
SlStatus sl_draft_init(SlLayerDraft *draft, const char *type, SlError *err);

// The row of a key that this type has and that is not set yet; SL_EINPUT with a hint otherwise.
SlStatus sl_draft_key(const SlLayerDraft *draft, const char *name, const SlLayerKey **key,
                      SlError *err);

// Set a key from text ("64", "2x1", "1x1x4"), or from `n` numbers in lo..hi.
SlStatus sl_draft_put_text(SlLayerDraft *draft, const SlLayerKey *key, const char *text,
                           SlError *err);
SlStatus sl_draft_put(SlLayerDraft *draft, const SlLayerKey *key, int n, const int64_t *values,
                      SlError *err);

// Check that what the type needs was given, derive P, Q from H, W where these were given, check the
// layer and copy it out. The name stays
// empty if it was not given.
SlStatus sl_draft_finish(SlLayerDraft *draft, SlLayer *layer, SlError *err);

int sl_key_parts(const SlLayerKey *key); // numbers it holds; 0 for a name
int64_t sl_key_value(const SlLayerDraft *draft, const SlLayerKey *key, int part);

// NULL, or why this cannot name a layer or a network.
const char *sl_name_check(const char *name);

// Say where an error without a place happened. `file` may be NULL.
SlStatus sl_error_place(SlError *err, SlStatus status, const char *file, int line, int column);

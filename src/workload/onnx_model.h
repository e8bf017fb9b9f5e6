// onnx_model.h - an ONNX file as it stands: nodes, attributes, constants, inputs, functions. Names
// and data point into the file's bytes. Private to the module.
//
// Flow: sl_onnx_model_read -> SlOnnxModel -> (onnx_graph.h) shapes and layers.
#pragma once

#include "onnx_wire.h"

enum {
    SL_ONNX_MAX_RANK = 32,
    SL_ONNX_MAX_INTS = 64, // numbers of a list that is an attribute
};

// Element types as ONNX numbers them (onnx.proto, TensorProto.DataType).
enum {
    SL_ONNX_FLOAT = 1,
    SL_ONNX_UINT8 = 2,
    SL_ONNX_INT8 = 3,
    SL_ONNX_UINT16 = 4,
    SL_ONNX_INT16 = 5,
    SL_ONNX_INT32 = 6,
    SL_ONNX_INT64 = 7,
    SL_ONNX_BOOL = 9,
    SL_ONNX_FLOAT16 = 10,
    SL_ONNX_DOUBLE = 11,
    SL_ONNX_UINT32 = 12,
    SL_ONNX_UINT64 = 13,
    SL_ONNX_BFLOAT16 = 16,
};

typedef struct {
    SlBytes name;
    SlBytes body; // the message
    SlBytes ref;  // in a function: the attribute of the call that stands here; empty = none
} SlOnnxAttr;

typedef struct {
    SlBytes name, op, domain;
    int n_inputs, n_outputs, n_attrs;
    SlBytes *inputs, *outputs; // names, empty = left out
    SlOnnxAttr *attrs;
} SlOnnxNode;

// A constant tensor: its shape, and where its numbers stand if they are here.
typedef struct {
    SlBytes name;
    int elem;
    int rank;
    int64_t dims[SL_ONNX_MAX_RANK];
    SlBytes body; // the message, empty of a sparse one
    bool external;
} SlOnnxData;

typedef struct {
    int64_t size;   // below 1 = open
    SlBytes symbol; // empty = none
} SlOnnxAxis;

typedef struct {
    SlBytes name;
    int elem;
    int rank; // -1 = no shape
    SlOnnxAxis *axes;
} SlOnnxInput;

typedef struct {
    SlBytes name, domain;
    int n_inputs, n_outputs, n_nodes, n_attrs;
    SlBytes *inputs, *outputs;
    SlOnnxNode *nodes;
    SlOnnxAttr *attrs; // defaults of its attributes
} SlOnnxFunction;

typedef struct {
    const char *file; // for errors
    const uint8_t *base;
    int n_nodes, n_data, n_inputs, n_functions;
    SlOnnxNode *nodes;
    SlOnnxData *data;
    SlOnnxInput *inputs;
    SlOnnxFunction *functions;
} SlOnnxModel;

// `bytes` (n) are kept. All else is in the arena.
SlStatus sl_onnx_model_read(const char *file, SlBytes bytes, SlArena *arena, SlOnnxModel *model,
                            SlError *err);

// A TensorProto; false if it is malformed. dims beyond SL_ONNX_MAX_RANK or negative ones are.
bool sl_onnx_data_read(SlBytes body, SlOnnxData *data);

// Attributes of a node; NULL or the fallback where it has none of that name.
const SlOnnxAttr *sl_onnx_attr(const SlOnnxNode *node, const char *name);
int64_t sl_onnx_attr_int(const SlOnnxNode *node, const char *name, int64_t fallback);
SlBytes sl_onnx_attr_text(const SlOnnxNode *node, const char *name);
// Numbers of a list; -1 if there is no such attribute, -2 if there are more than fit.
int sl_onnx_attr_ints(const SlOnnxNode *node, const char *name, int64_t out[SL_ONNX_MAX_INTS]);
// The field `number` of the attribute, such as its tensor (5) or its floats (7).
bool sl_onnx_attr_field(const SlOnnxAttr *attr, uint32_t number, SlWireField *field);

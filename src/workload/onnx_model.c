// onnx_model.c - an ONNX file taken apart: what stands where, nothing yet about what it means.
//
// Field numbers are those of onnx.proto (ONNX IR version 11). Fields may come in any order, and a
// message that comes twice is merged, as protobuf has it.
#include "onnx_model.h"

#include <string.h>

typedef struct {
    SlOnnxModel *model;
    SlArena *arena;
    SlError *err;
} Reader;

static SlStatus fail_bytes(const Reader *reader, const uint8_t *at, const char *what) {
    return sl_fail_at(reader->err, SL_EINPUT, reader->model->file, 0, 0,
                      "expected an ONNX model: byte %zu is no part of %s",
                      (size_t)(at - reader->model->base), what);
}

static SlStatus fail_memory(const Reader *reader) {
    return sl_fail_at(reader->err, SL_ENOMEM, reader->model->file, 0, 0,
                      "not enough memory for the graph");
}

// how many fields of bytes have that number
static int count_fields(SlBytes message, uint32_t number) {
    SlWire wire = sl_wire(message);
    SlWireField field;
    int n = 0;
    while (sl_wire_next(&wire, &field)) n += field.number == number && field.type == SL_WIRE_BYTES;
    return n;
}

// ---- tensors ----

static bool read_dims(const SlWireField *field, SlOnnxData *data, size_t *rank) {
    if (!sl_wire_ints(field, SL_ONNX_MAX_RANK, data->dims, rank)) return false;
    return *rank <= SL_ONNX_MAX_RANK;
}

bool sl_onnx_data_read(SlBytes body, SlOnnxData *data) {
    SlWire wire = sl_wire(body);
    SlWireField field;
    size_t rank = 0;
    *data = (SlOnnxData){.body = body};
    while (sl_wire_next(&wire, &field)) {
        if (field.number == 1 && !read_dims(&field, data, &rank)) return false;
        if (field.number == 2) data->elem = (int)(field.value & 0xff);
        if (field.number == 8) data->name = field.bytes;
        if (field.number == 14) data->external = field.value == 1;
    }
    data->rank = (int)rank;
    for (size_t i = 0; i < rank; i++)
        if (data->dims[i] < 0) return false;
    return !wire.bad;
}

// values and dims; the name is that of the values
static bool read_sparse(SlBytes body, SlOnnxData *data) {
    SlWire wire = sl_wire(body);
    SlWireField field;
    SlOnnxData values = {0};
    size_t rank = 0;
    *data = (SlOnnxData){0};
    while (sl_wire_next(&wire, &field)) {
        if (field.number == 1 && !sl_onnx_data_read(field.bytes, &values)) return false;
        if (field.number == 3 && !read_dims(&field, data, &rank)) return false;
    }
    data->name = values.name;
    data->elem = values.elem;
    data->rank = (int)rank;
    for (size_t i = 0; i < rank; i++)
        if (data->dims[i] < 0) return false;
    return !wire.bad;
}

// ---- inputs ----

static bool read_axis(SlBytes body, SlOnnxAxis *axis) {
    SlWire wire = sl_wire(body);
    SlWireField field;
    while (sl_wire_next(&wire, &field)) {
        if (field.number == 1) *axis = (SlOnnxAxis){.size = (int64_t)field.value};
        if (field.number == 2) *axis = (SlOnnxAxis){.symbol = field.bytes};
    }
    return !wire.bad;
}

enum { NO_MEMORY = -2 }; // as a rank

static bool read_shape(SlBytes body, SlArena *arena, SlOnnxInput *input) {
    int more = count_fields(body, 1), old = input->rank < 0 ? 0 : input->rank, n = old;
    if (old + more > SL_ONNX_MAX_RANK) return false;
    SlOnnxAxis *axes = SL_NEW(arena, old + more, SlOnnxAxis);
    if (!axes) {
        input->rank = NO_MEMORY;
        return false;
    }
    if (old) memcpy(axes, input->axes, (size_t)old * sizeof *axes);
    SlWire wire = sl_wire(body);
    SlWireField field;
    while (sl_wire_next(&wire, &field)) {
        if (field.number != 1 || field.type != SL_WIRE_BYTES) continue;
        if (!read_axis(field.bytes, &axes[n++])) return false;
    }
    input->axes = axes;
    input->rank = n;
    return !wire.bad;
}

// TypeProto.Tensor: the element type and the shape
static bool read_tensor_type(SlBytes body, SlArena *arena, SlOnnxInput *input) {
    SlWire wire = sl_wire(body);
    SlWireField field;
    while (sl_wire_next(&wire, &field)) {
        if (field.number == 1) input->elem = (int)(field.value & 0xff);
        if (field.number == 2 && !read_shape(field.bytes, arena, input)) return false;
    }
    return !wire.bad;
}

static bool read_input(SlBytes body, SlArena *arena, SlOnnxInput *input) {
    SlWire wire = sl_wire(body);
    SlWireField field, type;
    *input = (SlOnnxInput){.rank = -1};
    while (sl_wire_next(&wire, &field)) {
        if (field.number == 1) input->name = field.bytes;
        if (field.number != 2) continue;
        SlWire types = sl_wire(field.bytes);
        while (sl_wire_next(&types, &type))
            if (type.number == 1 && !read_tensor_type(type.bytes, arena, input)) return false;
        if (types.bad) return false;
    }
    return !wire.bad;
}

// ---- nodes ----

static bool read_attr(SlBytes body, SlOnnxAttr *attr) {
    SlWire wire = sl_wire(body);
    SlWireField field;
    *attr = (SlOnnxAttr){.body = body};
    while (sl_wire_next(&wire, &field)) {
        if (field.number == 1) attr->name = field.bytes;
        if (field.number == 21) attr->ref = field.bytes;
    }
    return !wire.bad;
}

static SlStatus read_node(const Reader *reader, SlBytes body, SlOnnxNode *node) {
    *node = (SlOnnxNode){0};
    node->inputs = SL_NEW(reader->arena, count_fields(body, 1), SlBytes);
    node->outputs = SL_NEW(reader->arena, count_fields(body, 2), SlBytes);
    node->attrs = SL_NEW(reader->arena, count_fields(body, 5), SlOnnxAttr);
    if (!node->inputs || !node->outputs || !node->attrs) return fail_memory(reader);
    SlWire wire = sl_wire(body);
    SlWireField field;
    while (sl_wire_next(&wire, &field)) {
        if (field.type != SL_WIRE_BYTES) continue;
        switch (field.number) {
        case 1:
            node->inputs[node->n_inputs++] = field.bytes;
            break;
        case 2:
            node->outputs[node->n_outputs++] = field.bytes;
            break;
        case 3:
            node->name = field.bytes;
            break;
        case 4:
            node->op = field.bytes;
            break;
        case 5:
            if (!read_attr(field.bytes, &node->attrs[node->n_attrs++]))
                return fail_bytes(reader, field.bytes.at, "an attribute");
            break;
        case 7:
            node->domain = field.bytes;
            break;
        default:
            break;
        }
    }
    if (wire.bad) return fail_bytes(reader, wire.bad, "a node");
    if (sl_bytes_are(node->domain, "ai.onnx")) node->domain.n = 0;
    return SL_OK;
}

static SlStatus read_function(const Reader *reader, SlBytes body, SlOnnxFunction *function) {
    *function = (SlOnnxFunction){0};
    function->inputs = SL_NEW(reader->arena, count_fields(body, 4), SlBytes);
    function->outputs = SL_NEW(reader->arena, count_fields(body, 5), SlBytes);
    function->nodes = SL_NEW(reader->arena, count_fields(body, 7), SlOnnxNode);
    function->attrs = SL_NEW(reader->arena, count_fields(body, 11), SlOnnxAttr);
    if (!function->inputs || !function->outputs || !function->nodes || !function->attrs)
        return fail_memory(reader);
    SlWire wire = sl_wire(body);
    SlWireField field;
    SlStatus status = SL_OK;
    while (status == SL_OK && sl_wire_next(&wire, &field)) {
        if (field.type != SL_WIRE_BYTES) continue;
        if (field.number == 1) function->name = field.bytes;
        if (field.number == 10) function->domain = field.bytes;
        if (field.number == 4) function->inputs[function->n_inputs++] = field.bytes;
        if (field.number == 5) function->outputs[function->n_outputs++] = field.bytes;
        if (field.number == 7)
            status = read_node(reader, field.bytes, &function->nodes[function->n_nodes++]);
        if (field.number == 11 && !read_attr(field.bytes, &function->attrs[function->n_attrs++]))
            status = fail_bytes(reader, field.bytes.at, "an attribute");
    }
    if (status == SL_OK && wire.bad) status = fail_bytes(reader, wire.bad, "a function");
    return status;
}

// ---- the graph ----

static SlStatus read_graph_field(const Reader *reader, const SlWireField *field) {
    SlOnnxModel *model = reader->model;
    if (field->type != SL_WIRE_BYTES) return SL_OK;
    switch (field->number) {
    case 1:
        return read_node(reader, field->bytes, &model->nodes[model->n_nodes++]);
    case 5:
        if (sl_onnx_data_read(field->bytes, &model->data[model->n_data++])) return SL_OK;
        return fail_bytes(reader, field->bytes.at, "an initializer");
    case 15:
        if (read_sparse(field->bytes, &model->data[model->n_data++])) return SL_OK;
        return fail_bytes(reader, field->bytes.at, "a sparse initializer");
    case 11:
        if (read_input(field->bytes, reader->arena, &model->inputs[model->n_inputs++]))
            return SL_OK;
        if (model->inputs[model->n_inputs - 1].rank == NO_MEMORY) return fail_memory(reader);
        return fail_bytes(reader, field->bytes.at, "an input");
    default:
        return SL_OK;
    }
}

static SlStatus read_graph(const Reader *reader, SlBytes body) {
    SlWire wire = sl_wire(body);
    SlWireField field;
    SlStatus status = SL_OK;
    while (status == SL_OK && sl_wire_next(&wire, &field))
        status = read_graph_field(reader, &field);
    if (status == SL_OK && wire.bad) status = fail_bytes(reader, wire.bad, "the graph");
    return status;
}

// room for everything that the graphs of the file hold; their number goes to *n_graphs
static SlStatus make_room(const Reader *reader, SlBytes bytes, int *n_graphs) {
    SlOnnxModel *model = reader->model;
    SlWire wire = sl_wire(bytes);
    SlWireField field;
    int nodes = 0, data = 0, inputs = 0, functions = 0;
    *n_graphs = 0;
    while (sl_wire_next(&wire, &field)) {
        functions += field.number == 25 && field.type == SL_WIRE_BYTES;
        if (field.number != 7 || field.type != SL_WIRE_BYTES) continue;
        nodes += count_fields(field.bytes, 1);
        data += count_fields(field.bytes, 5) + count_fields(field.bytes, 15);
        inputs += count_fields(field.bytes, 11);
        ++*n_graphs;
    }
    if (wire.bad) return fail_bytes(reader, wire.bad, "a model");
    model->nodes = SL_NEW(reader->arena, nodes, SlOnnxNode);
    model->data = SL_NEW(reader->arena, data, SlOnnxData);
    model->inputs = SL_NEW(reader->arena, inputs, SlOnnxInput);
    model->functions = SL_NEW(reader->arena, functions, SlOnnxFunction);
    if (!model->nodes || !model->data || !model->inputs || !model->functions)
        return fail_memory(reader);
    return SL_OK;
}

SlStatus sl_onnx_model_read(const char *file, SlBytes bytes, SlArena *arena, SlOnnxModel *model,
                            SlError *err) {
    *model = (SlOnnxModel){.file = file, .base = bytes.at};
    const Reader reader = {model, arena, err};
    int n_graphs = 0;
    SlStatus status = make_room(&reader, bytes, &n_graphs);
    if (status == SL_OK && !n_graphs)
        return sl_fail_at(err, SL_EINPUT, file, 0, 0,
                          "expected an ONNX model: the file has no graph");
    SlWire wire = sl_wire(bytes);
    SlWireField field;
    while (status == SL_OK && sl_wire_next(&wire, &field)) {
        if (field.type != SL_WIRE_BYTES) continue;
        if (field.number == 7) status = read_graph(&reader, field.bytes);
        if (field.number == 25)
            status = read_function(&reader, field.bytes, &model->functions[model->n_functions++]);
    }
    return status;
}

// ---- attributes ----

const SlOnnxAttr *sl_onnx_attr(const SlOnnxNode *node, const char *name) {
    for (int i = 0; i < node->n_attrs; i++)
        if (sl_bytes_are(node->attrs[i].name, name)) return &node->attrs[i];
    return NULL;
}

bool sl_onnx_attr_field(const SlOnnxAttr *attr, uint32_t number, SlWireField *field) {
    SlWire wire = sl_wire(attr->body);
    SlWireField one;
    bool found = false;
    while (sl_wire_next(&wire, &one)) {
        if (one.number != number) continue;
        *field = one; // the last one counts
        found = true;
    }
    return found;
}

int64_t sl_onnx_attr_int(const SlOnnxNode *node, const char *name, int64_t fallback) {
    const SlOnnxAttr *attr = sl_onnx_attr(node, name);
    SlWireField field;
    // a value of 0 is not written by some writers
    if (!attr) return fallback;
    return sl_onnx_attr_field(attr, 3, &field) ? (int64_t)field.value : 0;
}

SlBytes sl_onnx_attr_text(const SlOnnxNode *node, const char *name) {
    const SlOnnxAttr *attr = sl_onnx_attr(node, name);
    SlWireField field = {0};
    if (attr) sl_onnx_attr_field(attr, 4, &field);
    return field.bytes;
}

int sl_onnx_attr_ints(const SlOnnxNode *node, const char *name, int64_t out[SL_ONNX_MAX_INTS]) {
    const SlOnnxAttr *attr = sl_onnx_attr(node, name);
    if (!attr) return -1;
    SlWire wire = sl_wire(attr->body);
    SlWireField field;
    size_t n = 0;
    while (sl_wire_next(&wire, &field)) {
        if (field.number == 8 && !sl_wire_ints(&field, SL_ONNX_MAX_INTS, out, &n)) return -2;
    }
    return n <= SL_ONNX_MAX_INTS ? (int)n : -2;
}

// onnx_wire.c - protobuf's wire format, field by field; every length is checked before it is used.
#include "onnx_wire.h"

#include <string.h>

enum { WIRE_GROUP = 3, WIRE_GROUP_END = 4, MAX_GROUPS = 64 };

SlWire sl_wire(SlBytes message) {
    return (SlWire){.rest = message};
}

static bool fail(SlWire *wire) {
    wire->bad = wire->rest.at;
    return false;
}

static void skip(SlBytes *bytes, size_t n) {
    bytes->at += n;
    bytes->n -= n;
}

// at most ten bytes; longer forms of small numbers are legal, bits beyond the 64th fall away
static bool read_varint(SlBytes *bytes, uint64_t *value) {
    *value = 0;
    for (size_t i = 0; i < 10 && i < bytes->n; i++) {
        uint64_t part = bytes->at[i] & 0x7f;
        *value |= part << (7 * i);
        if (bytes->at[i] & 0x80) continue;
        skip(bytes, i + 1);
        return true;
    }
    return false;
}

static bool read_fixed(SlBytes *bytes, size_t width, uint64_t *value) {
    if (bytes->n < width) return false;
    *value = 0;
    for (size_t i = 0; i < width; i++) *value |= (uint64_t)bytes->at[i] << (8 * i);
    skip(bytes, width);
    return true;
}

static bool read_bytes(SlBytes *bytes, SlBytes *out) {
    uint64_t n = 0;
    if (!read_varint(bytes, &n) || n > bytes->n) return false;
    *out = (SlBytes){bytes->at, (size_t)n};
    skip(bytes, (size_t)n);
    return true;
}

// number and wire type
static bool read_tag(SlBytes *bytes, uint32_t *number, unsigned *type) {
    uint64_t tag = 0;
    if (!read_varint(bytes, &tag) || tag > UINT32_MAX || tag >> 3 == 0) return false;
    *number = (uint32_t)(tag >> 3);
    *type = tag & 7;
    return true;
}

static bool read_value(SlBytes *bytes, unsigned type, SlWireField *field) {
    switch (type) {
    case SL_WIRE_VARINT:
        return read_varint(bytes, &field->value);
    case SL_WIRE_64:
        return read_fixed(bytes, 8, &field->value);
    case SL_WIRE_32:
        return read_fixed(bytes, 4, &field->value);
    case SL_WIRE_BYTES:
        return read_bytes(bytes, &field->bytes);
    default:
        return false;
    }
}

// everything up to the end of a group whose begin has been read
static bool skip_group(SlBytes *bytes) {
    for (int depth = 1; depth > 0;) {
        uint32_t number = 0;
        unsigned type = 0;
        SlWireField ignored;
        if (!read_tag(bytes, &number, &type)) return false;
        if (type == WIRE_GROUP_END)
            depth--;
        else if (type == WIRE_GROUP && depth < MAX_GROUPS)
            depth++;
        else if (!read_value(bytes, type, &ignored))
            return false;
    }
    return true;
}

bool sl_wire_next(SlWire *wire, SlWireField *field) {
    while (wire->rest.n && !wire->bad) {
        SlBytes at = wire->rest;
        unsigned type = 0;
        *field = (SlWireField){0};
        if (!read_tag(&at, &field->number, &type)) return fail(wire);
        if (type == WIRE_GROUP) {
            if (!skip_group(&at)) return fail(wire);
            wire->rest = at;
            continue;
        }
        if (!read_value(&at, type, field)) return fail(wire);
        field->type = (SlWireType)type;
        wire->rest = at;
        return true;
    }
    return false;
}

bool sl_wire_varint(SlWire *wire, uint64_t *value) {
    if (!wire->rest.n || wire->bad) return false;
    return read_varint(&wire->rest, value) || fail(wire);
}

bool sl_wire_ints(const SlWireField *field, size_t room, int64_t *values, size_t *n) {
    if (field->type != SL_WIRE_BYTES) {
        if (*n < room) values[*n] = (int64_t)field->value;
        ++*n;
        return field->type == SL_WIRE_VARINT;
    }
    SlWire wire = sl_wire(field->bytes);
    uint64_t value = 0;
    while (sl_wire_varint(&wire, &value)) {
        if (*n < room) values[*n] = (int64_t)value;
        ++*n;
    }
    return !wire.bad;
}

bool sl_bytes_are(SlBytes bytes, const char *text) {
    return bytes.n == strlen(text) && (!bytes.n || !memcmp(bytes.at, text, bytes.n));
}

bool sl_bytes_same(SlBytes a, SlBytes b) {
    return a.n == b.n && (!a.n || !memcmp(a.at, b.at, a.n));
}

// onnx_wire.h - protobuf's wire format, field by field, over bytes that stay where they are.
// Private to the module.
//
// Flow: SlWire of a message -> while (sl_wire_next(&wire, &field)) ... -> wire.bad tells a broken
// message from its end.
#pragma once

#include "starling/core.h"

// Bytes of somebody else's memory, also names: not NUL-terminated.
typedef struct {
    const uint8_t *at;
    size_t n;
} SlBytes;

typedef struct {
    SlBytes rest;       // what has not been read yet
    const uint8_t *bad; // where no field could be read; NULL = all is well
} SlWire;

typedef enum { SL_WIRE_VARINT = 0, SL_WIRE_64 = 1, SL_WIRE_BYTES = 2, SL_WIRE_32 = 5 } SlWireType;

typedef struct {
    uint32_t number; // of the field, from 1
    SlWireType type;
    uint64_t value; // of a varint or of fixed width
    SlBytes bytes;  // of a field of bytes: text, a message, packed numbers
} SlWireField;

SlWire sl_wire(SlBytes message);

// False at the end and where the bytes are no field. Groups, which ONNX never uses, are skipped.
bool sl_wire_next(SlWire *wire, SlWireField *field);

// One number off packed varints; false at the end and where there is none.
bool sl_wire_varint(SlWire *wire, uint64_t *value);

// The whole of a repeated integer field, packed or not: call for every field of that number. Adds
// to `values` what still fits into `room` and counts all in *n. False if the bytes are malformed.
bool sl_wire_ints(const SlWireField *field, size_t room, int64_t *values, size_t *n);

bool sl_bytes_are(SlBytes bytes, const char *text);
bool sl_bytes_same(SlBytes a, SlBytes b);

// vta_pack.c - tensors in the blocks that a core sees, and the convolution by plain loops.
#include <string.h>

#include "vta_machine.h"

// ---- blocks ----

// (N, C, rows, columns) into (n, ci, rows, columns, B, Bi); what is not there stays 0
static void pack_inputs(const SlVtaTask *task, const int8_t *from, int8_t *to) {
    const SlVtaCore *core = &task->core;
    int64_t channels = task->layer.dims[SL_C], area = (int64_t)task->in_rows * task->in_columns;
    for (int64_t n = 0; n < task->layer.dims[SL_N]; n++) {
        for (int64_t c = 0; c < channels; c++) {
            int64_t plane = n / core->batch * task->ci + c / core->block_in;
            int64_t lane = n % core->batch * core->block_in + c % core->block_in;
            for (int64_t i = 0; i < area; i++)
                to[(plane * area + i) * core->batch * core->block_in + lane] =
                    from[(n * channels + c) * area + i];
        }
    }
}

// (K, C, R, S) into (co, ci, R, S, Bo, Bi)
static void pack_weights(const SlVtaTask *task, const int8_t *from, int8_t *to) {
    const SlVtaCore *core = &task->core;
    int64_t channels = task->layer.dims[SL_C], taps = (int64_t)task->taps[0] * task->taps[1];
    for (int64_t k = 0; k < task->layer.dims[SL_K]; k++) {
        for (int64_t c = 0; c < channels; c++) {
            int64_t plane = k / core->block_out * task->ci + c / core->block_in;
            int64_t lane = k % core->block_out * core->block_in + c % core->block_in;
            for (int64_t i = 0; i < taps; i++)
                to[(plane * taps + i) * core->block_in * core->block_out + lane] =
                    from[(k * channels + c) * taps + i];
        }
    }
}

// (K) into (co, B, Bo): the same for every batch
static void pack_bias(const SlVtaTask *task, const int32_t *from, int32_t *to) {
    int n_out = task->core.block_out;
    for (int64_t k = 0; k < task->layer.dims[SL_K]; k++)
        for (int64_t b = 0; b < task->core.batch; b++)
            to[(k / n_out * task->core.batch + b) * n_out + k % n_out] = from[k];
}

void sl_vta_unpack(const SlVtaTask *task, const int8_t *packed, int8_t *out) {
    const SlVtaCore *core = &task->core;
    int64_t channels = task->layer.dims[SL_K], area = (int64_t)task->rows * task->columns;
    for (int64_t n = 0; n < task->layer.dims[SL_N]; n++) {
        for (int64_t k = 0; k < channels; k++) {
            int64_t plane = n / core->batch * task->co + k / core->block_out;
            int64_t lane = n % core->batch * core->block_out + k % core->block_out;
            for (int64_t i = 0; i < area; i++)
                out[(n * channels + k) * area + i] =
                    packed[(plane * area + i) * core->batch * core->block_out + lane];
        }
    }
}

SlStatus sl_vta_pack(const SlVtaTask *task, const SlVtaTensors *tensors, SlArena *arena,
                     VtaDram *dram, SlError *err) {
    const SlVtaCore *core = &task->core;
    *dram = (VtaDram){.shift = (int16_t)tensors->shift, .low = tensors->low, .high = tensors->high};
    int64_t *size = dram->size;
    size[SL_VTA_MEM_INP] = (int64_t)task->n * task->ci * task->in_rows * task->in_columns;
    size[SL_VTA_MEM_WGT] = (int64_t)task->co * task->ci * task->taps[0] * task->taps[1];
    size[SL_VTA_MEM_ACC] = task->bias ? task->co : 0;
    size[SL_VTA_MEM_OUT] = (int64_t)task->n * task->co * task->rows * task->columns;
    int8_t *piece[VTA_N_MEMS];
    for (int mem = SL_VTA_MEM_WGT; mem < VTA_N_MEMS; mem++) {
        piece[mem] =
            SL_NEW(arena, (size_t)size[mem] * (size_t)sl_vta_element_bytes(core, mem), int8_t);
        if (!piece[mem]) return sl_fail(err, SL_ENOMEM, "not enough memory");
    }
    void *bias = piece[SL_VTA_MEM_ACC];
    pack_inputs(task, tensors->inp, piece[SL_VTA_MEM_INP]);
    pack_weights(task, tensors->wgt, piece[SL_VTA_MEM_WGT]);
    if (task->bias) pack_bias(task, tensors->bias, bias);
    dram->inp = piece[SL_VTA_MEM_INP];
    dram->wgt = piece[SL_VTA_MEM_WGT];
    dram->bias = bias;
    dram->out = piece[SL_VTA_MEM_OUT];
    return SL_OK;
}

// ---- plain loops ----

// inputs under a filter that exist: [from, to) of its taps along one axis
static void taps_inside(const SlVtaTask *task, int axis, int output, int *from, int *to) {
    int first = output * task->stride[axis] - task->pad[axis];
    int size = axis ? task->in_columns : task->in_rows;
    *from = first < 0 ? -first : 0;
    *to = first + task->taps[axis] > size ? size - first : task->taps[axis];
}

static uint32_t window_sum(const SlVtaTask *task, const int8_t *inp, const int8_t *wgt, int row,
                           int column) {
    int r0, r1, s0, s1;
    uint32_t sum = 0;
    taps_inside(task, 0, row, &r0, &r1);
    taps_inside(task, 1, column, &s0, &s1);
    int y = row * task->stride[0] - task->pad[0], x = column * task->stride[1] - task->pad[1];
    for (int64_t c = 0; c < task->layer.dims[SL_C]; c++) {
        for (int r = r0; r < r1; r++) {
            int64_t from = (c * task->in_rows + y + r) * task->in_columns + x;
            const int8_t *by = wgt + (c * task->taps[0] + r) * task->taps[1];
            for (int s = s0; s < s1; s++) sum += (uint32_t)(inp[from + s] * by[s]);
        }
    }
    return sum;
}

static int8_t finish(const SlVtaTask *task, const SlVtaTensors *tensors, uint32_t sum, int64_t k) {
    int32_t value = (int32_t)sum >> tensors->shift;
    if (task->bias) value = (int32_t)((uint32_t)value + (uint32_t)tensors->bias[k]);
    value = value < tensors->low ? (int32_t)tensors->low : value;
    return value > tensors->high ? tensors->high : (int8_t)value;
}

void sl_vta_convolve(const SlVtaTask *task, const SlVtaTensors *tensors, int8_t *out) {
    const int64_t *e = task->layer.dims;
    int64_t inputs = e[SL_C] * task->in_rows * task->in_columns;
    int64_t weights = e[SL_C] * task->taps[0] * task->taps[1];
    for (int64_t n = 0; n < e[SL_N]; n++) {
        for (int64_t k = 0; k < e[SL_K]; k++) {
            for (int row = 0; row < task->rows; row++) {
                for (int column = 0; column < task->columns; column++) {
                    uint32_t sum = window_sum(task, tensors->inp + n * inputs,
                                              tensors->wgt + k * weights, row, column);
                    *out++ = finish(task, tensors, sum, k);
                }
            }
        }
    }
}

// cpu_plan.c - what a layer and a schedule amount to, and whether they make a program.
#include <assert.h>

#include "kernel_inside.h"

const char *const sl_kernel_type_names[SL_N_KERNEL_TYPES + 1] = {"fp32", "int8", NULL};

static int64_t ceil_div(int64_t a, int64_t b) {
    return (a + b - 1) / b;
}

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

// rows that an input has if `out` outputs touch `touched` of them and `pad` are in front: padding
// is the same behind, a stride may leave some rows unused, and those are not there
static int64_t input_extent(int64_t touched, int64_t pad, int64_t stride) {
    return least(touched - 2 * pad + stride - 1, touched - pad);
}

void sl_kernel_shape_init(const SlLayer *layer, SlKernelShape *shape) {
    const int64_t *d = layer->dims;
    *shape = (SlKernelShape){.n = d[SL_N],
                             .g = d[SL_G],
                             .k = d[SL_K],
                             .c = d[SL_C],
                             .p = d[SL_P],
                             .q = d[SL_Q],
                             .r = d[SL_R],
                             .s = d[SL_S],
                             .sy = layer->stride[0],
                             .sx = layer->stride[1],
                             .dy = layer->dilation[0],
                             .dx = layer->dilation[1],
                             .py = layer->pad[0],
                             .px = layer->pad[1]};
    if (shape->g > 1 && shape->k == 1 && shape->c == 1) {
        shape->depthwise = true;
        shape->k = shape->g;
        shape->g = 1;
    }
    // strides and dilations that nothing can be seen of
    if (shape->p == 1) shape->sy = 1;
    if (shape->q == 1) shape->sx = 1;
    if (shape->r == 1) shape->dy = 1;
    if (shape->s == 1) shape->dx = 1;
    bool flat = shape->r == 1 && shape->s == 1 && shape->sy == 1 && shape->sx == 1 &&
                shape->py == 0 && shape->px == 0;
    if (flat) {
        shape->q *= shape->n * shape->p;
        shape->n = shape->p = 1;
    }
    shape->hp = (shape->p - 1) * shape->sy + (shape->r - 1) * shape->dy + 1;
    shape->wp = (shape->q - 1) * shape->sx + (shape->s - 1) * shape->dx + 1;
    shape->h = input_extent(shape->hp, shape->py, shape->sy);
    shape->w = input_extent(shape->wp, shape->px, shape->sx);
}

const char *sl_kernel_task_check(const SlKernelTask *task) {
    const double most = 1 << 27; // elements; the reference keeps some in doubles
    SlKernelShape shape;
    const char *why = sl_layer_check(&task->layer);
    if (why) return why;
    if (task->type < 0 || task->type >= SL_N_KERNEL_TYPES) return "the type is unknown";
    if (task->threads < 1 || task->threads > 64) return "threads are not within 1..64";
    if (task->vector_bytes != 16 && task->vector_bytes != 32 && task->vector_bytes != 64)
        return "vectors have neither 16 nor 32 nor 64 bytes";
    sl_kernel_shape_init(&task->layer, &shape);
    if (shape.h < 1 || shape.w < 1) return "the padding leaves no input";
    double channels = (double)(shape.depthwise ? shape.k : shape.c);
    double x = (double)shape.n * (double)shape.g * channels * (double)shape.hp * (double)shape.wp;
    double w =
        (double)shape.g * (double)shape.k * (double)shape.c * (double)shape.r * (double)shape.s;
    double y =
        (double)shape.n * (double)shape.g * (double)shape.k * (double)shape.p * (double)shape.q;
    if (x > most || w > most || y > most) return "a tensor has more than 2^27 elements";
    if (task->type == SL_KERNEL_INT8 && shape.c * shape.r * shape.s >= 1 << 17)
        return "sums of this depth may pass 32 bits";
    return NULL;
}

// `columns` in equal blocks of at most `most`, give or take one
static SlRowSplit split_row(int64_t columns, int64_t most) {
    int64_t blocks = ceil_div(columns, most), wide = ceil_div(columns, blocks);
    int64_t n_narrow = blocks * wide - columns;
    return (SlRowSplit){.wide = wide, .n_wide = blocks - n_narrow, .n_narrow = n_narrow};
}

// both axes: as square as the number allows, more threads on rows
static int64_t threads_on_channels(int64_t threads, int64_t axis) {
    int64_t o = 1;
    if (axis == 0) return threads;
    for (int64_t i = 1; axis == 2 && i * i <= threads; i++)
        if (threads % i == 0) o = i;
    return o;
}

void sl_kernel_plan_init(const SlKernelTask *task, const SlKernelSchedule *schedule,
                         SlKernelPlan *plan) {
    const int32_t *v = schedule->values;
    *plan = (SlKernelPlan){.type = task->type,
                           .vector_bytes = v[SL_KNOB_VECTOR],
                           .lanes = v[SL_KNOB_VECTOR] / 4,
                           .vectors = v[SL_KNOB_OC_VECTORS],
                           .columns = v[SL_KNOB_OW_BLOCK],
                           .ic_block = v[SL_KNOB_TILE_IC],
                           .tile_oh = v[SL_KNOB_TILE_OH],
                           .tile_ow = v[SL_KNOB_TILE_OW],
                           .threads = v[SL_KNOB_THREADS],
                           .unroll_ic = v[SL_KNOB_UNROLL_IC],
                           .unroll_kw = v[SL_KNOB_UNROLL_KW],
                           .order = v[SL_KNOB_ORDER]};
    SlKernelShape *shape = &plan->shape;
    sl_kernel_shape_init(&task->layer, shape);
    bool pairs = task->type == SL_KERNEL_INT8 && !shape->depthwise;
    plan->work_bytes = pairs ? 2 : 4;
    plan->oc_block = plan->vectors * plan->lanes;
    plan->oc_blocks = ceil_div(shape->k, plan->oc_block);
    plan->ic_blocks = ceil_div(shape->c, plan->ic_block);
    plan->ic_steps = pairs ? plan->ic_block / 2 : plan->ic_block;
    plan->x_block = shape->depthwise ? plan->oc_block : plan->ic_block;
    plan->x_blocks = shape->depthwise ? plan->oc_blocks : plan->ic_blocks;
    plan->tiles_h = ceil_div(shape->p, plan->tile_oh);
    plan->tiles_w = ceil_div(shape->q, plan->tile_ow);
    plan->full = split_row(plan->tile_ow, plan->columns);
    plan->last = split_row(shape->q - (plan->tiles_w - 1) * plan->tile_ow, plan->columns);
    plan->threads_o = threads_on_channels(plan->threads, v[SL_KNOB_PARALLEL]);
    plan->threads_h = plan->threads / plan->threads_o;
    plan->copies = task->type == SL_KERNEL_INT8 || shape->h != shape->hp || shape->w != shape->wp;
}

static const char *check_ranges(const SlKernelTask *task, const int32_t *v) {
    int32_t vector = v[SL_KNOB_VECTOR];
    if (vector != 16 && vector != 32 && vector != 64)
        return "vector is neither 16 nor 32 nor 64 bytes";
    if (vector > task->vector_bytes) return "vector is wider than the processor's";
    if (v[SL_KNOB_OC_VECTORS] < 1 || v[SL_KNOB_OC_VECTORS] > SL_MAX_OC_VECTORS)
        return "oc_vectors is not within 1..8";
    if (v[SL_KNOB_OW_BLOCK] < 1 || v[SL_KNOB_OW_BLOCK] > SL_MAX_OW_BLOCK)
        return "ow_block is not within 1..31";
    if (v[SL_KNOB_THREADS] < 1 || v[SL_KNOB_THREADS] > task->threads)
        return "there are more threads than the task has";
    if (v[SL_KNOB_PARALLEL] < 0 || v[SL_KNOB_PARALLEL] > 2) return "parallel is not within 0..2";
    if (v[SL_KNOB_UNROLL_IC] < 1 || v[SL_KNOB_UNROLL_IC] > SL_MAX_UNROLL)
        return "unroll_ic is not within 1..16";
    if (v[SL_KNOB_UNROLL_KW] < 0 || v[SL_KNOB_UNROLL_KW] > 1) return "unroll_kw is not 0 or 1";
    if (v[SL_KNOB_ORDER] < 0 || v[SL_KNOB_ORDER] >= SL_N_KERNEL_ORDERS)
        return "order is not within 0..3";
    return NULL;
}

static const char *check_tiles(const SlKernelTask *task, const SlKernelShape *shape,
                               const int32_t *v) {
    bool pairs = task->type == SL_KERNEL_INT8 && !shape->depthwise;
    if (v[SL_KNOB_TILE_OH] < 1 || v[SL_KNOB_TILE_OH] > shape->p)
        return "tile_oh is not within the rows of the output";
    if (v[SL_KNOB_TILE_OW] < 1 || v[SL_KNOB_TILE_OW] > shape->q)
        return "tile_ow is not within the columns of the output";
    if (v[SL_KNOB_TILE_IC] < 1 || v[SL_KNOB_TILE_IC] > shape->c + (pairs ? shape->c % 2 : 0))
        return "tile_ic is not within the input channels";
    if (pairs && v[SL_KNOB_TILE_IC] % 2) return "tile_ic is odd, int8 needs pairs";
    return NULL;
}

const char *sl_kernel_check(const SlKernelTask *task, const SlKernelSchedule *schedule) {
    const int32_t *v = schedule->values;
    SlKernelPlan plan;
    const char *why = check_ranges(task, v);
    if (why) return why;
    sl_kernel_shape_init(&task->layer, &plan.shape);
    why = check_tiles(task, &plan.shape, v);
    if (why) return why;
    sl_kernel_plan_init(task, schedule, &plan);
    if (plan.columns > plan.shape.q) return "ow_block is wider than the output";
    if ((plan.vectors - 1) * plan.lanes >= plan.shape.k)
        return "a vector of output channels would be empty";
    if (plan.vectors * plan.columns > SL_MAX_ACCUMULATORS)
        return "the register block has more than 64 vectors";
    int64_t taps = plan.unroll_kw ? plan.shape.s : 1;
    if (plan.vectors * plan.columns * plan.unroll_ic * taps > SL_MAX_BODY)
        return "the unrolled loop has more than 2048 multiply-adds";
    if (plan.threads_o > plan.oc_blocks) return "there are more threads than blocks of channels";
    if (plan.threads_h > plan.tiles_h * plan.shape.n)
        return "there are more threads than tiles of rows";
    return NULL;
}

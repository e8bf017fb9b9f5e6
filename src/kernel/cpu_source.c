// cpu_source.c - a schedule as a whole C program.
//
// The program is: numbers of the layer and the schedule as constants; types; the copy that pads;
// register blocks (cpu_micro.c); rows, tiles and the loops around them; and what does not depend on
// the schedule, which checks the answer and times it (cpu_harness.c).
#include <string.h>

#include "kernel_inside.h"

// a constant of the program
static void write_number(const char *name, int64_t value, SlText *out) {
    sl_text_add(out, "    %s = %lld,\n", name, (long long)value);
}

static void write_shape(const SlKernelShape *s, SlText *out) {
    sl_text_add(out, "\n// the layer; HP and WP: the input with padding\nenum {\n");
    write_number("N", s->n, out);
    write_number("G", s->g, out);
    write_number("K", s->k, out);
    write_number("C", s->c, out);
    write_number("P", s->p, out);
    write_number("Q", s->q, out);
    write_number("R", s->r, out);
    write_number("S", s->s, out);
    write_number("SY", s->sy, out);
    write_number("SX", s->sx, out);
    write_number("DY", s->dy, out);
    write_number("DX", s->dx, out);
    write_number("PY", s->py, out);
    write_number("PX", s->px, out);
    write_number("H", s->h, out);
    write_number("W", s->w, out);
    write_number("HP", s->hp, out);
    write_number("WP", s->wp, out);
    write_number("DEPTHWISE", s->depthwise, out);
    sl_text_add(out, "};\n");
}

static void write_blocks(const SlKernelPlan *plan, SlText *out) {
    bool in_registers = plan->order == SL_ORDER_OH_C || plan->order == SL_ORDER_HO_C;
    sl_text_add(
        out,
        "\n// the schedule: blocks of output, input and stored input channels, tiles\nenum {\n");
    write_number("OCB", plan->oc_block, out);
    write_number("OCC", plan->oc_blocks, out);
    write_number("ICB", plan->ic_block, out);
    write_number("ICC", plan->ic_blocks, out);
    write_number("XB", plan->x_block, out);
    write_number("XC", plan->x_blocks, out);
    write_number("IC_STEPS", plan->ic_steps, out);
    write_number("MICRO_BLOCKS", in_registers ? plan->ic_blocks : 1, out);
    write_number("TOH", plan->tile_oh, out);
    write_number("TOW", plan->tile_ow, out);
    write_number("TILES_H", plan->tiles_h, out);
    write_number("TILES_W", plan->tiles_w, out);
    write_number("THREADS", plan->threads, out);
    write_number("THREADS_O", plan->threads_o, out);
    write_number("THREADS_H", plan->threads_h, out);
    write_number("COPIES", plan->copies, out);
    write_number("INT8", plan->type == SL_KERNEL_INT8, out);
    write_number("PAIRS", plan->work_bytes == 2, out);
    sl_text_add(out, "};\n");
}

// in_t: as given; work_t: as the innermost loop reads it; sum_t: sums
static void write_types(const SlKernelPlan *plan, SlText *out) {
    const char *work = plan->type == SL_KERNEL_FP32 ? "float"
                       : plan->work_bytes == 2      ? "int16_t"
                                                    : "int32_t";
    bool fp32 = plan->type == SL_KERNEL_FP32;
    sl_text_add(out,
                "\ntypedef %s in_t;\ntypedef %s work_t;\ntypedef %s sum_t;\ntypedef %s exact_t;\n"
                "typedef sum_t vec __attribute__((vector_size(%d), may_alias));\n",
                fp32 ? "float" : "int8_t", work, fp32 ? "float" : "int32_t",
                fp32 ? "double" : "int32_t", (int)plan->vector_bytes);
    sl_text_add(out, "static inline vec splat(sum_t x) {\n    return (vec){");
    for (int64_t i = 0; i < plan->lanes; i++) sl_text_add(out, i ? ", x" : "x");
    sl_text_add(out, "};\n}\n");
}

// what int8 needs: sums of products of pairs of 16-bit numbers. The compilers' own names of the
// instructions are used where they agree on them: including all of immintrin.h takes longer than
// the rest of the program.
void sl_kernel_write_dot(int64_t vector_bytes, SlText *out) {
    static const char *const calls[3] = {
        "__SSE2__\ntypedef int16_t halves __attribute__((vector_size(16)));\n"
        "#define DOT(a, b) ((vec)__builtin_ia32_pmaddwd128((halves)(a), (halves)(b)))\n",
        "__AVX2__\ntypedef int16_t halves __attribute__((vector_size(32)));\n"
        "#define DOT(a, b) ((vec)__builtin_ia32_pmaddwd256((halves)(a), (halves)(b)))\n",
        "__AVX512BW__\n#include <immintrin.h>\n"
        "#define DOT(a, b) ((vec)_mm512_madd_epi16((__m512i)(a), (__m512i)(b)))\n",
    };
    sl_text_add(out,
                "#ifdef %s#else\n#define DOT(a, b) \\\n"
                "    (((a) >> 16) * ((b) >> 16) + ((a) << 16 >> 16) * ((b) << 16 >> 16))\n#endif\n",
                calls[vector_bytes == 64 ? 2 : vector_bytes == 32]);
}

// --- Loops

// register blocks of `width` columns up to column `end`
static void write_calls(int64_t end, int64_t width, SlText *out) {
    sl_text_add(
        out,
        "    for (; q < %lld; q += %lld) micro_%lld(x + q * SX * XB, w, y + q * OCB, fresh);\n",
        (long long)end, (long long)width, (long long)width);
}

static void write_row(const char *name, const SlRowSplit *split, SlText *out) {
    int64_t middle = split->n_wide * split->wide, narrow = split->wide - 1;
    sl_text_add(
        out,
        "\nstatic inline void %s(const work_t *x, const work_t *w, sum_t *y, const int fresh) {\n"
        "    long q = 0;\n",
        name);
    if (split->n_wide) write_calls(middle, split->wide, out);
    if (split->n_narrow) write_calls(middle + split->n_narrow * narrow, narrow, out);
    sl_text_add(out, "}\n");
}

static void write_tile(const SlKernelPlan *plan, SlText *out) {
    if (plan->tiles_w > 1) write_row("row", &plan->full, out);
    write_row("last_row", &plan->last, out);
    sl_text_add(
        out,
        "\n// tile th of the rows of image n, tile tw of the columns, group g, block o of outputs; "
        "block c of\n"
        "// inputs, or all of them\n"
        "static void tile(long n, long g, long o, long th, long tw, long c, const int fresh) {\n"
        "    const long rows = P - th * TOH < TOH ? P - th * TOH : TOH;\n"
        "    const work_t *x = padded + (((n * G + g) * XC + (DEPTHWISE ? o : c)) * HP * WP +\n"
        "                                th * TOH * SY * WP + tw * TOW * SX) * XB;\n"
        "    const work_t *w = weights + ((g * OCC + o) * ICC + c) * R * S * ICB * OCB;\n"
        "    sum_t *y = outputs + (((n * G + g) * OCC + o) * P * Q + th * TOH * Q + tw * TOW) * "
        "OCB;\n"
        "    for (long p = 0; p < rows; p++, x += SY * WP * XB, y += Q * OCB)%s\n"
        "            last_row(x, w, y, fresh);\n"
        "}\n",
        plan->tiles_w > 1 ? "\n        if (tw < TILES_W - 1) row(x, w, y, fresh);\n        else"
                          : "");
}

static const char *const loops_of_orders[SL_N_KERNEL_ORDERS] = {
    [SL_ORDER_OH_C] = "        for (long o = o0; o < o1; o++)\n"
                      "        for (long h = h0; h < h1; h++)\n"
                      "        for (long tw = 0; tw < TILES_W; tw++)\n"
                      "            tile(h / TILES_H, g, o, h % TILES_H, tw, 0, 1);\n",
    [SL_ORDER_HO_C] = "        for (long h = h0; h < h1; h++)\n"
                      "        for (long tw = 0; tw < TILES_W; tw++)\n"
                      "        for (long o = o0; o < o1; o++)\n"
                      "            tile(h / TILES_H, g, o, h % TILES_H, tw, 0, 1);\n",
    [SL_ORDER_OHC] = "        for (long o = o0; o < o1; o++)\n"
                     "        for (long h = h0; h < h1; h++)\n"
                     "        for (long tw = 0; tw < TILES_W; tw++)\n"
                     "        for (long c = 0; c < ICC; c++)\n"
                     "            tile(h / TILES_H, g, o, h % TILES_H, tw, c, c == 0);\n",
    [SL_ORDER_HCO] = "        for (long h = h0; h < h1; h++)\n"
                     "        for (long tw = 0; tw < TILES_W; tw++)\n"
                     "        for (long c = 0; c < ICC; c++)\n"
                     "        for (long o = o0; o < o1; o++)\n"
                     "            tile(h / TILES_H, g, o, h % TILES_H, tw, c, c == 0);\n",
};

void sl_kernel_write_loops(const SlKernelPlan *plan, SlText *out) {
    write_tile(plan, out);
    sl_text_add(out,
                "\n// what thread t does once the input is ready: a share of the blocks of outputs "
                "and of the\n"
                "// tiles of rows of all images\n"
                "static void compute(long t) {\n"
                "    const long o0 = t %% THREADS_O * OCC / THREADS_O, o1 = (t %% THREADS_O + 1) * "
                "OCC / THREADS_O;\n"
                "    const long h0 = t / THREADS_O * (N * TILES_H) / THREADS_H;\n"
                "    const long h1 = (t / THREADS_O + 1) * (N * TILES_H) / THREADS_H;\n"
                "    for (long g = 0; g < G; g++)\n%s}\n",
                loops_of_orders[plan->order]);
}

void sl_kernel_write_copy(const SlKernelPlan *plan, SlText *out) {
    if (!plan->copies) {
        sl_text_add(out, "\nstatic void copy(long t) {\n    (void)t;\n}\n");
        return;
    }
    sl_text_add(out, "%s",
                "\n// one row of the input between its padding, as work_t\n"
                "static inline void copy_row(const in_t *from, work_t *to) {\n"
                "    for (long i = 0; i < PX * XB; i++) to[i] = 0;\n"
                "    for (long i = 0; i < W * XB; i++) to[PX * XB + i] = from[i];\n"
                "    for (long i = (PX + W) * XB; i < WP * XB; i++) to[i] = 0;\n"
                "}\n"
                "\n// thread t's share of all rows\n"
                "static void copy(long t) {\n"
                "    const long all = (long)N * G * XC * HP, end = (t + 1) * all / THREADS;\n"
                "    for (long i = t * all / THREADS; i < end; i++) {\n"
                "        const long image = i / HP, h = i % HP - PY;\n"
                "        work_t *to = padded + i * WP * XB;\n"
                "        if (h >= 0 && h < H) copy_row(inputs + (image * H + h) * W * XB, to);\n"
                "        else memset(to, 0, sizeof(work_t) * WP * XB);\n"
                "    }\n"
                "}\n");
}

void sl_kernel_source(const SlKernelTask *task, const SlKernelSchedule *schedule, SlText *out) {
    char text[384];
    SlKernelPlan plan;
    sl_kernel_plan_init(task, schedule, &plan);
    sl_text_add(out, "// %s, %s\n", sl_layer_show(&task->layer, sizeof text, text),
                sl_kernel_type_names[task->type]);
    sl_text_add(out, "// %s\n", sl_kernel_show(schedule, sizeof text, text));
    sl_text_add(out,
                "#define _GNU_SOURCE\n#include <math.h>\n#include <pthread.h>\n#include <sched.h>\n"
                "#include <stdatomic.h>\n#include <stdint.h>\n#include <stdio.h>\n"
                "#include <stdlib.h>\n#include <string.h>\n#include <time.h>\n");
    write_shape(&plan.shape, out);
    write_blocks(&plan, out);
    write_types(&plan, out);
    if (plan.work_bytes == 2) {
        sl_text_add(out, "typedef int32_t pair __attribute__((may_alias));\n");
        sl_kernel_write_dot(plan.vector_bytes, out);
    }
    sl_text_add(out, "\nstatic in_t *inputs;   // (N, G, XC, H, W, XB)\n"
                     "static work_t *padded; // (N, G, XC, HP, WP, XB)\n"
                     "static work_t *weights; // (G, OCC, ICC, R, S, ICB, OCB)\n"
                     "static sum_t *outputs;  // (N, G, OCC, P, Q, OCB)\n");
    sl_kernel_write_copy(&plan, out);
    sl_kernel_write_micros(&plan, out);
    sl_kernel_write_loops(&plan, out);
    sl_text_put(out, sl_kernel_harness, strlen(sl_kernel_harness));
}

// cpu_micro.c - the innermost loops as C text: one register block, all its sums in variables.
//
// micro_W(x, w, y, fresh) adds one or all blocks of input channels to W columns of outputs. Each
// vector of sums is a variable of its own and every loop has constant bounds, so the compiler keeps
// them in registers. Compilers for x86 keep the order of loads here; so whichever there are fewer
// of, weights or inputs, is loaded first and stays, and the other needs one register.
#include "kernel_inside.h"

static void write_weight(const SlKernelPlan *plan, int64_t v, SlText *out) {
    // a step of the innermost loop reads whole vectors: 4 bytes per lane, of pairs or of one number
    int64_t lane = 4 / plan->work_bytes;
    sl_text_add(out, "                const vec b%d = *(const vec *)(ws + i * %d + %d);\n", (int)v,
                (int)(plan->oc_block * lane), (int)(v * plan->lanes * lane));
}

static void write_input(const SlKernelPlan *plan, int64_t q, SlText *out) {
    int64_t at = q * plan->shape.sx * plan->x_block;
    if (plan->work_bytes == 2)
        sl_text_add(out,
                    "                const vec t%d = splat(*(const pair *)(xs + %lld + 2 * i));\n",
                    (int)q, (long long)at);
    else
        sl_text_add(out, "                const vec t%d = splat(xs[%lld + i]);\n", (int)q,
                    (long long)at);
}

static void write_sum(const SlKernelPlan *plan, int64_t q, int64_t v, SlText *out) {
    int64_t at = q * plan->shape.sx * plan->x_block + v * plan->lanes;
    if (plan->shape.depthwise)
        sl_text_add(out, "                a%d_%d += b%d * *(const vec *)(xs + %lld);\n", (int)q,
                    (int)v, (int)v, (long long)at);
    else if (plan->work_bytes == 2)
        sl_text_add(out, "                a%d_%d += DOT(b%d, t%d);\n", (int)q, (int)v, (int)v,
                    (int)q);
    else
        sl_text_add(out, "                a%d_%d += b%d * t%d;\n", (int)q, (int)v, (int)v, (int)q);
}

static void write_body(const SlKernelPlan *plan, int64_t columns, SlText *out) {
    const bool weights_stay = plan->shape.depthwise || plan->vectors <= columns;
    int64_t outer = weights_stay ? columns : plan->vectors;
    int64_t inner = weights_stay ? plan->vectors : columns;
    for (int64_t i = 0; i < inner; i++) {
        if (weights_stay)
            write_weight(plan, i, out);
        else
            write_input(plan, i, out);
    }
    for (int64_t o = 0; o < outer; o++) {
        if (!weights_stay)
            write_weight(plan, o, out);
        else if (!plan->shape.depthwise)
            write_input(plan, o, out);
        for (int64_t i = 0; i < inner; i++)
            write_sum(plan, weights_stay ? o : i, weights_stay ? i : o, out);
    }
}

// a line for each vector of sums: where it begins, or where it goes
static void write_ends(const SlKernelPlan *plan, int64_t columns, bool store, SlText *out) {
    for (int64_t q = 0; q < columns; q++) {
        for (int64_t v = 0; v < plan->vectors; v++) {
            int at = (int)(q * plan->oc_block + v * plan->lanes);
            if (store)
                sl_text_add(out, "    *(vec *)(y + %d) = a%d_%d;\n", at, (int)q, (int)v);
            else
                sl_text_add(out, "    vec a%d_%d = fresh ? zero : *(const vec *)(y + %d);\n",
                            (int)q, (int)v, at);
        }
    }
}

static void write_micro(const SlKernelPlan *plan, int64_t columns, SlText *out) {
    const SlKernelShape *s = &plan->shape;
    sl_text_add(
        out,
        "\nstatic __attribute__((noinline)) void micro_%d(const work_t *x, const work_t *w, sum_t "
        "*y, const int fresh) {\n    const vec zero = {0};\n",
        (int)columns);
    write_ends(plan, columns, false, out);
    sl_text_add(out,
                "    for (long c = 0; c < MICRO_BLOCKS; c++)\n"
                "    for (long r = 0; r < R; r++)\n"
                "#pragma GCC unroll %d\n"
                "    for (long s = 0; s < S; s++) {\n"
                "        const work_t *xs = x + (c * HP * WP + r * DY * WP + s * DX) * XB;\n"
                "        const work_t *ws = w + ((c * R + r) * S + s) * ICB * OCB;\n"
                "#pragma GCC unroll %d\n"
                "        for (long i = 0; i < IC_STEPS; i++) {\n",
                (int)(plan->unroll_kw ? s->s : 1), (int)plan->unroll_ic);
    write_body(plan, columns, out);
    sl_text_add(out, "        }\n    }\n");
    write_ends(plan, columns, true, out);
    sl_text_add(out, "}\n");
}

void sl_kernel_write_micros(const SlKernelPlan *plan, SlText *out) {
    bool wanted[SL_MAX_OW_BLOCK + 2] = {false};
    const SlRowSplit *splits[2] = {&plan->full, &plan->last};
    for (int i = 0; i < 2; i++) {
        if (i == 0 && plan->tiles_w == 1) continue;
        if (splits[i]->n_wide) wanted[splits[i]->wide] = true;
        if (splits[i]->n_narrow) wanted[splits[i]->wide - 1] = true;
    }
    for (int64_t w = 1; w <= SL_MAX_OW_BLOCK; w++)
        if (wanted[w]) write_micro(plan, w, out);
}

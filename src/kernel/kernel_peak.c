// kernel_peak.c - what one core can do at most: chains of multiply-adds that wait for nobody.
#include <stdlib.h>
#include <string.h>

#include "kernel_inside.h"
#include "measure.h"

// Enough chains for two units of five cycles each; they and two operands fit into 16 registers.
enum { CHAINS = 12, ROUNDS = 100000 };

int sl_kernel_vector_bytes(void) {
#if defined(__x86_64__) || defined(__i386__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")) return 64;
    if (__builtin_cpu_supports("avx2")) return 32;
#endif
    return 16;
}

// an operand that the compiler must take for another number each time
static const char blind[] = "#if defined __x86_64__\n"
                            "#define BLIND(v) __asm__ volatile(\"\" : \"+x\"(v))\n"
                            "#elif defined __aarch64__\n"
                            "#define BLIND(v) __asm__ volatile(\"\" : \"+w\"(v))\n"
                            "#else\n"
                            "#define BLIND(v) __asm__ volatile(\"\" : \"+m\"(v))\n"
                            "#endif\n";

static const char clock_and_main[] =
    "static double now_s(void) {\n"
    "    struct timespec t;\n"
    "    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);\n"
    "    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;\n"
    "}\n\n"
    "int main(int argc, char **argv) {\n"
    "    const long repeats = argc > 1 ? atol(argv[1]) : 5;\n"
    "    const double least_s = 1e-3 * (argc > 2 ? atof(argv[2]) : 10);\n"
    "    volatile double sink = chains();\n"
    "    double begun = now_s();\n"
    "    sink += chains();\n"
    "    const long calls = 1 + (long)(least_s / (now_s() - begun + 1e-9));\n"
    "    printf(\"ok\");\n"
    "    for (long i = 0; i < repeats; i++) {\n"
    "        begun = now_s();\n"
    "        for (long c = 0; c < calls; c++) sink += chains();\n"
    "        printf(\" %.9g\", (now_s() - begun) / (double)calls);\n"
    "    }\n"
    "    printf(\"\\n\");\n"
    "    return 0;\n"
    "}\n";

static void write_chains(SlKernelType type, SlText *out) {
    sl_text_add(out, "static double chains(void) {\n    vec x = {1}, y = {2}");
    for (int i = 0; i < CHAINS; i++) sl_text_add(out, ", a%d = {%d}", i, i);
    sl_text_add(out, ";\n    for (long r = 0; r < %d; r++) {\n", ROUNDS);
    for (int i = 0; i < CHAINS; i++) {
        if (type == SL_KERNEL_FP32)
            sl_text_add(out, "        a%d = a%d * x + y;\n", i, i);
        else
            sl_text_add(out, "        BLIND(x);\n        a%d += DOT(x, y);\n", i);
    }
    sl_text_add(out, "        BLIND(x);\n    }\n    return (double)(a0[0]");
    for (int i = 1; i < CHAINS; i++) sl_text_add(out, " + a%d[%d]", i, i % 4);
    sl_text_add(out, ");\n}\n\n");
}

void sl_kernel_peak(const SlKernelBench *bench, SlKernelType type, int vector_bytes,
                    SlKernelResult *result) {
    SlArena arena;
    SlText source;
    SlBuild build;
    double times_s[SL_KERNEL_MAX_REPEATS];
    bool fp32 = type == SL_KERNEL_FP32;
    *result = (SlKernelResult){.error = SL_KERNEL_OK};
    sl_arena_init(&arena, 0);
    sl_text_init(&source, &arena);
    sl_text_add(&source,
                "#define _GNU_SOURCE\n#include <stdint.h>\n#include <stdio.h>\n#include "
                "<stdlib.h>\n#include <time.h>\n"
                "typedef %s vec __attribute__((vector_size(%d)));\n",
                fp32 ? "float" : "int32_t", vector_bytes);
    sl_text_put(&source, blind, strlen(blind));
    if (!fp32) sl_kernel_write_dot(vector_bytes, &source);
    write_chains(type, &source);
    sl_text_put(&source, clock_and_main, strlen(clock_and_main));
    sl_kernel_build_text(bench, &source, &build, result);
    sl_arena_free(&arena);
    if (result->error != SL_KERNEL_OK) return;
    int n = sl_kernel_run(bench, build.path, 1, false, times_s, result);
    double per_step = 2.0 * (fp32 ? vector_bytes / 4 : vector_bytes / 2);
    if (result->error == SL_KERNEL_OK)
        sl_kernel_summarise(n, times_s, per_step * CHAINS * ROUNDS, result);
}

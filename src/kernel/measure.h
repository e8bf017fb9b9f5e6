// measure.h - inside kernel: the steps that all measured programs share.
#pragma once

#include "build_inside.h"
#include "starling/kernel.h"

// Build or find a program; errors go into `result`.
void sl_kernel_build_text(const SlKernelBench *bench, const SlText *source, SlBuild *build,
                          SlKernelResult *result);

// Run a program that prints as sl_kernel_source says. Returns the number of times, 0 with an error.
int sl_kernel_run(const SlKernelBench *bench, const char *path, int threads, bool check,
                  double times_s[SL_KERNEL_MAX_REPEATS], SlKernelResult *result);

// Median, least, spread and speed of `n` times, which are sorted.
void sl_kernel_summarise(int n, double *times_s, double operations, SlKernelResult *result);

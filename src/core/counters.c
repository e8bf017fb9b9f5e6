// counters.c - hardware counters by perf_event_open of Linux; elsewhere there are none.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // syscall
#endif
#include "starling/core/counters.h"

#include <math.h>

const char *const sl_counter_names[SL_N_COUNTERS + 1] = {"instructions", "cache_misses",
                                                         "dtlb_load_misses", NULL};

#if defined(__linux__)
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int open_one(uint32_t type, uint64_t config) {
    struct perf_event_attr attr;
    memset(&attr, 0, sizeof attr);
    attr.size = sizeof attr;
    attr.type = type;
    attr.config = config;
    attr.disabled = 1;
    attr.exclude_kernel = 1;
    attr.exclude_hv = 1;
    attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    // this thread, on any processor
    return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

void sl_counters_open(SlCounters *counters) {
    static const struct {
        uint32_t type;
        uint64_t config;
    } events[SL_N_COUNTERS] = {
        [SL_COUNTER_INSTRUCTIONS] = {PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
        [SL_COUNTER_CACHE_MISSES] = {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
        [SL_COUNTER_TLB_MISSES] = {PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_DTLB |
                                                           PERF_COUNT_HW_CACHE_OP_READ << 8 |
                                                           PERF_COUNT_HW_CACHE_RESULT_MISS << 16}};
    for (int i = 0; i < SL_N_COUNTERS; i++)
        counters->files[i] = open_one(events[i].type, events[i].config);
}

void sl_counters_close(SlCounters *counters) {
    for (int i = 0; i < SL_N_COUNTERS; i++) {
        if (counters->files[i] >= 0) close(counters->files[i]);
        counters->files[i] = -1;
    }
}

static void tell_all(const SlCounters *counters, unsigned long request) {
    for (int i = 0; i < SL_N_COUNTERS; i++)
        if (counters->files[i] >= 0) ioctl(counters->files[i], request, 0);
}

void sl_counters_start(SlCounters *counters) {
    tell_all(counters, PERF_EVENT_IOC_ENABLE);
}

void sl_counters_stop(SlCounters *counters) {
    tell_all(counters, PERF_EVENT_IOC_DISABLE);
}

static double read_one(int file) {
    uint64_t got[3]; // count, time enabled, time running
    if (file < 0 || read(file, got, sizeof got) != (ssize_t)sizeof got) return NAN;
    if (got[2] == 0) return got[1] == 0 ? 0 : NAN;
    return (double)got[0] * ((double)got[1] / (double)got[2]);
}

#else

void sl_counters_open(SlCounters *counters) {
    for (int i = 0; i < SL_N_COUNTERS; i++) counters->files[i] = -1;
}
void sl_counters_close(SlCounters *counters) {
    (void)counters;
}
void sl_counters_start(SlCounters *counters) {
    (void)counters;
}
void sl_counters_stop(SlCounters *counters) {
    (void)counters;
}
static double read_one(int file) {
    (void)file;
    return NAN;
}

#endif

void sl_counters_read(const SlCounters *counters, double counts[static SL_N_COUNTERS]) {
    for (int i = 0; i < SL_N_COUNTERS; i++) counts[i] = read_one(counters->files[i]);
}

// test_vta_model_release.c - the model beside published cycles and measured times, the optima of
// whole spaces, and how fast it is.
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "vta_help.h"

static SlArena arena;

static double cycles_of(const SlVtaTask *task, const SlVtaSchedule *schedule) {
    SlVtaTime time;
    SlError err;
    assert_int_equal(sl_vta_time(task, schedule, &arena, &time, &err), SL_OK);
    return time.cycles;
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- published cycles ----

// apache/tvm-vta, pull request 32: five runs of the layer that ResNet-18 has most often, untuned
static void four_widths_of_the_bus_take_what_upstream_published(void **state) {
    (void)state;
    const struct {
        int bits;
        double millions;
    } published[] = {{64, 97}, {128, 58}, {256, 39}, {512, 29}};
    SlVtaTask task = vta_task("", "conv:K=64,C=64,P=56,Q=56,R=3,S=3,pad=1");
    SlVtaSchedule schedule;
    sl_vta_schedule_init(&schedule);
    task.bias = true;
    for (int i = 0; i < 4; i++) {
        task.core.bus_bits = published[i].bits;
        double millions = 5 * cycles_of(&task, &schedule) / 1e6;
        print_message("%d bits: %.2f M cycles, published %.0f M\n", published[i].bits, millions,
                      published[i].millions);
        assert_true(fabs(millions / published[i].millions - 1) < 0.02);
    }
}

// a record of tests/data/vta/tophub.csv
typedef struct {
    char network[16], core[48];
    int n, c, k, p, q, r, s, stride, pad, in18, in34;
    SlVtaSchedule schedule;
    double seconds;
} Record;

static int read_records(Record *records, int most) {
    FILE *file = fopen(SL_SOURCE_DIR "/tests/data/vta/tophub.csv", "r");
    assert_non_null(file);
    char line[256];
    int n = 0;
    while (n < most && fgets(line, sizeof line, file)) {
        Record *r = &records[n];
        SlVtaSchedule *s = &r->schedule;
        n += sscanf(line,
                    "%15[^,],%47[^,],%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%lf,%d,%d",
                    r->network, r->core, &r->n, &r->c, &r->k, &r->p, &r->q, &r->r, &r->s,
                    &r->stride, &r->pad, &s->b, &s->h, &s->w, &s->ci, &s->co, &s->oc_threads,
                    &s->h_threads, &r->seconds, &r->in18, &r->in34) == 21;
    }
    fclose(file);
    return n;
}

static double record_cycles(const Record *r, const char *timing, int uop_cycles) {
    char layer[160];
    snprintf(layer, sizeof layer, "conv:N=%d,K=%d,C=%d,P=%d,Q=%d,R=%d,S=%d,stride=%d,pad=%d", r->n,
             r->k, r->c, r->p, r->q, r->r, r->s, r->stride, r->pad);
    SlVtaTask task = vta_task(r->core, layer);
    task.core.timing = *sl_vta_timing(timing);
    task.core.timing.uop_cycles = uop_cycles;
    assert_true(sl_vta_check(&task, &r->schedule, NULL));
    return cycles_of(&task, &r->schedule);
}

// apache/tvm-vta, pull request 30: whole networks before and after GEMM was pipelined. The model
// has the convolutions alone, so it must come out below.
static void networks_take_what_upstream_published(void **state) {
    (void)state;
    const struct {
        int uop_cycles;
        double published[2], slack;
    } cases[] = {{4, {27679515, 57471735}, 0.015}, {1, {7729601, 15736441}, 0.06}};
    Record records[64];
    int n = read_records(records, 64);
    for (int i = 0; i < 2; i++) {
        double total[2] = {0};
        for (int k = 0; k < n; k++) {
            if (!records[k].in18) continue;
            double cycles = record_cycles(&records[k], "tsim", cases[i].uop_cycles);
            total[0] += records[k].in18 * cycles;
            total[1] += records[k].in34 * cycles;
        }
        for (int net = 0; net < 2; net++) {
            double ratio = total[net] / cases[i].published[net];
            print_message("ResNet-%d, %d cycles per micro-op: %.3f M, published %.3f M\n",
                          net ? 34 : 18, cases[i].uop_cycles, total[net] / 1e6,
                          cases[i].published[net] / 1e6);
            assert_true(ratio < 1 && ratio > 1 - cases[i].slack);
        }
    }
}

static void boards_take_what_was_measured(void **state) {
    (void)state;
    const struct {
        const char *network;
        int n;
        double mape;
    } cases[] = {{"resnet18", 20, 0.07}, {"resnet50", 22, 0.09}}; // fitted, and held out
    Record records[64];
    int n = read_records(records, 64);
    const SlVtaTiming *timing = sl_vta_timing("pynq");
    for (int i = 0; i < 2; i++) {
        double sum = 0;
        int count = 0;
        for (int k = 0; k < n; k++) {
            if (strcmp(records[k].network, cases[i].network) != 0) continue;
            double cycles = record_cycles(&records[k], "pynq", timing->uop_cycles);
            double time = cycles / (timing->clock_mhz * 1e6) + timing->call_us * 1e-6;
            sum += fabs(time / records[k].seconds - 1);
            count++;
        }
        print_message("%s on the board: %.1f %% from %d measured times on average\n",
                      cases[i].network, 100 * sum / count, count);
        assert_int_equal(count, cases[i].n);
        assert_true(sum / count < cases[i].mape);
    }
}

// ---- whole spaces ----

typedef struct {
    const char *name, *layer;
    int space, valid;
    double optimum; // of a model that differs where rows are cut into bursts
} Space;

static const Space spaces[] = {
    {"AlexNet C2", "conv:K=192,C=64,P=27,Q=27,R=5,S=5,pad=2", 1152, 411, 926854},
    {"AlexNet C3", "conv:K=384,C=192,P=13,Q=13,R=3,S=3,pad=1", 768, 289, 462523},
    {"AlexNet C4", "conv:K=256,C=384,P=13,Q=13,R=3,S=3,pad=1", 640, 224, 601491},
    {"AlexNet C5", "conv:K=256,C=256,P=13,Q=13,R=3,S=3,pad=1", 400, 142, 406419},
    {"VGG 64-64@224", "conv:K=64,C=64,P=224,Q=224,R=3,S=3,pad=1", 5184, 2366, 8120600},
    {"VGG 64-128@112", "conv:K=128,C=64,P=112,Q=112,R=3,S=3,pad=1", 4800, 2658, 4063146},
    {"VGG 128-128@112", "conv:K=128,C=128,P=112,Q=112,R=3,S=3,pad=1", 6400, 3171, 7681194},
    {"VGG 128-256@56", "conv:K=256,C=128,P=56,Q=56,R=3,S=3,pad=1", 5120, 2781, 3842898},
    {"VGG 256-256@56", "conv:K=256,C=256,P=56,Q=56,R=3,S=3,pad=1", 6400, 2991, 7460946},
    {"VGG 256-512@28", "conv:K=512,C=256,P=28,Q=28,R=3,S=3,pad=1", 4320, 2014, 3733233},
    {"VGG 512-512@28", "conv:K=512,C=512,P=28,Q=28,R=3,S=3,pad=1", 5184, 2070, 7352049},
    {"VGG 512-512@14", "conv:K=512,C=512,P=14,Q=14,R=3,S=3,pad=1", 2304, 932, 1842509},
    {"ResNet C2", "conv:K=64,C=64,P=56,Q=56,R=3,S=3,pad=1", 2304, 1443, 511458},
    {"ResNet C3", "conv:K=128,C=64,P=28,Q=28,R=3,S=3,pad=1,stride=2", 1728, 1023, 261555},
    {"ResNet C4", "conv:K=128,C=64,P=28,Q=28,stride=2", 1728, 1075, 66438},
    {"ResNet C5", "conv:K=128,C=128,P=28,Q=28,R=3,S=3,pad=1", 2304, 1468, 483921},
    {"ResNet C6", "conv:K=256,C=128,P=14,Q=14,R=3,S=3,pad=1,stride=2", 1280, 699, 247043},
    {"ResNet C7", "conv:K=256,C=128,P=14,Q=14,stride=2", 1280, 771, 46986},
    {"ResNet C8", "conv:K=256,C=256,P=14,Q=14,R=3,S=3,pad=1", 1600, 834, 469994},
    {"ResNet C9", "conv:K=512,C=256,P=7,Q=7,R=3,S=3,pad=1,stride=2", 480, 164, 239638},
    {"ResNet C10", "conv:K=512,C=256,P=7,Q=7,stride=2", 480, 204, 38610},
    {"ResNet C11", "conv:K=512,C=512,P=7,Q=7,R=3,S=3,pad=1", 576, 179, 464938},
};

// a valid schedule and the cycles that it cannot go below
typedef struct {
    SlVtaSchedule schedule;
    double floor;
} Point;

static int by_floor(const void *a, const void *b) {
    const Point *x = a, *y = b;
    return x->floor < y->floor ? -1 : x->floor > y->floor;
}

// all valid schedules; returns how many, and the size of the space
static int list_points(const SlVtaTask *task, Point *points, int *space) {
    int h[64], w[64], ci[64], co[64], n = 0;
    int nh = vta_divisors(task->rows, h), nw = vta_divisors(task->columns, w);
    int nci = vta_divisors(task->ci, ci), nco = vta_divisors(task->co, co);
    *space = nh * nw * nci * nco * 4;
    for (int i = 0; i < *space; i++) {
        SlVtaSchedule s =
            vta_schedule(h[i / 4 / nco / nci / nw], w[i / 4 / nco / nci % nw],
                         ci[i / 4 / nco % nci], co[i / 4 % nco], 1 + i % 2, 1 + i / 2 % 2);
        if (!sl_vta_check(task, &s, NULL)) continue;
        points[n++] = (Point){.schedule = s, .floor = sl_vta_floor(task, &s)};
    }
    return n;
}

// the floor says when the rest cannot be better
static double find_optimum(const SlVtaTask *task, int n, Point *points, int *simulated) {
    double best = INFINITY;
    qsort(points, (size_t)n, sizeof *points, by_floor);
    for (int i = 0; i < n && points[i].floor < best; i++, ++*simulated) {
        double cycles = cycles_of(task, &points[i].schedule);
        assert_true(cycles >= points[i].floor);
        best = fmin(best, cycles);
    }
    return best;
}

static void spaces_and_their_optima_are_the_known_ones(void **state) {
    (void)state;
    Point *points = SL_NEW(&arena, 8000, Point);
    int simulated = 0, all = 0;
    double start = seconds();
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        SlVtaTask task = vta_task("", spaces[i].layer);
        int space, n = list_points(&task, points, &space);
        assert_int_equal(space, spaces[i].space);
        assert_int_equal(n, spaces[i].valid);
        all += n;
        double best = find_optimum(&task, n, points, &simulated);
        if (fabs(best / spaces[i].optimum - 1) >= 0.005)
            fail_msg("%s: %.0f cycles instead of %.0f", spaces[i].name, best, spaces[i].optimum);
    }
    print_message("22 optima: %d of %d valid schedules simulated, %.1f s\n", simulated, all,
                  seconds() - start);
}

// ---- speed ----

static int by_value(const void *a, const void *b) {
    const double *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static void a_simulation_takes_less_than_a_millisecond(void **state) {
    (void)state;
    static const int resnet = 12; // the first of its layers
    Point *points = SL_NEW(&arena, 8000, Point);
    double *times = SL_NEW(&arena, 8000, double);
    int n = 0;
    for (size_t i = resnet; i < sizeof spaces / sizeof *spaces; i++) {
        SlVtaTask task = vta_task("", spaces[i].layer);
        int space, valid = list_points(&task, points, &space);
        for (int k = 0; k < valid; k += 7) {
            double start = seconds();
            cycles_of(&task, &points[k].schedule);
            times[n++] = seconds() - start;
        }
    }
    qsort(times, (size_t)n, sizeof *times, by_value);
    print_message("%d simulations: median %.2f ms, 90 %% below %.2f ms\n", n, 1e3 * times[n / 2],
                  1e3 * times[n * 9 / 10]);
    assert_true(times[n / 2] < 1e-3);
}

static void a_layer_of_resnet_executes_in_seconds(void **state) {
    (void)state;
    SlRng rng;
    SlError err;
    sl_rng_init(&rng, 1, "vta layer");
    SlVtaTask task = vta_task("", "conv:K=64,C=64,P=56,Q=56,R=3,S=3,pad=1");
    SlVtaSchedule schedule = vta_schedule(14, 28, 1, 2, 1, 2);
    SlVtaTensors tensors = vta_random_tensors(&rng, &task, &arena);
    int64_t n = vta_outputs(&task);
    int8_t *out = SL_NEW(&arena, n, int8_t), *expected = SL_NEW(&arena, n, int8_t);
    double start = seconds();
    assert_int_equal(
        sl_vta_execute(&task, &schedule, &tensors, SL_VTA_LOAD_FIRST, &arena, out, &err), SL_OK);
    double took = seconds() - start;
    sl_vta_convolve(&task, &tensors, expected);
    assert_memory_equal(out, expected, (size_t)n);
    print_message("115.6 M MACs executed in %.2f s\n", took);
    assert_true(took < 2);
}

int main(void) {
    sl_arena_init(&arena, 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_widths_of_the_bus_take_what_upstream_published),
        cmocka_unit_test(networks_take_what_upstream_published),
        cmocka_unit_test(boards_take_what_was_measured),
        cmocka_unit_test(spaces_and_their_optima_are_the_known_ones),
        cmocka_unit_test(a_simulation_takes_less_than_a_millisecond),
        cmocka_unit_test(a_layer_of_resnet_executes_in_seconds),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    sl_arena_free(&arena);
    return failed;
}

// test_vta_listing.c - programs as text.
#include "vta_help.h"

static SlArena arena;

static const char *list(const SlVtaTask *task, const SlVtaSchedule *schedule, int64_t most) {
    SlText text;
    sl_text_init(&text, &arena);
    assert_int_equal(sl_vta_listing(task, schedule, most, &arena, &text), SL_OK);
    return text.data;
}

static int count_lines(const char *text) {
    int n = 0;
    for (; *text; text++) n += *text == '\n';
    return n;
}

static void a_small_program_reads_like_this(void **state) {
    (void)state;
    SlVtaTask task = vta_task("", "conv:K=16,C=16,P=2,Q=3,R=3,S=3,pad=1");
    SlVtaSchedule schedule = vta_schedule(2, 3, 1, 1, 1, 1);
    SlVtaTime time;
    SlError err;
    char head[512], cycles[32];
    task.bias = true;
    assert_int_equal(sl_vta_time(&task, &schedule, &arena, &time, &err), SL_OK);
    snprintf(head, sizeof head,
             "layer     conv K=16 C=16 P=2 Q=3 R=3 S=3 pad=1 with bias\n"
             "core      1x16x16_i8w8a32_15_15_18_17, 64-bit bus, tsim\n"
             "schedule  b=1,h=2,w=3,ci=1,co=1,oc_threads=1,h_threads=1\n"
             "cycles    %s, %.1f %% of the MACs busy; 20 instructions in 1 group, 11 micro-ops\n",
             sl_show_count(time.cycles, cycles), 100 * time.utilisation);
    const char *text = list(&task, &schedule, 0);
    assert_memory_equal(text, head, strlen(head));
    const char *const lines[] = {
        "      0  store    sync                                                             "
        ">compute\n",
        "      1  compute  read UOP   sram 0 dram 0 size 1x1                                "
        "<store\n",
        "      2  compute  reset      uops 0..0 turns 2x3 dst 3,1                           "
        ">load\n",
        "      3  load     read INP   sram 0 dram 0 size 2x3 pad 1 1 1 1                    "
        "<compute\n",
        "      4  load     read WGT   sram 0 dram 0 size 1x9                                "
        ">compute\n",
        "      6  compute  gemm       uops 1..6 turns 3x3 dst 1,0 src 1,1 wgt 0,1           ",
        "     12  compute  add        uops 8..8 turns 2x3 dst 3,1 src 0,0\n",
        "     19  compute  sync\n",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (!strstr(text, lines[i])) fail_msg("%s is not in\n%s", lines[i], text);
    assert_int_equal(count_lines(text), 4 + 20);
}

static void a_limit_says_how_many_are_left_out(void **state) {
    (void)state;
    SlVtaTask task = vta_task("", "conv:K=64,C=64,P=8,Q=8,R=3,S=3,pad=1");
    SlVtaSchedule schedule = vta_schedule(2, 4, 2, 2, 2, 1);
    SlVtaStream stream;
    sl_vta_stream_init(&task, &schedule, &stream);
    const char *text = list(&task, &schedule, 10);
    char last[64];
    snprintf(last, sizeof last, "... and %d more\n", (int)stream.n_insns - 10);
    assert_int_equal(count_lines(text), 4 + 10 + 1);
    assert_string_equal(text + strlen(text) - strlen(last), last);
    assert_int_equal(count_lines(list(&task, &schedule, 0)), 4 + stream.n_insns);
    assert_int_equal(count_lines(list(&task, &schedule, stream.n_insns)), 4 + stream.n_insns);
}

static void scratch_may_be_another_arena(void **state) {
    (void)state;
    SlVtaTask task = vta_task("", "conv:K=64,C=64,P=8,Q=8,R=3,S=3,pad=1");
    SlVtaSchedule schedule = vta_schedule(2, 4, 2, 2, 2, 2);
    SlArena scratch;
    SlText text;
    sl_arena_init(&scratch, 0);
    sl_text_init(&text, &arena);
    assert_int_equal(sl_vta_listing(&task, &schedule, 0, &scratch, &text), SL_OK);
    assert_int_equal(scratch.used, 0);
    sl_arena_free(&scratch);
    assert_string_equal(text.data, list(&task, &schedule, 0));
    sl_arena_init(&scratch, 1000);
    assert_int_equal(sl_vta_listing(&task, &schedule, 0, &scratch, &text), SL_ENOMEM);
    sl_arena_free(&scratch);
}

int main(void) {
    sl_arena_init(&arena, 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_program_reads_like_this),
        cmocka_unit_test(a_limit_says_how_many_are_left_out),
        cmocka_unit_test(scratch_may_be_another_arena),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    sl_arena_free(&arena);
    return failed;
}

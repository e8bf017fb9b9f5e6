// test_report_evaluation.c - evaluations as documents: whole in every form, whatever the memory.
#include <string.h>

#include "report/evaluation_parts.h"
#include "support/check.h"

static void evaluate(const char *workload, SlArena *arena, SlEvaluation *eval) {
    SlError err = {0};
    *eval = (SlEvaluation){.arena = arena, .batch = 1, .mapping_from = "default"};
    assert_int_equal(sl_workload_find(workload, 1, arena, &eval->net, &err), SL_OK);
    assert_int_equal(sl_accel_find("eyeriss", arena, &eval->accel, &err), SL_OK);
    SlPriced *priced = sl_evaluation_gather(eval);
    assert_int_equal(sl_evaluation_default(eval, NULL, priced, &err), SL_OK);
    sl_evaluation_sum(eval);
}

static int count(const char *text, const char *piece) {
    int n = 0;
    for (const char *at = text; (at = strstr(at, piece)); at++) n++;
    return n;
}

static void every_layer_is_a_row_of_every_form(void **state) {
    (void)state;
    SlArena arena;
    SlEvaluation eval;
    SlError err;
    sl_arena_init(&arena, 0);
    evaluate("resnet18", &arena, &eval);
    const SlDoc *doc = sl_report_evaluation(&eval);
    for (int form = 0; form < SL_N_FORMS; form++) {
        SlText text;
        sl_text_init(&text, &arena);
        assert_int_equal(sl_doc_write(doc, (SlForm)form, &text, &err), SL_OK);
        assert_true(count(text.data, "conv5_4") >= 1);
        if (form == SL_FORM_CSV) assert_int_equal(count(text.data, "\n"), 1 + 21);
        if (form == SL_FORM_JSON) assert_int_equal(count(text.data, "\"bound_by\""), 21 + 1);
    }
    sl_arena_free(&arena);
}

static void without_memory_a_document_fails_and_never_lies(void **state) {
    (void)state;
    SlArena arena;
    SlEvaluation eval;
    SlError err;
    SlText whole;
    sl_arena_init(&arena, 0);
    sl_text_init(&whole, &arena);
    evaluate("resnet18:conv2_1", &arena, &eval);
    assert_int_equal(sl_doc_write(sl_report_evaluation(&eval), SL_FORM_JSON, &whole, &err), SL_OK);
    int n_failed = 0;
    for (size_t limit = 64; limit < (1 << 20); limit += limit / 8) {
        SlArena little;
        SlText text;
        sl_arena_init(&little, limit);
        sl_text_init(&text, &arena);
        eval.arena = &little;
        SlStatus status = sl_doc_write(sl_report_evaluation(&eval), SL_FORM_JSON, &text, &err);
        if (status == SL_OK)
            assert_string_equal(text.data, whole.data);
        else
            n_failed++;
        sl_arena_free(&little);
    }
    assert_true(n_failed > 0);
    sl_arena_free(&arena);
}

static void shapes_and_binders_have_short_names(void **state) {
    (void)state;
    static const char *const shapes[][2] = {
        {"conv:K=64,C=3,P=112,Q=112,R=7,S=7,stride=2", "64x3 112x112 7x7 /2"},
        {"gemm:M=512,N=768,K=384", "512x768x384"},
        {"linear:K=10,C=84", "10x84"},
        {"dw:G=32,P=14,Q=14,R=3,S=3", "g32 14x14 3x3"},
        {"dw:G=1,P=14,Q=14,R=3,S=3", "g1 14x14 3x3"}};
    char out[SL_UNIT_ROOM];
    SlError err;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        SlLayer layer;
        assert_int_equal(sl_layer_parse(shapes[i][0], &layer, &err), SL_OK);
        assert_string_equal(sl_layer_shape(&layer, out), shapes[i][1]);
    }
    SlAccel accel = {.levels = {{.name = "DRAM"}, {.name = "L2"}}};
    assert_string_equal(sl_binder_show(&accel, (SlBinder){.kind = SL_BIND_COMPUTE}, out),
                        "compute");
    assert_string_equal(sl_binder_show(&accel, (SlBinder){SL_BIND_PORT, 0}, out), "DRAM port");
    assert_string_equal(sl_objective_show(SL_EDP, 1e12, 200, out), "5.00 nJ·s");
    assert_string_equal(sl_objective_show(SL_LATENCY, 1234, 200, out), "1,234 cycles");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_layer_is_a_row_of_every_form),
        cmocka_unit_test(without_memory_a_document_fails_and_never_lies),
        cmocka_unit_test(shapes_and_binders_have_short_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

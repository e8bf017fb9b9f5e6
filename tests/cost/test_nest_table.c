// test_nest_table.c - many nests of a CSV file, counted row by row.
#include "starling/cost/nest_table.h"

#include <string.h>

#include "support/check.h"

#define HEADER "id,ext,conv,net,nest\n"
#define ROW(id) id ",1.1.4.2.5.1.3.1,1.1.1.1,1.1,C:1 P:2 @7 K*2 K:1 R:1 @7 P:1\n"

static bool gather(void *context, const char *bytes, size_t n) {
    sl_text_put(context, bytes, n);
    return true;
}

// What comes of a text: its CSV, or the sentence of the error.
static const char *result(const char *text, const SlAccel *accel, SlArena *arena) {
    SlNestTable table = {.name = "nests", .text = text, .n = strlen(text), .accel = accel};
    SlError err;
    SlText out;
    sl_text_init(&out, arena);
    if (sl_nest_table_check(&table, arena, &err) == SL_OK)
        assert_int_equal(sl_nest_table_write(&table, arena, gather, &out, &err), SL_OK);
    else
        sl_text_add(&out, "%d: %s", err.line, err.text);
    return out.data;
}

static void every_row_is_counted(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    const char *out = result(HEADER ROW("a") ROW("b"), NULL, &arena);
    assert_ptr_equal(strstr(out, "id,macs,cycles,"), out);
    // 4 x 2 x 5 x 3 MACs, two at a time
    assert_non_null(strstr(out, "\na,120,60,"));
    assert_non_null(strstr(out, "\nb,120,60,"));
    assert_null(strstr(out, "latency"));
    sl_arena_free(&arena);
}

static void a_machine_prices_them(void **state) {
    (void)state;
    SlArena arena;
    SlAccel accel;
    sl_arena_init(&arena, 0);
    assert_int_equal(sl_accel_find("flex256", &arena, &accel, NULL), SL_OK);
    assert_non_null(strstr(result(HEADER ROW("a"), &accel, &arena), ",latency,energy_pJ,"));
    const char *flat = HEADER ROW("a") "b,1.1.4.1.1.1.1.1,1.1.1.1,1.1,@7 K:1\n";
    assert_string_equal(result(flat, &accel, &arena),
                        "3: nest: 1 storage boundaries (@), but flex256 has 2 on-chip levels");
    sl_arena_free(&arena);
}

static void wrong_input_gives_nothing_but_its_line(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    assert_non_null(strstr(result("id,ext,conv,net\n", NULL, &arena), "missing column 'nest'"));
    const char *out = result(HEADER ROW("a") "b,1.1.4,1.1.1.1,1.1,@7 K:1\n", NULL, &arena);
    assert_string_equal(out, "3: ext: expected eight whole numbers N.G.K.C.P.Q.R.S, got '1.1.4'");
    out = result(HEADER "b,1.1.4.1.1.1.1.1,1.1.1.1,2.1,@7 K:1\n", NULL, &arena);
    assert_non_null(strstr(out, "2: net: expected"));
    sl_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_counted),
        cmocka_unit_test(a_machine_prices_them),
        cmocka_unit_test(wrong_input_gives_nothing_but_its_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// test_accel_draw.c - the picture of an accelerator, and the guide that shows one.
#include "support/check.h"

#include <string.h>

#include "starling/accel.h"

enum { MAX_COLUMNS = 100 };

static const char *draw(const char *selector, SlArena *arena) {
    SlAccel accel;
    SlError err = {0};
    if (sl_accel_find(selector, arena, &accel, &err) != SL_OK) fail_msg("%s", err.text);
    SlText text;
    sl_text_init(&text, arena);
    sl_accel_draw(&accel, &text);
    assert_false(text.failed);
    return text.data;
}

static int line_columns(const char *line) {
    int columns = 0;
    for (; *line && *line != '\n'; line++) columns += ((unsigned char)*line & 0xC0) != 0x80;
    return columns;
}

// no line too wide; all lines of boxes equally wide
static void expect_neat(const char *picture) {
    int width = 0;
    for (const char *line = picture; *line; line += strcspn(line, "\n") + 1) {
        int columns = line_columns(line);
        assert_true(columns <= MAX_COLUMNS);
        bool box =
            strncmp(line, "│", 3) == 0 || strncmp(line, "┌", 3) == 0 || strncmp(line, "└", 3) == 0;
        if (box && width == 0) width = columns;
        if (box) assert_int_equal(columns, width);
    }
    assert_true(width > 0);
}

static void the_picture_of_a_flexible_array_shows_every_number(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    const char *picture = draw("golden", &arena);
    const char *parts[] = {"golden: Reference machine",
                           "unlimited for W I O",
                           "port 16 words/cycle",
                           "200 pJ/word",
                           "link 16 words/cycle, 0 pJ/word",
                           "1 MiB for W I O",
                           "double buffered",
                           "link 64 words/cycle, 0.1 pJ/word",
                           "× 256 (clusters, any dims)",
                           "multicast, reduction",
                           "4 KiB for W I O",
                           "port 4 words/cycle",
                           "256 MACs, 2 MiB on chip, 6.54746 mm², peak 256 GMAC/s at 1000 MHz",
                           "Source: "};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!strstr(picture, parts[i])) fail_msg("'%s' is not in\n%s", parts[i], picture);
    }
    sl_arena_free(&arena);
}

static void the_picture_of_a_grid_names_its_axes_and_parents(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    assert_non_null(strstr(draw("gemmini", &arena), "16 × 16 (rows: C, columns: K)"));
    assert_non_null(strstr(draw("gemmini", &arena), "0 pJ/word, O from DRAM"));
    assert_non_null(strstr(draw("tpu", &arena), "256 × 256 (rows: C R S, columns: K)"));
    assert_non_null(strstr(draw("eyeriss", &arena), "port never binds"));
    sl_arena_free(&arena);
}

static void every_picture_is_neat(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    const char *names[64];
    int n = sl_bundle_names("accels", 64, names);
    for (int i = 0; i < n; i++) expect_neat(draw(names[i], &arena));
    sl_arena_free(&arena);
}

static void long_names_and_numbers_stay_on_the_page(void **state) {
    (void)state;
    SlAccel accel = {.n_levels = 2, .clock_mhz = 1.23456789e9, .word_bytes = {1.25e-7, 33, 1e29}};
    memset(accel.name, 'n', sizeof accel.name - 1);
    for (size_t i = 0; i + 2 < sizeof accel.title; i += 2) memcpy(accel.title + i, "é", 2);
    for (size_t i = 0; i + 1 < sizeof accel.source; i++) accel.source[i] = i % 211 ? 's' : ' ';
    for (int l = 0; l < 2; l++) {
        SlLevel *level = &accel.levels[l];
        memset(level->name, 'a' + l, sizeof level->name - 1);
        level->keep = SL_KEEP_ALL;
        level->capacity_bytes = l * INT64_MAX;
        level->port_words = level->link_words = 1.23456789e-29;
        level->read_pj = level->link_pj = 1.23456789e29;
        accel.fanouts[l] = (SlFanout){.n_axes = SL_MAX_AXES};
        for (int i = 0; i < SL_MAX_AXES; i++) {
            SlAxis *axis = &accel.fanouts[l].axes[i];
            *axis = (SlAxis){.size = i ? 32 : 31, .dims = 0x7F};
            memset(axis->name, 'w' + i, sizeof axis->name - 1);
        }
    }
    assert_null(sl_accel_check(&accel));
    SlArena arena;
    SlText text;
    sl_arena_init(&arena, 0);
    sl_text_init(&text, &arena);
    sl_accel_draw(&accel, &text);
    expect_neat(text.data);
    sl_arena_free(&arena);
}

// the guide cannot rot: it holds the example file, and the picture of it, word for word
static void the_guide_shows_the_example_and_its_picture(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    char *guide = NULL, *example = NULL;
    size_t n = 0;
    assert_int_equal(sl_file_read(SL_SOURCE_DIR "/docs/guides/own-accelerator.md", 1 << 20, &arena,
                                  &guide, &n, NULL),
                     SL_OK);
    assert_int_equal(sl_file_read(SL_SOURCE_DIR "/examples/accels/small_npu.yaml", 1 << 20, &arena,
                                  &example, &n, NULL),
                     SL_OK);
    assert_non_null(strstr(guide, example));
    assert_non_null(strstr(guide, draw(SL_SOURCE_DIR "/examples/accels/small_npu.yaml", &arena)));
    sl_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_picture_of_a_flexible_array_shows_every_number),
        cmocka_unit_test(the_picture_of_a_grid_names_its_axes_and_parents),
        cmocka_unit_test(every_picture_is_neat),
        cmocka_unit_test(long_names_and_numbers_stay_on_the_page),
        cmocka_unit_test(the_guide_shows_the_example_and_its_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

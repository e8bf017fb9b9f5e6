// test_counts_golden.c - counts against files that others computed (tests/data/native/README.md,
// tests/data/timeloop/README.md).
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "count_fields.h"
#include "golden_file.h"
#include "oracle.h"
#include "support/check.h"

typedef void Counter(const SlLayer *, SlNet, const SlMapping *, SlCounts *);

// every column of the row that names a count
static int check_row(const Golden *golden, const SlCounts *counts) {
    int n = 0;
    for (int i = 0; i < golden->csv.n_columns; i++) {
        SlCount got;
        const char *column = golden->csv.header[i];
        if (!count_by_column(counts, column, &got)) continue;
        double want = golden_number(golden, column);
        if (got != want) {
            fail_msg("id %s (%s): %s is %.17g, must be %.17g", golden_cell(golden, "id"),
                     golden_cell(golden, "nest"), column, got, want);
        }
        n++;
    }
    return n;
}

static void check_file(const char *path, Counter *count, int rows, int columns) {
    Golden golden;
    golden_open(&golden, path);
    while (golden_next(&golden)) {
        Case c;
        SlCounts counts;
        golden_case(&golden, &c);
        count(&c.layer, c.net, &c.mapping, &counts);
        assert_int_equal(check_row(&golden, &counts), columns);
    }
    assert_int_equal(golden.n_rows, rows);
    golden_close(&golden);
}

static void the_oracle_equals_every_count_of_2550_small_nests(void **state) {
    (void)state;
    check_file("native/oracle_small.csv.gz", oracle_count, 2550, 2 + 4 * N_COUNT_FIELDS);
}

static void the_closed_form_equals_every_count_of_2550_small_nests(void **state) {
    (void)state;
    check_file("native/oracle_small.csv.gz", sl_counts_eval, 2550, 2 + 4 * N_COUNT_FIELDS);
}

static void the_closed_form_equals_every_count_of_205_layers(void **state) {
    (void)state;
    check_file("native/layers.csv.gz", sl_counts_eval, 205, 2 + 3 * N_COUNT_FIELDS);
}

// --- the Timeloop tutorial names its levels

static const struct {
    const char *exercise, *level;
    int number;
} tutorial_levels[] = {
    {"00", "Buffer", 0}, {"01", "Main", 0}, {"01", "Buffer", 1},     {"02", "Main", 0},
    {"02", "Buffer", 1}, {"03", "Main", 0}, {"03", "GB", 1},         {"03", "RF", 2},
    {"04", "Main", 0},   {"04", "GB", 1},   {"04", "RF", 2},         {"06", "DRAM", 0},
    {"06", "glb", 1},    {"06", "psum", 4}, {"06", "ifmap_spad", 2}, {"06", "weights_spad", 3},
};

static int tutorial_level(const char *exercise, const char *count) {
    for (size_t i = 0; i < sizeof tutorial_levels / sizeof *tutorial_levels; i++) {
        size_t n = strlen(tutorial_levels[i].level);
        if (strncmp(exercise, tutorial_levels[i].exercise, 2) == 0 &&
            strncmp(count, tutorial_levels[i].level, n) == 0 && count[n] == ' ')
            return tutorial_levels[i].number;
    }
    fail_msg("no level for '%s' of '%s'", count, exercise);
    return -1;
}

// the level (or the MACs) whose parent for a tensor is `level`; every nest of the tutorial has one
static const SlLevelCounts *tutorial_child(const SlMapping *mapping, const SlCounts *counts,
                                           int level, SlTensor tensor) {
    int child = level + 1;
    while (child < counts->n_levels && !(mapping->keep[child - 1] >> tensor & 1)) child++;
    return &counts->level[child];
}

// a count like "GB I reads /instance"
static double tutorial_count(const Case *c, const SlCounts *counts, const char *exercise,
                             const char *name) {
    if (strcmp(name, "cycles") == 0) return counts->cycles;
    if (strcmp(name, "MACs") == 0) return counts->macs;
    int level = tutorial_level(exercise, name);
    const char *tensor_name = strchr(name, ' ') + 1;
    int t = (int)(strchr("WIO", *tensor_name) - "WIO");
    const SlLevelCounts *child = tutorial_child(&c->mapping, counts, level, (SlTensor)t);
    const SlLevelCounts *own = &counts->level[level];
    double value = strstr(name, "updates") ? child->upd : child->pread[t];
    if (strstr(name, "fills")) value = t == SL_O ? own->pread[SL_O] : own->fill[t];
    if (strstr(name, "/ 56 groups")) return value / 56;
    return strstr(name, "/instance") ? value / own->inst : value;
}

// the mapping of an exercise as Timeloop reads it: the file named after it, other bytes as '_'
static void read_exercise(const char *exercise, Case *c) {
    char path[1024];
    SlArena arena;
    SlError err;
    char *text;
    size_t n;
    int begin = snprintf(path, sizeof path, "%s/tests/data/timeloop/", SL_SOURCE_DIR);
    snprintf(path + begin, sizeof path - (size_t)begin, "%s.yaml", exercise);
    for (char *at = path + begin; strcmp(at, ".yaml") != 0; at++)
        if (!isalnum((unsigned char)*at)) *at = '_';
    sl_arena_init(&arena, 0);
    SlStatus status = sl_file_read(path, SL_TREE_MAX_BYTES, &arena, &text, &n, &err);
    if (status == SL_OK) {
        assert_true(sl_timeloop_looks_like(text, n));
        status = sl_timeloop_parse(path, text, n, &c->layer, NULL, &arena, &c->mapping, &err);
    }
    if (status != SL_OK) fail_msg("%s:%d:%d: %s", path, err.line, err.column, err.text);
    sl_arena_free(&arena);
}

// every count of the tutorial, of the nests as texts or of the mappings as files
static void check_tutorial(bool files) {
    Golden golden;
    golden_open(&golden, "timeloop/tutorial_counts.csv");
    int same = 0;
    while (golden_next(&golden)) {
        Case c;
        SlCounts counts;
        const char *name = golden_cell(&golden, "count");
        case_parse(golden_cell(&golden, "ext"), "1.1.1.1", "1.1", golden_cell(&golden, "nest"), &c);
        if (files) {
            char nest[SL_NEST_TEXT_MAX];
            read_exercise(golden_cell(&golden, "exercise"), &c);
            sl_mapping_write(&c.mapping, sizeof nest, nest);
            assert_string_equal(nest, golden_cell(&golden, "nest"));
        }
        sl_counts_eval(&c.layer, c.net, &c.mapping, &counts);
        double got = tutorial_count(&c, &counts, golden_cell(&golden, "exercise"), name);
        double want = golden_number(&golden, "native");
        if (got != want) {
            fail_msg("%s, %s: %.17g, must be %.17g", golden_cell(&golden, "exercise"), name, got,
                     want);
        }
        same += got == golden_number(&golden, "timeloop");
    }
    assert_int_equal(golden.n_rows, 84);
    assert_int_equal(same, 79); // the others are input halos that Timeloop counts again
    golden_close(&golden);
}

static void the_closed_form_equals_84_counts_of_the_timeloop_tutorial(void **state) {
    (void)state;
    check_tutorial(false);
}

static void the_mappings_of_the_timeloop_tutorial_read_as_nests_with_these_84_counts(void **state) {
    (void)state;
    check_tutorial(true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_oracle_equals_every_count_of_2550_small_nests),
        cmocka_unit_test(the_closed_form_equals_every_count_of_2550_small_nests),
        cmocka_unit_test(the_closed_form_equals_every_count_of_205_layers),
        cmocka_unit_test(the_closed_form_equals_84_counts_of_the_timeloop_tutorial),
        cmocka_unit_test(the_mappings_of_the_timeloop_tutorial_read_as_nests_with_these_84_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

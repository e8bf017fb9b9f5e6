// test_accel_yaml.c - what a YAML file fills in, and what each mistake in one is answered with.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "starling/accel.h"

// five lines before the levels, then a DRAM in line 6 and a buffer in line 7
#define TOP "accel: a\nclock_mhz: 100\nword_bytes: 1\nmac: {energy: 1}\nlevels:\n"
#define DRAM "  - {name: DRAM, port: 16, energy: 200}\n"
#define L1 "  - {name: L1, capacity: 512, energy: 1}\n"
#define L1_WITH(more) "  - {name: L1, capacity: 512, energy: 1, " more "}\n"

static SlStatus parse(const char *text, SlAccel *accel, SlError *err) {
    SlArena scratch;
    sl_arena_init(&scratch, 0);
    SlStatus status = sl_accel_parse("a.yaml", text, strlen(text), &scratch, accel, err);
    assert_int_equal(scratch.used, 0); // all given back
    sl_arena_free(&scratch);
    return status;
}

static SlAccel parse_good(const char *text) {
    SlAccel accel;
    SlError err = {0};
    char sentence[1024];
    SlStatus status = parse(text, &accel, &err);
    if (status != SL_OK) fail_msg("%s", sl_error_text(&err, sizeof sentence, sentence));
    return accel;
}

// the text must be refused with exactly this sentence, and nothing be written
static void expect_sentence(const char *text, const char *expected) {
    SlAccel accel, before;
    memset(&accel, 0x5A, sizeof accel);
    before = accel;
    SlError err = {0};
    char sentence[1024] = "";
    SlStatus status = parse(text, &accel, &err);
    if (status != SL_EINPUT) fail_msg("not refused: %s", text);
    assert_string_equal(sl_error_text(&err, sizeof sentence, sentence), expected);
    assert_memory_equal(&accel, &before, sizeof accel);
}

static void what_is_left_out_has_a_documented_default(void **state) {
    (void)state;
    SlAccel accel = parse_good(TOP DRAM L1);
    assert_string_equal(accel.name, "a");
    assert_string_equal(accel.title, "");
    assert_int_equal(accel.n_levels, 2);
    assert_true(accel.mac_area_um2 == 0);

    const SlLevel *dram = &accel.levels[0], *l1 = &accel.levels[1];
    assert_int_equal(dram->keep, SL_KEEP_ALL);
    assert_int_equal(dram->capacity_bytes, 0);
    assert_true(dram->link_words == INFINITY && dram->link_pj == 0);
    assert_int_equal(l1->keep, SL_KEEP_ALL);
    assert_int_equal(l1->buffering, SL_BUFFER_DOUBLE);
    assert_true(l1->port_words == INFINITY && l1->link_words == INFINITY);
    assert_true(l1->link_pj == 0 && l1->area_um2_per_byte == 0);
    assert_int_equal(accel.fanouts[0].n_axes, 0);
    assert_int_equal(accel.fanouts[1].n_axes, 0);
}

static void every_key_reaches_its_field(void **state) {
    (void)state;
    SlAccel accel = parse_good(
        "accel: full\ntitle: T\nsource: S\nclock_mhz: 250\nword_bytes: {W: 1, I: 2, O: 4}\n"
        "energy_unit_pj: 2\nmac: {energy: 0.5, area_um2: 300}\nlevels:\n"
        "  - {name: DRAM, port: 8, read: 100, write: 120, fanout: {clusters: 2}}\n"
        "  - name: BUF\n    capacity: 2 KiB\n    keep: [I, O]\n    buffering: single\n"
        "    port: 3\n    link: {words: 7, energy: 0.25}\n    energy: 6\n    area_um2_per_byte: 5\n"
        "    fanout: {grid: {x: {size: 16, spread: [C, R]}, y: {size: 4}}, multicast: true,\n"
        "             reduction: yes}\n");
    assert_string_equal(accel.title, "T");
    assert_string_equal(accel.source, "S");
    assert_true(accel.clock_mhz == 250 && accel.mac_area_um2 == 300);
    assert_true(accel.word_bytes[0] == 1 && accel.word_bytes[1] == 2 && accel.word_bytes[2] == 4);

    // energies come times the unit, areas do not
    assert_true(accel.mac_pj == 1);
    assert_true(accel.levels[0].read_pj == 200 && accel.levels[0].write_pj == 240);
    const SlLevel *buffer = &accel.levels[1];
    assert_true(buffer->read_pj == 12 && buffer->write_pj == 12 && buffer->link_pj == 0.5);
    assert_true(buffer->area_um2_per_byte == 5 && buffer->port_words == 3);
    assert_true(buffer->link_words == 7);
    assert_int_equal(buffer->capacity_bytes, 2048);
    assert_int_equal(buffer->keep, 2 | 4);
    assert_int_equal(buffer->buffering, SL_BUFFER_SINGLE);

    const SlFanout *clusters = &accel.fanouts[0], *grid = &accel.fanouts[1];
    assert_int_equal(clusters->n_axes, 1);
    assert_int_equal(clusters->axes[0].size, 2);
    assert_int_equal(clusters->axes[0].dims, SL_SPREAD_ALL);
    assert_false(clusters->multicast || clusters->reduction);
    assert_int_equal(grid->n_axes, 2);
    assert_string_equal(grid->axes[0].name, "x");
    assert_int_equal(grid->axes[0].dims, 1 << 3 | 1 << 6); // N G K C P Q R S
    assert_int_equal(grid->axes[1].dims, SL_SPREAD_ALL);
    assert_true(grid->multicast && grid->reduction);
}

static void a_json_file_is_read_as_well(void **state) {
    (void)state;
    SlAccel accel =
        parse_good("{\"accel\": \"j\", \"clock_mhz\": 1, \"word_bytes\": 1, "
                   "\"mac\": {\"energy\": 1}, \"levels\": [{\"name\": \"D\", \"energy\": 1}, "
                   "{\"name\": \"B\", \"capacity\": 1, \"energy\": 1}]}");
    assert_string_equal(accel.name, "j");
}

static void unknown_keys_get_a_hint(void **state) {
    (void)state;
    expect_sentence("acel: a\n", "a.yaml:1:1: unknown key 'acel' (did you mean 'accel'?)");
    expect_sentence(TOP DRAM L1_WITH("bufering: double"),
                    "a.yaml:7:42: unknown key 'bufering' (did you mean 'buffering'?)");
    expect_sentence(TOP DRAM L1_WITH("link: {word: 3}"),
                    "a.yaml:7:49: unknown key 'word' (did you mean 'words'?)");
    expect_sentence(TOP DRAM L1_WITH("fanout: {cluster: 3}"),
                    "a.yaml:7:51: unknown key 'cluster' (did you mean 'clusters'?)");
    expect_sentence(TOP DRAM L1_WITH("fanout: {grid: {x: {sise: 3}}}"),
                    "a.yaml:7:62: unknown key 'sise' (did you mean 'size'?)");
}

static void missing_keys_are_named(void **state) {
    (void)state;
    expect_sentence("clock_mhz: 1\n", "a.yaml:1:1: missing key 'accel'");
    expect_sentence("accel: a\n", "a.yaml:1:1: missing key 'clock_mhz'");
    expect_sentence("accel: a\nclock_mhz: 1\nword_bytes: {W: 1, O: 1}\n",
                    "a.yaml:3:13: missing key 'I'");
    expect_sentence("accel: a\nclock_mhz: 1\nword_bytes: 1\nmac: {energy: 1}\n",
                    "a.yaml:1:1: missing key 'levels'");
    expect_sentence(TOP DRAM "  - {name: L1, energy: 1}\n", "a.yaml:7:5: missing key 'capacity'");
    expect_sentence(TOP DRAM "  - {capacity: 1, energy: 1}\n", "a.yaml:7:5: missing key 'name'");
    expect_sentence(TOP DRAM "  - {name: L1, capacity: 1, read: 1}\n",
                    "a.yaml:7:5: level L1: expected 'energy' per word, or 'read' and 'write'");
}

static void values_of_another_type_are_refused(void **state) {
    (void)state;
    expect_sentence("- a\n- b\n", "a.yaml:1:1: an accelerator: expected a map, got a list");
    expect_sentence(TOP "  DRAM: 1\n", "a.yaml:6:3: levels: expected a list, got a map");
    expect_sentence(TOP DRAM "  - L1\n", "a.yaml:7:5: a level: expected a map, got 'L1'");
    expect_sentence(TOP DRAM L1_WITH("keep: W"), "a.yaml:7:48: keep: expected a list, got 'W'");
    expect_sentence(TOP DRAM L1_WITH("keep: []"),
                    "a.yaml:7:48: keep: expected at least one letter");
    expect_sentence(TOP DRAM L1_WITH("keep: [W, W]"), "a.yaml:7:52: keep: W is there twice");
    expect_sentence(TOP DRAM L1_WITH("port: fast"),
                    "a.yaml:7:48: port: expected a number, got 'fast'");
    expect_sentence(TOP DRAM L1_WITH("buffering: triple"),
                    "a.yaml:7:53: buffering: expected one of single, double, overlapped, "
                    "got 'triple'");
    expect_sentence(TOP DRAM L1_WITH("fanout: {clusters: 4, multicast: 2}"),
                    "a.yaml:7:75: multicast: expected true or false, got '2'");
}

static void rates_must_be_positive(void **state) {
    (void)state;
    expect_sentence(TOP DRAM L1_WITH("port: 0"),
                    "a.yaml:7:48: port: expected a positive number of words per cycle or inf, "
                    "got 0");
    expect_sentence(TOP DRAM L1_WITH("link: {words: -2}"),
                    "a.yaml:7:56: words: expected a positive number of words per cycle or inf, "
                    "got -2");
    expect_sentence(TOP DRAM L1_WITH("port: nan"),
                    "a.yaml:7:48: port: expected a number, got 'nan'");
    expect_sentence("accel: a\nclock_mhz: 0\n",
                    "a.yaml:2:12: clock_mhz: expected a positive number, got 0");
    expect_sentence("accel: a\nclock_mhz: inf\n",
                    "a.yaml:2:12: clock_mhz: expected a positive number, got inf");
    expect_sentence("accel: a\nclock_mhz: 1\nword_bytes: {W: 1, I: -1, O: 1}\n",
                    "a.yaml:3:23: I: expected a positive number, got -1");
}

static void amounts_must_not_be_negative(void **state) {
    (void)state;
    expect_sentence(TOP "  - {name: DRAM, energy: -1}\n" L1,
                    "a.yaml:6:26: energy: expected a finite number of at least 0, got -1");
    expect_sentence(TOP DRAM L1_WITH("area_um2_per_byte: inf"),
                    "a.yaml:7:61: area_um2_per_byte: expected a finite number of at least 0, "
                    "got inf");
    expect_sentence("accel: a\nclock_mhz: 1\nword_bytes: 1\nmac: {energy: -0.5}\n",
                    "a.yaml:4:15: energy: expected a finite number of at least 0, got -0.5");
    expect_sentence(TOP DRAM "  - {name: L1, capacity: 0, energy: 1}\n",
                    "a.yaml:7:26: capacity: expected a number of bytes of at least 1, such as 4096 "
                    "or 4 KiB, got '0'");
    expect_sentence(TOP DRAM "  - {name: L1, capacity: 99999999999 GiB, energy: 1}\n",
                    "a.yaml:7:26: capacity: expected a number of bytes of at least 1, such as 4096 "
                    "or 4 KiB, got '99999999999 GiB'");
}

static void energy_is_given_in_one_way(void **state) {
    (void)state;
    expect_sentence(TOP "  - {name: DRAM, read: 1, energy: 2}\n" L1,
                    "a.yaml:6:35: 'energy' stands for 'read' and 'write': give it alone or give "
                    "those two");
}

static void the_number_of_levels_is_bounded(void **state) {
    (void)state;
    expect_sentence(TOP DRAM,
                    "a.yaml:6:3: levels: expected 2 to 7, the memory outside first, got 1");
    expect_sentence(TOP DRAM L1 L1 L1 L1 L1 L1 L1,
                    "a.yaml:6:3: levels: expected 2 to 7, the memory outside first, got 8");
    expect_sentence(TOP DRAM L1 L1, "a.yaml:8:12: a level named 'L1' is already above");
    expect_sentence(TOP "  - {name: DRAM, capacity: 5, energy: 1}\n" L1,
                    "a.yaml:6:28: the first level is the memory outside: 'capacity' is for levels "
                    "on chip");
    expect_sentence(TOP "  - {name: DRAM, line: 64, energy: 1}\n" L1,
                    "a.yaml:6:24: the first level is the memory outside: 'line' is for levels on "
                    "chip");
}

static void names_are_plain_and_short(void **state) {
    (void)state;
    expect_sentence("accel: a b\n",
                    "a.yaml:1:8: accel: expected letters, digits, '_', '-' or '.', got 'a b'");
    expect_sentence(TOP "  - {name: a_name_of_far_too_many_letters, energy: 1}\n" L1,
                    "a.yaml:6:12: name: expected text of at most 23 bytes, got "
                    "'a_name_of_far_too_many_letters'");
    expect_sentence("accel: a\ntitle: \"two\\nlines\"\n",
                    "a.yaml:2:8: title: expected one line of text");
    expect_sentence(TOP DRAM L1_WITH("fanout: {grid: {sixteen_letters_: {size: 2}}}"),
                    "a.yaml:7:58: expected an axis name of at most 15 letters or digits, got "
                    "'sixteen_letters_'");
}

static void a_fanout_is_flexible_or_fixed(void **state) {
    (void)state;
    const char *both_or_none = "a.yaml:7:50: fanout: expected either 'clusters' (flexible) or "
                               "'grid' (fixed axes)";
    expect_sentence(TOP DRAM L1_WITH("fanout: {multicast: true}"), both_or_none);
    expect_sentence(TOP DRAM L1_WITH("fanout: {clusters: 2, grid: {x: {size: 2}}}"), both_or_none);
    expect_sentence(TOP DRAM L1_WITH("fanout: {grid: {x: {size: 2}}, spread: [K]}"),
                    "a.yaml:7:81: 'spread' belongs into each axis of the grid");
    expect_sentence(TOP DRAM L1_WITH("fanout: {clusters: 2, spread: [M]}"),
                    "a.yaml:7:73: expected one of N, G, K, C, P, Q, R, S, got 'M'");
    expect_sentence(TOP DRAM L1_WITH("fanout: {grid: {}}"),
                    "a.yaml:7:57: grid: expected 1 to 4 axes, got 0");
    expect_sentence(TOP DRAM L1_WITH("fanout: {clusters: 0}"),
                    "a.yaml:7:61: clusters: expected a whole number from 1 to 1099511627776, "
                    "got '0'");
}

static void too_many_instances_are_refused_where_they_arise(void **state) {
    (void)state;
    expect_sentence(TOP "  - {name: DRAM, energy: 1, fanout: {clusters: 1099511627776}}\n"
                        "  - {name: L1, capacity: 1, energy: 1, fanout: {clusters: 2}}\n",
                    "a.yaml:7:48: the fan-outs down to here multiply to more than 2^40 instances");
    expect_sentence(TOP DRAM L1_WITH("fanout: {clusters: 99999999999999999999}"),
                    "a.yaml:7:61: clusters: expected a whole number from 1 to 1099511627776, "
                    "got '99999999999999999999'");
}

// the first example of docs/formats/accelerator.md
static void the_reference_page_begins_with_a_file_that_reads(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    char *page = NULL;
    size_t n = 0;
    assert_int_equal(sl_file_read(SL_SOURCE_DIR "/docs/formats/accelerator.md", 1 << 20, &arena,
                                  &page, &n, NULL),
                     SL_OK);
    char *first = strstr(page, "```yaml\n");
    assert_non_null(first);
    first += strlen("```yaml\n");
    *strstr(first, "```") = '\0';
    SlAccel accel = parse_good(first);
    assert_int_equal(sl_accel_macs(&accel), 32);
    sl_arena_free(&arena);
}

static void a_small_arena_is_reported_as_such(void **state) {
    (void)state;
    const char *text = TOP DRAM L1;
    SlStatus status = SL_ENOMEM;
    for (size_t limit = 1; status == SL_ENOMEM && limit < 1 << 20; limit += 64) {
        SlArena scratch;
        SlAccel accel;
        sl_arena_init(&scratch, limit);
        status = sl_accel_parse("a.yaml", text, strlen(text), &scratch, &accel, NULL);
        sl_arena_free(&scratch);
    }
    assert_int_equal(status, SL_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_left_out_has_a_documented_default),
        cmocka_unit_test(every_key_reaches_its_field),
        cmocka_unit_test(a_json_file_is_read_as_well),
        cmocka_unit_test(unknown_keys_get_a_hint),
        cmocka_unit_test(missing_keys_are_named),
        cmocka_unit_test(values_of_another_type_are_refused),
        cmocka_unit_test(rates_must_be_positive),
        cmocka_unit_test(amounts_must_not_be_negative),
        cmocka_unit_test(energy_is_given_in_one_way),
        cmocka_unit_test(the_number_of_levels_is_bounded),
        cmocka_unit_test(names_are_plain_and_short),
        cmocka_unit_test(a_fanout_is_flexible_or_fixed),
        cmocka_unit_test(too_many_instances_are_refused_where_they_arise),
        cmocka_unit_test(the_reference_page_begins_with_a_file_that_reads),
        cmocka_unit_test(a_small_arena_is_reported_as_such),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

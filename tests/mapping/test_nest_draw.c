// test_nest_draw.c - the picture of a nest.
#include "support/check.h"

#include <string.h>

#include "nest_cases.h"

static void the_picture_shows_loops_trips_edges_and_storage(void **state) {
    (void)state;
    SlLayer layer = layer_of("conv:K=256,C=256,P=56,Q=56,R=3,S=3");
    SlAccel eyeriss = accel_of("eyeriss");
    SlMapping mapping = nest_of("K:90 Q:14 C:1 @7 R:1 S:2 K*30 P*1 @5 K:1 Q:1 S:1");
    SlArena arena;
    SlText out;
    sl_arena_init(&arena, 0);
    sl_text_init(&out, &arena);
    sl_mapping_draw(&layer, &eyeriss, &mapping, &out);
    assert_string_equal(out.data, "DRAM\n"
                                  "  for k in 0..256 by 90                       3 x, last 76\n"
                                  "    for q in 0..56 by 14                      4 x\n"
                                  "      for c in 0..256 by 1                    256 x\n"
                                  "L2  holds W 810 B  I 928 B  O 70,560 B  (70.6 KiB of 105 KiB)\n"
                                  "        for r in 0..3 by 1                    3 x\n"
                                  "          for s in 0..3 by 2                  2 x, last 1\n"
                                  "            spread k in 0..90 by 30           3 side by side\n"
                                  "              spread p in 0..56 by 1          56 side by side\n"
                                  "L1 x 168  holds W 60 B  O 420 B  (480 B of 512 B)\n"
                                  "                for k in 0..30 by 1           30 x\n"
                                  "                  for q in 0..14 by 1         14 x\n"
                                  "                    for s in 0..2 by 1        2 x\n"
                                  "MACs  168 of 168 side by side\n");
    sl_arena_free(&arena);
}

static void any_nest_is_at_most_100_columns_wide(void **state) {
    (void)state;
    static const char *const names[] = {"eyeriss", "golden", "tpu", "simba"};
    SlRng rng;
    sl_rng_init(&rng, 1, "draw");
    for (int i = 0; i < 400; i++) {
        SlAccel accel = accel_of(names[i % 4]);
        SlLayer layer;
        SlMapping mapping;
        SlArena arena;
        SlText out;
        layer_sample(&rng, &layer);
        nest_sample(&rng, &layer, &mapping);
        sl_arena_init(&arena, 0);
        sl_text_init(&out, &arena);
        sl_mapping_draw(&layer, &accel, &mapping, &out);
        int n_lines = 0;
        for (char *line = strtok(out.data, "\n"); line; line = strtok(NULL, "\n"), n_lines++)
            if (strlen(line) > 100) fail_msg("%s", line);
        assert_int_equal(n_lines, mapping.n_loops + mapping.n_boundaries + 2);
        sl_arena_free(&arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_picture_shows_loops_trips_edges_and_storage),
        cmocka_unit_test(any_nest_is_at_most_100_columns_wide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

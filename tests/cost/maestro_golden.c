// maestro_golden.c - see maestro_golden.h; the fields are described in tests/data/maestro.
#include "maestro_golden.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "accel/maestro_text.h"
#include "maestro_run.h"
#include "nest_walk.h"

enum { MAX_LINE = 1 << 16, N_COLUMNS = 52 };

static int number(const json_t *record, const char *name) {
    const json_t *value = json_object_get(record, name);
    REQUIRE(json_is_integer(value));
    return (int)json_integer_value(value);
}

// from a hardware file, or what the command line says
static SlMaestroHardware hardware_of(const json_t *record) {
    SlMaestroHardware hardware;
    sl_maestro_hardware_init(&hardware);
    hardware.simd_lanes = number(record, "num_simd_lanes");
    if (json_is_true(json_object_get(record, "hw_file"))) {
        char text[256];
        int n = snprintf(text, sizeof text,
                         "num_pes: %d\nl1_size_cstr: 100\nl2_size_cstr: 3000\nnoc_bw_cstr: %d\n"
                         "NoC_NumHops: %d\noffchip_bw_cstr: %d\n",
                         number(record, "num_pes"), number(record, "noc_bw"),
                         number(record, "noc_latency"), number(record, "offchip_bw"));
        REQUIRE(sl_maestro_hardware_parse("hw.m", text, (size_t)n, &hardware, NULL) == SL_OK);
        return hardware;
    }
    hardware.num_pes = number(record, "num_pes");
    hardware.noc_bw = number(record, "noc_bw");
    hardware.noc_latency = number(record, "noc_latency");
    hardware.offchip_bw = number(record, "offchip_bw");
    return hardware;
}

// the sign of a NaN is the machine's
static bool same_cell(const char *got, const char *wanted) {
    if (strstr(got, "nan") && strstr(wanted, "nan")) return true;
    return strcmp(got, wanted) == 0;
}

static void compare(const char *what, int column, const char *got, const char *wanted,
                    GoldenTally *tally) {
    tally->n_cells++;
    if (same_cell(got, wanted)) return;
    tally->n_wrong++;
    fprintf(stderr, "record %d, %s, column %d: %s instead of %s\n", tally->n_records, what,
            column + 1, got, wanted);
}

// one printed row, cut at its commas
static void compare_row(char *row, const json_t *wanted, GoldenTally *tally) {
    REQUIRE(json_array_size(wanted) == N_COLUMNS);
    tally->n_rows++;
    for (int c = 0; c < N_COLUMNS; c++) {
        size_t n = strcspn(row, ",\n");
        bool last = row[n] != ',';
        row[n] = '\0';
        compare("CSV", c, row, json_string_value(json_array_get(wanted, (size_t)c)), tally);
        REQUIRE(last == (c == N_COLUMNS - 1));
        row += n + 1;
    }
}

static void compare_rows(const MaestroRun *run, const json_t *record, GoldenTally *tally) {
    const json_t *rows = json_object_get(record, "rows");
    const json_t *energies = json_object_get(record, "screen_energy");
    char *line = run->csv.data;
    REQUIRE(json_array_size(rows) == (size_t)run->net.n_layers);
    REQUIRE(json_array_size(energies) == (size_t)run->net.n_layers);
    for (int i = 0; i < run->net.n_layers; i++) {
        char energy[64];
        char *end = strchr(line, '\n');
        compare_row(line, json_array_get(rows, (size_t)i), tally);
        line = end + 1;
        snprintf(energy, sizeof energy, "%.6Lg", run->costs[i].screen_energy);
        compare("screen energy", i, energy, json_string_value(json_array_get(energies, (size_t)i)),
                tally);
    }
}

static void compare_record(const json_t *record, GoldenTally *tally) {
    MaestroRun run;
    SlMaestroHardware hardware = hardware_of(record);
    bool refused = number(record, "exit") != 0;
    tally->n_records++;
    maestro_run(&run, json_string_value(json_object_get(record, "mapping")), &hardware);
    if (refused != (run.reason[0] != '\0')) {
        tally->n_wrong++;
        fprintf(stderr, "record %d: exit %d, but here \"%s\"\n", tally->n_records,
                number(record, "exit"), run.reason);
    } else if (refused) {
        tally->n_refused++;
    } else {
        compare_rows(&run, record, tally);
    }
    maestro_end(&run);
}

void maestro_golden(const char *path, GoldenTally *tally) {
    char line[MAX_LINE];
    gzFile file = gzopen(path, "rb");
    REQUIRE(file != NULL);
    *tally = (GoldenTally){0};
    // the first line names the columns
    for (int i = 0; gzgets(file, line, sizeof line); i++) {
        REQUIRE(strchr(line, '\n') != NULL);
        json_t *json = json_loads(line, 0, NULL);
        REQUIRE(json_is_object(json));
        if (i > 0) compare_record(json, tally);
        json_decref(json);
    }
    REQUIRE(gzeof(file));
    REQUIRE(gzclose(file) == Z_OK);
}

// tune_help.c - tuning tasks and runs for the tests of the room.
#include "tune_help.h"

#include <string.h>

#include "store_help.h"

const char *const quick_tuners[N_QUICK_TUNERS] = {"random", "grid", "ga", "draft", "oracle"};

static SlTuning *make(const SlTuningSetup *setup, SlArena *arena) {
    SlTuning *tuning;
    SlError err;
    if (sl_tuning_make(setup, arena, &tuning, &err) != SL_OK) fail_msg("%s", err.text);
    return tuning;
}

static void read_layer(const char *text, SlLayer *layer) {
    SlError err;
    if (sl_layer_parse(text, layer, &err) != SL_OK) fail_msg("%s", err.text);
}

SlTuning *vta_tuning(const char *layer, SlHardware hardware, SlArena *arena) {
    SlTuningSetup setup = {.target = SL_TARGET_VTA, .hardware = hardware};
    sl_vta_core_init(&setup.core);
    read_layer(layer, &setup.layer);
    return make(&setup, arena);
}

SlTuning *cpu_tuning(const char *layer, SlArena *arena) {
    SlTuningSetup setup = {.target = SL_TARGET_CPU, .threads = 1};
    read_layer(layer, &setup.layer);
    return make(&setup, arena);
}

SlTuneSetup tune_setup(SlTuning *tuning, const char *tuner, int64_t measurements) {
    const SlTuner *row = sl_tuner_find(tuner);
    assert_non_null(row);
    return (SlTuneSetup){
        .tuning = tuning, .tuner = row, .seed = 1, .stream = "test", .measurements = measurements};
}

SlTuneRecord tune_of(const SlTuneSetup *setup, SlArena *arena) {
    SlTuneRecord record;
    SlError err = {0};
    if (sl_tune_run(setup, NULL, NULL, arena, &record, &err) != SL_OK) fail_msg("%s", err.text);
    return record;
}

void assert_same_tune(const SlTuneRecord *a, const SlTuneRecord *b, int n_knobs) {
    assert_int_equal(a->found, b->found);
    assert_memory_equal(a->best, b->best, (size_t)n_knobs * sizeof *a->best);
    assert_true(a->value == b->value);
    assert_int_equal(a->found_at, b->found_at);
    assert_int_equal(a->measurements, b->measurements);
    assert_int_equal(a->failures, b->failures);
    assert_int_equal(a->stopped, b->stopped);
    assert_int_equal(a->proven, b->proven);
    assert_int_equal(a->n_curve, b->n_curve);
    for (int i = 0; i < a->n_curve; i++) {
        assert_int_equal(a->curve[i].sample, b->curve[i].sample);
        assert_true(a->curve[i].value == b->curve[i].value);
    }
}

static Folder folder;

const char *tune_path(const char *name) {
    static char path[TEMP_ROOM];
    if (!folder.dir[0]) folder_make(&folder);
    return folder_path(&folder, name, path);
}

int tune_folder_remove(void **state) {
    (void)state;
    if (folder.dir[0]) folder_remove(&folder);
    return 0;
}

SlTuneLog *open_log(const char *path, SlArena *arena) {
    SlTuneLog *log;
    SlError err;
    char text[1024];
    if (sl_tune_log_open(path, arena, &log, &err) != SL_OK)
        fail_msg("%s", sl_error_text(&err, sizeof text, text));
    return log;
}

void write_text(const char *path, const char *text) {
    assert_int_equal(sl_file_write(path, text, strlen(text), NULL), SL_OK);
}

char *read_text(const char *path, SlArena *arena) {
    char *text;
    size_t n;
    assert_int_equal(sl_file_read(path, 1 << 30, arena, &text, &n, NULL), SL_OK);
    return text;
}

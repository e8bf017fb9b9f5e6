// fuzz_checkpoint.c - checkpoints of training: any bytes, or a sound file with some bytes changed
// and its end cut off. Refused with a sentence, or training goes on.
//
// Input: a byte that chooses the setup, a byte: odd = the rest is the file. Even = the rest changes
// a sound file: two bytes say how much of its end is missing, then come three bytes of a place and
// one of what stands there.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "starling/learn/engine.h"

enum { N_SETUPS = 8 };

static void require(bool truth) {
    if (!truth) abort();
}

// a file of this process's own
static const char *file_path(void) {
    static char path[64];
    const char *folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(path, sizeof path, "%s/fuzz_checkpoint.%ld", folder, (long)getpid());
    return path;
}

// small: an update of all networks takes microseconds
static SlEngineSetup setup_of(int choice) {
    SlEngineSetup setup;
    sl_engine_init(&setup);
    setup.world.n_agents = 2;
    setup.world.n_envs = 1 + choice % 2;
    setup.world.episode_steps = 4;
    setup.algo = choice & 2 ? SL_MASAC : SL_MADDPG;
    setup.sampling = choice & 4 ? SL_SAMPLE_PRIORITY : SL_SAMPLE_UNIFORM;
    setup.hidden = 2;
    setup.batch = 4;
    setup.warm = 8;
    setup.capacity = 16;
    setup.update_every = 4;
    return setup;
}

static SlEngine *make(int choice) {
    SlEngineSetup setup = setup_of(choice);
    SlEngine *engine = NULL;
    SlError err;
    require(sl_engine_make(&setup, &engine, &err) == SL_OK);
    return engine;
}

typedef struct {
    size_t n;
    uint8_t *bytes;
} File;

static File read_back(void) {
    FILE *in = fopen(file_path(), "rb");
    File file = {0};
    require(in != NULL);
    fseek(in, 0, SEEK_END);
    file.n = (size_t)ftell(in);
    rewind(in);
    file.bytes = malloc(file.n);
    require(file.bytes && fread(file.bytes, 1, file.n, in) == file.n);
    fclose(in);
    return file;
}

// a checkpoint in the midst of training, one per setup
static const File *sound_file(int choice) {
    static File files[N_SETUPS];
    SlError err;
    if (files[choice].bytes) return &files[choice];
    SlEngine *engine = make(choice);
    sl_engine_run(engine, 5, NULL, NULL, NULL);
    require(sl_engine_save(engine, file_path(), &err) == SL_OK);
    sl_engine_free(engine);
    files[choice] = read_back();
    return &files[choice];
}

static void write_file(const uint8_t *bytes, size_t n) {
    FILE *file = fopen(file_path(), "wb");
    require(file != NULL);
    require(fwrite(bytes, 1, n, file) == n);
    fclose(file);
}

static void write_changed(const File *sound, const uint8_t *data, size_t n) {
    uint8_t *bytes = malloc(sound->n);
    size_t cut = n >= 2 ? (size_t)data[0] | (size_t)data[1] << 8 : 0;
    require(bytes != NULL);
    memcpy(bytes, sound->bytes, sound->n);
    for (size_t i = 2; i + 4 <= n; i += 4) {
        size_t place = (size_t)data[i] | (size_t)data[i + 1] << 8 | (size_t)data[i + 2] << 16;
        bytes[place % sound->n] = data[i + 3];
    }
    write_file(bytes, cut < sound->n ? sound->n - cut : 0);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    if (n < 2) return 0;
    int choice = data[0] % N_SETUPS;
    const File *sound = sound_file(choice);
    if (data[1] % 2)
        write_file(data + 2, n - 2);
    else
        write_changed(sound, data + 2, n - 2);
    SlEngine *engine = make(choice);
    SlEngineState state;
    SlError err = {0};
    if (sl_engine_load(engine, file_path(), &err) == SL_OK) {
        sl_engine_state(engine, &state);
        sl_engine_run(engine, state.episodes + 3, NULL, NULL, NULL);
        sl_engine_evaluate(engine, SL_ACT_NOISY, 1, 1);
    } else {
        require(err.text[0] != '\0');
    }
    sl_engine_free(engine);
    unlink(file_path());
    return 0;
}

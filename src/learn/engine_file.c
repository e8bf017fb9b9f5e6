// engine_file.c - checkpoints of the training engine: everything that the next step depends on.
//
// A file of this machine's own number formats: a text that names the setup, then the pieces in a
// fixed order, then the replay. Written beside the old one, stored, then renamed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine_inside.h"

enum { NAME_ROOM = 1024 };

// All that must agree for a checkpoint to go on. What came later is named where it is used alone,
// so that older files stay good.
static void name_setup(const SlEngineSetup *s, char out[static NAME_ROOM]) {
    const SlParticleSetup *w = &s->world;
    char later[64] = "";
    if (w->shaping != 0) snprintf(later, sizeof later, " | shaping %a", w->shaping);
    snprintf(out, NAME_ROOM,
             "starling engine 1 %zu %d %d %d %d %d %d %d %d | %d %d %d %d %d %lld | %d %d %a %a %a "
             "%a %a %a %lld %lld %llu%s\n",
             sizeof(SlReal), sl_world_index(w->world), (int)w->n_agents, (int)w->n_scripted,
             (int)w->n_landmarks, w->rules, w->script, (int)w->n_envs, (int)w->episode_steps,
             s->algo, s->mode, s->layout, s->sampling, (int)s->neighbors, (long long)s->capacity,
             (int)s->hidden, (int)s->batch, s->rate, s->gamma, s->tau, s->clip, s->regulariser,
             s->entropy, (long long)s->update_every, (long long)s->warm,
             (unsigned long long)s->seed, later);
}

// ---- pieces ----

typedef struct {
    FILE *file;
    bool write, failed;
} Stream;

static void pass(Stream *stream, void *bytes, size_t n) {
    if (stream->failed || n == 0) return;
    size_t done =
        stream->write ? fwrite(bytes, 1, n, stream->file) : fread(bytes, 1, n, stream->file);
    stream->failed = done != n;
}

static void pass_world(Stream *stream, SlEngine *engine) {
    if (stream->failed) return;
    size_t n = sl_particles_bytes(engine->world);
    void *bytes = malloc(n);
    if (!bytes) {
        stream->failed = true;
        return;
    }
    if (stream->write) sl_particles_save(engine->world, bytes);
    pass(stream, bytes, n);
    if (!stream->write && !stream->failed) sl_particles_load(engine->world, bytes);
    free(bytes);
}

// bytes between here and the end; 0 where nobody knows
static int64_t bytes_left(FILE *file) {
    struct stat info;
    long here = ftell(file);
    if (here < 0 || fstat(fileno(file), &info) != 0 || info.st_size < here) return 0;
    return (int64_t)info.st_size - here;
}

// space for n returns of every team; no more than the file can fill, whatever number stands there
static bool room_for_returns(SlEngine *engine, int64_t n, FILE *file) {
    if (n < 0 || n > bytes_left(file) / (int64_t)sizeof **engine->returns) return false;
    for (int t = 0; t < sl_engine_teams(engine); t++) {
        float *more = realloc(engine->returns[t], (size_t)(n + 1) * sizeof *more);
        if (!more) return false;
        engine->returns[t] = more;
    }
    engine->room_returns = n + 1;
    engine->so_far.episodes = n;
    return true;
}

static void pass_returns(Stream *stream, SlEngine *engine) {
    int64_t n = engine->so_far.episodes;
    pass(stream, &n, sizeof n);
    if (!stream->write && !stream->failed)
        stream->failed = !room_for_returns(engine, n, stream->file);
    for (int t = 0; t < sl_engine_teams(engine); t++)
        pass(stream, engine->returns[t], (size_t)n * sizeof **engine->returns);
}

// everything but the replay, to a file or from one
static void pass_all(Stream *stream, SlEngine *engine) {
    const SlParticleShape *shape = &engine->shape;
    size_t envs = (size_t)shape->n_envs, agents = envs * (size_t)shape->n_agents;
    SlEngineState *so_far = &engine->so_far;
    pass(stream, &so_far->steps, sizeof so_far->steps);
    pass(stream, &so_far->rounds, sizeof so_far->rounds);
    size_t teams = (size_t)sl_engine_teams(engine);
    pass(stream, so_far->recent, teams * sizeof *so_far->recent);
    pass_returns(stream, engine);
    for (int i = 0; i < shape->n_agents; i++)
        pass(stream, &engine->learners[i].steps, sizeof engine->learners[i].steps);
    pass(stream, engine->weights, engine->n_weights * sizeof *engine->weights);
    pass(stream, engine->moments, engine->n_moments * sizeof *engine->moments);
    pass(stream, &engine->draws, sizeof engine->draws);
    pass(stream, &engine->act, sizeof engine->act);
    pass(stream, &engine->train, sizeof engine->train);
    pass(stream, engine->observations,
         agents * (size_t)shape->n_observed * sizeof *engine->observations);
    pass(stream, engine->state, envs * (size_t)shape->n_state * sizeof *engine->state);
    pass(stream, engine->running, teams * envs * sizeof *engine->running);
    pass_world(stream, engine);
}

// NULL, or what cannot be after any training
static const char *check_counts(const SlEngine *engine) {
    const int64_t most = INT64_C(1) << 53;
    const SlEngineState *so_far = &engine->so_far;
    bool good = so_far->steps >= 0 && so_far->steps <= most && so_far->rounds >= 0 &&
                so_far->rounds <= most;
    for (int i = 0; i < engine->shape.n_agents; i++)
        good &= engine->learners[i].steps >= 0 && engine->learners[i].steps <= most;
    return good ? NULL : "impossible counts of steps";
}

// ---- files ----

static SlStatus write_file(SlEngine *engine, const char *path, SlError *err) {
    char name[NAME_ROOM];
    FILE *file = fopen(path, "wb");
    if (!file) return sl_fail(err, SL_EIO, "%.400s: cannot be written", path);
    Stream stream = {.file = file, .write = true};
    name_setup(&engine->setup, name);
    pass(&stream, name, strlen(name));
    pass_all(&stream, engine);
    SlStatus status = stream.failed ? sl_fail(err, SL_EIO, "%.400s: cannot be written", path)
                                    : sl_replay_save(engine->replay, file, err);
    bool stored = fflush(file) == 0 && fsync(fileno(file)) == 0;
    if (fclose(file) != 0) stored = false;
    if (status == SL_OK && !stored)
        status = sl_fail(err, SL_EIO, "%.400s: cannot be written", path);
    return status;
}

SlStatus sl_engine_save(SlEngine *engine, const char *path, SlError *err) {
    char fresh[4096];
    if (snprintf(fresh, sizeof fresh, "%s.new", path) >= (int)sizeof fresh)
        return sl_fail(err, SL_EIO, "the path '%.80s...' is too long", path);
    SlStatus status = write_file(engine, fresh, err);
    if (status == SL_OK && rename(fresh, path) != 0)
        status = sl_fail(err, SL_EIO, "%.400s: cannot be renamed", fresh);
    if (status != SL_OK) remove(fresh);
    return status;
}

static SlStatus read_file(SlEngine *engine, FILE *file, const char *path, SlError *err) {
    char name[NAME_ROOM], found[NAME_ROOM];
    name_setup(&engine->setup, name);
    if (!fgets(found, sizeof found, file) || strncmp(found, "starling engine 1 ", 18) != 0)
        return sl_fail(err, SL_EINPUT, "%.400s: expected a checkpoint of 'starling train'", path);
    if (strcmp(found, name) != 0)
        return sl_fail(err, SL_EINPUT, "%.400s: a checkpoint of another setup", path);
    Stream stream = {.file = file};
    pass_all(&stream, engine);
    if (stream.failed) return sl_fail(err, SL_EINPUT, "%.400s: the checkpoint is cut off", path);
    const char *wrong = check_counts(engine);
    if (wrong) return sl_fail(err, SL_EINPUT, "%.400s: the checkpoint has %s", path, wrong);
    return sl_replay_load(engine->replay, file, err);
}

SlStatus sl_engine_load(SlEngine *engine, const char *path, SlError *err) {
    FILE *file = fopen(path, "rb");
    if (!file) return sl_fail(err, SL_EINPUT, "%.400s: cannot be read", path);
    SlStatus status = read_file(engine, file, path, err);
    fclose(file);
    return status;
}

// witness_run.c - build a witness program, run it, read its counts.
#include "witness_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build_inside.h"
#include "starling/kernel/process.h"

enum { PATH_ROOM = SL_FOLDER_ROOM + 32, OUTPUT_PER_JOB = 16384 };

static int64_t *count_at(SlWitnessLevel *level, int i) {
    int64_t *const groups[] = {level->fill, level->pread, level->own0,
                               level->srv0, level->tile,  level->first};
    int64_t *const singles[] = {&level->upd, &level->upd0, &level->cov0, &level->inst,
                                &level->grid};
    enum { N_GROUPS = sizeof groups / sizeof *groups };
    if (i < N_GROUPS * SL_N_TENSORS) return groups[i / SL_N_TENSORS] + i % SL_N_TENSORS;
    return singles[i - N_GROUPS * SL_N_TENSORS];
}

int64_t sl_witness_count(const SlWitnessLevel *level, int i) {
    SlWitnessLevel copy = *level;
    return *count_at(&copy, i);
}

// ---- reading ----

// the count that a name speaks of, NULL if none: "macs", "l1_fill_W", "mac_upd"
static int64_t *find_count(SlWitnessCounts *counts, const char *name) {
    if (strcmp(name, "macs") == 0) return &counts->macs;
    if (strcmp(name, "cycles") == 0) return &counts->cycles;
    bool macs = strncmp(name, "mac_", 4) == 0;
    int level = macs ? counts->n_levels : name[0] == 'l' ? name[1] - '0' : 0;
    const char *rest = macs ? name + 4 : name + 3;
    if (level < 1 || level > counts->n_levels || (!macs && name[2] != '_')) return NULL;
    for (int i = 0; sl_count_names[i]; i++) {
        if (strcmp(rest, sl_count_names[i]) == 0) return count_at(&counts->level[level], i);
    }
    return NULL;
}

// one line without its end; false if it is none of ours
static bool read_line(const char *line, SlWitnessCounts *counts) {
    char name[32];
    int used = 0;
    if (sscanf(line, "%31s %n", name, &used) != 1) return false;
    const char *value = line + used;
    if (strcmp(name, "fault") == 0) {
        snprintf(counts->fault, sizeof counts->fault, "%s", value);
    } else if (strcmp(name, "output") == 0) {
        counts->output_right = strcmp(value, "right") == 0;
    } else {
        int64_t *count = find_count(counts, name);
        char *end;
        if (!count) return false;
        *count = strtoll(value, &end, 10);
        return end > value && *end == '\0';
    }
    return true;
}

// every job says "output" last; returns how many have
static int read_output(char *text, int n, const SlWitnessJob *jobs, SlWitnessCounts *out) {
    int done = 0;
    for (int i = 0; i < n; i++)
        out[i] = (SlWitnessCounts){.n_levels = jobs[i].mapping->n_boundaries + 1};
    for (char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        if (strncmp(line, "nest ", 5) == 0) continue;
        if (done >= n || !read_line(line, &out[done])) return -1;
        done += strncmp(line, "output ", 7) == 0;
    }
    return done;
}

// ---- building and running ----

// SL_EINPUT unless the process ended well, with the first line of what it complained about
static SlStatus expect_success(const char *what, const SlProcess *process,
                               const SlProcessResult *result, SlError *err) {
    char how[128];
    if (result->end == SL_PROCESS_EXITED && result->code == 0) return SL_OK;
    int line = (int)strcspn(result->err, "\n");
    return sl_fail(err, SL_EINPUT, "%s %s%s%.*s", what,
                   sl_process_show(process, result, sizeof how, how), line ? ": " : "",
                   line > 300 ? 300 : line, result->err);
}

// small nests run in no time, so what counts is the compiler's
static const char *optimisation(int n, const SlWitnessJob *jobs) {
    int64_t macs = 0;
    for (int i = 0; i < n; i++) macs += sl_layer_macs(jobs[i].layer);
    return macs < SL_WITNESS_MAX_MACS / 8 ? "-O0" : "-O1";
}

static SlStatus build(const char *folder, const char *level, const SlWitnessOptions *options,
                      SlArena *scratch, SlError *err) {
    const char *compiler = options->compiler ? options->compiler : "cc";
    const char *const argv[] = {compiler, "-std=c11", level,       "-w",
                                "-o",     "witness",  "witness.c", NULL};
    const SlProcess process = {.argv = argv,
                               .folder = folder,
                               .deadline_s = options->build_s > 0 ? options->build_s : 120};
    SlProcessResult result;
    char what[64];
    SlStatus status = sl_process_run(&process, scratch, &result, err);
    snprintf(what, sizeof what, "the compiler (%.40s)", compiler);
    return status == SL_OK ? expect_success(what, &process, &result, err) : status;
}

static SlStatus execute(const char *folder, int n, const SlWitnessOptions *options,
                        SlArena *scratch, SlProcessResult *result, SlError *err) {
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "%s/witness", folder);
    const char *const argv[] = {path, NULL};
    const SlProcess process = {.argv = argv,
                               .folder = folder,
                               .deadline_s = options->run_s > 0 ? options->run_s : 120,
                               .max_output = (size_t)n * OUTPUT_PER_JOB};
    SlStatus status = sl_process_run(&process, scratch, result, err);
    return status == SL_OK ? expect_success("the witness", &process, result, err) : status;
}

static SlStatus run_in(const char *folder, int n, const SlWitnessJob *jobs,
                       const SlWitnessOptions *options, SlArena *scratch, SlWitnessCounts *out,
                       SlError *err) {
    char path[PATH_ROOM];
    SlText source;
    SlProcessResult result;
    sl_text_init(&source, scratch);
    sl_witness_write(n, jobs, &source);
    if (source.failed) return sl_fail(err, SL_ENOMEM, "no memory for the witness");
    snprintf(path, sizeof path, "%s/witness.c", folder);
    SlStatus status = sl_file_write(path, source.data, source.n, err);
    if (status == SL_OK) status = build(folder, optimisation(n, jobs), options, scratch, err);
    if (status == SL_OK) status = execute(folder, n, options, scratch, &result, err);
    if (status != SL_OK) return status;
    if (read_output(result.out, n, jobs, out) == n) return SL_OK;
    return sl_fail(err, SL_EINPUT, "the witness ended without all of its counts");
}

SlStatus sl_witness_run(int n, const SlWitnessJob *jobs, const SlWitnessOptions *options,
                        SlArena *scratch, SlWitnessCounts *out, SlError *err) {
    char folder[SL_FOLDER_ROOM];
    size_t mark = sl_arena_mark(scratch);
    SlStatus status = sl_folder_make(folder, err);
    if (status != SL_OK) return status;
    status = run_in(folder, n, jobs, options, scratch, out, err);
    sl_folder_remove(folder);
    sl_arena_rewind(scratch, mark);
    return status;
}

// verify.c - find certificates, bind those of runs to their results, check them.
#include "starling/job/verify.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "starling/job/mapped_run.h"
#include "starling/job/run_dir.h"

enum { MAX_BYTES = 1 << 28 };

static SlStatus no_memory(SlError *err) {
    return sl_fail(err, SL_ENOMEM, "not enough memory for the certificates");
}

// ---- lists that grow ----

// space for one more; NULL without memory
static void *grow(SlArena *arena, void *items, int n, int *room, size_t size) {
    if (n < *room) return items;
    int wanted = *room ? 2 * *room : 64;
    void *more = sl_arena_alloc(arena, (size_t)wanted, size);
    if (!more) return NULL;
    *room = wanted;
    if (n > 0) memcpy(more, items, (size_t)n * size);
    return more;
}

static bool list_file(SlVerify *verify, const char *path, const char *run) {
    const char *kept = sl_arena_text(verify->arena, path, strlen(path));
    SlCertificateFile *files = grow(verify->arena, verify->files, verify->n_files,
                                    &verify->file_room, sizeof *verify->files);
    if (!kept || !files) return false;
    verify->files = files;
    files[verify->n_files++] = (SlCertificateFile){.path = kept, .run = run};
    return true;
}

static bool list_fault(SlVerify *verify, const SlRunFault *fault) {
    SlRunFault *faults = grow(verify->arena, verify->faults, verify->n_faults, &verify->fault_room,
                              sizeof *verify->faults);
    if (!faults) return false;
    verify->faults = faults;
    faults[verify->n_faults++] = *fault;
    return true;
}

// ---- folders ----

static bool is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool is_certificate(const char *name) {
    size_t n = strlen(name);
    return n > 5 && strcmp(name + n - 5, ".cert") == 0;
}

static int by_path(const void *a, const void *b) {
    return strcmp(((const SlCertificateFile *)a)->path, ((const SlCertificateFile *)b)->path);
}

// every *.cert of a folder, by name; how many
static SlStatus list_folder(SlVerify *verify, const char *dir, const char *run, int *n,
                            SlError *err) {
    char path[2 * SL_FOLDER_PATH];
    int before = verify->n_files;
    bool listed = true;
    DIR *folder = opendir(dir);
    for (const struct dirent *entry; folder && listed && (entry = readdir(folder)) != NULL;) {
        if (!is_certificate(entry->d_name)) continue;
        snprintf(path, sizeof path, "%s/%s", dir, entry->d_name);
        listed = list_file(verify, path, run);
    }
    if (folder) closedir(folder);
    *n = verify->n_files - before;
    if (*n > 0) qsort(verify->files + before, (size_t)*n, sizeof *verify->files, by_path);
    return listed ? SL_OK : no_memory(err);
}

static SlStatus fail_empty(const char *dir, SlError *err) {
    return sl_fail_at(err, SL_EINPUT, dir, 0, 0,
                      "expected certificates (*.cert), as 'starling map --prove' writes them");
}

// ---- runs ----

// what a certificate says; `out` is NULL where it cannot be read, which sl_verify_file tells
static SlStatus read_claims(const char *path, SlArena *arena, const SlProofClaims **out) {
    SlProofClaims *claims = SL_NEW(arena, 1, SlProofClaims);
    SlArena inside;
    char *text;
    size_t n;
    *out = NULL;
    if (!claims) return SL_ENOMEM;
    sl_arena_init(&inside, 0);
    SlStatus status = sl_file_read(path, MAX_BYTES, &inside, &text, &n, NULL);
    if (status == SL_OK) status = sl_certificate_claims(path, text, n, &inside, claims, NULL);
    if (status == SL_OK) {
        claims->lists = sl_arena_text(arena, claims->lists, strlen(claims->lists));
        if (claims->lists)
            *out = claims;
        else
            status = SL_ENOMEM;
    }
    sl_arena_free(&inside);
    return status == SL_ENOMEM ? status : SL_OK;
}

// whose proof a certificate of the run is, and what contradicts that
static void mark_file(const SlMappedRun *run, const SlBinding *bindings, int owner, int f,
                      SlCertificateFile *file) {
    file->constraints = run->constraints;
    if (owner < 0) {
        file->fault = "no layer of the run has it as its proof";
        return;
    }
    file->layer = run->names[owner];
    const SlBinding *binding = &bindings[owner];
    if (binding->file == f && binding->reason[0]) file->fault = binding->reason;
}

// compare the results with the certificates `files` (n): fills `bindings` (n_results)
static SlStatus bind(const SlMappedRun *run, int n, SlCertificateFile *files, SlArena *arena,
                     SlBinding *bindings) {
    SlRunCertificate *certificates = SL_NEW(arena, n + 1, SlRunCertificate);
    int *owners = SL_NEW(arena, n + 1, int);
    SlStatus status = certificates && owners ? SL_OK : SL_ENOMEM;
    for (int f = 0; f < n && status == SL_OK; f++) {
        certificates[f].name = files[f].path + strlen(run->dir) + 1;
        status = read_claims(files[f].path, arena, &certificates[f].claims);
    }
    const SlRunProofs proofs = {run->n_results, n, run->results, certificates};
    if (status == SL_OK) status = sl_certificates_bind(&proofs, arena, bindings, owners);
    for (int f = 0; f < n && status == SL_OK; f++)
        mark_file(run, bindings, owners[f], f, &files[f]);
    return status;
}

// the certificates of a run, each beside the result it belongs to
static SlStatus list_run(SlVerify *verify, const char *dir, SlError *err) {
    char inside[SL_FOLDER_PATH];
    SlMappedRun run;
    int n = 0, n_faults = verify->n_faults;
    SlStatus status = sl_mapped_run_read(dir, verify->arena, &run, err);
    sl_folder_path(dir, "certificates", inside);
    if (status == SL_OK) status = list_folder(verify, inside, run.dir, &n, err);
    if (status != SL_OK) return status;
    SlCertificateFile *files = n ? verify->files + verify->n_files - n : NULL;
    SlBinding *bindings = SL_NEW(verify->arena, run.n_results + 1, SlBinding);
    if (!bindings || bind(&run, n, files, verify->arena, bindings) != SL_OK) return no_memory(err);
    for (int i = 0; i < run.n_results; i++) {
        int file = bindings[i].file;
        bool shown = files && file >= 0 && files[file].layer == run.names[i];
        const SlRunFault fault = {run.dir, run.names[i], bindings[i].reason};
        if (fault.reason[0] && !shown && !list_fault(verify, &fault)) return no_memory(err);
    }
    return n == 0 && verify->n_faults == n_faults ? fail_empty(dir, err) : SL_OK;
}

SlStatus sl_verify_gather(SlVerify *verify, const char *path, SlError *err) {
    char inside[SL_FOLDER_PATH];
    int n = 0;
    if (!is_folder(path)) return list_file(verify, path, NULL) ? SL_OK : no_memory(err);
    if (sl_mapped_run_exists(path)) return list_run(verify, path, err);
    sl_folder_path(path, "certificates", inside);
    if (is_folder(inside))
        return sl_fail_at(err, SL_EINPUT, path, 0, 0,
                          "expected map.json, which says what the certificates belong to: finish "
                          "the run, or name the certificates themselves");
    SlStatus status = list_folder(verify, path, NULL, &n, err);
    return status == SL_OK && n == 0 ? fail_empty(path, err) : status;
}

// ---- one certificate ----

const char *sl_certificate_fault(const SlCertificateFile *file) {
    return file->verdict.valid ? file->fault : file->verdict.reason;
}

SlStatus sl_verify_file(SlVerify *verify, int i, SlPool *pool, SlError *err) {
    SlCertificateFile *file = &verify->files[i];
    SlArena arena;
    char *text = NULL;
    size_t n = 0;
    sl_arena_init(&arena, 0);
    SlStatus status = sl_file_read(file->path, MAX_BYTES, &arena, &text, &n, err);
    if (status == SL_OK)
        status = sl_certificate_verify(file->path, text, n, pool, &arena, &file->verdict, err);
    sl_arena_free(&arena);
    file->read = status == SL_OK;
    bool holds = file->read && !sl_certificate_fault(file);
    verify->n_true += holds;
    verify->n_narrowed += holds && file->verdict.space.narrowed;
    verify->n_false += file->read && !holds;
    verify->n_unread += !file->read;
    return status;
}

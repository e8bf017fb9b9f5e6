// cmd_doctor.c - `starling doctor`: what of this machine Starling can use.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "starling/job/store.h"

#ifdef __clang__
#define BUILT_BY __VERSION__ // names itself
#else
#define BUILT_BY "GCC " __VERSION__
#endif

static const SlOption options_table[] = {COMMON_OPTIONS, {0}};

enum { LINE_ROOM = 160 };

// ---- programs beside it ----

// What another program says of itself: the first line of its output. "" = it is not there.
static const char *first_line(const char *command, char out[static LINE_ROOM]) {
    out[0] = '\0';
    FILE *pipe = popen(command, "r"); // NOLINT(cert-env33-c): fixed commands
    if (!pipe) return out;
    if (!fgets(out, LINE_ROOM, pipe)) out[0] = '\0';
    out[strcspn(out, "\n")] = '\0';
    if (pclose(pipe) != 0) out[0] = '\0';
    sl_text_clean(out, false);
    return out;
}

static const struct {
    const char *key, *label, *command, *use;
} tools[] = {
    {"c_compiler", "C compiler", "cc --version 2>/dev/null",
     "tune --evaluator cpu and eval --witness need one (Debian: build-essential)"},
    {"python", "Python", "python3 --version 2>/dev/null",
     "evaluators and tools in Python need it (Debian: python3)"},
    {"numpy", "NumPy", "python3 -c 'import numpy; print(numpy.__version__)' 2>/dev/null",
     "tools/check_certificate.py needs it (Debian: python3-numpy)"},
    {"mpi", "MPI", "mpirun --version 2>/dev/null", "nothing needs it on one machine"},
};

static void add_tools(SlDoc *doc) {
    char line[LINE_ROOM];
    sl_doc_open(doc, "programs", NULL);
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        first_line(tools[i].command, line);
        sl_doc_string(doc, tools[i].key, tools[i].label, line[0] ? line : NULL);
        if (line[0]) continue;
        sl_doc_shown(doc, "not found");
        sl_doc_remark(doc, "%s", tools[i].use);
    }
    sl_doc_close(doc);
}

// ---- this machine ----

static int64_t cores(void) {
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? n : 1;
}

static void add_machine(SlDoc *doc) {
    char name[128], sets[64];
    sl_doc_open(doc, "machine", NULL);
    sl_processor_name(sizeof name, name);
    sl_doc_string(doc, "processor", "processor", name[0] ? name : "unknown");
    sl_doc_number(doc, "cores", "cores", SL_UNIT_COUNT, (double)cores());
    sl_processor_sets(sizeof sets, sets);
    sl_doc_string(doc, "instruction_sets", "instruction sets", sets);
    sl_doc_shown(doc, "%s", sets[0] ? sets : "plain C");
    sl_doc_remark(doc, "%s", "results are the same on all of them");
    sl_doc_close(doc);
}

static void add_build(SlDoc *doc) {
    SlLibrary libraries[SL_MAX_LIBRARIES];
    int n = sl_libraries(libraries);
    SlText line;
    sl_text_init(&line, sl_doc_arena(doc));
    libraries[n++] = (SlLibrary){"SQLite", sl_store_library()};
    sl_doc_string(doc, "compiler", "built by", BUILT_BY);
#ifdef NDEBUG
    sl_doc_flag(doc, "assertions", NULL, false);
#else
    sl_doc_flag(doc, "assertions", "assertions", true);
    sl_doc_remark(doc, "%s", "a build for tests: slow");
#endif
    sl_doc_open(doc, "libraries", NULL);
    for (int i = 0; i < n; i++) {
        sl_doc_string(doc, libraries[i].name, NULL, libraries[i].version);
        sl_text_add(&line, "%s%s %s", i ? ", " : "", libraries[i].name, libraries[i].version);
    }
    sl_doc_close(doc);
    if (line.failed) call_no_memory();
    sl_doc_string(doc, NULL, "libraries", line.data);
}

// ---- folders ----

// a file is made there and removed again; NULL, or why not
static const char *cannot_write(const char *folder) {
    char path[512];
    snprintf(path, sizeof path, "%.400s/starling-doctor-XXXXXX", folder);
    int file = mkstemp(path);
    if (file < 0) return strerror(errno);
    close(file);
    unlink(path);
    return NULL;
}

static int add_folder(SlDoc *doc, const char *key, const char *label, const char *folder) {
    const char *why = cannot_write(folder);
    sl_doc_flag(doc, key, label, !why);
    if (why)
        sl_doc_shown(doc, "NOT WRITABLE: %s (%s)", folder, why);
    else
        sl_doc_shown(doc, "writable: %s", folder);
    return why != NULL;
}

// how many cannot be written
static int add_folders(SlDoc *doc) {
    const char *temporary = getenv("TMPDIR");
    sl_doc_open(doc, "writable", NULL);
    int n = add_folder(doc, "here", "this folder", ".");
    n += add_folder(doc, "temporary", "temporary files",
                    temporary && *temporary ? temporary : "/tmp");
    sl_doc_close(doc);
    return n;
}

static int run(Call *call) {
    if (call->words.n > 0)
        return call_refuse(call, "doctor: unexpected '%.40s'", call->words.words[0]);
    SlDoc *doc = call_need(sl_doc_make(call->arena, "doctor", 1));
    sl_doc_title(doc, "starling %s on this machine", sl_version());
    bool here = !cannot_write(".");
    if (here)
        sl_doc_verdict(doc, "Ready: 'starling mobilenet_v2 eyeriss' maps a network on %lld core%s.",
                       (long long)cores(), cores() == 1 ? "" : "s");
    else
        sl_doc_verdict(doc, "This folder is not writable: results need --out DIR somewhere else.");
    add_machine(doc);
    add_build(doc);
    add_tools(doc);
    add_folders(doc);
    return call_deliver(call, doc, "doctor", CODE_DONE);
}

const Command cmd_doctor = {
    .name = "doctor",
    .summary = "report what this machine has of what Starling can use",
    .usage = "doctor [OPTION...]",
    .about = "Reports processor, cores, instruction sets, library versions, C compiler, Python and "
             "MPI.\nSays which folders are writable, and which commands need what is missing.",
    .examples = "starling doctor\nstarling doctor --json",
    .options = options_table,
    .options_bytes = sizeof(CommonOptions),
    .run = run,
};

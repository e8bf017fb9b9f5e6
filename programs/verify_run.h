// verify_run.h - a run of `starling map` as `starling verify` needs it: what it says of every
// layer, and its certificates.
//
// Flow: verify_gather (run_is_mapped -> run_read -> run_bind for every run) -> certificates, and
// what is wrong with runs -> add_verdict.
#pragma once

#include "command.h"
#include "starling/prove.h"

// One certificate to be checked.
typedef struct {
    const char *path;        // as it is shown
    const char *layer;       // of the run that it belongs to, NULL = none, or no run
    const char *fault;       // why it does not belong to its run, NULL = it does
    const char *constraints; // of the run, NULL = none, or no run
    const char *run;         // directory, NULL = a file of its own
} CertificateFile;

// A run, read.
typedef struct {
    const char *dir;
    int n_layers;
    const char **names;   // (n_layers)
    SlRunResult *results; // (n_layers)
    SlBinding *bindings;  // (n_layers)
    const char *constraints;
    SlAccel accel;
} MappedRun;

// What is wrong with a result of a run that has no certificate to show it at.
typedef struct {
    const char *run, *layer, *reason;
} RunFault;

// Everything that is to be checked.
typedef struct {
    SlArena *arena;
    int n_files, n_faults, file_room, fault_room;
    CertificateFile *files; // (n_files)
    RunFault *faults;       // (n_faults)
} VerifyList;

// The certificates that the words of the command line name: files, folders of them, runs.
SlStatus verify_gather(VerifyList *list, const SlWords *words, SlError *err);

// A table of certificates for machines and pages, and a row of it; a line of the same for a
// terminal. A fault makes a true certificate false.
void begin_verdicts(SlDoc *doc);
void add_verdict(const CertificateFile *file, const SlVerdict *verdict, SlDoc *doc);
void add_verdict_line(const CertificateFile *file, const SlVerdict *verdict, SlText *out);

bool run_is_mapped(const char *dir); // it has a map.json

// map.json and accel.yaml. SL_EINPUT with the place of what is not as map writes it.
SlStatus run_read(const char *dir, SlArena *arena, MappedRun *run, SlError *err);

// Compare the results with the certificates `files` (n_files) of the run; fills `layer` and `fault`
// of each and the bindings of the run. SL_ENOMEM.
SlStatus run_bind(MappedRun *run, int n_files, CertificateFile *files, SlArena *arena);

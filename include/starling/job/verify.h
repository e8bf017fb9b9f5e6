// verify.h - certificates checked: are their claims true, and do they belong to the results of
// their run?
//
// Flow: SlVerify with its arena -> sl_verify_gather per file, folder or run -> sl_verify_file per
//       certificate -> verdicts, faults and how many there are; as a document:
//       starling/report/verify_doc.h.
#pragma once

#include "starling/prove.h"

SL_API_BEGIN

// One certificate to be checked.
typedef struct {
    const char *path;        // as it is shown
    const char *layer;       // of the run that it belongs to, NULL = none, or no run
    const char *fault;       // why it does not belong to its run, NULL = it does
    const char *constraints; // of the run, NULL = none, or no run
    const char *run;         // directory, NULL = a file of its own
    bool read;               // it was checked, and could be read
    SlVerdict verdict;       // then
} SlCertificateFile;

// What is wrong with a result of a run that has no certificate to show it at.
typedef struct {
    const char *run, *layer, *reason;
} SlRunFault;

typedef struct {
    SlArena *arena;
    int n_files, n_faults, file_room, fault_room;
    SlCertificateFile *files; // (n_files)
    SlRunFault *faults;       // (n_faults)
    int n_true, n_false;      // of the certificates checked so far
    int n_narrowed;           // true ones, of spaces narrowed by constraints
    int n_unread;             // could not be read
} SlVerify;

// List what a path names: a certificate, a folder of them (*.cert), or a run of `starling map`,
// whose certificates are bound to its results. SL_EINPUT where a folder has none, or a run cannot
// be read; SL_ENOMEM.
SlStatus sl_verify_gather(SlVerify *verify, const char *path, SlError *err);

// Check certificate i, its branches on the threads of the pool (NULL = on this one); as long as the
// proof took. An error says why it cannot be read; the others can be checked all the same.
SlStatus sl_verify_file(SlVerify *verify, int i, SlPool *pool, SlError *err);

// Of a certificate that was read: NULL where its claim is true and belongs to its run, else what is
// wrong.
const char *sl_certificate_fault(const SlCertificateFile *file);

SL_API_END

// evaluator.h - the user's own evaluator: a program that reads one JSON request per line on its
// standard input and writes one JSON reply per line on its standard output.
//
// Flow: sl_evaluator_open -> sl_evaluator_ask ... -> sl_evaluator_close.
//
// docs/formats/evaluator.md is the protocol, and what happens to a program that hangs, crashes or
// writes something else: that request fails with a reason, and the program is started again.
#pragma once

#include "starling/core.h"

SL_API_BEGIN

enum {
    SL_EVALUATOR_MAX_COPIES = 256,
    SL_EVALUATOR_MAX_LINE = 1 << 20, // bytes of a reply
    SL_EVALUATOR_TRIES = 3,          // broken first requests until the evaluator is unusable
};

// What to run. Zeros are good defaults for all but `command`.
typedef struct {
    const char *command; // for /bin/sh -c, in the caller's folder; copied
    int copies;          // that run side by side, 1..SL_EVALUATOR_MAX_COPIES; 0 = 1
    double timeout_s;    // of one request; 0 = 600
} SlEvaluatorSetup;

// What came of a request.
typedef struct {
    double value;     // as the program gave it, finite; INFINITY = failed
    char reason[240]; // why it failed, one line; "" = it did not
    double seconds;   // wall clock from the request to the reply; 0 = it was not asked
} SlReply;

typedef struct SlEvaluator SlEvaluator;

// Check the setup; copies of the program are started when they are first needed. SL_EINPUT if the
// setup is wrong.
SlStatus sl_evaluator_open(const SlEvaluatorSetup *setup, SlEvaluator **evaluator, SlError *err);

// Ask `n` requests and wait for all `replies` (n), which are in the order of the requests whatever
// copy answers first. A request is the members of a JSON object without its braces, such as
// "objective":"edp","point":{"x":1}, or "", on one line; version and id are put before it.
// `stop` (may be NULL) is called with `context` at least every 50 ms; once it is true, requests
// without a reply fail as "interrupted".
// SL_EINPUT if the evaluator is unusable: the shell does not find the command, or the first
// SL_EVALUATOR_TRIES requests all ended the program or got something that is not a reply. SL_EIO or
// SL_ENOMEM if this process lacks files, processes or memory. Requests without a reply have failed
// as "interrupted" then, too.
// One thread at a time; copies are killed when the thread that started them ends.
SlStatus sl_evaluator_ask(SlEvaluator *evaluator, int n, const char *const *requests,
                          bool (*stop)(void *context), void *context, SlReply *replies,
                          SlError *err);

// Close the input of all copies, wait up to 2 s for them to end, kill the rest. NULL is fine.
void sl_evaluator_close(SlEvaluator *evaluator);

SL_API_END

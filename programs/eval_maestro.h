// eval_maestro.h - inside `starling eval --model maestro`: the layers of a .m file (or a workload
// of ours as one) in MAESTRO's model, and beside them the exact counts of the same mappings.
//
// Flow: maestro_conflict -> maestro_read (file, hardware, mappings) -> maestro_price ->
// maestro_document, add_maestro_csv.
#pragma once

#include "eval.h"
#include "starling/cost/maestro_compare.h"

typedef struct {
    const Call *call;
    const EvalOptions *options; // of the call
    SlArena *arena;
    const char *word;         // what was asked for
    const char *file;         // NULL = the lists are of mappings of ours
    const char *mapping_from; // of those: "default", "given", "run"; NULL = of a file
    const char *machine;      // name of the accelerator, NULL = as MAESTRO describes it
    SlMaestroNetwork net;
    SlMaestroHardware hardware;
    SlAccel accel;               // the same machine
    int from, to;                // layers that are shown
    SlMaestroComparison *layers; // (net.n_layers)
} MaestroEval;

// Does a word name a .m file, or a layer of one? Where the name of the file ends, NULL = it does
// not. A layer by name or number from 1, -1 = none.
bool maestro_is_file(const char *word);
const char *maestro_file_end(const char *word);
int maestro_find_layer(const SlMaestroNetwork *net, const char *name);

// Options that cannot go together; the reason in `out`, or NULL.
enum { CONFLICT_ROOM = 160 };
const char *maestro_conflict(const Call *call, const char *word, char out[static CONFLICT_ROOM]);

// The first option of MAESTRO's hardware that is given, without its --, NULL = none.
const char *maestro_given_hardware(const Call *call);

// Everything that the options name. Any layer on which MAESTRO would die is an error.
SlStatus maestro_read(const Call *call, const char *word, MaestroEval *eval, SlError *err);
SlStatus maestro_price(MaestroEval *eval, SlError *err);

// The same for a workload that is no .m file: our mappings as lists.
SlStatus maestro_make_lists(MaestroEval *eval, const char *word, SlError *err);
void maestro_make_net(MaestroEval *eval, const char *name, int n);

// The shape of `layer`, and the list that FILE.m or FILE.m:LAYER has for such a layer.
SlStatus maestro_read_list(const char *word, const SlLayer *layer, SlArena *arena,
                           SlMaestroLayer *shape, SlMaestroMapping *list, SlError *err);

// Exactly MAESTRO's file: its header, a row per layer. And the same as members of a document, then
// what only MAESTRO's screen shows.
void add_maestro_csv(const MaestroEval *eval, SlText *out);
void maestro_add_columns(const MaestroEval *eval, int i, SlDoc *doc);
SlDoc *maestro_document(const MaestroEval *eval); // docs/formats/maestro-json.md

// All of it; returns the exit code.
int eval_maestro(const Call *call, const char *word);

// eval_maestro.h - inside `starling eval --model maestro`: the layers of a .m file (or a workload
// of ours as one) in MAESTRO's model, and beside them the exact counts of the same mappings.
//
// Flow: maestro_conflict -> maestro_read (file, hardware, mappings) -> maestro_price ->
// maestro_document, add_maestro_csv.
#pragma once

#include "eval.h"
#include "starling/cost/maestro.h"

// A layer in both models.
typedef struct {
    SlMaestroCost cost;
    const char *no_layer; // why the shape is no layer of ours, NULL = `layer` is it
    SlLayer layer;
    const char *no_nest; // why the list is no loop nest, NULL = `nest` is it, priced in `exact`
    SlMapping nest;
    SlCost exact;         // on sl_maestro_accel
    double exact_latency; // cycles; with the lanes of the hardware
    SlBinder binder;      // of it
    SlMaestroGuard guard; // not set without a layer
} MaestroPriced;

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
    SlAccel accel;         // the same machine
    int from, to;          // layers that are shown
    MaestroPriced *layers; // (net.n_layers)
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

// One quantity in both models; the reasons are none where both agree.
typedef struct {
    const char *key, *title;
    double maestro, exact; // NAN = not known
    uint32_t reasons;      // bits of SlMaestroReason
} MaestroRow;
void maestro_rows(const MaestroEval *eval, int i, MaestroRow rows[static SL_N_ROWS]);

// Sums over the layers that are shown; those of the exact side are NAN if a layer has none.
typedef struct {
    double runtime, energy_nj, macs, exact_latency, exact_macs;
    int n_unphysical, n_without_nest;
} MaestroTotals;

bool maestro_is_physical(const MaestroPriced *priced);

// Exactly MAESTRO's file: its header, a row per layer. And the same as members of a document, then
// what only MAESTRO's screen shows.
void add_maestro_csv(const MaestroEval *eval, SlText *out);
void maestro_add_columns(const MaestroEval *eval, int i, SlDoc *doc);
SlDoc *maestro_document(const MaestroEval *eval); // docs/formats/maestro-json.md

// All of it; returns the exit code.
int eval_maestro(const Call *call, const char *word);

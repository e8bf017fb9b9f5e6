// maestro_evaluation.h - layers in MAESTRO's model, and beside them the exact counts of the same
// mappings.
//
// Flow: fill `arena`, `word`, `hardware`, `accel`, `machine` -> sl_maestro_evaluation_read (the
//       lists of a .m file), _make (lists of mappings of ours) or _given (a layer of ours, a list
//       of a file) -> sl_maestro_evaluation_price -> the fields; as a document:
//       report/maestro_doc.h.
#pragma once

#include "starling/cost/maestro_compare.h"
#include "starling/network/evaluation.h"

SL_API_BEGIN

typedef struct {
    SlArena *arena;
    const char *word; // what was asked for: FILE.m, FILE.m:LAYER, or a workload of ours
    SlMaestroHardware hardware;
    SlAccel accel;            // the same machine (sl_maestro_accel)
    const char *machine;      // its name, NULL = as MAESTRO describes it
    const char *file;         // that everything is of, NULL = the layers are ours
    const char *mapping_from; // of those: "default", "given", "run"; NULL = of a file
    SlMaestroNetwork net;
    int from, to;                // layers that are shown
    SlMaestroComparison *layers; // (net.n_layers), once priced
} SlMaestroEvaluation;

// The layers of the .m file that `word` names, with their lists.
SlStatus sl_maestro_evaluation_read(SlMaestroEvaluation *eval, SlError *err);

// Layers of ours on the same machine, their mappings as lists. Default mappings are moved to what
// MAESTRO can say. SL_EINPUT where there is no list for the PEs.
SlStatus sl_maestro_evaluation_make(SlMaestroEvaluation *eval, const SlEvaluation *native,
                                    SlError *err);

// A network of one layer, and the list that FILE.m or FILE.m:LAYER has for such a layer.
SlStatus sl_maestro_evaluation_given(SlMaestroEvaluation *eval, const SlNetwork *net,
                                     const char *list_word, SlError *err);

// Every layer in both models, those that are not shown too: the energy of a layer depends on the
// one before it. SL_EINPUT for a layer on which MAESTRO would die.
SlStatus sl_maestro_evaluation_price(SlMaestroEvaluation *eval, SlError *err);

SL_API_END

// choices.h - what `starling map` and `starling assign` both let the user choose: the space of
// mappings, the goal, who evaluates, and how agents are assigned.
//
// Flow: SPACE_OPTIONS in the command's table -> choices_read_space -> choices_make_space per layer.
#pragma once

#include "command.h"
#include "evaluator_options.h"
#include "starling/job.h"

// A space as it is typed: the member `space` of a command's options.
typedef struct {
    int preset;
    const char *open;        // dims such as "RS", NULL = none
    const char *constraints; // name or file, NULL = none
} SpaceChoice;

// Its rows of the command's table.
#define SPACE_OPTIONS(Options)                                                                     \
    SL_OPT_CHOICE(                                                                                 \
        Options, "space", space.preset, NULL, sl_space_names, "NAME",                              \
        "mapping space: native (useful sizes), all (every size), paper, paper10 (the published "   \
        "mapper's); see 'starling list spaces'"),                                                  \
        SL_OPT_TEXT(Options, "open", space.open, NULL, "DIMS",                                     \
                    "further dimensions to tile at every level, such as RS"),                      \
        SL_OPT_TEXT(Options, "constraints", space.constraints, NULL, "NAME|FILE",                  \
                    "fixed dataflow or YAML file of rules; see 'starling list constraints'")

// What the words mean. `options` points to `constraints` if some are chosen.
SlStatus choices_read_space(const SpaceChoice *choice, SlArena *scratch, SlConstraints *constraints,
                            SlSpaceOptions *options, SlError *err);

// The space of a layer; errors say which layer on which accelerator.
SlStatus choices_make_space(const SlLayer *layer, const SlAccel *accel,
                            const SlSpaceOptions *options, SlArena *arena, SlSpace *space,
                            SlError *err);

// --objective as given, or what stands for none: EDP, since the fastest mappings may take several
// times the energy; latency where a program of the user's evaluates, whose values then add up over
// the layers of a network.
const char *choices_objective(const char *objective, const SlTaskKind *kind);
SlStatus choices_read_goal(const char *objective, SlGoal *goal, SlError *err);

// --evaluator: a kind that prices mappings, or any other command: a program of the user's, whose
// copies are started; `process` are then the options of the kind, to be closed by
// sl_evaluator_close(process->shared).
SlStatus choices_read_evaluator(const char *name, const EvaluatorOptions *program,
                                SlProcessOptions *process, const SlTaskKind **kind, SlError *err);

// Who collects the dataset of an assignment, and the height at which its tree is cut; `option` is
// the name of the option, for errors.
SlStatus choices_read_policy(const char *option, const char *name, const SlMethod **policy,
                             SlError *err);
SlStatus choices_read_threshold(const char *text, SlThreshold *threshold, SlError *err);

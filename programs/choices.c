// choices.c - the words of --space, --open, --constraints, --objective, --evaluator, --policy and
// --threshold, understood.
#include "choices.h"

#include <ctype.h>

// "RS" or "R,S" as bits
static SlStatus read_open(const char *text, uint8_t *dims, SlError *err) {
    *dims = 0;
    for (const char *at = text ? text : ""; *at; at++) {
        int d = 0;
        while (d < SL_N_DIMS && sl_dim_names[d][0] != toupper((unsigned char)*at)) d++;
        if (d < SL_N_DIMS)
            *dims |= (uint8_t)(1 << d);
        else if (*at != ',' && *at != ' ')
            return sl_fail(err, SL_EINPUT, "--open: expected dims out of NGKCPQRS, got '%.40s'",
                           text);
    }
    return SL_OK;
}

SlStatus choices_read_space(const SpaceChoice *choice, SlArena *scratch, SlConstraints *constraints,
                            SlSpaceOptions *options, SlError *err) {
    *options = (SlSpaceOptions){.preset = (SlSpacePreset)choice->preset};
    SlStatus status = read_open(choice->open, &options->open, err);
    if (status != SL_OK || !choice->constraints) return status;
    options->constraints = constraints;
    return sl_constraints_find(choice->constraints, scratch, constraints, err);
}

SlStatus choices_make_space(const SlLayer *layer, const SlAccel *accel,
                            const SlSpaceOptions *options, SlArena *arena, SlSpace *space,
                            SlError *err) {
    SlError inside;
    SlStatus status = sl_space_make(layer, accel, options, arena, space, &inside);
    if (status == SL_OK) return SL_OK;
    return sl_fail(err, status, "%s on %s: %s", layer->name, accel->name, inside.text);
}

const char *choices_objective(const char *objective, const SlTaskKind *kind) {
    if (objective) return objective;
    return sl_objective_names[kind == &sl_kind_process ? SL_LATENCY : SL_EDP];
}

SlStatus choices_read_goal(const char *objective, SlGoal *goal, SlError *err) {
    SlError inside;
    SlStatus status = sl_goal_parse(objective, goal, &inside);
    return status == SL_OK ? SL_OK : sl_fail(err, status, "--objective: %s", inside.text);
}

SlStatus choices_read_evaluator(const char *name, const EvaluatorOptions *program,
                                SlProcessOptions *process, const SlTaskKind **kind, SlError *err) {
    *kind = sl_task_kind_find(name);
    if (*kind && !(*kind)->maps)
        return sl_fail(
            err, SL_EINPUT,
            "--evaluator: %s measures programs, not mappings; see 'starling tune --help'",
            (*kind)->name);
    if (*kind && *kind != &sl_kind_process) return SL_OK;
    // every name that is not that of an evaluator is a command
    *kind = &sl_kind_process;
    process->program = (SlEvaluatorSetup){
        .command = name, .copies = (int)program->copies, .timeout_s = program->timeout};
    return sl_evaluator_open(&process->program, &process->shared, err);
}

SlStatus choices_read_policy(const char *option, const char *name, const SlMethod **policy,
                             SlError *err) {
    SlError inside;
    SlStatus status = sl_method_open(name, policy, &inside);
    return status == SL_OK ? SL_OK : sl_fail(err, status, "--%s: %s", option, inside.text);
}

SlStatus choices_read_threshold(const char *text, SlThreshold *threshold, SlError *err) {
    SlError inside;
    SlStatus status = sl_threshold_parse(text, threshold, &inside);
    return status == SL_OK ? SL_OK : sl_fail(err, status, "--threshold: %s", inside.text);
}

// engine_options.c - setups of the training engine: names, defaults, what is wrong with one.
//
// The defaults are those of MADDPG's original code (docs/engine.md).
#include "engine_inside.h"

enum { WARM_BATCHES = 25 };

const char *const sl_algo_names[SL_N_ALGOS + 1] = {"maddpg", "masac", NULL};
const char *const sl_engine_mode_names[SL_N_MODES + 1] = {"faithful", "shared", "folded",
                                                          "folded-shared", NULL};
const char *const sl_phase_names[SL_N_PHASES + 1] = {"action selection",
                                                     "environment",
                                                     "mini-batch sampling",
                                                     "target Q",
                                                     "Q loss",
                                                     "P loss",
                                                     "rest",
                                                     NULL};

static const char *const layout_names[] = {"separate", "joint", "state", "auto", NULL};

const SlOption sl_engine_options[] = {
    SL_OPT_CHOICE(SlEngineSetup, "algo", algo, NULL, sl_algo_names, "NAME", "learning algorithm"),
    SL_OPT_CHOICE(SlEngineSetup, "mode", mode, NULL, sl_engine_mode_names, "NAME",
                  "update mode: faithful (one batch per agent), shared (one for all), folded "
                  "(first critic layer from the world state) or folded-shared (both)"),
    SL_OPT_CHOICE(SlEngineSetup, "layout", layout, "auto", layout_names, "NAME",
                  "replay layout: separate, joint, state or auto (state for folded modes, else "
                  "joint). Batches do not depend on it"),
    SL_OPT_CHOICE(
        SlEngineSetup, "sampling", sampling, NULL, sl_sampling_names, "NAME",
        "replay sampling: uniform, neighbor (adjacent transitions around a reference) or priority"),
    SL_OPT_WHOLE(SlEngineSetup, "neighbors", neighbors, "3", 1, 64, "N",
                 "adjacent transitions on each side of a reference (not with uniform sampling)"),
    SL_OPT_WHOLE(SlEngineSetup, "batch", batch, "1024", 1, 1 << 20, "N",
                 "batch size in transitions", .letter = 'b'),
    SL_OPT_WHOLE(SlEngineSetup, "capacity", capacity, "1000000", 2, 2147483647, "N",
                 "replay capacity; the oldest transitions are overwritten"),
    SL_OPT_WHOLE(SlEngineSetup, "warm", warm, NULL, 0, 2147483647, "N",
                 "warm-up transitions before the first update; 0 = 25 batches"),
    SL_OPT_WHOLE(SlEngineSetup, "every", update_every, "100", 1, 1e9, "STEPS",
                 "environment steps between updates"),
    SL_OPT_WHOLE(SlEngineSetup, "hidden", hidden, "64", 1, 1024, "N",
                 "units per hidden layer (two layers)"),
    SL_OPT_REAL(SlEngineSetup, "rate", rate, "0.01", 1e-9, 10, "X", "learning rate"),
    SL_OPT_REAL(SlEngineSetup, "gamma", gamma, "0.95", 0, 1, "X", "discount factor"),
    SL_OPT_REAL(SlEngineSetup, "tau", tau, "0.01", 0, 1, "X", "step of the soft target updates"),
    SL_OPT_REAL(SlEngineSetup, "clip", clip, "0.5", 0, 1e9, "X",
                "gradient norm limit per tensor; 0 = off"),
    SL_OPT_REAL(SlEngineSetup, "regulariser", regulariser, "0.001", 0, 1e9, "X",
                "penalty on squared actor logits (maddpg)"),
    SL_OPT_REAL(SlEngineSetup, "entropy", entropy, "0.05", 0, 1e9, "X",
                "entropy coefficient (masac)"),
    SL_OPT_WHOLE(SlEngineSetup, "seed", seed, "1", 0, 9e15, "S",
                 "random seed; equal seeds give identical weights", .letter = 's'),
    {0},
};

void sl_engine_init(SlEngineSetup *setup) {
    *setup = (SlEngineSetup){0};
    sl_options_init(sl_engine_options, setup);
    sl_world_init(sl_worlds[0], &setup->world);
}

bool sl_engine_is_folded(const SlEngineSetup *setup) {
    return setup->mode == SL_MODE_FOLDED || setup->mode == SL_MODE_FOLDED_SHARED;
}

SlEngineSetup sl_engine_settled(const SlEngineSetup *setup) {
    SlEngineSetup settled = *setup;
    if (setup->layout == SL_LAYOUT_AUTO)
        settled.layout = sl_engine_is_folded(setup) ? SL_LAYOUT_STATE : SL_LAYOUT_JOINT;
    if (setup->warm == 0) settled.warm = WARM_BATCHES * setup->batch;
    return settled;
}

static bool has_names(const SlEngineSetup *setup) {
    return (unsigned)setup->algo < SL_N_ALGOS && (unsigned)setup->mode < SL_N_MODES &&
           (unsigned)setup->layout < SL_N_LAYOUTS && (unsigned)setup->sampling < SL_N_SAMPLINGS;
}

const char *sl_engine_check(const SlEngineSetup *given) {
    const SlEngineSetup settled = sl_engine_settled(given), *setup = &settled;
    const char *reason = sl_particles_check(&setup->world);
    if (reason) return reason;
    if (!has_names(setup)) return "expected a known algorithm, mode, layout and sampling";
    if (sl_engine_is_folded(setup) && setup->layout != SL_LAYOUT_STATE)
        return "folded modes read the world state: expected the layout 'state'";
    if (setup->sampling != SL_SAMPLE_UNIFORM && (setup->neighbors < 1 || setup->neighbors > 64))
        return "expected 1 to 64 neighbors on each side of a reference";
    if (setup->hidden < 1 || setup->hidden > 1024) return "expected 1 to 1024 hidden units";
    if (setup->batch < 1 || setup->batch > 1 << 20) return "expected batches of 1 to 1048576";
    if (setup->update_every < 1) return "expected at least one step between updates";
    if (setup->warm < 2) return "expected at least two transitions before the first update";
    if (setup->warm > setup->capacity) return "the first update needs more than the replay holds";
    if (!(setup->rate > 0) || !(setup->tau >= 0 && setup->tau <= 1) ||
        !(setup->gamma >= 0 && setup->gamma <= 1) || !(setup->clip >= 0))
        return "expected a rate above 0, tau and gamma in 0..1, clip 0 or above";
    return NULL;
}

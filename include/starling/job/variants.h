// variants.h - a mapped network beside what else could be: fixed dataflows on the same machine, and
// the machine with half or twice of one resource. All are searched and proven as the network was.
//
// Flow: sl_mapped_finish -> sl_variants_styles or sl_variants_machines (what there is to try) ->
//       sl_variants_run -> the fields; as a document: SlMapped.compared, .sensitivity.
#pragma once

#include "starling/job/mapped.h"

SL_API_BEGIN

enum { SL_MAX_VARIANTS = 32, SL_VARIANT_NAME = 48 };

typedef enum {
    SL_VARIANT_STYLE,     // a fixed dataflow: bundled constraints
    SL_VARIANT_RATE,      // words per cycle between two levels
    SL_VARIANT_CAPACITY,  // bytes of one instance of a level
    SL_VARIANT_INSTANCES, // what a level feeds side by side
} SlVariantKind;

typedef struct SlVariant {
    SlVariantKind kind;
    char name[SL_VARIANT_NAME]; // "nvdla-style", "L2 capacity"
    char title[128];            // of the constraints
    int level, axis;            // of the resource; instances: of the fan-out below the level
    double factor;              // of the resource: 0.5 or 2; styles 1
    double have;                // of the resource now, in the unit of its kind; styles NAN

    // after sl_variants_run
    bool done;        // there is a result
    char reason[512]; // why there is none; "" = nobody knows, or there is one
    double latency_cycles, energy_pj, value, bound, gap; // of the layers, in sum; NAN = not known
    double ratio, latency_ratio, energy_ratio;           // over those of the mappings found
    bool differs;        // the ratio is more than what proofs leave open
    double *layer_ratio; // (n_layers) of the goal, one instance each; NAN = not known
    int64_t samples;
} SlVariant;

typedef struct SlVariants {
    SlArena *arena;
    SlNetwork net;     // the layers that are compared, with all their instances
    int n_layers;      // distinct ones
    const int *layers; // (n_layers) of SlMapped.layers, by share
    double share;      // of the goal of the network that they take; all = 1
    double latency_cycles, energy_pj, value, bound, gap; // of the mappings found, on these layers
    double tolerance;                                    // relative: smaller differences are none
    int n;
    SlVariant list[SL_MAX_VARIANTS];
    bool interrupted; // some were not tried
} SlVariants;

// The nvdla-, shidiannao- and eyeriss-style constraints, which fix the array too, on the `most`
// distinct layers that take most of the goal; 0 = on all. After sl_mapped_finish. SL_ENOMEM;
// SL_EINPUT where another evaluator than the native model priced the mappings.
SlStatus sl_variants_styles(const SlMapped *mapped, int most, SlArena *arena, SlVariants *out,
                            SlError *err);
// Half and twice of every capacity, rate and number of instances that the machine has.
SlStatus sl_variants_machines(const SlMapped *mapped, int most, SlArena *arena, SlVariants *out,
                              SlError *err);

// Search and prove them all with the settings of the network, one after the other. A style or a
// machine on which a layer cannot run has a reason, no result. `store` keeps records under machines
// of their own ("eyeriss.nvdla-style"), from which a later call goes on; NULL = none. `watch` may
// end it early; what was not tried then has neither result nor reason.
SlStatus sl_variants_run(SlVariants *variants, const SlMapped *mapped, const char *store,
                         SlPool *pool, SlWatch *watch, void *context, SlError *err);

SL_API_END

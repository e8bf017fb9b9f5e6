// bo_options.c - the options of `bo`.
#include "bo_options.h"

#include "sight.h"

const SlOption sl_bo_options[] = {
    SL_OPT_CHOICE(SlBoOptions, "sight", sight, "plain", sl_nest_sight_names, "WHAT",
                  "inputs of the Gaussian process: point, or nest features: plain (shape), reuse "
                  "(shape, reuse), estimate (also estimates)"),
    SL_OPT_WHOLE(SlBoOptions, "starts", starts, "10", 2, 1e6, "N",
                 "random points at the start of a region"),
    SL_OPT_WHOLE(SlBoOptions, "points", points, "256", 8, 1024, "N",
                 "samples kept by the Gaussian process, at most"),
    SL_OPT_WHOLE(SlBoOptions, "candidates", candidates, "300", 1, 1e5, "N",
                 "candidates per sample, of which the most promising is evaluated"),
    SL_OPT_WHOLE(SlBoOptions, "rounds", rounds, "4", 1, 100, "N",
                 "rounds of candidates: around the best samples, then around the best candidates"),
    SL_OPT_REAL(SlBoOptions, "more", more, "0.5", 0, 0.999, "P",
                "probability of changing one more parameter, applied repeatedly"),
    SL_OPT_REAL(SlBoOptions, "near", near, "0.8", 0, 1, "P",
                "share of small changes: a few steps of a size, a swap of two loops of an order"),
    SL_OPT_WHOLE(SlBoOptions, "reach", reach, "12", 1, 1e6, "N",
                 "largest step of a small size change"),
    SL_OPT_REAL(SlBoOptions, "uniform", uniform, "0.1", 0, 1, "P",
                "share of uniformly random points in the first round"),
    SL_OPT_REAL(SlBoOptions, "length", length, "0", -10, 10, "X",
                "prior log length scale of one input"),
    SL_OPT_WHOLE(SlBoOptions, "every", every, "5", 1, 1e6, "N",
                 "smallest number of samples between fits of the length scales"),
    SL_OPT_WHOLE(SlBoOptions, "evaluations", evaluations, "15", 0, 1000, "N",
                 "likelihood evaluations per fit"),
    SL_OPT_WHOLE(SlBoOptions, "single", single, "100", 1, 1e12, "N",
                 "samples before points are asked for in pairs, and again before triples"),
    SL_OPT_WHOLE(SlBoOptions, "batch", batch, "8", 1, 16, "N", "points asked for at once, at most"),
    SL_OPT_WHOLE(SlBoOptions, "successes", successes, "3", 1, 1e12, "N",
                 "consecutive improvements that double the region"),
    SL_OPT_WHOLE(SlBoOptions, "failures", failures, "20", 1, 1e12, "N",
                 "consecutive samples without improvement that halve the region"),
    {0},
};

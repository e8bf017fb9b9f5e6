// bo_options.c - the options of `bo`.
#include "bo_options.h"

#include "sight.h"

const SlOption sl_bo_options[] = {
    SL_OPT_CHOICE(SlBoOptions, "sight", sight, "plain", sl_nest_sight_names, "WHAT",
                  "what the process sees: the point, or plain features of its nest, also reuse, "
                  "also estimates"),
    SL_OPT_WHOLE(SlBoOptions, "starts", starts, "10", 2, 1e6, "N",
                 "random points that begin a region"),
    SL_OPT_WHOLE(SlBoOptions, "points", points, "256", 8, 1024, "N",
                 "most samples that the process keeps"),
    SL_OPT_WHOLE(SlBoOptions, "candidates", candidates, "300", 1, 1e5, "N",
                 "points of which the most promising is asked for"),
    SL_OPT_WHOLE(SlBoOptions, "rounds", rounds, "4", 1, 100, "N",
                 "rounds of candidates: around the best samples, then around the best candidates"),
    SL_OPT_REAL(SlBoOptions, "more", more, "0.5", 0, 0.999, "P",
                "chance of changing one more parameter, again and again"),
    SL_OPT_REAL(SlBoOptions, "near", near, "0.8", 0, 1, "P",
                "share of changes that go a few steps (sizes) or swap two loops (orders)"),
    SL_OPT_WHOLE(SlBoOptions, "reach", reach, "12", 1, 1e6, "N",
                 "most steps of such a change of a size"),
    SL_OPT_REAL(SlBoOptions, "uniform", uniform, "0.1", 0, 1, "P",
                "share of the first round that is anywhere"),
    SL_OPT_REAL(SlBoOptions, "length", length, "0", -10, 10, "X",
                "log length scale expected before the first sample, for one input"),
    SL_OPT_WHOLE(SlBoOptions, "every", every, "5", 1, 1e6, "N",
                 "samples between two fits of the length scales, at least"),
    SL_OPT_WHOLE(SlBoOptions, "evaluations", evaluations, "15", 0, 1000, "N",
                 "of the likelihood, per fit"),
    SL_OPT_WHOLE(SlBoOptions, "single", single, "100", 1, 1e12, "N",
                 "samples before two are asked for at once, and again before three"),
    SL_OPT_WHOLE(SlBoOptions, "batch", batch, "8", 1, 16, "N", "most points asked for at once"),
    SL_OPT_WHOLE(SlBoOptions, "successes", successes, "3", 1, 1e12, "N",
                 "better samples in a row that double the region"),
    SL_OPT_WHOLE(SlBoOptions, "failures", failures, "20", 1, 1e12, "N",
                 "samples in a row without a better one that halve the region"),
    {0},
};

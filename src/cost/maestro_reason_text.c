// maestro_reason_text.c - names and sentences of the reasons why MAESTRO's numbers differ.
#include "starling/cost/maestro.h"

static const char *const words[SL_N_REASONS][2] = {
    [SL_REASON_LOST_EDGE] = {"lost edge",
                             "a cluster that gets only part of a tile at the end of a spread dim "
                             "is forgotten, with its work"},
    [SL_REASON_EMPTY_EDGE] = {"empty edge",
                              "of a dim smaller than its map, only what lies beyond the first "
                              "offset is computed"},
    [SL_REASON_GAPS] = {"gaps", "steps leave gaps: the work between them is missing"},
    [SL_REASON_GAP_EDGE] = {"gap edge", "a last step behind a gap counts as the whole dim"},
    [SL_REASON_OVERLAP] = {"overlap", "steps overlap: the work in common is done twice"},
    [SL_REASON_STRIDE] = {"stride", "outputs of a strided layer are counted at stride 1"},
    [SL_REASON_BATCH] = {"batch",
                         "N indexes no tensor, because the first layer of this type in the file "
                         "declares none"},
    [SL_REASON_GROUPS] = {"groups", "outputs of a grouped layer are not summed over C"},
    [SL_REASON_LONE_EDGE] = {"lone edge",
                             "a cluster alone at the end of a spread dim counts its inputs as "
                             "outputs"},
    [SL_REASON_NO_OUTPUT] = {"no output", "a tile smaller than the filter has no outputs"},
    [SL_REASON_HALO] = {"halo",
                        "neighbours share their halo (clusters not in the first step); the exact "
                        "counts never share it"},
    [SL_REASON_EDGE_LOADS] = {"edge loads", "a smaller tile at an edge is loaded as a full one"},
    [SL_REASON_NO_REFETCH] = {"no refetch",
                              "what was replaced is not loaded again when a loop outside advances"},
    [SL_REASON_INSIDE] = {"inside",
                          "traffic is that of the outermost level's steps; what the steps inside a "
                          "cluster move is not counted"},
    [SL_REASON_L2_ONCE] = {"L2 once",
                           "every input and weight enters L2 once, however often the loops come "
                           "back to it"},
    [SL_REASON_UNTOUCHED] = {"untouched", "inputs between and behind the windows enter L2, too"},
    [SL_REASON_EACH_STEP] = {"each step",
                             "outputs go up at every step, even while their sum goes on in L1"},
    [SL_REASON_NO_RETURN] = {"no return", "partial sums that leave and come back are not counted"},
    [SL_REASON_LAST_PE] = {"last PE",
                           "with more instances than tiles, the last one at work sends no outputs"},
    [SL_REASON_L1_MULTICAST] = {"multicast",
                                "a word sent to several PEs counts as one write of L1"},
    [SL_REASON_OUTPUT_TILE] = {"output tile", "L1 is to hold output tiles as large as input tiles"},
    [SL_REASON_OVERSIZE] = {"oversize", "a map larger than its dim takes its full size in L1"},
    [SL_REASON_COLD_START] = {"cold start",
                              "inner levels wait for their first tile at every step outside"},
    [SL_REASON_PARTS] = {"part tiles", "a PE that has only part of a tile counts as one at work"},
    [SL_REASON_AVERAGED] = {"averaged",
                            "PEs at work are averaged over steps, however long each takes"},
    [SL_REASON_FULL_EDGE] = {"full edge", "inside a cluster, an edge takes as long as a full tile"},
    [SL_REASON_LANES] = {"lanes", "every step rounds its work up to whole rows of lanes"},
    [SL_REASON_OFFCHIP] = {"off-chip", "off-chip transfers are those of the first step"},
    [SL_REASON_HALVED] = {"halved", "the off-chip rate is halved once per kind of step"},
    [SL_REASON_ENERGY_L1] = {"stale L1",
                             "with several levels, the L1 accesses in it are those of the layer "
                             "before in the file (none for the first)"},
    [SL_REASON_ENERGY_PARTS] = {"energy parts",
                                "the MACs and the outputs read from L2 cost nothing"},
};

const char *sl_maestro_reason_name(SlMaestroReason reason) {
    return words[reason][0];
}

const char *sl_maestro_reason_text(SlMaestroReason reason) {
    return words[reason][1];
}

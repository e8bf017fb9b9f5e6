// maestro_run.h - a .m text through MAESTRO's model, layer after layer, as MAESTRO runs a file.
//
// Flow: MaestroRun run; maestro_run(&run, text, &hardware) -> run.costs, run.csv -> maestro_end.
#pragma once

#include "starling/cost/maestro.h"

typedef struct {
    SlArena arena;
    SlMaestroNetwork net;
    SlMaestroHardware hardware;
    SlMaestroCost *costs; // (net.n_layers)
    SlText csv;           // a row per layer
    bool parsed;
    SlMaestroFault fault; // of the layer that has no result, if the text was parsed
    char reason[512];     // why there is no result; "" = there is one
} MaestroRun;

// The text of a file of one layer: type, dims and maps.
#define MAESTRO_FILE(type, dims, maps) "Network net { " MAESTRO_LAYER(type, dims, maps) "}"
#define MAESTRO_LAYER(type, dims, maps)                                                            \
    "Layer l { Type: " type " Dimensions { " dims " } Dataflow { " maps " } } "

void maestro_run(MaestroRun *run, const char *text, const SlMaestroHardware *hardware);
void maestro_end(MaestroRun *run);

// As above; a text without a result ends the test.
void maestro_must_run(MaestroRun *run, const char *text, const SlMaestroHardware *hardware);

// A hardware file's machine: latency 1, no limit of the buffers.
SlMaestroHardware maestro_machine(int num_pes, int lanes, int noc_bw, int offchip_bw);

// Compare cells of a layer's row as printed: "runtime 35, input 128/32/32/32, screen 6117.28". A
// name stands for a column and those behind it; the names are listed in maestro_run.c.
void maestro_expect(const MaestroRun *run, int layer, const char *cells);

// The same of a text with one layer.
void maestro_expect_one(const char *text, SlMaestroHardware hardware, const char *cells);

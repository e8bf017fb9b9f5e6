// machine.h - a machine that runs a mapped nest: integers in buffers, words on networks, MACs.
//
// Where the oracle counts sets, the machine has contents: each instance of each level holds values,
// takes them from its parent's contents, accumulates partial sums and sends them back. It fails
// where a word is needed that is not there, and where the result is not the convolution.
#pragma once

#include "starling/cost.h"

// Run the nest on random integers. NULL, or the reason why it is no implementation of the layer.
// `moved` gets the words that moved (fill, pread, own0, srv0, upd, upd0; macs and cycles), counted
// where they move; its other fields are 0.
const char *machine_run(const SlLayer *layer, SlNet net, const SlMapping *mapping, SlRng *rng,
                        SlCounts *moved);

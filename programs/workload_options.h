// workload_options.h - the options of a network that is a graph: its open sizes, and what may be
// left out of it. Used by eval, map and list networks.
#pragma once

#include "starling/workload.h"

typedef struct {
    const char *sizes; // NULL = none
    bool skip_unsupported;
} WorkloadOptions;

// Their rows, for a table of `type` whose member `graph` they are.
#define WORKLOAD_OPTIONS(type)                                                                     \
    SL_OPT_TEXT(type, "dim", graph.sizes, NULL, "NAME=SIZE,...",                                   \
                "open sizes of an ONNX model (batch=1,seq=128; INPUT:AXIS=SIZE for an axis "       \
                "without a name) or phase and lengths of a language model"),                       \
        SL_OPT_FLAG(type, "skip-unsupported", graph.skip_unsupported,                              \
                    "omit nodes of an ONNX model whose MACs cannot be counted; they are listed")

static inline SlWorkload workload_asked(const char *selector, int64_t batch,
                                        const WorkloadOptions *graph) {
    return (SlWorkload){.selector = selector,
                        .batch = batch,
                        .sizes = graph->sizes,
                        .skip_unsupported = graph->skip_unsupported};
}

// transformer.h - decoders as parametrised networks. Private to the module.
//
// Flow: a YAML document with `transformer:` -> sl_transformer_read -> sl_transformer_build with the
// sizes of a selector -> layers.
#pragma once

#include "network_build.h"

// The key `transformer` of docs/formats/network.md.
typedef struct {
    int64_t blocks, width, heads, kv_heads, head_size, feed_forward, vocabulary;
    int64_t experts, used; // 1 and 1 = no experts
    bool gated;            // the feed-forward layer has a gate
} SlTransformer;

SlStatus sl_transformer_read(const SlNode *map, SlTransformer *model, SlError *err);

// Layers for the phase, lengths and batch that are asked for; nothing is left to multiply.
SlStatus sl_transformer_build(const SlTransformer *model, const SlNetworkText *in, SlArena *arena,
                              SlNetwork *net, SlError *err);

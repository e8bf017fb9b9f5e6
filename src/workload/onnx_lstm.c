// onnx_lstm.c - LSTM, GRU and RNN: the product of the inputs and that of the states.
#include "onnx_graph.h"

typedef struct {
    int64_t steps, batch, inputs, states, directions, gates;
    bool batch_first;
} Recurrent;

static int64_t gates_of(SlBytes op) {
    return sl_bytes_are(op, "GRU") ? 3 : sl_bytes_are(op, "RNN") ? 1 : 4;
}

static const char *read_recurrent(SlOnnxRun *run, const SlOnnxNode *node, SlOnnxTensor **in,
                                  SlOnnxTensor **w, SlOnnxTensor **r, Recurrent *rnn) {
    const char *reason = sl_onnx_need_rank(run, node, 0, 3, 3, in);
    if (!reason) reason = sl_onnx_need_rank(run, node, 1, 3, 3, w);
    if (!reason) reason = sl_onnx_need_rank(run, node, 2, 3, 3, r);
    if (reason) return reason;
    // W (directions, gates H, I) and R (directions, gates H, H); dynamically quantised ones have
    // their last two axes the other way round
    bool turned = sl_bytes_are(node->op, "DynamicQuantizeLSTM");
    const int64_t *x = (*in)->dims, *weight = (*w)->dims, *state = (*r)->dims;
    *rnn = (Recurrent){.gates = gates_of(node->op),
                       .batch_first = sl_onnx_attr_int(node, "layout", 0) != 0,
                       .directions = weight[0],
                       .inputs = weight[turned ? 1 : 2],
                       .states = state[turned ? 1 : 2]};
    rnn->steps = x[rnn->batch_first];
    rnn->batch = x[!rnn->batch_first];
    int64_t rows = weight[turned ? 2 : 1];
    bool both = sl_bytes_are(sl_onnx_attr_text(node, "direction"), "bidirectional");
    if (x[2] != rnn->inputs) return "its weight has other inputs than its input";
    if (rnn->states < 1 || rows % rnn->gates || rows / rnn->gates != rnn->states ||
        state[turned ? 2 : 1] != rows)
        return "its weights do not fit together";
    if (rnn->directions != (both ? 2 : 1) || state[0] != rnn->directions)
        return "its weights have another number of directions than its attribute";
    return NULL;
}

static const char *set_outputs(SlOnnxRun *run, const SlOnnxNode *node, const Recurrent *rnn,
                               int elem) {
    const int64_t steps_first[4] = {rnn->steps, rnn->directions, rnn->batch, rnn->states};
    const int64_t batch_first[4] = {rnn->batch, rnn->steps, rnn->directions, rnn->states};
    const int64_t last[3] = {rnn->directions, rnn->batch, rnn->states};
    const int64_t last_batch_first[3] = {rnn->batch, rnn->directions, rnn->states};
    const int64_t *end = rnn->batch_first ? last_batch_first : last;
    const char *reason =
        sl_onnx_set(run, node, 0, elem, 4, rnn->batch_first ? batch_first : steps_first);
    if (!reason) reason = sl_onnx_set(run, node, 1, elem, 3, end);
    return reason ? reason : sl_onnx_set(run, node, 2, elem, 3, end);
}

// rows of all steps and samples; the products of the states follow one another in time
const char *sl_onnx_lstm(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL, *w = NULL, *r = NULL;
    Recurrent rnn;
    SlLayer layer;
    const char *reason = read_recurrent(run, node, &in, &w, &r, &rnn);
    if (!reason) reason = set_outputs(run, node, &rnn, in->elem);
    if (reason) return reason;
    int64_t width = sl_onnx_product(2, (int64_t[]){rnn.gates, rnn.states});
    sl_layer_init(&layer);
    layer.type = SL_GEMM;
    layer.dims[SL_N] = rnn.batch;
    layer.dims[SL_P] = rnn.steps;
    layer.dims[SL_K] = sl_onnx_product(2, (int64_t[]){rnn.directions, width});
    layer.dims[SL_C] = rnn.inputs;
    sl_onnx_words(&layer, w, in, NULL);
    if ((reason = sl_onnx_layer(run, node, ".in", &layer))) return reason;
    layer.dims[SL_G] = rnn.directions;
    layer.dims[SL_K] = width;
    layer.dims[SL_C] = rnn.states;
    sl_onnx_words(&layer, r, in, NULL);
    return sl_onnx_layer(run, node, ".rec", &layer);
}

// lines.c - what caches would fetch of a nest, in whole lines, for critics (docs/spaces.md).
//
// Arrays lie in memory as C has them: W[G][K][C][R][S], I[N][G][C][height][width],
// O[N][G][K][P][Q]. The loops inside a place of the nest touch a box of each, which is so many
// lines. A cache of capacity C keeps what the loops inside the outermost place touch whose lines of
// all tensors fit into C. The loop around that place still meets again what it does not move (least
// recently used); every turn of the loops further out fetches all of it anew. Sets and ways are not
// looked at.
#include <assert.h>
#include <math.h>

#include "reuse.h"

enum { N_PER_LEVEL = SL_N_TENSORS + 1 };

// Some of an array: lines that are touched, and words from the first to the last of them.
typedef struct {
    double lines, span;
} Part;

// `n` equal parts that begin `pitch` words apart: never more lines than lie between the ends
static Part repeat(Part part, double n, double pitch, double line_words) {
    Part out = {.span = (n - 1) * pitch + part.span};
    out.lines = fmax(fmin(n * part.lines, out.span / line_words + 1), 1);
    return out;
}

// the box of `extent` (SL_N_DIMS) of an array whose dims are `order` (n), innermost first
static double box_lines(const SlLayer *layer, int n, const uint8_t *order, const int64_t *extent,
                        double line_words) {
    Part part = {1, 1};
    double pitch = 1;
    for (int i = 0; i < n; i++) {
        part = repeat(part, (double)extent[order[i]], pitch, line_words);
        pitch *= (double)layer->dims[order[i]];
    }
    return part.lines;
}

// rows or columns of inputs under `out` outputs and `taps` taps, from the first to the last
static double reach(int64_t out, int64_t taps, int64_t stride, int64_t dilation) {
    return (double)((out - 1) * stride + (taps - 1) * dilation + 1);
}

static double input_lines(const SlLayer *layer, const int64_t *extent, double line_words) {
    static const uint8_t order[] = {SL_C, SL_G, SL_N};
    const int64_t *d = layer->dims;
    const int32_t *stride = layer->stride, *dilation = layer->dilation;
    double width = reach(d[SL_Q], d[SL_S], stride[1], dilation[1]);
    double height = reach(d[SL_P], d[SL_R], stride[0], dilation[0]);
    double span = reach(extent[SL_Q], extent[SL_S], stride[1], dilation[1]);
    double rows = fmin(reach(extent[SL_P], extent[SL_R], stride[0], dilation[0]),
                       (double)(extent[SL_P] * extent[SL_R]));
    double words = fmin(span, (double)(extent[SL_Q] * extent[SL_S]));
    Part part = {fmax(fmin(words, span / line_words + 1), 1), span};
    double high = reach(extent[SL_P], extent[SL_R], stride[0], dilation[0]);
    part.lines = fmin(rows * part.lines, ((high - 1) * width + span) / line_words + 1);
    part.span = (high - 1) * width + span;
    double pitch = width * height;
    for (int i = 0; i < 3; i++) {
        part = repeat(part, (double)extent[order[i]], pitch, line_words);
        pitch *= (double)d[order[i]];
    }
    return part.lines;
}

static void tensor_lines(const SlLayer *layer, const SlAccel *accel, const int64_t *extent,
                         double line_bytes, double lines[SL_N_TENSORS]) {
    static const uint8_t weights[] = {SL_S, SL_R, SL_C, SL_K, SL_G};
    static const uint8_t outputs[] = {SL_Q, SL_P, SL_K, SL_G, SL_N};
    double words[SL_N_TENSORS];
    for (int t = 0; t < SL_N_TENSORS; t++)
        words[t] = line_bytes / sl_word_bytes(layer, accel, (SlTensor)t);
    lines[SL_W] = box_lines(layer, 5, weights, extent, words[SL_W]);
    lines[SL_I] = input_lines(layer, extent, words[SL_I]);
    lines[SL_O] = box_lines(layer, 5, outputs, extent, words[SL_O]);
}

// Lines of all places of a nest, outermost first: place j has loops j and further in.
typedef struct {
    int n;
    double lines[SL_MAX_LOOPS + 1][SL_N_TENSORS], sum[SL_MAX_LOOPS + 1];
    double trips[SL_MAX_LOOPS]; // of the loop at a place
} Places;

static void find_places(const SlLayer *layer, const SlAccel *accel, const SlMapping *mapping,
                        double line_bytes, Places *places) {
    int64_t extent[SL_N_DIMS];
    for (int d = 0; d < SL_N_DIMS; d++) extent[d] = layer->dims[d];
    places->n = mapping->n_loops;
    for (int j = 0; j <= places->n; j++) {
        double *lines = places->lines[j];
        tensor_lines(layer, accel, extent, line_bytes, lines);
        places->sum[j] = lines[SL_W] + lines[SL_I] + lines[SL_O];
        if (j == places->n) break;
        const SlLoop *loop = &mapping->loops[j];
        places->trips[j] = ceil((double)extent[loop->dim] / (double)loop->tile);
        extent[loop->dim] = loop->tile;
    }
}

// lines fetched over those of the tensors, of each and of all
static float *put_fetched(const Places *places, double capacity, float *out) {
    int inside = places->n;
    while (inside > 0 && places->sum[inside - 1] <= capacity) inside--;
    int at = inside > 0 ? inside - 1 : 0;
    double turns = 1;
    for (int j = 0; j < at; j++) turns *= places->trips[j];
    for (int t = 0; t < SL_N_TENSORS; t++)
        *out++ = (float)fmin(turns * places->lines[at][t] / places->lines[0][t], 1e9);
    *out++ = (float)fmin(turns * places->sum[at] / places->sum[0], 1e9);
    return out;
}

int sl_lines_n(const SlAccel *accel) {
    int n = 0;
    for (int l = 1; l < accel->n_levels; l++) n += accel->levels[l].line_bytes > 0;
    return n * N_PER_LEVEL;
}

void sl_mapping_lines(const SlLayer *layer, const SlAccel *accel, const SlMapping *mapping,
                      float *out) {
    float *end = out;
    Places places;
    for (int l = 1; l < accel->n_levels; l++) {
        const SlLevel *level = &accel->levels[l];
        if (level->line_bytes == 0) continue;
        double line_bytes = (double)level->line_bytes;
        find_places(layer, accel, mapping, line_bytes, &places);
        end = put_fetched(&places, (double)level->capacity_bytes / line_bytes, end);
    }
    assert(end - out == sl_lines_n(accel));
    sl_half_logs((int)(end - out), out);
}

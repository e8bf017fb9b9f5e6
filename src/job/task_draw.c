// task_draw.c - layers and machines to teach on, as docs/learn.md writes them down.
#include <math.h>
#include <stdio.h>

#include "starling/job/teach.h"

static double log_uniform(SlRng *rng, double least, double most) {
    return least * pow(most / least, sl_rng_uniform(rng));
}

static int64_t whole(SlRng *rng, double least, double most) {
    return (int64_t)(log_uniform(rng, least, most) + 0.5);
}

static bool chance(SlRng *rng, double p) {
    return sl_rng_uniform(rng) < p;
}

// six of ten are multiples of 8
static int64_t channels(SlRng *rng) {
    int64_t n = whole(rng, 3, 1024);
    return chance(rng, 0.6) && n >= 8 ? (n + 4) / 8 * 8 : n;
}

static int64_t taps(SlRng *rng) {
    double u = sl_rng_uniform(rng);
    return u < 0.7 ? 3 : u < 0.9 ? 5 : 7;
}

static void set_name(SlLayer *layer) {
    char text[384];
    sl_layer_show(layer, sizeof text, text);
    snprintf(layer->name, sizeof layer->name, "%.60s", text);
}

static void draw_product(SlRng *rng, SlLayer *layer) {
    layer->type = SL_GEMM;
    layer->dims[SL_K] = whole(rng, 16, 2048);
    layer->dims[SL_C] = whole(rng, 16, 2048);
    layer->dims[SL_P] = whole(rng, 1, 1024);
}

static void set_stride(SlRng *rng, double share, SlLayer *layer) {
    if (chance(rng, share)) layer->stride[0] = layer->stride[1] = 2;
}

static void draw_filter(SlRng *rng, double u, SlLayer *layer) {
    int64_t side = whole(rng, 5, 130);
    layer->dims[SL_P] = side;
    layer->dims[SL_Q] = chance(rng, 0.1) ? whole(rng, 5, 130) : side;
    if (u < 0.32) {
        layer->type = SL_DEPTHWISE;
        layer->dims[SL_G] = channels(rng);
    } else {
        layer->dims[SL_K] = channels(rng);
        layer->dims[SL_C] = channels(rng);
    }
    if (u >= 0.32 && u < 0.62) {
        set_stride(rng, 0.1, layer);
        return;
    }
    layer->dims[SL_R] = layer->dims[SL_S] = taps(rng);
    if (u >= 0.32 && chance(rng, 0.08)) layer->dims[SL_S] = 1;
    set_stride(rng, u < 0.32 ? 0.3 : 0.2, layer);
}

void sl_layer_draw(SlRng *rng, SlLayer *layer) {
    sl_layer_init(layer);
    double u = sl_rng_uniform(rng);
    if (u < 0.2)
        draw_product(rng, layer);
    else
        draw_filter(rng, u, layer);
    set_name(layer);
}

// times a power of two between those of `least` and `most`
static double scaled(SlRng *rng, double value, double least, double most) {
    return value * exp2(least + (most - least) * sl_rng_uniform(rng));
}

void sl_accel_vary(const SlAccel *like, SlRng *rng, SlAccel *accel) {
    const double all_room = 2147483647;
    *accel = *like;
    snprintf(accel->name, sizeof accel->name, "like-%.50s", like->name);
    bool roomy = chance(rng, 0.15);
    for (int l = 0; l < accel->n_levels; l++) {
        SlLevel *level = &accel->levels[l];
        for (int a = 0; a < accel->fanouts[l].n_axes; a++) {
            SlAxis *axis = &accel->fanouts[l].axes[a];
            axis->size = (int64_t)fmax(scaled(rng, (double)axis->size, -2.5, 3.5), 2);
        }
        if (l == 0) continue;
        double room = scaled(rng, (double)level->capacity_bytes, -2, 3);
        if (level->capacity_bytes > 0)
            level->capacity_bytes = (int64_t)fmin(roomy ? all_room : fmax(room, 1), all_room);
        // rates that never bind stay so half of the time, else they are those of a narrow network
        if (isfinite(level->link_words) && chance(rng, 0.5))
            level->link_words = floor(log_uniform(rng, 16, 2048));
    }
}

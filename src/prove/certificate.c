// certificate.c - the certificate of a proof: everything that a checker needs to prove it again
// (docs/formats/certificate.md).
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "certificate_inside.h"

// --- words

// the shortest of 15 to 17 digits that reads back
static void add_real(SlText *out, double value) {
    char text[32] = "inf";
    for (int digits = 15; isfinite(value) && digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    sl_text_add(out, "%s", text);
}

static void add_field(SlText *out, const char *key, double value) {
    sl_text_add(out, " %s=", key);
    add_real(out, value);
}

void sl_certificate_set(unsigned set, const char *const *names, SlText *out) {
    if (!set) sl_text_add(out, "-");
    for (int i = 0; names[i]; i++)
        if (set >> i & 1) sl_text_add(out, "%s", names[i]);
}

// --- layer and accelerator

void sl_certificate_layer(const SlLayer *layer, SlText *out) {
    // words have a line of their own, and padding is not counted
    SlLayer plain = *layer;
    char text[384];
    plain.type = SL_CONV;
    memset(plain.pad, 0, sizeof plain.pad);
    memset(plain.word_bytes, 0, sizeof plain.word_bytes);
    sl_text_add(out, "layer %s\n", sl_layer_write(&plain, sizeof text, text));
}

static void write_fanout(const SlFanout *fanout, int level, SlText *out) {
    if (fanout->n_axes == 0) return;
    sl_text_add(out, "fanout %d %s multicast=%d reduction=%d sizes=", level,
                fanout->n_axes == 1 ? "flexible" : "grid", fanout->multicast, fanout->reduction);
    for (int a = 0; a < fanout->n_axes; a++)
        sl_text_add(out, "%s%lld", a ? "," : "", (long long)fanout->axes[a].size);
    sl_text_add(out, " spread=");
    for (int a = 0; a < fanout->n_axes; a++) {
        sl_text_add(out, "%s", a ? "," : "");
        sl_certificate_set(fanout->axes[a].dims, sl_dim_names, out);
    }
    sl_text_add(out, "\n");
}

void sl_certificate_machine(const SlAccel *accel, SlText *out) {
    sl_text_add(out, "words");
    for (int t = 0; t < SL_N_TENSORS; t++) add_field(out, sl_tensor_names[t], accel->word_bytes[t]);
    sl_text_add(out, "\naccel %s\nmac-pj ", accel->name);
    add_real(out, accel->mac_pj);
    sl_text_add(out, "\nclock-mhz ");
    add_real(out, accel->clock_mhz);
    sl_text_add(out, "\n");
    for (int l = 0; l < accel->n_levels; l++) {
        const SlLevel *level = &accel->levels[l];
        sl_text_add(out, "level %d %s capacity=%lld keep=", l, level->name,
                    (long long)level->capacity_bytes);
        sl_certificate_set(level->keep, sl_tensor_names, out);
        sl_text_add(out, " buffering=%s", sl_buffering_names[level->buffering]);
        add_field(out, "port", level->port_words);
        add_field(out, "link", level->link_words);
        add_field(out, "read-pj", level->read_pj);
        add_field(out, "write-pj", level->write_pj);
        add_field(out, "link-pj", level->link_pj);
        sl_text_add(out, "\n");
    }
    for (int l = 0; l < accel->n_levels; l++) write_fanout(&accel->fanouts[l], l, out);
}

SlAccel sl_certificate_accel(const SlLayer *layer, const SlAccel *accel) {
    SlAccel own = *accel;
    for (int t = 0; t < SL_N_TENSORS; t++)
        own.word_bytes[t] = sl_word_bytes(layer, accel, (SlTensor)t);
    return own;
}

// --- mapping and branches

void sl_certificate_counts(const SlCounts *counts, const SlMapping *mapping, SlText *out) {
    sl_text_add(out, "cycles=%.0f", counts->cycles);
    for (int l = 1; l < counts->n_levels; l++) {
        const SlLevelCounts *level = &counts->level[l];
        unsigned keep = mapping->keep[l - 1];
        for (int t = 0; t < SL_N_TENSORS; t++)
            if (keep >> t & 1)
                sl_text_add(out, " fill-%d-%s=%.0f", l, sl_tensor_names[t], level->fill[t]);
        for (int t = 0; t < SL_N_TENSORS; t++)
            if (keep >> t & 1)
                sl_text_add(out, " pread-%d-%s=%.0f", l, sl_tensor_names[t], level->pread[t]);
        sl_text_add(out, " upd-%d=%.0f", l, level->upd);
    }
}

void sl_certificate_spread(const SlSpread *spread, SlText *out) {
    const char *between = "";
    for (int l = 0; l < SL_MAX_LEVELS; l++) {
        if (spread->clusters[l] < SL_N_DIMS && spread->n_clusters[l] > 1) {
            sl_text_add(out, "%s%dc:%s*%lld", between, l, sl_dim_names[spread->clusters[l]],
                        (long long)spread->n_clusters[l]);
            between = " ";
        }
        for (int a = 0; a < SL_MAX_AXES; a++) {
            for (int d = 0; d < SL_N_DIMS; d++) {
                if (spread->most[l][a][d] <= 1) continue;
                sl_text_add(out, "%s%da%d:%s*%lld", between, l, a, sl_dim_names[d],
                            (long long)spread->most[l][a][d]);
                between = " ";
            }
        }
    }
}

static void add_line(SlText *out, const char *key, double value) {
    sl_text_add(out, "%s ", key);
    add_real(out, value);
    sl_text_add(out, "\n");
}

static void write_mapping(const SlProof *proof, const SlCost *cost, SlText *out) {
    char text[SL_NEST_TEXT_MAX];
    sl_text_add(out, "mapping %s\ncounts ", sl_mapping_write(&proof->mapping, sizeof text, text));
    sl_certificate_counts(&cost->counts, &proof->mapping, out);
    sl_text_add(out, "\n");
    add_line(out, "latency", cost->latency_cycles);
    add_line(out, "energy", cost->energy_pj);
    add_line(out, "value", proof->value);
}

static void write_branches(const SlBounds *bounds, const SlProof *proof, SlText *out) {
    sl_text_add(out, "branches %d\n", proof->n_branches);
    for (int i = 0; i < proof->n_branches; i++) {
        const SlBranchProof *branch = &proof->branches[i];
        sl_text_add(out, "branch %d ", i);
        size_t before = out->n;
        sl_certificate_spread(sl_bounds_spread(bounds, branch->branch), out);
        sl_text_add(out, "%sbound=", out->n > before ? " " : "");
        add_real(out, branch->bound);
        sl_text_add(out, " nodes=%lld\n", (long long)branch->nodes);
    }
}

static bool write_all(const SlProveSetup *setup, const SlProof *proof, SlArena *scratch,
                      SlText *out) {
    const SlSpace *space = setup->space;
    const SlTaskSetup task_setup = {.space = space, .goal = setup->goal};
    SlTask *task = NULL;
    SlBounds *bounds = sl_bounds_make(space, &setup->goal, scratch);
    if (!bounds || sl_task_make(&task_setup, scratch, &task, NULL) != SL_OK) return false;
    SlSample outcome;
    sl_task_eval_mapping(task, &proof->mapping, &outcome);
    uint8_t open = 0;
    bool preset = sl_certificate_preset(space, &open, scratch);

    char goal[128];
    sl_text_add(out, "starling-certificate 1\n");
    const SlAccel accel = sl_certificate_accel(space->layer, space->accel);
    sl_certificate_layer(space->layer, out);
    sl_certificate_machine(&accel, out);
    sl_text_add(out, "goal %s\n", sl_goal_text(&setup->goal, sizeof goal, goal));
    sl_certificate_space(space, !preset, open, out);
    write_mapping(proof, sl_task_cost(task), out);
    add_line(out, "bound", proof->lower_bound);
    add_line(out, "epsilon", setup->epsilon);
    write_branches(bounds, proof, out);
    sl_text_add(out, "end\n");
    return true;
}

void sl_certificate_write(const SlProveSetup *setup, const SlProof *proof, SlText *out) {
    assert(proof->lower_bound > 0 && isfinite(proof->value));
    SlArena scratch;
    sl_arena_init(&scratch, 0);
    if (!write_all(setup, proof, &scratch, out)) out->failed = true;
    sl_arena_free(&scratch);
}

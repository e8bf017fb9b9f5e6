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

static void add_set(SlText *out, unsigned set, const char *const *names) {
    if (!set) sl_text_add(out, "-");
    for (int i = 0; names[i]; i++)
        if (set >> i & 1) sl_text_add(out, "%s", names[i]);
}

static void add_dims(SlText *out, const char *key, int n, const uint8_t *dims) {
    sl_text_add(out, " %s=%s", key, n ? "" : "-");
    for (int i = 0; i < n; i++) sl_text_add(out, "%s", sl_dim_names[dims[i]]);
}

static void add_sizes(SlText *out, const char *between, const SlParam *param) {
    for (int i = 0; i < param->n; i++)
        sl_text_add(out, "%s%lld", i ? between : "", (long long)param->sizes[i]);
}

// --- layer and accelerator

static void write_layer(const SlSpace *space, SlText *out) {
    // words have a line of their own, and padding is not counted
    SlLayer plain = *space->layer;
    char text[384];
    plain.type = SL_CONV;
    memset(plain.pad, 0, sizeof plain.pad);
    memset(plain.word_bytes, 0, sizeof plain.word_bytes);
    sl_text_add(out, "layer %s\nwords", sl_layer_write(&plain, sizeof text, text));
    for (int t = 0; t < SL_N_TENSORS; t++)
        add_field(out, sl_tensor_names[t], sl_word_bytes(space->layer, space->accel, (SlTensor)t));
    sl_text_add(out, "\n");
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
        add_set(out, fanout->axes[a].dims, sl_dim_names);
    }
    sl_text_add(out, "\n");
}

static void write_accel(const SlAccel *accel, SlText *out) {
    sl_text_add(out, "accel %s\nmac-pj ", accel->name);
    add_real(out, accel->mac_pj);
    sl_text_add(out, "\nclock-mhz ");
    add_real(out, accel->clock_mhz);
    sl_text_add(out, "\n");
    for (int l = 0; l < accel->n_levels; l++) {
        const SlLevel *level = &accel->levels[l];
        sl_text_add(out, "level %d %s capacity=%lld keep=", l, level->name,
                    (long long)level->capacity_bytes);
        add_set(out, level->keep, sl_tensor_names);
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

// --- the space

static const SlParam *find_param(const SlSpace *space, SlParamRole role, int level, int axis) {
    for (int i = 0; i < space->n_params; i++) {
        const SlParam *param = &space->params[i];
        if (param->role == role && param->level == level && param->axis == axis) return param;
    }
    return NULL;
}

static void write_level(const SlSpace *space, int level, SlText *out) {
    const SlParam *order = find_param(space, SL_ROLE_ORDER, level, 0);
    sl_text_add(out, "order %d", level);
    add_dims(out, "before", order ? order->n_before : 0, order ? order->before : NULL);
    add_dims(out, "free", order ? order->n_items : 0, order ? order->items : NULL);
    add_dims(out, "after", order ? order->n_after : 0, order ? order->after : NULL);
    sl_text_add(out, "\n");
    for (int d = 0; d < SL_N_DIMS; d++) {
        if (space->tile_param[level][d] < 0) continue;
        sl_text_add(out, "sizes %d %s ", level, sl_dim_names[d]);
        add_sizes(out, " ", &space->params[space->tile_param[level][d]]);
        sl_text_add(out, "\n");
    }
}

// the dims of sets of one dim each
static void add_choices(SlText *out, const char *key, const SlParam *param) {
    uint8_t dims[SL_N_DIMS];
    int n = 0;
    for (int v = 0; v < param->n && n < SL_N_DIMS; v++)
        if (param->spreads[v]) dims[n++] = (uint8_t)__builtin_ctz(param->spreads[v]);
    add_dims(out, key, n, dims);
}

static void write_axis(const SlSpace *space, int level, int axis, SlText *out) {
    const SlParam *param = find_param(space, SL_ROLE_PARALLEL, level, axis);
    sl_text_add(out, "axis %d %d sets=%s", level, axis, param ? "" : "-");
    for (int v = 0; param && v < param->n; v++) {
        sl_text_add(out, "%s", v ? "," : "");
        add_set(out, param->spreads[v], sl_dim_names);
    }
    sl_text_add(out, "\n");
}

static void write_choices(const SlSpace *space, int level, SlText *out) {
    if (!sl_has_clusters(space->accel, level)) {
        for (int a = 0; a < space->accel->fanouts[level].n_axes; a++)
            write_axis(space, level, a, out);
        return;
    }
    sl_text_add(out, "clusters %d", level);
    add_choices(out, "over", find_param(space, SL_ROLE_PARALLEL, level, 0));
    add_choices(out, "inside", find_param(space, SL_ROLE_PARALLEL, level, 1));
    sl_text_add(out, " sizes=");
    add_sizes(out, ",", find_param(space, SL_ROLE_CLUSTER, level, 0));
    sl_text_add(out, "\n");
}

void sl_certificate_space(const SlSpace *space, bool constrained, uint8_t open, SlText *out) {
    sl_text_add(out, "space %s constrained=%d waves=%d open=", sl_space_names[space->preset],
                constrained, space->preset == SL_SPACE_NATIVE);
    add_set(out, open, sl_dim_names);
    sl_text_add(out, " outermost=");
    add_set(out, space->outermost, sl_dim_names);
    sl_text_add(out, "\n");
    for (int l = 1; l < space->accel->n_levels; l++) write_level(space, l, out);
    for (int l = 0; l < space->accel->n_levels; l++) write_choices(space, l, out);
}

// could the space have come from opening these dims?
static bool may_open(const SlSpace *space, uint8_t open) {
    if (space->preset != SL_SPACE_NATIVE && space->preset != SL_SPACE_ALL) return open == 0;
    if (open & ~space->dims) return false;
    for (int d = SL_R; d <= SL_S && space->accel->n_levels > 2; d++)
        if ((open >> d & 1) != (space->tile_param[1][d] >= 0)) return false;
    return true;
}

static bool is_remade(const SlSpace *space, uint8_t open, const char *text, SlArena *scratch) {
    const SlSpaceOptions options = {.preset = space->preset, .open = open};
    SlSpace made;
    SlText again;
    if (sl_space_make(space->layer, space->accel, &options, scratch, &made, NULL) != SL_OK)
        return false;
    sl_text_init(&again, scratch);
    sl_certificate_space(&made, false, 0, &again);
    return !again.failed && strcmp(text, again.data) == 0;
}

bool sl_certificate_preset(const SlSpace *space, uint8_t *open, SlArena *scratch) {
    static const uint8_t dims[] = {SL_N, SL_G, SL_R, SL_S};
    size_t mark = sl_arena_mark(scratch);
    bool same = false;
    SlText text;
    sl_text_init(&text, scratch);
    sl_certificate_space(space, false, 0, &text);
    for (unsigned set = 0; set < 16 && !same && !text.failed; set++) {
        *open = 0;
        for (int i = 0; i < 4; i++)
            if (set >> i & 1) *open |= (uint8_t)(1u << dims[i]);
        size_t inner = sl_arena_mark(scratch);
        same = may_open(space, *open) && is_remade(space, *open, text.data, scratch);
        sl_arena_rewind(scratch, inner);
    }
    sl_arena_rewind(scratch, mark);
    if (!same) *open = 0;
    return same;
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
    write_layer(space, out);
    write_accel(space->accel, out);
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

// variants_list.c - what a mapped network is compared with: fixed dataflows, and the machine with
// half or twice of one resource.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "variants_inside.h"

// the styles of the literature that say how the array is used, too
static const char *const styles[] = {"nvdla-style", "shidiannao-style", "eyeriss-style", NULL};

SlStatus sl_variants_no_memory(SlError *err) {
    return sl_fail(err, SL_ENOMEM, "not enough memory for the comparison");
}

// ---- layers by share ----

double sl_mapped_share(const SlMapped *mapped, int layer) {
    const SlMappedLayer *one = &mapped->layers[layer];
    const SlNetworkCost *whole = &mapped->eval.totals;
    const double *w = mapped->setup.goal.weight;
    double a = w[SL_LATENCY] + w[SL_EDP], b = w[SL_ENERGY] + w[SL_EDP], n = one->task->count;
    if (a + b <= 0) a = 1; // area, power: by time
    double latency = n * one->found->cost.latency_cycles / whole->latency_cycles;
    double energy = n * one->found->cost.energy_pj / whole->energy_pj;
    return (a * latency + b * energy) / (a + b);
}

// the layers with the largest shares, of equal ones the first; false without memory
static bool choose_layers(const SlMapped *mapped, int most, SlVariants *out) {
    int n = mapped->n_layers, *order = SL_NEW(out->arena, n, int);
    double *share = SL_NEW(out->arena, n, double);
    if (!order || !share) return false;
    for (int i = 0; i < n; i++) {
        share[i] = sl_mapped_share(mapped, i);
        int at = i;
        for (; at > 0 && share[order[at - 1]] < share[i]; at--) order[at] = order[at - 1];
        order[at] = i;
    }
    out->layers = order;
    out->n_layers = most > 0 && most < n ? most : n;
    out->share = 0;
    for (int i = 0; i < out->n_layers; i++) out->share += share[order[i]];
    if (out->n_layers == n) out->share = 1;
    return true;
}

static bool is_chosen(const SlVariants *variants, const SlMapped *mapped, int i) {
    const SlMappedLayer *layer = sl_mapped_layer(mapped, i);
    for (int k = 0; k < variants->n_layers; k++)
        if (&mapped->layers[variants->layers[k]] == layer) return true;
    return false;
}

// a network of these layers alone, with all their instances
static bool cut_network(const SlMapped *mapped, SlVariants *out) {
    const SlNetwork *net = &mapped->eval.net;
    out->net = *net;
    out->net.layers = SL_NEW(out->arena, net->n_layers, SlLayer);
    out->net.n_layers = 0;
    for (int i = 0; i < net->n_layers && out->net.layers; i++)
        if (is_chosen(out, mapped, i)) out->net.layers[out->net.n_layers++] = net->layers[i];
    return out->net.layers;
}

// what was found for these layers, in sum
static void sum_found(const SlMapped *mapped, SlVariants *out) {
    SlNetworkCost sums;
    SlNetworkBound bound;
    double epsilon = mapped->setup.prove ? mapped->setup.epsilon : 0;
    sl_network_cost_init(&sums, &mapped->eval.accel);
    sl_network_bound_init(&bound, &mapped->setup.goal);
    for (int k = 0; k < out->n_layers; k++) {
        const SlMappedLayer *layer = &mapped->layers[out->layers[k]];
        const SlCost *cost = &layer->found->cost;
        SlNetworkPart part = sl_network_part(layer->task->count);
        bool bounded = sl_job_has_bound(layer->task);
        part.latency_cycles = cost->latency_cycles;
        part.energy_pj = cost->energy_pj;
        part.area_um2 = cost->area_min_um2;
        sl_network_cost_add(&sums, &part);
        sl_network_bound_add(&bound, part.count, bounded ? layer->task->proof.lower_bound : NAN);
    }
    out->latency_cycles = sums.latency_cycles;
    out->energy_pj = sums.energy_pj;
    sums.value = NAN;
    out->value = sl_network_goal_value(&mapped->setup.goal, &sums);
    out->bound = sl_network_bound_value(&bound);
    out->gap = sl_network_gap(out->value, out->bound);
    out->tolerance = fmax(epsilon, isnan(out->gap) ? SL_VARIANT_NOISE : out->gap);
}

static SlStatus begin(const SlMapped *mapped, int most, SlArena *arena, SlVariants *out,
                      SlError *err) {
    *out = (SlVariants){.arena = arena};
    if (mapped->setup.kind != &sl_kind_native)
        return sl_fail(err, SL_EINPUT, "variants are compared by the native model, not by %s",
                       mapped->evaluator);
    if (!choose_layers(mapped, most, out) || !cut_network(mapped, out))
        return sl_variants_no_memory(err);
    sum_found(mapped, out);
    return SL_OK;
}

// ---- styles ----

static SlVariant *add(SlVariants *variants, SlVariantKind kind) {
    assert(variants->n < SL_MAX_VARIANTS);
    SlVariant *variant = &variants->list[variants->n++];
    *variant = (SlVariant){.kind = kind, .factor = 1, .have = NAN, .value = NAN, .ratio = NAN};
    return variant;
}

SlStatus sl_variants_styles(const SlMapped *mapped, int most, SlArena *arena, SlVariants *out,
                            SlError *err) {
    SlStatus status = begin(mapped, most, arena, out, err);
    for (int i = 0; styles[i] && status == SL_OK; i++) {
        SlConstraints constraints;
        status = sl_constraints_find(styles[i], arena, &constraints, err);
        if (status != SL_OK) break;
        SlVariant *style = add(out, SL_VARIANT_STYLE);
        snprintf(style->name, sizeof style->name, "%s", styles[i]);
        snprintf(style->title, sizeof style->title, "%s", constraints.title);
    }
    return status;
}

// ---- resources ----

// half and twice of one resource, if the list has room
static void add_pair(SlVariants *variants, const SlVariant *resource) {
    if (variants->n + 2 > SL_MAX_VARIANTS) return;
    for (int i = 0; i < 2; i++) {
        SlVariant *variant = add(variants, resource->kind);
        *variant = *resource;
        variant->value = variant->ratio = NAN;
        variant->factor = i == 0 ? 0.5 : 2;
    }
}

// what moves between a level and those below it: its port and the network into the next level
static void add_rate(SlVariants *variants, const SlAccel *accel, int level) {
    bool below = level + 1 < accel->n_levels;
    double port = accel->levels[level].port_words;
    double link = below ? accel->levels[level + 1].link_words : INFINITY;
    SlVariant rate = {.kind = SL_VARIANT_RATE, .level = level, .have = fmin(port, link)};
    snprintf(rate.name, sizeof rate.name, "%s bandwidth", accel->levels[level].name);
    if (isfinite(rate.have)) add_pair(variants, &rate);
}

static void add_capacity(SlVariants *variants, const SlAccel *accel, int level) {
    const SlLevel *of = &accel->levels[level];
    SlVariant capacity = {.kind = SL_VARIANT_CAPACITY, .level = level};
    capacity.have = (double)of->capacity_bytes;
    snprintf(capacity.name, sizeof capacity.name, "%s capacity", of->name);
    if (of->capacity_bytes > 0) add_pair(variants, &capacity);
}

// "PEs" where there is one fan-out with one axis, else the name of the axis and what it feeds
static void add_instances(SlVariants *variants, const SlAccel *accel, int level) {
    const SlFanout *fanout = &accel->fanouts[level];
    int n_fanouts = 0;
    for (int l = 0; l < accel->n_levels; l++) n_fanouts += accel->fanouts[l].n_axes;
    for (int a = 0; a < fanout->n_axes; a++) {
        SlVariant more = {.kind = SL_VARIANT_INSTANCES, .level = level, .axis = a};
        more.have = (double)fanout->axes[a].size;
        bool macs = level + 1 == accel->n_levels;
        const char *fed = macs ? "MACs" : accel->levels[level + 1].name;
        if (n_fanouts == 1)
            snprintf(more.name, sizeof more.name, "PEs");
        else
            snprintf(more.name, sizeof more.name, "%s, %s", fed, fanout->axes[a].name);
        if (more.have >= 2) add_pair(variants, &more);
    }
}

SlStatus sl_variants_machines(const SlMapped *mapped, int most, SlArena *arena, SlVariants *out,
                              SlError *err) {
    const SlAccel *accel = &mapped->eval.accel;
    SlStatus status = begin(mapped, most, arena, out, err);
    for (int l = 0; l < accel->n_levels && status == SL_OK; l++) {
        add_capacity(out, accel, l);
        add_rate(out, accel, l);
        add_instances(out, accel, l);
    }
    return status;
}

// ---- the machine of a variant ----

static void scale_rate(SlAccel *accel, const SlVariant *variant) {
    accel->levels[variant->level].port_words *= variant->factor;
    if (variant->level + 1 < accel->n_levels)
        accel->levels[variant->level + 1].link_words *= variant->factor;
}

static int64_t scale(int64_t count, double factor) {
    return factor < 1 ? count / 2 : count * 2;
}

const char *sl_variant_machine(const SlVariant *variant, SlAccel *accel) {
    char name[sizeof accel->name + SL_VARIANT_NAME + 8];
    SlFanout *fanout = &accel->fanouts[variant->level];
    SlLevel *level = &accel->levels[variant->level];
    bool style = variant->kind == SL_VARIANT_STYLE;
    snprintf(name, sizeof name, "%s.%s%s", accel->name, variant->name,
             style                 ? ""
             : variant->factor < 1 ? ".half"
                                   : ".twice");
    for (char *at = name; *at; at++)
        if (*at == ' ' || *at == ',') *at = '_';
    memcpy(accel->name, name, sizeof accel->name - 1); // cut where it is longer
    accel->name[sizeof accel->name - 1] = '\0';
    if (variant->kind == SL_VARIANT_RATE) scale_rate(accel, variant);
    if (variant->kind == SL_VARIANT_CAPACITY)
        level->capacity_bytes = scale(level->capacity_bytes, variant->factor);
    if (variant->kind == SL_VARIANT_INSTANCES)
        fanout->axes[variant->axis].size = scale(fanout->axes[variant->axis].size, variant->factor);
    return style ? NULL : sl_accel_check(accel);
}

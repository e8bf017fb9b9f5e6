// witness_nest.c - the part of a witness program that is the nest: its layer, buffers, instances,
// and loops.
#include "witness_inside.h"

#include <ctype.h>
#include <stdio.h>

// What is being written. Names: l1, l2 ... are storage levels, dram and mac the two ends; a loop
// variable is the dim and the number of the loop (k0, c1).
typedef struct {
    const WitnessPlan *plan;
    const char *prefix;
    SlText *out;
} Writer;

enum { NAME_ROOM = 64 };

static const char *level_name(const Writer *w, int level, char out[static NAME_ROOM]) {
    if (level == 0)
        snprintf(out, NAME_ROOM, "%sdram", w->prefix);
    else if (level < w->plan->n_levels)
        snprintf(out, NAME_ROOM, "%sl%d", w->prefix, level);
    else
        snprintf(out, NAME_ROOM, "%smac", w->prefix);
    return out;
}

static const char *buffer_name(const Writer *w, int level, int tensor, char out[static NAME_ROOM]) {
    char name[NAME_ROOM];
    level_name(w, level, name);
    snprintf(out, NAME_ROOM, "%.50s_%s", name, sl_tensor_names[tensor]);
    return out;
}

static const char *loop_name(const Writer *w, int loop, char out[static NAME_ROOM]) {
    int dim = w->plan->job->mapping->loops[loop].dim;
    snprintf(out, NAME_ROOM, "%s%c%d", w->prefix, tolower(sl_dim_names[dim][0]), loop);
    return out;
}

// the name people know
static const char *title(const Writer *w, int level) {
    return level < w->plan->n_levels ? w->plan->job->accel->levels[level].name : "the MACs";
}

static bool keeps(const Writer *w, int level, int tensor) {
    return w->plan->keep[level] >> tensor & 1;
}

// ---- buffers ----

static void add_sizes(const Writer *w, const char *field, int level, int tensor) {
    sl_text_add(w->out, ", .%s = {", field);
    for (int i = 0; i < WITNESS_AXES; i++)
        sl_text_add(w->out, "%s%lld", i ? ", " : "", (long long)w->plan->size[level][tensor][i]);
    sl_text_add(w->out, "}");
}

// the arrays of a buffer, and the buffer that points to them
static void add_buffer(const Writer *w, int level, int tensor) {
    const WitnessPlan *plan = w->plan;
    char name[NAME_ROOM], parent[NAME_ROOM];
    double slots = sl_witness_slots(plan, level, tensor),
           elements = sl_witness_slots(plan, 0, tensor);
    bool sums = level > 0 && tensor == SL_O;
    int from = level > 0 ? sl_witness_parent(plan, level, tensor) : 0;
    buffer_name(w, level, tensor, name);
    buffer_name(w, from, tensor, parent);
    sl_text_add(w->out, "static Word %s_words[%.0f * %.0f];\n", name, plan->instances[level],
                slots);
    if (level > 0)
        sl_text_add(w->out, "static Seat %s_seats[%.0f];\n", name, plan->instances[level]);
    if (sums)
        sl_text_add(w->out, "static bool %s_begun[%.0f * %.0f], %s_covered[%.0f];\n", name,
                    plan->instances[from], elements, name, elements);
    sl_text_add(w->out, "static Buffer %s = {.layer = &%slayer, .tensor = %s", name, w->prefix,
                sl_tensor_names[tensor]);
    if (level > 0) sl_text_add(w->out, ", .parent = &%s", parent);
    sl_text_add(w->out, ",\n    .instances = %.0f", plan->instances[level]);
    add_sizes(w, "full", 0, tensor);
    add_sizes(w, "size", level, tensor);
    sl_text_add(w->out, ",\n    .slots = %.0f, .words = %s_words", slots, name);
    if (level > 0) sl_text_add(w->out, ", .seats = %s_seats", name);
    if (sums) sl_text_add(w->out, ",\n    .begun = %s_begun, .covered = %s_covered", name, name);
    sl_text_add(w->out, "};\n");
}

static bool shares_any(const Writer *w, int level, int tensor) {
    for (int i = 0; i < w->plan->at[level]; i++) {
        if (w->plan->width[i] > 1 && sl_witness_shares(w->plan, level, tensor, i)) return true;
    }
    return false;
}

// the member of x's group that is first in every loop that shares a network
static void add_leader(const Writer *w, int level, int tensor) {
    const WitnessPlan *plan = w->plan;
    char name[NAME_ROOM], loop[NAME_ROOM];
    long long place = 1;
    if (!shares_any(w, level, tensor)) return;
    sl_text_add(w->out, "\n// who is served for all instances that differ only in these loops\n");
    sl_text_add(w->out, "static Int %s_leader(Int x) {\n", buffer_name(w, level, tensor, name));
    for (int i = 0; i < plan->at[level]; i++) {
        long long width = plan->width[i];
        if (width > 1 && sl_witness_shares(plan, level, tensor, i))
            sl_text_add(w->out, "    x -= x / %lld %% %lld * %lld; // %s %s\n", place, width, place,
                        loop_name(w, i, loop), tensor == SL_O ? "reduces" : "multicasts");
        place *= width;
    }
    sl_text_add(w->out, "    return x;\n}\n");
}

// ---- instances ----

static void add_box(const Writer *w, int level) {
    const WitnessPlan *plan = w->plan;
    char name[NAME_ROOM], loop[NAME_ROOM];
    long long place = 1;
    sl_text_add(w->out, "\n// where instance x stands now\nstatic Box %s_box(Int x) {\n",
                level_name(w, level, name));
    if (plan->instances[level] == 1) sl_text_add(w->out, "    (void)x;\n");
    sl_text_add(w->out, "    Box box = whole(&%slayer);\n", w->prefix);
    for (int i = 0; i < plan->at[level]; i++) {
        SlLoop l = plan->job->mapping->loops[i];
        long long width = plan->width[i];
        sl_text_add(w->out, "    cut(&box, %s, ", sl_dim_names[l.dim]);
        if (!l.spatial)
            sl_text_add(w->out, "%s", loop_name(w, i, loop));
        else if (width > 1)
            sl_text_add(w->out, "x / %lld %% %lld", place, width);
        else
            sl_text_add(w->out, "0");
        sl_text_add(w->out, ", %lld);", (long long)l.tile);
        if (l.spatial) sl_text_add(w->out, " // %s, side by side", loop_name(w, i, loop));
        sl_text_add(w->out, "\n");
        place *= width;
    }
    sl_text_add(w->out, "    return box;\n}\n");
}

// what all instances of a level do when a step begins
static void add_step(const Writer *w, int level) {
    char name[NAME_ROOM], buffer[NAME_ROOM];
    level_name(w, level, name);
    sl_text_add(
        w->out,
        "\n// a step begins\nstatic void %s_step(void) {\n    for (Int x = 0; x < %.0f; x++) {\n"
        "        const Box box = %s_box(x);\n        if (works(&box)) %s_worked[x] = true;\n",
        name, w->plan->instances[level], name, name);
    for (int t = 0; t < SL_N_TENSORS; t++) {
        if (keeps(w, level, t))
            sl_text_add(w->out, "        plan(&%s, x, &box);\n", buffer_name(w, level, t, buffer));
    }
    sl_text_add(w->out, "    }\n");
    for (int t = 0; t < SL_N_TENSORS; t++) {
        if (keeps(w, level, t))
            sl_text_add(w->out, "    move(&%s);\n", buffer_name(w, level, t, buffer));
    }
    sl_text_add(w->out, "}\n");
}

static void add_moment(const Writer *w) {
    const char *p = w->prefix;
    sl_text_add(w->out,
                "\n// one cycle: every MAC whose box is not empty multiplies\n"
                "static void %smoment(void) {\n"
                "    %smac_W.step++, %smac_I.step++, %smac_O.step++;\n"
                "    for (Int x = 0; x < %.0f; x++) {\n"
                "        const Box box = %smac_box(x);\n"
                "        if (!works(&box)) continue;\n"
                "        %smac_worked[x] = true;\n"
                "        multiply(&%smac_W, &%smac_I, &%smac_O, x, &box);\n    }\n"
                "    accumulate(&%smac_O);\n    cycles++;\n}\n",
                p, p, p, p, w->plan->instances[w->plan->n_levels], p, p, p, p, p, p);
}

static void add_level(const Writer *w, int level) {
    const WitnessPlan *plan = w->plan;
    char name[NAME_ROOM];
    bool macs = level == plan->n_levels;
    level_name(w, level, name);
    sl_text_add(w->out, "\n// ---- %s = %s: %.0f instance%s", name, title(w, level),
                plan->instances[level], plan->instances[level] == 1 ? "" : "s");
    if (!macs) {
        sl_text_add(w->out, plan->keep[level] ? ", keeps" : ", keeps nothing");
        for (int t = 0; t < SL_N_TENSORS; t++)
            if (keeps(w, level, t)) sl_text_add(w->out, " %s", sl_tensor_names[t]);
    }
    sl_text_add(w->out, " ----\n\n");
    for (int t = 0; t < SL_N_TENSORS; t++)
        if (keeps(w, level, t)) add_buffer(w, level, t);
    if (level == 0) return;
    sl_text_add(w->out, "static bool %s_worked[%.0f];\n", name, plan->instances[level]);
    for (int t = 0; t < SL_N_TENSORS; t++)
        if (keeps(w, level, t)) add_leader(w, level, t);
    add_box(w, level);
    if (macs)
        add_moment(w);
    else
        add_step(w, level);
}

// ---- loops ----

static void add_indent(const Writer *w, int depth) {
    sl_text_add(w->out, "%*s", 4 * depth, "");
}

// the loop, and the box that instance 0 has inside it; returns the new depth
static int add_loop(const Writer *w, int i, int depth) {
    SlLoop loop = w->plan->job->mapping->loops[i];
    bool last = i + 1 == w->plan->job->mapping->n_loops; // nobody needs the box inside
    const char *dim = sl_dim_names[loop.dim];
    long long tile = loop.tile;
    char name[NAME_ROOM];
    loop_name(w, i, name);
    if (loop.spatial && last) return depth;
    add_indent(w, depth);
    if (loop.spatial) {
        sl_text_add(w->out, "// %s in tiles of %lld side by side: time is that of instance 0\n",
                    dim, tile);
        add_indent(w, depth);
        sl_text_add(w->out, "Box t%d = t%d; cut(&t%d, %s, 0, %lld);\n", i + 1, i, i + 1, dim, tile);
        return depth;
    }
    sl_text_add(w->out, "for (%s = 0; %s < tiles(&t%d, %s, %lld); %s++) { // %s in tiles of %lld\n",
                name, name, i, dim, tile, name, dim, tile);
    if (last) return depth + 1;
    add_indent(w, depth + 1);
    sl_text_add(w->out, "Box t%d = t%d; cut(&t%d, %s, %s, %lld);\n", i + 1, i, i + 1, dim, name,
                tile);
    return depth + 1;
}

static void add_loops(const Writer *w) {
    const WitnessPlan *plan = w->plan;
    int depth = 1;
    char name[NAME_ROOM];
    sl_text_add(w->out, "\n// ---- time ----\n\nstatic void %sloops(void) {\n", w->prefix);
    if (plan->job->mapping->n_loops > 0)
        sl_text_add(w->out, "    const Box t0 = whole(&%slayer);\n", w->prefix);
    for (int i = 0, l = 1; l <= plan->n_levels; l++) {
        for (; i < plan->at[l]; i++) depth = add_loop(w, i, depth);
        add_indent(w, depth);
        if (l < plan->n_levels)
            sl_text_add(w->out, "%s_step(); // %s\n", level_name(w, l, name), title(w, l));
        else
            sl_text_add(w->out, "%smoment();\n", w->prefix);
    }
    while (--depth >= 0) {
        add_indent(w, depth);
        sl_text_add(w->out, "}\n");
    }
}

// ---- from start to end ----

static void add_opening(const Writer *w) {
    char name[NAME_ROOM];
    for (int l = 0; l <= w->plan->n_levels; l++) {
        const char *kind = l == 0 ? "dram" : l < w->plan->n_levels ? "buffer" : "macs";
        for (int t = 0; t < SL_N_TENSORS; t++) {
            if (!keeps(w, l, t)) continue;
            buffer_name(w, l, t, name);
            sl_text_add(w->out, "    open_%s(&%s", kind, name);
            if (l > 0 && shares_any(w, l, t))
                sl_text_add(w->out, ", %s_leader", name);
            else if (l > 0)
                sl_text_add(w->out, ", alone");
            sl_text_add(w->out, ");\n");
        }
    }
}

// names in the output are those of the counts, without the prefix
static void add_printing(const Writer *w) {
    const Writer bare = {.plan = w->plan, .prefix = "", .out = w->out};
    char name[NAME_ROOM], shown[NAME_ROOM];
    for (int l = 1; l <= w->plan->n_levels; l++) {
        level_name(&bare, l, shown);
        for (int t = 0; t < SL_N_TENSORS; t++) {
            if (keeps(w, l, t))
                sl_text_add(w->out, "    print_tensor(\"%s\", &%s);\n", shown,
                            buffer_name(w, l, t, name));
        }
        level_name(w, l, name);
        sl_text_add(w->out, "    print_instances(\"%s\", %.0f, %s_worked);\n", shown,
                    w->plan->instances[l], name);
    }
    sl_text_add(w->out, "    print_output(&%sdram_W, &%sdram_I, &%sdram_O);\n", w->prefix,
                w->prefix, w->prefix);
}

static void add_run(const Writer *w) {
    char name[NAME_ROOM];
    sl_text_add(w->out, "\nstatic void %srun(void) {\n", w->prefix);
    add_opening(w);
    sl_text_add(w->out, "    %sloops();\n", w->prefix);
    for (int l = w->plan->n_levels - 1; l > 0; l--) {
        if (keeps(w, l, SL_O))
            sl_text_add(w->out, "    drain(&%s);\n", buffer_name(w, l, SL_O, name));
    }
    add_printing(w);
    sl_text_add(w->out, "}\n");
}

static void add_layer(const Writer *w) {
    const SlLayer *layer = w->plan->job->layer;
    const SlMapping *mapping = w->plan->job->mapping;
    char shape[384], nest[SL_NEST_TEXT_MAX], name[NAME_ROOM];
    sl_text_add(w->out, "\n// ==== the nest ====\n//\n// layer  %s\n// nest   %s\n\n",
                sl_layer_show(layer, sizeof shape, shape),
                sl_mapping_write(mapping, sizeof nest, nest));
    sl_text_add(w->out, "static const Layer %slayer = {\n    .dims = {", w->prefix);
    for (int d = 0; d < SL_N_DIMS; d++)
        sl_text_add(w->out, "%s[%s] = %lld", d ? ", " : "", sl_dim_names[d],
                    (long long)layer->dims[d]);
    sl_text_add(w->out, "},\n    .stride = {%d, %d},\n    .dilation = {%d, %d},\n};\n",
                layer->stride[0], layer->stride[1], layer->dilation[0], layer->dilation[1]);
    bool any = false;
    for (int i = 0; i < mapping->n_loops; i++) {
        if (mapping->loops[i].spatial) continue;
        sl_text_add(w->out, "%s%s", any ? ", " : "\n// where time stands in each loop\nstatic Int ",
                    loop_name(w, i, name));
        any = true;
    }
    if (any) sl_text_add(w->out, ";\n");
}

void sl_witness_add_nest(const WitnessPlan *plan, const char *prefix, SlText *source) {
    const Writer w = {.plan = plan, .prefix = prefix, .out = source};
    add_layer(&w);
    for (int l = 0; l <= plan->n_levels; l++) add_level(&w, l);
    add_loops(&w);
    add_run(&w);
}

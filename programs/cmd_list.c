// cmd_list.c - `starling list`: the bundled networks and accelerators, objectives; and the rest.
#include <jansson.h>
#include <string.h>

#include "list.h"
#include "show.h"
#include "starling/cost.h"
#include "text_table.h"

enum { MAX_BUNDLED = 256 };

typedef struct {
    CommonOptions common;
} ListOptions;

static const SlOption options_table[] = {COMMON_OPTIONS, {0}};

static const CommandHelp help = {
    .usage = "list networks [NETWORK|FILE]\nlist accels [ACCEL|FILE]\n"
             "list methods [METHOD]\nlist constraints [NAME|FILE]\n"
             "list objectives\nlist spaces\nlist envs",
    .about = "Lists what is bundled with the program; with a name, shows that one: the layers of a "
             "network,\nthe picture of an accelerator, the options of a method (for --set "
             "of 'starling map' and\n'starling tune'), the rules of constraints.",
    .options = options_table,
    .examples =
        "starling list networks\nstarling list networks resnet18\nstarling list accels eyeriss\n"
        "starling list methods marl\nstarling list methods dcoc",
};

void list_begin(Listing *list, const char *schema, const char *key) {
    list->json = command_need(sl_json_document(schema, 1));
    list->items = command_need(json_array());
    json_put(list->json, key, list->items);
}

// ---- networks ----

// learned weights: the W of a product of two activations is none
static double layer_weights(const SlLayer *layer) {
    return layer->type == SL_BMM ? 0 : (double)sl_layer_words(layer, SL_W);
}

static void add_network(Listing *list, TextTable *table, const SlNetwork *net) {
    int *first = command_need(SL_NEW(list->arena, net->n_layers, int));
    int distinct = sl_network_distinct(net, first);
    double macs = 0, weights = 0;
    char text[32];
    for (int i = 0; i < net->n_layers; i++) {
        macs += (double)sl_layer_macs(&net->layers[i]);
        weights += layer_weights(&net->layers[i]);
    }
    table_row(table);
    table_cell(table, "%s", net->name);
    table_cell(table, "%d", net->n_layers);
    table_cell(table, "%d", distinct);
    table_cell(table, "%s", sl_show_short(macs, text));
    table_cell(table, "%s", sl_show_short(weights, text));
    table_cell(table, "%s", net->title);

    json_t *to = command_need(json_object());
    json_put_text(to, "name", net->name);
    json_put_text(to, "title", net->title);
    json_put_text(to, "source", net->source);
    json_put_number(to, "n_layers", net->n_layers);
    json_put_number(to, "n_distinct", distinct);
    json_put_number(to, "macs", macs);
    json_put_number(to, "weights", weights);
    json_add(list->items, to);
}

static SlStatus list_networks(Listing *list, SlError *err) {
    const char *names[MAX_BUNDLED];
    TextTable table;
    list_begin(list, "networks", "networks");
    table_init(&table, list->arena, "<network|layers|distinct|MACs|weights|~");
    int n = sl_bundle_names("networks", MAX_BUNDLED, names);
    for (int i = 0; i < n; i++) {
        SlNetwork net;
        SlStatus status = sl_workload_find(names[i], 1, list->arena, &net, err);
        if (status != SL_OK) return status;
        add_network(list, &table, &net);
    }
    table_draw(&table, &list->text);
    sl_text_add(&list->text, "\nstarling list networks NAME shows the layers, starling eval NAME "
                             "prices them.\n");
    return SL_OK;
}

static void add_layer(Listing *list, TextTable *table, const SlNetwork *net, int i) {
    const SlLayer *layer = &net->layers[i];
    double words[SL_N_TENSORS], macs = (double)sl_layer_macs(layer);
    char text[192], count[32];
    table_row(table);
    table_cell(table, "%d", i + 1);
    table_cell(table, "%s", layer->name);
    table_cell(table, "%s", sl_layer_show(layer, sizeof text, text));
    table_cell(table, "%s", sl_show_short(macs, count));

    json_t *to = command_need(json_object()), *dims = command_need(json_object());
    json_put_number(to, "index", i + 1);
    json_put_text(to, "name", layer->name);
    json_put_text(to, "type", sl_layer_type_names[layer->type]);
    json_put_text(to, "inline", sl_layer_write(layer, sizeof text, text));
    for (int d = 0; d < SL_N_DIMS; d++)
        json_put_number(dims, sl_dim_names[d], (double)layer->dims[d]);
    json_put(to, "dims", dims);
    json_put_number(to, "macs", macs);
    for (int t = 0; t < SL_N_TENSORS; t++) {
        words[t] = (double)sl_layer_words(layer, (SlTensor)t);
        table_cell(table, "%s", sl_show_short(words[t], count));
        json_put_number(to, sl_tensor_names[t], words[t]);
    }
    json_add(list->items, to);
}

static SlStatus show_network(Listing *list, const char *name, SlError *err) {
    SlNetwork net;
    TextTable table;
    SlStatus status = sl_workload_find(name, 1, list->arena, &net, err);
    if (status != SL_OK) return status;
    list_begin(list, "network", "layers");
    clean_text(net.name);
    clean_text(net.title);
    clean_text(net.source);
    table_init(&table, list->arena, "#|~layer|~shape|MACs|W|I|O words");
    for (int i = 0; i < net.n_layers; i++) {
        clean_text(net.layers[i].name);
        add_layer(list, &table, &net, i);
    }
    json_put_text(list->json, "name", net.name);
    json_put_text(list->json, "title", net.title);
    json_put_text(list->json, "source", net.source);
    sl_text_add(&list->text, "%s%s%s\n", net.name, net.title[0] ? ": " : "", net.title);
    if (net.source[0]) sl_text_add(&list->text, "Shapes: %s\n", net.source);
    sl_text_add(&list->text, "\n");
    table_draw(&table, &list->text);
    return SL_OK;
}

// ---- accelerators ----

static void add_accel(Listing *list, const SlAccel *accel) {
    json_t *to = command_need(json_object()), *levels = command_need(json_array());
    json_put_text(to, "name", accel->name);
    json_put_text(to, "title", accel->title);
    json_put_text(to, "source", accel->source);
    json_put_number(to, "macs", (double)sl_accel_macs(accel));
    json_put_number(to, "on_chip_bytes", sl_accel_bytes(accel));
    json_put_number(to, "clock_mhz", accel->clock_mhz);
    json_put_number(to, "area_um2", sl_accel_area_um2(accel));
    for (int l = 0; l < accel->n_levels; l++) {
        json_t *level = command_need(json_object());
        json_put_text(level, "name", accel->levels[l].name);
        json_put_number(level, "capacity_bytes", (double)accel->levels[l].capacity_bytes);
        json_put_number(level, "instances", (double)sl_accel_instances(accel, l));
        json_add(levels, level);
    }
    json_put(to, "levels", levels);
    json_add(list->items, to);
}

static SlStatus list_accels(Listing *list, SlError *err) {
    const char *names[MAX_BUNDLED];
    TextTable table;
    list_begin(list, "accels", "accels");
    table_init(&table, list->arena, "<accel|MACs|on chip|MHz|~");
    int n = sl_bundle_names("accels", MAX_BUNDLED, names);
    for (int i = 0; i < n; i++) {
        SlAccel accel;
        char count[32];
        SlStatus status = sl_accel_find(names[i], list->arena, &accel, err);
        if (status != SL_OK) return status;
        add_accel(list, &accel);
        table_row(&table);
        table_cell(&table, "%s", accel.name);
        table_cell(&table, "%s", sl_show_count((double)sl_accel_macs(&accel), count));
        table_cell(&table, "%s", sl_show_bytes(sl_accel_bytes(&accel), count));
        table_cell(&table, "%s", sl_show_count(accel.clock_mhz, count));
        table_cell(&table, "%s", accel.title);
    }
    table_draw(&table, &list->text);
    sl_text_add(&list->text, "\nstarling list accels NAME shows one as a picture; the default "
                             "accelerator is eyeriss.\n");
    return SL_OK;
}

static SlStatus show_accel(Listing *list, const char *name, SlError *err) {
    SlAccel accel;
    SlStatus status = sl_accel_find(name, list->arena, &accel, err);
    if (status != SL_OK) return status;
    clean_text(accel.title);
    clean_text(accel.source);
    list_begin(list, "accels", "accels");
    add_accel(list, &accel);
    sl_accel_draw(&accel, &list->text);
    return SL_OK;
}

// ---- objectives ----

static SlStatus list_objectives(Listing *list, SlError *err) {
    (void)err;
    static const struct {
        const char *unit, *meaning;
    } rows[SL_N_OBJECTIVES] = {
        {"cycles", "time until the last result, with what binds it"},
        {"pJ", "memories, networks and MACs"},
        {"pJ x cycles", "energy times latency"},
        {"um2", "the smallest hardware that runs the mapping; no floor"},
        {"mW", "energy over time; no floor"},
    };
    TextTable table;
    list_begin(list, "objectives", "objectives");
    table_init(&table, list->arena, "<objective|<unit|<");
    for (int o = 0; o < SL_N_OBJECTIVES; o++) {
        table_row(&table);
        table_cell(&table, "%s", sl_objective_names[o]);
        table_cell(&table, "%s", rows[o].unit);
        table_cell(&table, "%s", rows[o].meaning);
        json_t *to = command_need(json_object());
        json_put_text(to, "name", sl_objective_names[o]);
        json_put_text(to, "unit", rows[o].unit);
        json_put_text(to, "meaning", rows[o].meaning);
        json_add(list->items, to);
    }
    table_draw(&table, &list->text);
    return SL_OK;
}

// ---- which ----

static const struct {
    const char *kind;
    SlStatus (*all)(Listing *, SlError *);
    SlStatus (*one)(Listing *, const char *, SlError *); // NULL = no names
} kinds[] = {
    {"networks", list_networks, show_network},
    {"accels", list_accels, show_accel},
    {"objectives", list_objectives, NULL},
    {"methods", list_methods, list_method},
    {"tuners", list_methods, list_method}, // what they were called once
    {"spaces", list_spaces, NULL},
    {"constraints", list_constraints, list_constraint},
    {"envs", list_envs, NULL},
};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

static SlStatus fail_kind(const char *kind, SlError *err) {
    static const char expected[] =
        "expected networks, accels, objectives, methods, spaces, constraints or envs";
    const char *names[N_KINDS + 1] = {0};
    for (int i = 0; i < N_KINDS; i++) names[i] = kinds[i].kind;
    if (!kind) return sl_fail(err, SL_EINPUT, "%s", expected);
    const char *near = sl_nearest_name(kind, names);
    return sl_fail(err, SL_EINPUT, "%s, got '%.40s'%s%s%s", expected, kind,
                   near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
}

static SlStatus fill(Listing *list, const SlWords *words, SlError *err) {
    const char *kind = words->n > 0 ? words->words[0] : NULL;
    const char *name = words->n > 1 ? words->words[1] : NULL;
    for (int i = 0; i < N_KINDS && kind; i++) {
        if (strcmp(kind, kinds[i].kind) != 0) continue;
        if (words->n > 2 || (name && !kinds[i].one))
            return sl_fail(err, SL_EINPUT, "list %.40s: did not expect '%.40s'", kind,
                           words->words[words->n - 1]);
        return name ? kinds[i].one(list, name, err) : kinds[i].all(list, err);
    }
    return fail_kind(kind, err);
}

int cmd_list(int argc, const char *const *argv) {
    ListOptions options = {0};
    SlWords words;
    int code = CODE_DONE;
    if (!command_parse(&help, argc, argv, &options, &words, &code)) return code;
    SlArena arena;
    Listing list = {.arena = &arena};
    SlError err;
    sl_arena_init(&arena, 0);
    sl_text_init(&list.text, &arena);
    SlStatus status = fill(&list, &words, &err);
    if (status == SL_OK)
        code = command_deliver(&options.common, words.words[0], &list.text, list.json, CODE_DONE);
    else
        code = command_fail(status, &err);
    if (status != SL_OK) json_decref(list.json);
    sl_arena_free(&arena);
    return code;
}

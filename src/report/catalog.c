// catalog.c - networks, accelerators and constraints as documents: all that are bundled, or one of
// them, bundled or in a file.
#include "starling/report/catalog.h"
#include "doc_inside.h"
#include "evaluation_parts.h"

enum { MAX_BUNDLED = 256 };

// columns of a table and how many
#define COLUMNS(columns) sizeof(columns) / sizeof *(columns), (columns)

// a row for everything that is bundled in a folder
typedef SlStatus AddRow(const char *name, SlArena *arena, SlDoc *doc, SlError *err);
static SlStatus add_bundled(const char *folder, AddRow *add, SlArena *arena, SlDoc *doc,
                            SlError *err) {
    const char *names[MAX_BUNDLED];
    int n = sl_bundle_names(folder, MAX_BUNDLED, names);
    SlStatus status = SL_OK;
    for (int i = 0; i < n && status == SL_OK; i++) status = add(names[i], arena, doc, err);
    sl_doc_close(doc);
    return status;
}

// ---- networks ----

// learned weights: the W of a product of two activations is none
static double layer_weights(const SlLayer *layer) {
    return layer->type == SL_BMM ? 0 : (double)sl_layer_words(layer, SL_W);
}

static SlStatus add_network(const char *name, SlArena *arena, SlDoc *doc, SlError *err) {
    SlNetwork net;
    SlStatus status = sl_workload_find(name, 1, arena, &net, err);
    if (status != SL_OK) return status;
    int *first = SL_NEW(arena, net.n_layers, int);
    if (!first) return sl_fail(err, SL_ENOMEM, "not enough memory for a list of networks");
    double macs = 0, weights = 0;
    for (int i = 0; i < net.n_layers; i++) {
        macs += (double)sl_layer_macs(&net.layers[i]);
        weights += layer_weights(&net.layers[i]);
    }
    sl_doc_row(doc);
    sl_doc_string(doc, "name", NULL, net.name);
    sl_doc_string(doc, "title", NULL, net.title);
    sl_doc_string(doc, "source", NULL, net.source);
    sl_doc_number(doc, "n_layers", NULL, SL_UNIT_COUNT, net.n_layers);
    sl_doc_number(doc, "n_distinct", NULL, SL_UNIT_COUNT, sl_network_distinct(&net, first));
    sl_doc_number(doc, "macs", NULL, SL_UNIT_SHORT, macs);
    sl_doc_number(doc, "weights", NULL, SL_UNIT_SHORT, weights);
    return SL_OK;
}

static SlStatus all_networks(SlArena *arena, SlDoc *doc, SlError *err) {
    static const SlColumn columns[] = {
        SL_COLUMN("name", "network"),
        SL_COLUMN("n_layers", "layers"),
        SL_COLUMN("n_distinct", "distinct"),
        SL_COLUMN("macs", "MACs"),
        SL_COLUMN("weights", "weights"),
        SL_COLUMN("title", "title", .cut = true),
        SL_COLUMN("source", "source", .detail = true),
    };
    sl_doc_table(doc, "networks", NULL, COLUMNS(columns));
    return add_bundled("networks", add_network, arena, doc, err);
}

static void add_layer(const SlLayer *layer, int index, SlDoc *doc) {
    char text[384];
    sl_doc_row(doc);
    sl_doc_number(doc, "index", NULL, SL_UNIT_COUNT, index);
    sl_doc_string(doc, "name", NULL, layer->name);
    sl_doc_string(doc, NULL, "shape", sl_layer_show(layer, sizeof text, text));
    sl_doc_string(doc, "type", NULL, sl_layer_type_names[layer->type]);
    sl_doc_string(doc, "inline", NULL, sl_layer_write(layer, sizeof text, text));
    sl_doc_open(doc, "dims", NULL);
    for (int d = 0; d < SL_N_DIMS; d++)
        sl_doc_number(doc, sl_dim_names[d], NULL, SL_UNIT_COUNT, (double)layer->dims[d]);
    sl_doc_close(doc);
    sl_doc_number(doc, "macs", NULL, SL_UNIT_SHORT, (double)sl_layer_macs(layer));
    for (int t = 0; t < SL_N_TENSORS; t++)
        sl_doc_number(doc, sl_tensor_names[t], NULL, SL_UNIT_SHORT,
                      (double)sl_layer_words(layer, (SlTensor)t));
}

static SlDoc *network_doc(const SlNetwork *net, SlArena *arena) {
    static const SlColumn columns[] = {
        SL_COLUMN("index", "#"),   SL_COLUMN("name", "layer", .cut = true),
        SL_COLUMN("type", NULL),   SL_COLUMN(NULL, "shape", .cut = true),
        SL_COLUMN("inline", NULL), SL_COLUMN("macs", "MACs"),
        SL_COLUMN("W", "W"),       SL_COLUMN("I", "I"),
        SL_COLUMN("O", "O words"),
    };
    SlDoc *doc = sl_doc_make(arena, "network", 1);
    sl_doc_title(doc, "%s%s%s", net->name, net->title[0] ? ": " : "", net->title);
    sl_doc_string(doc, "name", NULL, net->name);
    sl_doc_string(doc, "title", NULL, net->title);
    sl_doc_string(doc, "source", net->source[0] ? "shapes" : NULL, net->source);
    sl_doc_table(doc, "layers", NULL, COLUMNS(columns));
    for (int i = 0; i < net->n_layers; i++) add_layer(&net->layers[i], i + 1, doc);
    sl_doc_close(doc);
    sl_doc_skipped(doc, net);
    sl_doc_skipped_words(doc, net);
    return doc;
}

SlStatus sl_report_network(const SlWorkload *workload, SlArena *arena, SlDoc **doc, SlError *err) {
    SlNetwork net;
    SlStatus status = sl_workload_read(workload, arena, &net, err);
    if (status == SL_OK) *doc = network_doc(&net, arena);
    return status;
}

SlStatus sl_report_networks(const char *name, SlArena *arena, SlDoc **doc, SlError *err) {
    if (name)
        return sl_report_network(&(SlWorkload){.selector = name, .batch = 1}, arena, doc, err);
    *doc = sl_doc_make(arena, "networks", 1);
    return all_networks(arena, *doc, err);
}

// ---- accelerators ----

static void add_accel(const SlAccel *accel, SlDoc *doc) {
    sl_doc_row(doc);
    sl_doc_string(doc, "name", NULL, accel->name);
    sl_doc_string(doc, "title", NULL, accel->title);
    sl_doc_string(doc, "source", NULL, accel->source);
    sl_doc_number(doc, "macs", NULL, SL_UNIT_COUNT, (double)sl_accel_macs(accel));
    sl_doc_number(doc, "on_chip_bytes", NULL, SL_UNIT_BYTES, sl_accel_bytes(accel));
    sl_doc_number(doc, "clock_mhz", NULL, SL_UNIT_COUNT, accel->clock_mhz);
    sl_doc_number(doc, "area_um2", NULL, SL_UNIT_UM2, sl_accel_area_um2(accel));
    sl_doc_table(doc, "levels", NULL, 0, NULL);
    for (int l = 0; l < accel->n_levels; l++) {
        const SlLevel *level = &accel->levels[l];
        sl_doc_row(doc);
        sl_doc_string(doc, "name", NULL, level->name);
        sl_doc_number(doc, "capacity_bytes", NULL, SL_UNIT_BYTES, (double)level->capacity_bytes);
        sl_doc_number(doc, "instances", NULL, SL_UNIT_COUNT, (double)sl_accel_instances(accel, l));
    }
    sl_doc_close(doc);
}

static void begin_accels(SlDoc *doc) {
    static const SlColumn columns[] = {
        SL_COLUMN("name", "accel"),
        SL_COLUMN("macs", "MACs"),
        SL_COLUMN("on_chip_bytes", "on chip"),
        SL_COLUMN("clock_mhz", "MHz"),
        SL_COLUMN("area_um2", "area", .detail = true),
        SL_COLUMN("title", "title", .cut = true),
        SL_COLUMN("source", "source", .detail = true),
    };
    sl_doc_table(doc, "accels", NULL, COLUMNS(columns));
}

static SlStatus find_accel(const char *name, SlArena *arena, SlDoc *doc, SlError *err) {
    SlAccel accel;
    SlStatus status = sl_accel_find(name, arena, &accel, err);
    if (status == SL_OK) add_accel(&accel, doc);
    return status;
}

static SlStatus all_accels(SlArena *arena, SlDoc *doc, SlError *err) {
    begin_accels(doc);
    return add_bundled("accels", find_accel, arena, doc, err);
}

// the picture says all that a terminal has place for
static void one_accel(const SlAccel *accel, SlDoc *doc) {
    SlText picture;
    sl_text_init(&picture, sl_doc_arena(doc));
    sl_accel_draw(accel, &picture);
    if (picture.failed) sl_doc_fail(doc);
    sl_doc_listing(doc, NULL, "", picture.data);
    sl_doc_detail(doc, true);
    begin_accels(doc);
    add_accel(accel, doc);
    sl_doc_close(doc);
    sl_doc_detail(doc, false);
}

SlStatus sl_report_accels(const char *name, SlArena *arena, SlDoc **doc, SlError *err) {
    SlAccel accel;
    *doc = sl_doc_make(arena, "accels", 1);
    if (!name) return all_accels(arena, *doc, err);
    SlStatus status = sl_accel_find(name, arena, &accel, err);
    if (status == SL_OK) one_accel(&accel, *doc);
    return status;
}

// ---- constraints ----

static void begin_constraints(SlDoc *doc) {
    static const SlColumn columns[] = {SL_COLUMN("name", "constraints"),
                                       SL_COLUMN("title", "title", .cut = true),
                                       SL_COLUMN("n_rules", "rules", .detail = true),
                                       SL_COLUMN("source", "source", .detail = true)};
    sl_doc_table(doc, "constraints", NULL, COLUMNS(columns));
}

static SlStatus add_constraints(const char *name, SlArena *arena, SlDoc *doc, SlError *err) {
    SlConstraints found;
    SlStatus status = sl_constraints_find(name, arena, &found, err);
    if (status != SL_OK) return status;
    sl_doc_row(doc);
    sl_doc_string(doc, "name", NULL, found.name);
    sl_doc_string(doc, "title", NULL, found.title);
    sl_doc_string(doc, "source", NULL, found.source);
    sl_doc_number(doc, "n_rules", NULL, SL_UNIT_COUNT, found.n_rules);
    return SL_OK;
}

static SlStatus all_constraints(SlArena *arena, SlDoc *doc, SlError *err) {
    begin_constraints(doc);
    return add_bundled("constraints", add_constraints, arena, doc, err);
}

// the file itself says most
static SlStatus one_constraints(const char *name, SlArena *arena, SlDoc *doc, SlError *err) {
    const SlBundled *bundled = sl_bundle_find("constraints", name);
    char *text = NULL;
    size_t n = 0;
    sl_doc_detail(doc, true);
    begin_constraints(doc);
    SlStatus status = add_constraints(name, arena, doc, err);
    sl_doc_close(doc);
    sl_doc_detail(doc, false);
    if (status == SL_OK && bundled)
        text = sl_doc_need(doc, sl_arena_text(arena, bundled->text, bundled->n));
    else if (status == SL_OK)
        status = sl_file_read(name, SL_TREE_MAX_BYTES, arena, &text, &n, err);
    if (status == SL_OK) sl_doc_listing(doc, NULL, "", text);
    return status;
}

SlStatus sl_report_constraints(const char *name, SlArena *arena, SlDoc **doc, SlError *err) {
    *doc = sl_doc_make(arena, "constraints", 1);
    return name ? one_constraints(name, arena, *doc, err) : all_constraints(arena, *doc, err);
}

// tuned_help.c - a small network tuned for a VTA core.
#include "tuned_help.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"

static void add_layer(SlNetwork *net, const char *name, const char *text) {
    SlLayer *layer = &net->layers[net->n_layers++];
    assert_int_equal(sl_layer_parse(text, layer, NULL), SL_OK);
    snprintf(layer->name, sizeof layer->name, "%s", name);
}

void tuned_make(Tuned *tuned) {
    *tuned = (Tuned){0};
    sl_arena_init(&tuned->arena, 0);
    SlNetwork *net = &tuned->net;
    net->layers = SL_NEW(&tuned->arena, 4, SlLayer);
    snprintf(net->name, sizeof net->name, "net");
    add_layer(net, "first", "conv:K=64,C=3,P=8,Q=8");
    add_layer(net, "a", "conv:K=64,C=32,P=8,Q=8,R=3,S=3");
    add_layer(net, "b", "conv:K=128,C=64,P=4,Q=4");
    add_layer(net, "again", "conv:K=64,C=32,P=8,Q=8,R=3,S=3");
    sl_vta_core_init(&tuned->vta.core);
    tuned->setup = (SlJobSetup){.net = net,
                                .kind = &sl_kind_vta,
                                .kind_options = &tuned->vta,
                                .method = sl_method_find("random"),
                                .budget.samples = 20,
                                .start = SL_START_NONE,
                                .prove = true,
                                .compare = true,
                                .skip_first = true,
                                .seed = 3};
    tuned->tuned =
        (SlTuned){.arena = &tuned->arena, .batch = 1, .key = "", .peak_gops = NAN, .seconds = 2};
}

void tuned_free(Tuned *tuned) {
    sl_job_close(tuned->tuned.job);
    sl_arena_free(&tuned->arena);
}

void tuned_open(Tuned *tuned) {
    SlError err = {0};
    if (sl_job_open(&tuned->setup, NULL, &tuned->arena, &tuned->tuned.job, &err) != SL_OK)
        fail_msg("%s", err.text);
}

void tuned_run(Tuned *tuned) {
    SlError err = {0};
    tuned_open(tuned);
    if (sl_job_run(tuned->tuned.job, NULL, NULL, NULL, NULL, &err) != SL_OK)
        fail_msg("%s", err.text);
}

const char *tuned_form(Tuned *tuned, SlForm form) {
    SlText out;
    SlError err = {0};
    sl_text_init(&out, &tuned->arena);
    if (sl_doc_write(sl_report_tuned(&tuned->tuned), form, &out, &err) != SL_OK)
        fail_msg("%s", err.text);
    return out.data;
}

double tuned_number(Tuned *tuned, const char *path) {
    const char *json = tuned_form(tuned, SL_FORM_JSON);
    const SlNode *node;
    double value = NAN;
    assert_int_equal(sl_tree_parse("doc", json, strlen(json), &tuned->arena, &node, NULL), SL_OK);
    while (node && *path) {
        char key[64];
        size_t n = strcspn(path, ".");
        snprintf(key, sizeof key, "%.*s", (int)n, path);
        bool number = key[0] >= '0' && key[0] <= '9';
        node = number ? sl_node_at(node, key[0] - '0') : sl_node_get(node, key);
        path += n + (path[n] == '.');
    }
    assert_non_null(node);
    assert_int_equal(sl_node_real(node, -INFINITY, INFINITY, &value, NULL), SL_OK);
    return value;
}

// verify_show.c - what `starling verify` found: a line and a JSON object per certificate.
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "proof_show.h"
#include "run_folder.h"
#include "verify_run.h"

enum { SPACE_ROOM = 512 };

// ---- text ----

// a line of words from files: what is no text for a terminal is replaced
static void add_clean(SlText *line, SlText *out) {
    if (line->failed) command_no_memory();
    clean_text(line->data);
    sl_text_add(out, "%s\n", line->data);
}

// "conv1: " where the certificate belongs to a layer of a run
static void add_reason(const CertificateFile *file, const SlVerdict *verdict, SlText *line) {
    if (verdict->valid && !file->fault) {
        sl_text_add(line, "true");
        return;
    }
    sl_text_add(line, "FALSE: ");
    if (file->layer) sl_text_add(line, "layer %s: ", file->layer);
    sl_text_add(line, "%s", verdict->valid ? file->fault : verdict->reason);
}

static const char *space_text(const CertificateFile *file, const SlVerdict *verdict,
                              char out[static SPACE_ROOM]) {
    SlProvenSpace space = verdict->space;
    if (file->constraints)
        snprintf(space.constraints, sizeof space.constraints, "%.60s", file->constraints);
    return sl_proven_space_text(&space, SPACE_ROOM, out);
}

// "FILE: true: gap 0.26 %, edp 5.04257e14 ..., lower bound 5.03012e14, 340 branches, 12,345 nodes,
// conv:K=64,... on eyeriss, proven in the space native"
void add_verdict(const CertificateFile *file, const SlVerdict *verdict, SlArena *scratch,
                 SlText *out) {
    char value[SHOW_ROOM], bound[SHOW_ROOM], gap[SHOW_ROOM], count[32], nodes[32];
    char space[SPACE_ROOM];
    SlGoal goal = {0};
    SlText line;
    sl_goal_parse(verdict->goal, &goal, NULL);
    sl_text_init(&line, scratch);
    sl_text_add(&line, "%s: ", file->path);
    add_reason(file, verdict, &line);
    sl_text_add(
        &line, ": gap %s, %s %s, lower bound %s, %s branch%s, %s nodes, %s on %s",
        show_gap(verdict->gap, gap), verdict->goal, show_value_unit(&goal, verdict->value, value),
        show_value(&goal, verdict->lower_bound, bound),
        sl_show_count((double)verdict->n_branches, count), verdict->n_branches == 1 ? "" : "es",
        sl_show_count((double)verdict->nodes, nodes), verdict->layer, verdict->accel);
    sl_text_add(&line, ", %s %s%s", verdict->valid ? "proven in" : "said of",
                space_text(file, verdict, space),
                verdict->space.narrowed ? ": holds for mappings allowed by them only" : "");
    add_clean(&line, out);
}

void add_fault(const RunFault *fault, SlArena *scratch, SlText *out) {
    SlText line;
    sl_text_init(&line, scratch);
    sl_text_add(&line, "%s: FALSE: layer %s: %s", fault->run, fault->layer, fault->reason);
    add_clean(&line, out);
}

// ---- JSON ----

// names of files and words of certificates may be anything; what is not UTF-8 becomes '?'; NULL
// becomes null
static void put_words(json_t *to, const char *key, const char *words) {
    char clean[RUN_PATH_ROOM];
    json_t *text = words ? json_string(words) : json_null();
    if (!text) {
        snprintf(clean, sizeof clean, "%s", words);
        for (char *at = clean; *at; at++)
            if ((unsigned char)*at >= 0x80) *at = '?';
        text = json_string(clean);
    }
    json_put(to, key, text);
}

static json_t *space_json(const CertificateFile *file, const SlProvenSpace *space) {
    json_t *to = command_need(json_object());
    char open[SL_N_DIMS + 1] = "";
    for (int d = 0, n = 0; d < SL_N_DIMS; d++)
        if (space->open >> d & 1) open[n++] = sl_dim_names[d][0];
    json_put_text(to, "preset", sl_space_names[space->preset]);
    json_put_text(to, "open", open);
    json_put(to, "narrowed", json_boolean(space->narrowed));
    put_words(to, "lists", space->narrowed ? space->lists : NULL);
    put_words(to, "constraints", file->constraints);
    return to;
}

json_t *verdict_json(const CertificateFile *file, const SlVerdict *verdict) {
    json_t *to = command_need(json_object());
    put_words(to, "file", file->path);
    put_words(to, "run", file->run);
    put_words(to, "run_layer", file->layer);
    json_put(to, "valid", json_boolean(verdict->valid && !file->fault));
    put_words(to, "reason", verdict->valid ? file->fault : verdict->reason);
    put_words(to, "layer", verdict->layer);
    put_words(to, "accel", verdict->accel);
    put_words(to, "objective", verdict->goal);
    json_put(to, "space", space_json(file, &verdict->space));
    json_put_number(to, "objective_value", verdict->value);
    json_put_number(to, "lower_bound", verdict->lower_bound);
    json_put_number(to, "gap", verdict->gap);
    json_put(to, "branches", json_integer(verdict->n_branches));
    json_put(to, "nodes", json_integer(verdict->nodes));
    return to;
}

json_t *fault_json(const RunFault *fault) {
    json_t *to = command_need(json_object());
    put_words(to, "run", fault->run);
    put_words(to, "run_layer", fault->layer);
    put_words(to, "reason", fault->reason);
    return to;
}

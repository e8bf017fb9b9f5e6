// verify_show.c - what `starling verify` found: a row and a line per certificate.
#include <stdio.h>
#include <string.h>

#include "proof_show.h"
#include "verify_run.h"

enum { SPACE_ROOM = 512 };

static const char *space_text(const CertificateFile *file, const SlVerdict *verdict,
                              char out[static SPACE_ROOM]) {
    SlProvenSpace space = verdict->space;
    if (file->constraints)
        snprintf(space.constraints, sizeof space.constraints, "%.60s", file->constraints);
    return sl_proven_space_text(&space, SPACE_ROOM, out);
}

static void add_space(const CertificateFile *file, const SlProvenSpace *space, SlDoc *doc) {
    char open[SL_N_DIMS + 1] = "";
    for (int d = 0, n = 0; d < SL_N_DIMS; d++)
        if (space->open >> d & 1) open[n++] = sl_dim_names[d][0];
    sl_doc_open(doc, "space", NULL);
    sl_doc_string(doc, "preset", NULL, sl_space_names[space->preset]);
    sl_doc_string(doc, "open", NULL, open);
    sl_doc_flag(doc, "narrowed", NULL, space->narrowed);
    sl_doc_string(doc, "lists", NULL, space->narrowed ? space->lists : NULL);
    sl_doc_string(doc, "constraints", NULL, file->constraints);
    sl_doc_close(doc);
}

void begin_verdicts(SlDoc *doc) {
    static const SlColumn columns[] = {
        SL_COLUMN("file", "certificate", .cut = true),
        SL_COLUMN("valid", "claim"),
        SL_COLUMN("gap", "gap"),
        SL_COLUMN("objective_value", "value"),
        SL_COLUMN("lower_bound", "lower bound"),
        SL_COLUMN("branches", "branches", .unit = SL_UNIT_COUNT),
        SL_COLUMN("nodes", "nodes", .unit = SL_UNIT_COUNT),
        SL_COLUMN(NULL, "proven in", .cut = true),
        SL_COLUMN("layer", "layer"),
        SL_COLUMN("accel", "machine"),
        SL_COLUMN("objective", "objective"),
        SL_COLUMN("reason", "what is wrong"),
    };
    sl_doc_table(doc, "certificates", NULL, sizeof columns / sizeof *columns, columns);
}

void add_verdict(const CertificateFile *file, const SlVerdict *verdict, SlDoc *doc) {
    char shown[SHOW_ROOM], space[SPACE_ROOM];
    SlGoal goal = {0};
    sl_goal_parse(verdict->goal, &goal, NULL);
    sl_doc_row(doc);
    sl_doc_string(doc, "file", NULL, file->path);
    sl_doc_string(doc, "run", NULL, file->run);
    sl_doc_string(doc, "run_layer", NULL, file->layer);
    sl_doc_flag(doc, "valid", NULL, verdict->valid && !file->fault);
    sl_doc_shown(doc, verdict->valid && !file->fault ? "true" : "FALSE");
    sl_doc_string(doc, "reason", NULL, verdict->valid ? file->fault : verdict->reason);
    sl_doc_string(doc, "layer", NULL, verdict->layer);
    sl_doc_string(doc, "accel", NULL, verdict->accel);
    sl_doc_string(doc, "objective", NULL, verdict->goal);
    add_space(file, &verdict->space, doc);
    sl_doc_number(doc, "objective_value", NULL, SL_UNIT_PLAIN, verdict->value);
    sl_doc_shown(doc, "%s", show_value_unit(&goal, verdict->value, shown));
    sl_doc_number(doc, "lower_bound", NULL, SL_UNIT_PLAIN, verdict->lower_bound);
    sl_doc_shown(doc, "%s", show_value(&goal, verdict->lower_bound, shown));
    sl_doc_number(doc, "gap", NULL, SL_UNIT_SHARE, verdict->gap);
    sl_doc_shown(doc, "%s", show_gap(verdict->gap, shown));
    sl_doc_number(doc, "branches", NULL, SL_UNIT_COUNT, (double)verdict->n_branches);
    sl_doc_number(doc, "nodes", NULL, SL_UNIT_COUNT, (double)verdict->nodes);
    sl_doc_string(doc, NULL, "proven in", space_text(file, verdict, space));
}

// "true", or "FALSE: layer conv1: why"
static void add_claim(const CertificateFile *file, const SlVerdict *verdict, SlText *out) {
    if (verdict->valid && !file->fault) {
        sl_text_add(out, "true");
        return;
    }
    sl_text_add(out, "FALSE: ");
    if (file->layer) sl_text_add(out, "layer %s: ", file->layer);
    sl_text_add(out, "%s", verdict->valid ? file->fault : verdict->reason);
}

// "FILE: true: gap 0.26 %, edp 5.04257e14 ..., lower bound 5.03012e14, 340 branches, 12,345 nodes,
// conv:K=64,... on eyeriss, proven in the space native"
void add_verdict_line(const CertificateFile *file, const SlVerdict *verdict, SlText *out) {
    char value[SHOW_ROOM], bound[SHOW_ROOM], gap[SHOW_ROOM], space[SPACE_ROOM];
    char branches[SL_UNIT_ROOM], nodes[SL_UNIT_ROOM];
    SlGoal goal = {0};
    sl_goal_parse(verdict->goal, &goal, NULL);
    sl_text_add(out, "%s: ", file->path);
    add_claim(file, verdict, out);
    sl_text_add(
        out, ": gap %s, %s %s, lower bound %s, %s branch%s, %s nodes, %s on %s, %s %s%s\n",
        show_gap(verdict->gap, gap), verdict->goal, show_value_unit(&goal, verdict->value, value),
        show_value(&goal, verdict->lower_bound, bound),
        sl_unit_show(SL_UNIT_COUNT, (double)verdict->n_branches, branches),
        verdict->n_branches == 1 ? "" : "es",
        sl_unit_show(SL_UNIT_COUNT, (double)verdict->nodes, nodes), verdict->layer, verdict->accel,
        verdict->valid ? "proven in" : "said of", space_text(file, verdict, space),
        verdict->space.narrowed ? ": holds for mappings allowed by them only" : "");
}

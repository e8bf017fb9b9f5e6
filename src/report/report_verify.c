// report_verify.c - checked certificates: a row and a line of each, faults of runs, sums.
#include <stdio.h>

#include "doc_inside.h"
#include "proof_words.h"
#include "starling/report/verify_doc.h"

enum { SPACE_ROOM = 512 };

static const char *space_text(const SlCertificateFile *file, char out[static SPACE_ROOM]) {
    SlProvenSpace space = file->verdict.space;
    if (file->constraints)
        snprintf(space.constraints, sizeof space.constraints, "%.60s", file->constraints);
    return sl_proven_space_text(&space, SPACE_ROOM, out);
}

static void add_space(const SlCertificateFile *file, SlDoc *doc) {
    const SlProvenSpace *space = &file->verdict.space;
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

static void open_table(SlDoc *doc) {
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

static void add_row(const SlCertificateFile *file, SlDoc *doc) {
    char shown[SL_UNIT_ROOM], space[SPACE_ROOM];
    const SlVerdict *verdict = &file->verdict;
    SlGoal goal = {0};
    sl_goal_parse(verdict->goal, &goal, NULL);
    sl_doc_row(doc);
    sl_doc_string(doc, "file", NULL, file->path);
    sl_doc_string(doc, "run", NULL, file->run);
    sl_doc_string(doc, "run_layer", NULL, file->layer);
    sl_doc_flag(doc, "valid", NULL, !sl_certificate_fault(file));
    sl_doc_shown(doc, sl_certificate_fault(file) ? "FALSE" : "true");
    sl_doc_string(doc, "reason", NULL, sl_certificate_fault(file));
    sl_doc_string(doc, "layer", NULL, verdict->layer);
    sl_doc_string(doc, "accel", NULL, verdict->accel);
    sl_doc_string(doc, "objective", NULL, verdict->goal);
    add_space(file, doc);
    sl_doc_number(doc, "objective_value", NULL, SL_UNIT_PLAIN, verdict->value);
    sl_doc_shown(doc, "%s", sl_bound_show(&goal, verdict->value, 0, shown));
    sl_doc_number(doc, "lower_bound", NULL, SL_UNIT_PLAIN, verdict->lower_bound);
    sl_doc_shown(doc, "%s", sl_bound_show(&goal, verdict->lower_bound, 0, shown));
    sl_doc_number(doc, "gap", NULL, SL_UNIT_SHARE, verdict->gap);
    sl_doc_shown(doc, "%s", sl_gap_show(verdict->gap, shown));
    sl_doc_number(doc, "branches", NULL, SL_UNIT_COUNT, (double)verdict->n_branches);
    sl_doc_number(doc, "nodes", NULL, SL_UNIT_COUNT, (double)verdict->nodes);
    sl_doc_string(doc, NULL, "proven in", space_text(file, space));
}

// "true", or "FALSE: layer conv1: why"
static void add_claim(const SlCertificateFile *file, SlText *out) {
    const char *fault = sl_certificate_fault(file);
    sl_text_add(out, fault ? "FALSE: " : "true");
    if (fault && file->layer) sl_text_add(out, "layer %s: ", file->layer);
    if (fault) sl_text_add(out, "%s", fault);
}

// "FILE: true: gap 0.26 %, edp 5.04257e14 ..., lower bound 5.03012e14, 340 branches, 12,345 nodes,
// conv:K=64,... on eyeriss, proven in the space native"
static void add_line(const SlCertificateFile *file, SlText *out) {
    char value[SL_UNIT_ROOM], bound[SL_UNIT_ROOM], gap[SL_UNIT_ROOM], space[SPACE_ROOM];
    char branches[SL_UNIT_ROOM], nodes[SL_UNIT_ROOM];
    const SlVerdict *verdict = &file->verdict;
    SlGoal goal = {0};
    sl_goal_parse(verdict->goal, &goal, NULL);
    sl_text_add(out, "%s: ", file->path);
    add_claim(file, out);
    sl_text_add(out, ": gap %s, %s %s, lower bound %s, %s branch%s, %s nodes, %s on %s, %s %s%s\n",
                sl_gap_show(verdict->gap, gap), verdict->goal,
                sl_bound_show(&goal, verdict->value, 0, value),
                sl_bound_show(&goal, verdict->lower_bound, 0, bound),
                sl_unit_show(SL_UNIT_COUNT, (double)verdict->n_branches, branches),
                verdict->n_branches == 1 ? "" : "es",
                sl_unit_show(SL_UNIT_COUNT, (double)verdict->nodes, nodes), verdict->layer,
                verdict->accel, verdict->valid ? "proven in" : "said of", space_text(file, space),
                verdict->space.narrowed ? ": holds for mappings allowed by them only" : "");
}

// ---- all of them ----

static void add_certificates(const SlVerify *verify, SlDoc *doc, SlText *lines) {
    open_table(doc);
    for (int i = 0; i < verify->n_files; i++) {
        if (!verify->files[i].read) continue;
        add_row(&verify->files[i], doc);
        add_line(&verify->files[i], lines);
    }
    sl_doc_close(doc);
}

// results of runs without a certificate to show them at
static void add_faults(const SlVerify *verify, SlDoc *doc, SlText *lines) {
    static const SlColumn columns[] = {SL_COLUMN("run", "run"), SL_COLUMN("run_layer", "layer"),
                                       SL_COLUMN("reason", "without a certificate")};
    sl_doc_table(doc, "faults", NULL, 3, columns);
    for (int i = 0; i < verify->n_faults; i++) {
        const SlRunFault *fault = &verify->faults[i];
        sl_doc_row(doc);
        sl_doc_string(doc, "run", NULL, fault->run);
        sl_doc_string(doc, "run_layer", NULL, fault->layer);
        sl_doc_string(doc, "reason", NULL, fault->reason);
        sl_text_add(lines, "%s: FALSE: layer %s: %s\n", fault->run, fault->layer, fault->reason);
    }
    sl_doc_close(doc);
}

// "3 certificates: 1 true, 1 FALSE, 1 not read; 1 result without a certificate"
static void add_words(const SlVerify *verify, SlDoc *doc) {
    int n_files = verify->n_files, n_faults = verify->n_faults;
    SlText words;
    sl_text_init(&words, verify->arena);
    sl_text_add(&words, "%d certificate%s: %d true", n_files, n_files == 1 ? "" : "s",
                verify->n_true);
    if (verify->n_narrowed > 0)
        sl_text_add(&words, " (%d in a space narrowed by constraints)", verify->n_narrowed);
    if (verify->n_false > 0) sl_text_add(&words, ", %d FALSE", verify->n_false);
    if (verify->n_unread > 0) sl_text_add(&words, ", %d not read", verify->n_unread);
    if (n_faults > 0)
        sl_text_add(&words, "; %d result%s without a certificate", n_faults,
                    n_faults == 1 ? "" : "s");
    if (words.failed) sl_doc_fail(doc);
    sl_doc_words(doc, "%s", words.data);
}

SlDoc *sl_report_verify(const SlVerify *verify) {
    SlDoc *doc = sl_doc_make(verify->arena, "verify", 2);
    SlText lines;
    sl_text_init(&lines, verify->arena);
    sl_doc_detail(doc, true);
    add_certificates(verify, doc, &lines);
    add_faults(verify, doc, &lines);
    sl_doc_detail(doc, false);
    if (lines.failed) sl_doc_fail(doc);
    sl_doc_terminal(doc, lines.data);
    add_words(verify, doc);
    sl_doc_number(doc, "n_true", NULL, SL_UNIT_COUNT, verify->n_true);
    sl_doc_number(doc, "n_narrowed", NULL, SL_UNIT_COUNT, verify->n_narrowed);
    sl_doc_number(doc, "n_false", NULL, SL_UNIT_COUNT, verify->n_false);
    sl_doc_number(doc, "n_unread", NULL, SL_UNIT_COUNT, verify->n_unread);
    sl_doc_number(doc, "n_faults", NULL, SL_UNIT_COUNT, verify->n_faults);
    return doc;
}

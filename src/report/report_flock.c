// report_flock.c - flocks as documents.
#include "starling/report/flock_doc.h"

enum { MOST_NAMES = 64 };

// members of the document or of a row
static void put_info(const SlFlockInfo *info, const char *name, SlDoc *doc) {
    const SlTaskKind *kind = sl_task_kind_find(info->kind);
    const char *whose = kind && !kind->maps ? "machine" : "program";
    sl_doc_string(doc, "name", "flock", name);
    sl_doc_string(doc, "evaluator", "evaluator", info->kind);
    sl_doc_string(doc, "program", info->evaluator[0] ? whose : NULL, info->evaluator);
    sl_doc_string(doc, "objective", "objective", info->goal);
    sl_doc_number(doc, "tasks", "tasks", SL_UNIT_COUNT, info->n_tasks);
    sl_doc_number(doc, "evaluations", "evaluations", SL_UNIT_COUNT, (double)info->evaluations);
    sl_doc_number(doc, "tau", "rank correlation", SL_UNIT_PLAIN, info->tau);
    sl_doc_shown(doc, "%.3f", info->tau);
    sl_doc_number(doc, "regret_1", "first pick / best", SL_UNIT_PLAIN, info->regret1);
    sl_doc_shown(doc, "%.3f", info->regret1);
    sl_doc_number(doc, "regret_3", "best of 3 picks / best", SL_UNIT_PLAIN, info->regret3);
    sl_doc_shown(doc, "%.3f", info->regret3);
}

// how sure its critics are, by kind of layer; none where the file does not say
static void add_skills(const SlFlockInfo *info, SlDoc *doc) {
    static const SlColumn columns[] = {
        SL_COLUMN("layers", "layers"),
        SL_COLUMN("tasks", "tasks"),
        SL_COLUMN("tau", "tau"),
        SL_COLUMN("regret_1", "first pick / best"),
        SL_COLUMN("error", "error near the best"),
    };
    sl_doc_table(doc, "skills", "By kind of layer", sizeof columns / sizeof *columns, columns);
    for (int i = 0; i < SL_N_FLOCK_LAYERS; i++) {
        const SlFlockSkill *skill = &info->skills[i];
        if (skill->n_tasks == 0) continue;
        sl_doc_row(doc);
        sl_doc_string(doc, "layers", NULL, sl_flock_layer_names[i]);
        sl_doc_number(doc, "tasks", NULL, SL_UNIT_COUNT, skill->n_tasks);
        sl_doc_number(doc, "tau", NULL, SL_UNIT_PLAIN, skill->tau);
        sl_doc_shown(doc, "%.3f", skill->tau);
        sl_doc_number(doc, "regret_1", NULL, SL_UNIT_PLAIN, skill->regret1);
        sl_doc_shown(doc, "%.3f", skill->regret1);
        sl_doc_number(doc, "error", NULL, SL_UNIT_PLAIN, skill->error);
        sl_doc_shown(doc, "%.3f", skill->error);
    }
    sl_doc_close(doc);
}

// from taught tasks to the nearest other one
static void add_spread(const SlFlock *flock, SlDoc *doc) {
    SlFlockSpread spread;
    sl_flock_spread(flock, &spread);
    const double least = spread.nearest[0], middle = spread.nearest[spread.n / 2],
                 most = spread.nearest[spread.n - 1];
    sl_doc_open(doc, "distances", NULL);
    sl_doc_number(doc, "least", NULL, SL_UNIT_PLAIN, least);
    sl_doc_number(doc, "median", NULL, SL_UNIT_PLAIN, middle);
    sl_doc_number(doc, "most", NULL, SL_UNIT_PLAIN, most);
    sl_doc_close(doc);
    sl_doc_text(doc, NULL, "task to nearest other", "%.2f (%.2f to %.2f) deviations", middle, least,
                most);
}

SlDoc *sl_report_flock(const SlFlock *flock, const char *name, SlArena *arena) {
    const SlFlockInfo *info = sl_flock_info(flock);
    SlDoc *doc = sl_doc_make(arena, "flock", 1);
    sl_doc_title(doc, "Flock %s", name);
    put_info(info, name, doc);
    sl_doc_number(doc, "error", "error near the best", SL_UNIT_PLAIN, info->error);
    sl_doc_shown(doc, "%.3f", info->error);
    sl_doc_remark(doc, "standard deviation of the logarithm, on tasks a critic was not taught by");
    sl_doc_number(doc, "critics", "critics", SL_UNIT_COUNT, info->n_members);
    sl_doc_number(doc, "trees", "trees", SL_UNIT_COUNT, info->n_trees);
    sl_doc_number(doc, "inputs", "inputs of a critic", SL_UNIT_COUNT, info->n_inputs);
    sl_doc_number(doc, "points", "best points kept", SL_UNIT_COUNT, info->n_best);
    add_spread(flock, doc);
    sl_doc_string(doc, "source", "taught by", info->source);
    add_skills(info, doc);
    sl_doc_words(doc,
                 "Rank correlation (Kendall's tau within a task), picks and error are those of "
                 "critics on tasks they were not taught by; picks are among the points that "
                 "teaching evaluated, and their factors are geometric means over tasks.");
    return doc;
}

static const SlColumn columns[] = {
    SL_COLUMN("name", "flock"),
    SL_COLUMN("evaluator", "evaluator"),
    SL_COLUMN("objective", "objective"),
    SL_COLUMN("tasks", "tasks"),
    SL_COLUMN("evaluations", "evaluations"),
    SL_COLUMN("tau", "tau"),
    SL_COLUMN("regret_1", "1 pick"),
    SL_COLUMN("regret_3", "3 picks"),
};

static SlStatus list_bundled(SlArena *arena, SlDoc **doc, SlError *err) {
    const char *names[MOST_NAMES];
    int n = sl_bundle_names("flocks", MOST_NAMES, names);
    *doc = sl_doc_make(arena, "flocks", 1);
    sl_doc_table(*doc, "flocks", NULL, sizeof columns / sizeof *columns, columns);
    for (int i = 0; i < n; i++) {
        SlFlock *flock = NULL;
        SlStatus status = sl_flock_find(names[i], arena, &flock, err);
        if (status != SL_OK) return status;
        sl_doc_row(*doc);
        put_info(sl_flock_info(flock), names[i], *doc);
    }
    sl_doc_close(*doc);
    sl_doc_words(*doc, "tau: rank correlation of guess and value within a task; picks: the best of "
                       "the first 1 and 3 by the critic over the best; both on tasks a critic was "
                       "not taught by.");
    return SL_OK;
}

SlStatus sl_report_flocks(const char *name, SlArena *arena, SlDoc **doc, SlError *err) {
    SlFlock *flock = NULL;
    if (!name) return list_bundled(arena, doc, err);
    SlStatus status = sl_flock_find(name, arena, &flock, err);
    if (status == SL_OK) *doc = sl_report_flock(flock, name, arena);
    return status;
}

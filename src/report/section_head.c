// section_head.c - what a study is: its words, what was run and with what, what is missing.
#include <math.h>
#include <string.h>

#include "page.h"
#include "section.h"

enum { MOST_NAMED = 6, MOST_BROKEN = 20 };

// different texts in the order of their first appearance
typedef struct {
    int n;
    const char *names[512];
} Names;

static void note_name(Names *names, const char *name) {
    if (!name || !*name) return;
    for (int i = 0; i < names->n; i++)
        if (strcmp(names->names[i], name) == 0) return;
    if (names->n < (int)(sizeof names->names / sizeof names->names[0]))
        names->names[names->n++] = name;
}

// "a, b and c"; the first few of many. Names that hold commas have "; " between
static void add_names(const Names *names, SlText *out) {
    int shown = names->n <= MOST_NAMED ? names->n : MOST_NAMED - 1;
    bool commas = false;
    for (int i = 0; i < names->n; i++) commas = commas || strchr(names->names[i], ',');
    for (int i = 0; i < shown; i++) {
        bool last = i == shown - 1 && shown == names->n;
        sl_text_add(out, "%s%s",
                    i == 0   ? ""
                    : commas ? "; "
                    : last   ? " and "
                             : ", ",
                    names->names[i]);
    }
    if (shown < names->n) sl_text_add(out, " and %d more", names->n - shown);
}

static void add_seeds(const SlResults *results, SlText *out) {
    int n = results->n_seeds;
    if (n == 0) return;
    bool even = true;
    for (int i = 1; i < n; i++) even = even && results->seeds[i] == results->seeds[0] + (uint64_t)i;
    sl_text_add(out, ", %s (", sl_shown_plural(n, "seed").text);
    if (even && n > 2)
        sl_text_add(out, "%llu to %llu)", (unsigned long long)results->seeds[0],
                    (unsigned long long)results->seeds[n - 1]);
    else
        for (int i = 0; i < n; i++)
            sl_text_add(out, "%llu%s", (unsigned long long)results->seeds[i],
                        i < n - 1 ? ", " : ")");
}

// "; bo stops at 5,000"
static void add_short_budgets(const SlSection *section, SlText *out) {
    for (int r = 0; r < section->results->n_rows; r++) {
        const SlPlanRow *row = sl_section_plan_row(section, r);
        if (!row || row->samples <= 0 || row->samples >= section->results->budget) continue;
        sl_text_add(out, "; %s stops at %s", row->name, sl_shown_count((double)row->samples).text);
    }
}

// the rest of the sentence about a target: what of it is fixed
static void add_target(const SlPlan *plan, SlText *out) {
    const SlVtaCore *core = plan->n_tasks > 0 ? sl_plan_core(&plan->tasks[0]) : NULL;
    if (!core) return;
    sl_text_add(out, ". Target VTA, profile `%s`, bus of %d bits", core->timing.name,
                core->bus_bits);
    if (plan->batch > 1) sl_text_add(out, ", %lld images at once", (long long)plan->batch);
    sl_text_add(out, ", hardware `%s`", sl_hardware_names[plan->hardware]);
    if (*plan->resources) sl_text_add(out, " within `%s`", plan->resources);
    sl_text_add(out, plan->n_rows > 0 ? ". " : "");
}

static void add_what(const SlSection *section) {
    const SlResults *results = section->results;
    Names layers = {0}, accels = {0}, objectives = {0};
    for (int t = 0; t < results->n_tasks; t++) {
        note_name(&layers, results->tasks[t].layer);
        note_name(&accels, results->tasks[t].accel);
        note_name(&objectives, results->tasks[t].objective);
    }
    SlText out;
    sl_text_init(&out, section->arena);
    sl_text_add(&out, "**%s**: %s (", sl_shown_plural(results->n_tasks, "task").text,
                sl_shown_plural(layers.n, "layer").text);
    add_names(&layers, &out);
    sl_text_add(&out, ") on ");
    add_names(&accels, &out);
    if (results->n_rows > 0 || section->plan->assign) {
        sl_text_add(&out, ", for ");
        add_names(&objectives, &out);
    }
    if (!section->plan->kind->maps)
        add_target(section->plan, &out);
    else
        sl_text_add(&out, ". Space `%s`", sl_space_names[section->plan->space]);
    if (section->plan->kind->maps && section->plan->kind != &sl_kind_native)
        sl_text_add(&out, ", evaluator `%s`",
                    section->plan->program ? section->plan->program->program.command
                                           : section->plan->kind->name);
    if (results->n_rows > 0 && section->plan->kind->maps)
        sl_text_add(&out, ", start `%s`, points that do not fit: `%s`. ",
                    sl_start_names[section->plan->start], sl_illegal_names[section->plan->illegal]);
    if (results->n_rows > 0) {
        sl_text_add(&out, "**%s**", sl_shown_plural(results->n_rows, "row").text);
        add_seeds(results, &out);
        sl_text_add(&out, ", %s %s per run", sl_shown_count((double)results->budget).text,
                    sl_section_samples(section));
        add_short_budgets(section, &out);
        if (results->reference >= 0)
            sl_text_add(&out, "; all are compared with **%s**", sl_section_reference(section));
    }
    sl_text_add(&out, ".");
    if (out.failed) section->doc->failed = true;
    sl_doc_words(section->doc, "%s", out.data);
}

// ---- what comes first ----

// the row that ends closest to the optimum, -1 = nobody knows
static int best_row(const SlSection *section, double *best) {
    const SlResults *results = section->results;
    int row = -1;
    for (int r = 0; r < results->n_rows; r++) {
        SlEstimate above = sl_above_optimum(results, -1, r, results->budget);
        if (!isfinite(above.value) || (row >= 0 && above.value >= *best)) continue;
        row = r;
        *best = above.value;
    }
    return row;
}

// "After 20,000 samples bo is closest to the optimum: 1.000 × it ..."; nothing while cells are
// missing, of which a warning tells. Committed reports in Markdown begin with their tables.
static void add_verdict(const SlSection *section) {
    const SlResults *results = section->results;
    double best = NAN;
    int row = section->complete ? best_row(section, &best) : -1, reference = results->reference;
    SlText out;
    sl_text_init(&out, section->arena);
    if (row >= 0)
        sl_text_add(&out,
                    "After %s %s %s is closest to the optimum: %s × it in the geometric mean over "
                    "tasks",
                    sl_shown_count((double)results->budget).text, sl_section_samples(section),
                    results->rows[row], sl_shown_ratio(best).text);
    if (row >= 0 && reference >= 0 && reference != row) {
        SlEstimate above = sl_above_optimum(results, -1, reference, results->budget);
        sl_text_add(&out, ", %s %s ×", results->rows[reference], sl_shown_ratio(above.value).text);
    }
    if (row >= 0) sl_text_add(&out, ".");
    if (out.failed) section->doc->failed = true;
    if (out.n == 0) return;
    sl_doc_verdict(section->doc, "%s", out.data);
    sl_doc_screen(section->doc);
}

// ---- provenance ----

typedef struct {
    int n;
    double seconds;
    Names versions, machines;
} Origin;

static void note_record(Origin *origin, const SlCellRecord *record) {
    if (!record) return;
    origin->n++;
    if (record->seconds > 0) origin->seconds += record->seconds;
    note_name(&origin->versions, record->version);
    note_name(&origin->machines, record->machine);
}

static Origin find_origin(const SlResults *results) {
    Origin origin = {0};
    int n = results->n_tasks * results->n_rows * results->n_seeds;
    for (int i = 0; i < n; i++) note_record(&origin, results->runs[i]);
    for (int t = 0; t < results->n_tasks; t++) {
        note_record(&origin, results->tasks[t].proof);
        note_record(&origin, results->tasks[t].space);
        for (int i = 0; i < results->tasks[t].n_assigned; i++)
            note_record(&origin, results->tasks[t].assigned[i]);
    }
    return origin;
}

// "97 of 244 cells are done, 147 missing, 0 broken"
static void add_count(const SlResults *results, int done, SlText *out) {
    int n = done + results->n_missing + results->n_broken;
    if (n == 1 && done == 1)
        sl_text_add(out, "Its one cell is done");
    else if (done == n)
        sl_text_add(out, "All %s are done", sl_shown_plural(n, "cell").text);
    else
        sl_text_add(out, "**Not complete**: %s of %s are done, %s missing, %s broken",
                    sl_shown_count(done).text, sl_shown_plural(n, "cell").text,
                    sl_shown_count(results->n_missing).text,
                    sl_shown_count(results->n_broken).text);
}

// at the top of a study that has not run to its end
static void add_warning(const SlSection *section) {
    SlText out;
    if (section->complete) return;
    sl_text_init(&out, section->arena);
    add_count(section->results, find_origin(section->results).n, &out);
    sl_text_add(&out, ". What is done so far stands below; rows are compared once all cells are "
                      "there.");
    if (out.failed) section->doc->failed = true;
    sl_doc_words(section->doc, "%s", out.data);
}

static void add_origin(const SlSection *section) {
    Origin origin = find_origin(section->results);
    SlText out;
    sl_text_init(&out, section->arena);
    add_count(section->results, origin.n, &out);
    if (origin.n > 0) {
        sl_text_add(&out, ", by starling ");
        add_names(&origin.versions, &out);
        if (origin.machines.n > 0) sl_text_add(&out, " on ");
        add_names(&origin.machines, &out);
        sl_text_add(&out, ", in %s of run time together", sl_shown_duration(origin.seconds).text);
    }
    sl_text_add(&out, ".");
    if (section->plan->quick)
        sl_text_add(&out,
                    " This is the **quick form** of the study: fewer %s, seeds or rows "
                    "than the full plan, for a first look.",
                    sl_section_samples(section));
    if (out.failed) section->doc->failed = true;
    sl_doc_words(section->doc, "%s", out.data);
}

static void add_broken(const SlSection *section) {
    const SlResults *results = section->results;
    if (results->n_broken == 0) return;
    SlTable *table = sl_table_make(section->arena, "Broken cells", "<cell|~reason");
    for (int i = 0; i < results->n_broken && i < MOST_BROKEN; i++) {
        sl_table_row(table);
        sl_table_cell(table, "%s", results->broken[i]->key);
        sl_table_cell(table, "%s", results->broken[i]->reason ? results->broken[i]->reason : "");
    }
    sl_doc_grid(section->doc, "broken", table);
    if (results->n_broken > MOST_BROKEN)
        sl_doc_words(section->doc, "And %d more.", results->n_broken - MOST_BROKEN);
}

// ---- rows ----

// one option as text; false if both structs have the same
static bool differs(const SlOption *option, const char *options, const char *defaults,
                    SlText *out) {
    const void *now = options + option->offset, *was = defaults + option->offset;
    switch (option->kind) {
    case SL_OPTION_FLAG:
        if (*(const bool *)now == *(const bool *)was) return false;
        sl_text_add(out, "%s %s", option->name, *(const bool *)now ? "on" : "off");
        return true;
    case SL_OPTION_INT:
        if (*(const int64_t *)now == *(const int64_t *)was) return false;
        sl_text_add(out, "%s %lld", option->name, (long long)*(const int64_t *)now);
        return true;
    case SL_OPTION_REAL:
        if (*(const double *)now == *(const double *)was) return false;
        sl_text_add(out, "%s %g", option->name, *(const double *)now);
        return true;
    case SL_OPTION_CHOICE:
        if (*(const int *)now == *(const int *)was) return false;
        sl_text_add(out, "%s %s", option->name, option->choices[*(const int *)now]);
        return true;
    case SL_OPTION_TEXT: {
        const char *a = *(const char *const *)now, *b = *(const char *const *)was;
        if (a == b || (a && b && strcmp(a, b) == 0)) return false;
        sl_text_add(out, "%s %s", option->name, a ? a : "none");
        return true;
    }
    }
    return false;
}

// "3 agents, dataset by ga, groups of resnet18:conv2_1"
static void add_agents(const SlPlanRow *row, SlText *out) {
    const SlAgentChoice *choice = &row->agents;
    if (choice->n_agents == 0) return;
    sl_text_add(out, "%s", sl_shown_plural(choice->n_agents, "agent").text);
    if (choice->assign.policy) sl_text_add(out, ", dataset by %s", choice->assign.policy->name);
    if (row->like) sl_text_add(out, ", groups of %s", row->like);
    if (choice->shuffled) sl_text_add(out, ", groups at random");
}

// what a row has changed of its method's defaults
static void add_settings(const SlSection *section, const SlPlanRow *row, SlText *out) {
    add_agents(row, out);
    const SlMethod *method = row->method;
    if (!row->options || method->options_bytes == 0) return;
    char *defaults = SL_SECTION_NEW(section, method->options_bytes, char);
    if (!defaults) return;
    sl_options_init(method->options, defaults);
    for (const SlOption *option = method->options; option->name; option++) {
        SlText text;
        sl_text_init(&text, section->arena);
        if (differs(option, row->options, defaults, &text))
            sl_text_add(out, "%s%s", out->n ? ", " : "", text.data);
    }
}

static void add_rows(const SlSection *section) {
    int n = section->results->n_rows;
    const char **changed = SL_SECTION_NEW(section, n, const char *);
    bool any = false;
    if (n == 0 || !changed) return;
    for (int r = 0; r < n; r++) {
        const SlPlanRow *row = sl_section_plan_row(section, r);
        SlText text;
        sl_text_init(&text, section->arena);
        if (row) add_settings(section, row, &text);
        changed[r] = text.data;
        any = any || text.n > 0;
    }
    SlTable *table =
        sl_table_make(section->arena, "Rows",
                      any ? "<row|<method|~what it is|~changed" : "<row|<method|~what it is");
    for (int r = 0; r < n; r++) {
        const SlPlanRow *row = sl_section_plan_row(section, r);
        sl_table_row(table);
        sl_table_cell(table, "%s", section->results->rows[r]);
        sl_table_cell(table, "%s", sl_section_method(section, r));
        sl_table_cell(table, "%s", row ? row->method->title : "");
        sl_table_cell(table, "%s", changed[r]);
    }
    sl_doc_grid(section->doc, "rows", table);
}

// ---- tasks ----

// what is known of the least value
static const char *known(const SlSection *section, const SlResultTask *task) {
    if (task->proven && task->gap <= 0) return "proven";
    if (task->proven)
        return sl_section_text(section, "proven to %s", sl_shown_percent(100 * task->gap).text);
    if (isfinite(task->gap))
        return sl_section_text(section, "best known, at most %s above the optimum",
                               sl_shown_percent(100 * task->gap).text);
    return "best known, no bound";
}

static void add_tasks(const SlSection *section) {
    SlTable *table = sl_table_make(section->arena, "Optimum of every task",
                                   "<task|optimum|<unit|<status|× floor");
    for (int t = 0; t < section->results->n_tasks; t++) {
        const SlResultTask *task = &section->results->tasks[t];
        sl_table_row(table);
        sl_table_cell(table, "%s", task->name);
        sl_table_cell(table, "%s", sl_shown_value(task->optimum).text);
        sl_table_cell(table, "%s", sl_section_unit(section, t));
        sl_table_cell(table, "%s", isfinite(task->optimum) ? known(section, task) : "nothing yet");
        sl_table_cell(table, "%s", sl_shown_ratio(task->optimum / task->floor).text);
    }
    sl_doc_grid(section->doc, "tasks", table);
}

// "; 3 are proven to a small gap" where there are such
static void add_kind(SlText *out, int n, const char *one, const char *many) {
    if (n == 0) return;
    sl_text_add(out, "; %d %s", n, n == 1 ? one : many);
}

// "Of 14 tasks 12 are proven to be the least of the space; ..."
static void add_optima(const SlSection *section) {
    int exact = 0, close = 0, bounded = 0, n = section->results->n_tasks;
    for (int t = 0; t < n; t++) {
        const SlResultTask *task = &section->results->tasks[t];
        exact += task->proven && task->gap <= 0;
        close += task->proven && task->gap > 0;
        bounded += !task->proven && isfinite(task->gap);
    }
    if (exact == n) {
        sl_doc_words(section->doc,
                     "**Optimum** is the proven least value of every task: no %s of the "
                     "space is better.",
                     sl_section_mapping(section));
        return;
    }
    SlText out;
    sl_text_init(&out, section->arena);
    sl_text_add(&out, "**Optimum** is the least value known of a task. Of %s ",
                sl_shown_plural(n, "task").text);
    if (exact == 0)
        sl_text_add(&out, "none is proven exactly");
    else
        sl_text_add(&out, "%d %s proven exactly", exact, exact == 1 ? "is" : "are");
    add_kind(&out, close, "is proven to a small gap", "are proven to a small gap");
    add_kind(&out, bounded, "has a lower bound below it", "have a lower bound below them");
    add_kind(&out, n - exact - close - bounded, "is the best of this study, with nothing proven",
             "are the best of this study, with nothing proven");
    sl_text_add(&out, ".");
    if (out.failed) section->doc->failed = true;
    sl_doc_words(section->doc, "%s", out.data);
}

void sl_section_tasks(const SlSection *section) {
    sl_doc_heading(section->doc, "Tasks");
    add_tasks(section);
}

const char *sl_section_title(const SlSection *section) {
    const SlPlan *plan = section->plan;
    const SlResults *results = section->results;
    if (results->n_rows == 0) return plan->title;
    return sl_section_text(section, "%s (%s%s %s, %s)", plan->title, plan->quick ? "quick: " : "",
                           sl_shown_count((double)results->budget).text,
                           sl_section_samples(section),
                           sl_shown_plural(results->n_seeds, "seed").text);
}

void sl_section_head(const SlSection *section) {
    const SlPlan *plan = section->plan;
    add_verdict(section);
    add_warning(section);
    if (plan->about && *plan->about) sl_doc_words(section->doc, "%s", plan->about);
    if (plan->show[SL_SHOW_WINS] || plan->show[SL_SHOW_TARGETS]) sl_section_short(section);
    add_what(section);
    add_origin(section);
    add_broken(section);
    if (section->results->n_rows > 0) add_optima(section);
    add_rows(section);
    if (section->results->n_rows > 0 && !section->many) add_tasks(section);
}

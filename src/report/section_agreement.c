// section_agreement.c - how far the groups of parameters agree that rows were given: between seeds,
// and between rows with as many agents (the adjusted Rand index).
#include <math.h>
#include <string.h>

#include "detail.h"
#include "page.h"
#include "section.h"
#include "starling/assign.h"

// Rows with one number of agents, of equal assignments the first.
typedef struct {
    int n_agents, n;
    int *rows; // (n)
} Peers;

// the agents of a run's parameters; 0 = there are no groups
static int read_groups(const SlSection *section, const SlCellRecord *run, int *out) {
    double numbers[SL_MAX_PARAMS];
    if (!run) return 0;
    const SlNode *root = sl_detail_read(run, section->arena);
    int n = sl_detail_numbers(sl_detail_get(root, "agents"), SL_MAX_PARAMS, numbers);
    for (int i = 0; i < n; i++) out[i] = (int)numbers[i];
    return n;
}

// Sum and number of the indices of two runs.
typedef struct {
    double sum;
    int n;
} Mean;

static void add_pair(const SlSection *section, const SlCellRecord *a, const SlCellRecord *b,
                     Mean *mean) {
    int one[SL_MAX_PARAMS], two[SL_MAX_PARAMS];
    int n = read_groups(section, a, one);
    if (n == 0 || read_groups(section, b, two) != n) return;
    mean->sum += sl_partition_agreement(n, one, two);
    mean->n++;
}

// over tasks: of two rows with the same seed, of one row with two seeds
static double agreement(const SlSection *section, int row, int other) {
    const SlResults *results = section->results;
    size_t mark = sl_arena_mark(section->arena);
    Mean mean = {0};
    for (int t = 0; t < results->n_tasks; t++) {
        for (int s = 0; s < results->n_seeds; s++) {
            const SlCellRecord *run = sl_results_run(results, t, row, s);
            if (row != other) add_pair(section, run, sl_results_run(results, t, other, s), &mean);
            for (int u = 0; u < s && row == other; u++)
                add_pair(section, run, sl_results_run(results, t, row, u), &mean);
            sl_arena_rewind(section->arena, mark);
        }
    }
    return mean.n ? mean.sum / mean.n : NAN;
}

static bool same_assignment(const SlPlanRow *a, const SlPlanRow *b) {
    return a->agents.n_agents == b->agents.n_agents &&
           a->agents.assign.policy == b->agents.assign.policy &&
           a->agents.assign.samples == b->agents.assign.samples &&
           a->agents.shuffled == b->agents.shuffled &&
           strcmp(a->like ? a->like : "", b->like ? b->like : "") == 0;
}

static bool is_new(const SlSection *section, const Peers *peers, int row) {
    for (int i = 0; i < peers->n; i++)
        if (same_assignment(sl_section_plan_row(section, peers->rows[i]),
                            sl_section_plan_row(section, row)))
            return false;
    return true;
}

static Peers find_peers(const SlSection *section, int n_agents) {
    const SlResults *results = section->results;
    Peers peers = {.n_agents = n_agents, .rows = SL_SECTION_NEW(section, results->n_rows, int)};
    for (int r = 0; r < results->n_rows && peers.rows; r++) {
        const SlPlanRow *row = sl_section_plan_row(section, r);
        if (!row || row->agents.n_agents != n_agents || !is_new(section, &peers, r)) continue;
        if (!isnan(agreement(section, r, r))) peers.rows[peers.n++] = r;
    }
    return peers;
}

static void add_table(const SlSection *section, const Peers *peers) {
    const SlResults *results = section->results;
    SlText heads;
    sl_text_init(&heads, section->arena);
    sl_text_add(&heads, "<row");
    for (int i = 0; i < peers->n; i++)
        sl_text_add(&heads, "|%s", sl_section_column(section, results->rows[peers->rows[i]]));
    if (heads.failed) section->doc->failed = true;
    SlTable *table = sl_table_make(
        section->arena,
        sl_section_text(section, "%d agents: adjusted Rand index of the groups", peers->n_agents),
        heads.data);
    for (int i = 0; i < peers->n; i++) {
        sl_table_row(table);
        sl_table_cell(table, "%s", results->rows[peers->rows[i]]);
        for (int j = 0; j < peers->n; j++)
            sl_table_cell(table, "%.2f", agreement(section, peers->rows[i], peers->rows[j]));
    }
    sl_doc_grid(section->doc, sl_section_text(section, "agreement %d agents", peers->n_agents),
                table);
}

void sl_section_agreement(const SlSection *section) {
    bool begun = false;
    for (int n = 2; n < SL_MAX_PARAMS; n++) {
        Peers peers = find_peers(section, n);
        if (peers.n == 0) continue;
        if (!begun) {
            sl_doc_heading(section->doc, "Agreement of the groups");
            sl_doc_words(
                section->doc,
                "1: the same groups; 0: as alike as groups of these sizes are by chance. "
                "On the diagonal a row with itself, between seeds; elsewhere two rows with "
                "the same seed. Means over tasks and seeds.");
        }
        begun = true;
        add_table(section, &peers);
    }
}

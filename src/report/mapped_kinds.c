// mapped_kinds.c - what documents of mapped networks say of costs, by who evaluated: the native
// model, MAESTRO's beside it, a program of the user's.
#include "evaluation_parts.h"
#include "mapped_inside.h"

// ---- the native model, and those that leave costs to it ----

static const SlColumn native_columns[] = {
    SL_COLUMN(NULL, "latency"),
    SL_COLUMN(NULL, "energy"),
    SL_COLUMN(NULL, NULL),
    SL_COLUMN("binder", "bound by", .cut = true),
    SL_COLUMN(NULL, "% time"),
    SL_COLUMN(NULL, "% energy"),
    SL_COLUMN("utilisation", "util"),
    SL_COLUMN(NULL, "floor"),
    SL_COLUMN(NULL, "proven gap"),
    SL_COLUMN("gain", "gain"),
};

// members of a row whose costs are those of the native model
#define NATIVE_COSTS                                                                               \
    .note = SL_NUMBERS_NOTE, .n_columns = sizeof native_columns / sizeof *native_columns,          \
    .columns = native_columns,                                                                     \
    .legend =                                                                                      \
        "floor: the objective over the least that any mapping needs, never below 1 ×. "           \
        "gain: how many times smaller than with the default mapping of starling eval; none: "      \
        "no more than what proofs leave open."

// ---- MAESTRO's model ----

static void describe_maestro(const SlMapped *mapped, SlText *out) {
    (void)mapped;
    sl_text_add(out, ", MAESTRO's model with impossible results rejected");
}

static void add_costs(SlDoc *doc, double cycles, double pj, double edp) {
    sl_doc_open(doc, "maestro", NULL);
    sl_doc_number(doc, "latency_cycles", NULL, SL_UNIT_CYCLES, cycles);
    sl_doc_number(doc, "energy_pj", NULL, SL_UNIT_PJ, pj);
    sl_doc_number(doc, "edp", NULL, SL_UNIT_PLAIN, edp);
}

static void add_maestro_totals(SlDoc *doc, const SlMapped *mapped) {
    add_costs(doc, mapped->sums.latency_cycles, mapped->sums.energy_pj,
              sl_network_cost_value(&mapped->sums, SL_EDP));
    sl_doc_close(doc);
}

static void add_maestro_numbers(SlDoc *doc, const SlMappedLayer *layer) {
    const SlMaestroCost *maestro = &layer->maestro->maestro;
    const SlCost *cost = layer->cost;
    add_costs(doc, cost->latency_cycles, cost->energy_pj, sl_cost_value(cost, SL_EDP));
    sl_doc_number(doc, "area_um2", NULL, SL_UNIT_UM2, cost->area_min_um2);
    sl_doc_number(doc, "power_mw", NULL, SL_UNIT_MW, cost->power_mw);
    sl_doc_number(doc, "l1_bytes", NULL, SL_UNIT_BYTES, (double)maestro->l1_bytes);
    sl_doc_number(doc, "l2_bytes", NULL, SL_UNIT_BYTES, (double)maestro->l2_bytes);
    sl_doc_close(doc);
}

// "L1 needs 138 of 512 words"
static void add_buffer(const SlAccel *accel, int level, int64_t need, SlText *out) {
    const SlLevel *buffer = &accel->levels[level];
    double words = (double)buffer->capacity_bytes / accel->word_bytes[0];
    char a[32], b[32];
    sl_text_add(out, "%s needs %s of %s words, ", buffer->name, sl_show_count((double)need, a),
                sl_show_count(words, b));
}

static void add_maestro_facts(SlDoc *doc, const SlMapped *mapped) {
    const SlMaestroCost *maestro = &mapped->layers[0].maestro->maestro;
    SlText words;
    sl_text_init(&words, mapped->arena);
    add_buffer(&mapped->eval.accel, 2, maestro->l1_bytes, &words);
    add_buffer(&mapped->eval.accel, 1, maestro->l2_bytes, &words);
    if (words.failed) sl_doc_fail(doc);
    sl_doc_string(
        doc, NULL, "not physical",
        "MAESTRO's area and power: its bus and arbiter grow with the network's bandwidth, "
        "limited or not, and with the square of the PEs");
    sl_doc_string(doc, NULL, "floor", "the cycles of busy PEs; MAESTRO's model has no other floor");
    sl_doc_text(doc, NULL, "buffers", "%sas MAESTRO counts them", words.data);
}

static const SlColumn maestro_columns[] = {
    SL_COLUMN(NULL, "latency"), SL_COLUMN(NULL, "energy"),         SL_COLUMN(NULL, NULL),
    SL_COLUMN(NULL, "floor"),   SL_COLUMN(NULL, "native latency"), SL_COLUMN(NULL, "native energy"),
};

static const SlColumn maestro_csv[] = {
    SL_COLUMN("maestro.latency_cycles", NULL, .csv = "maestro_cycles"),
    SL_COLUMN("maestro.energy_pj", NULL),
    SL_COLUMN("maestro.area_um2", NULL),
    SL_COLUMN("maestro.power_mw", NULL),
    SL_COLUMN("maestro.l1_bytes", NULL),
    SL_COLUMN("maestro.l2_bytes", NULL),
};

// ---- a program of the user's ----

static void describe_process(const SlMapped *mapped, SlText *out) {
    sl_text_add(out, ", evaluator %s", mapped->evaluator);
}

static void add_value(SlDoc *doc, const SlMappedLayer *layer) {
    const SlRecord *record = &layer->task->record;
    sl_doc_row(doc);
    sl_doc_number(doc, NULL, "n", SL_UNIT_COUNT, layer->task->count);
    sl_doc_string(doc, NULL, "layer", layer->found->layer.name);
    sl_doc_number(doc, NULL, "best", SL_UNIT_PLAIN, layer->value);
    sl_doc_number(doc, NULL, "first", SL_UNIT_PLAIN, layer->first);
    sl_doc_number(doc, NULL, "gain", SL_UNIT_TIMES, layer->gain);
    sl_doc_number(doc, NULL, "samples", SL_UNIT_COUNT, (double)record->samples);
    sl_doc_number(doc, NULL, "failed", SL_UNIT_COUNT, (double)record->failures);
    sl_doc_number(doc, NULL, "found at", SL_UNIT_COUNT, (double)record->best.sample);
}

static void add_process_values(SlDoc *doc, const SlMapped *mapped) {
    static const SlColumn columns[] = {
        SL_COLUMN(NULL, "layer", .cut = true),
        SL_COLUMN(NULL, "n"),
        SL_COLUMN(NULL, "best"),
        SL_COLUMN(NULL, "first"),
        SL_COLUMN(NULL, "gain"),
        SL_COLUMN(NULL, "samples"),
        SL_COLUMN(NULL, "failed"),
        SL_COLUMN(NULL, "found at"),
    };
    sl_doc_table(doc, NULL, "Values by the evaluator", sizeof columns / sizeof *columns, columns);
    for (int i = 0; i < mapped->n_layers; i++) add_value(doc, &mapped->layers[i]);
    sl_doc_close(doc);
    sl_doc_heading(doc, "What Starling's own model says of the same mappings");
}

// ---- the rows ----

static const SlMappedKind rows[] = {
    {.kind = &sl_kind_native, NATIVE_COSTS},
    {
        .kind = &sl_kind_maestro,
        .costs = "MAESTRO",
        .floor = {.weight = {[SL_LATENCY] = 1}},
        .note =
            "Numbers of MAESTRO's model; its area and power are not physical (docs/maestro.md).",
        .n_columns = sizeof maestro_columns / sizeof *maestro_columns,
        .columns = maestro_columns,
        .legend = "latency, energy: MAESTRO's, energy as of a layer alone in its file. floor: "
                  "latency over that of busy PEs. native: the same mappings in the native model.",
        .n_csv = sizeof maestro_csv / sizeof *maestro_csv,
        .csv = maestro_csv,
        .describe = describe_maestro,
        .add_facts = add_maestro_facts,
        .add_numbers = add_maestro_numbers,
        .add_totals = add_maestro_totals,
    },
    {
        .kind = &sl_kind_process,
        .describe = describe_process,
        .add_values = add_process_values,
        NATIVE_COSTS,
    },
};

const SlMappedKind *sl_mapped_kind(const SlMapped *mapped) {
    const SlMappedKind *row = rows;
    while (row->kind != mapped->setup.kind) row++;
    return row;
}

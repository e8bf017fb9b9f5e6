// evaluation_layer.c - one layer and its mapping in full: the loop nest, buffers, traffic, time,
// energy, floors.
#include <math.h>
#include <stdio.h>

#include "doc_inside.h"
#include "evaluation_parts.h"

#define COLUMNS(list) ((int)(sizeof(list) / sizeof *(list))), (list)

static void add_count(SlDoc *doc, const char *label, double value) {
    sl_doc_number(doc, NULL, label, SL_UNIT_COUNT, value);
}

static void add_nest(SlDoc *doc, const SlEvaluation *eval, const SlPriced *priced) {
    char nest[SL_NEST_TEXT_MAX];
    SlText drawing;
    sl_text_init(&drawing, eval->arena);
    sl_mapping_draw(&priced->layer, &eval->accel, &priced->mapping, &drawing);
    if (drawing.failed) sl_doc_fail(doc);
    sl_doc_heading(doc, "Loop nest");
    sl_doc_words(doc, "`%s`", sl_mapping_write(&priced->mapping, sizeof nest, nest));
    sl_doc_listing(doc, NULL, "", drawing.data);
}

// ---- buffers ----

static bool keeps(const SlPriced *priced, int level, int tensor) {
    return level > priced->mapping.n_boundaries || priced->mapping.keep[level - 1] >> tensor & 1;
}

static void add_buffers(SlDoc *doc, const SlEvaluation *eval, const SlPriced *priced) {
    static const char *const words[] = {"W words", "I words", "O words"};
    static const SlColumn columns[] = {
        SL_COLUMN(NULL, "level"),   SL_COLUMN(NULL, "W words"),     SL_COLUMN(NULL, "I words"),
        SL_COLUMN(NULL, "O words"), SL_COLUMN(NULL, "needs bytes"), SL_COLUMN(NULL, "has bytes"),
        SL_COLUMN(NULL, "full"),    SL_COLUMN(NULL, "used"),        SL_COLUMN(NULL, "of instances"),
    };
    sl_doc_table(doc, NULL, "Buffers", COLUMNS(columns));
    for (int l = 1; l < eval->accel.n_levels; l++) {
        const SlLevelCounts *counts = &priced->cost.counts.level[l];
        double capacity = (double)eval->accel.levels[l].capacity_bytes;
        double bytes = priced->cost.need_bytes[l];
        sl_doc_row(doc);
        sl_doc_string(doc, NULL, "level", eval->accel.levels[l].name);
        for (int t = 0; t < SL_N_TENSORS; t++)
            add_count(doc, words[t], keeps(priced, l, t) ? counts->tile[t] : (double)NAN);
        add_count(doc, "needs bytes", ceil(bytes));
        add_count(doc, "has bytes", capacity);
        sl_doc_number(doc, NULL, "full", SL_UNIT_SHARE, capacity > 0 ? bytes / capacity : NAN);
        add_count(doc, "used", counts->inst);
        add_count(doc, "of instances", (double)sl_accel_instances(&eval->accel, l));
    }
    sl_doc_close(doc);
}

// ---- traffic ----

// one line: a count per tensor and their sum; NAN = the count does not exist
static void add_traffic_row(SlDoc *doc, const char *level, const char *what,
                            const double values[SL_N_TENSORS]) {
    double sum = 0;
    sl_doc_row(doc);
    sl_doc_string(doc, NULL, "level", level);
    sl_doc_string(doc, NULL, "words", what);
    for (int t = 0; t < SL_N_TENSORS; t++) {
        if (!isnan(values[t])) sum += values[t];
        add_count(doc, sl_tensor_names[t], values[t]);
    }
    add_count(doc, "total", sum);
}

static void add_level_traffic(SlDoc *doc, const SlEvaluation *eval, const SlPriced *priced,
                              int level) {
    const SlLevelCounts *counts = &priced->cost.counts.level[level];
    bool macs = level == eval->accel.n_levels;
    double fills[SL_N_TENSORS], reads[SL_N_TENSORS];
    const double updates[SL_N_TENSORS] = {NAN, NAN, counts->upd};
    for (int t = 0; t < SL_N_TENSORS; t++) {
        bool kept = keeps(priced, level, t);
        fills[t] = kept ? counts->fill[t] : NAN;
        reads[t] = kept ? counts->pread[t] : NAN;
    }
    // the MACs hold nothing
    if (!macs) add_traffic_row(doc, eval->accel.levels[level].name, "filled", fills);
    add_traffic_row(doc, macs ? "MACs" : "", "read above", reads);
    if (keeps(priced, level, SL_O)) add_traffic_row(doc, "", "updated above", updates);
}

static void add_traffic(SlDoc *doc, const SlEvaluation *eval, const SlPriced *priced) {
    static const SlColumn columns[] = {SL_COLUMN(NULL, "level"), SL_COLUMN(NULL, "words"),
                                       SL_COLUMN(NULL, "W"),     SL_COLUMN(NULL, "I"),
                                       SL_COLUMN(NULL, "O"),     SL_COLUMN(NULL, "total")};
    sl_doc_table(doc, NULL, "Traffic", COLUMNS(columns));
    for (int l = 1; l <= eval->accel.n_levels; l++) add_level_traffic(doc, eval, priced, l);
    sl_doc_close(doc);
    sl_doc_words(doc, "Above: the next level outwards that keeps the tensor. O read above: partial "
                      "sums that come back.");
}

// ---- time ----

// a candidate for the latency; `longest` fills the bar
static void add_candidate(SlDoc *doc, const char *name, double cycles, double longest,
                          const char *remark) {
    sl_doc_row(doc);
    sl_doc_string(doc, NULL, "each alone", name);
    add_count(doc, "cycles", cycles);
    sl_doc_bar(doc, "of the latency", 0, cycles / longest);
    sl_doc_string(doc, NULL, "because", remark);
}

static const char *rate_remark(double words, double rate, char out[static 2 * SL_UNIT_ROOM]) {
    char count[SL_UNIT_ROOM];
    snprintf(out, (size_t)2 * SL_UNIT_ROOM, "%s words, %.6g per cycle",
             sl_unit_show(SL_UNIT_COUNT, words, count), rate);
    return out;
}

// a port or a link that can never bind is left out
static void add_level_candidates(SlDoc *doc, const SlEvaluation *eval, const SlPriced *priced,
                                 int l) {
    const SlLevel *level = &eval->accel.levels[l];
    double longest = priced->cost.latency_cycles;
    char name[SL_UNIT_ROOM], remark[2 * SL_UNIT_ROOM];
    if (l > 0 && isfinite(level->link_words)) {
        bool single = level->buffering == SL_BUFFER_SINGLE;
        snprintf(name, sizeof name, "%s link", level->name);
        rate_remark(priced->cost.link[l], level->link_words, remark);
        add_candidate(doc, name, priced->parts.link_cycles[l], longest,
                      single ? "single buffered: adds to the time" : remark);
    }
    if (!isfinite(level->port_words)) return;
    snprintf(name, sizeof name, "%s port", level->name);
    rate_remark(priced->cost.port[l], level->port_words, remark);
    add_candidate(doc, name, priced->parts.port_cycles[l], longest, remark);
}

static void add_time(SlDoc *doc, const SlEvaluation *eval, const SlPriced *priced) {
    static const SlColumn columns[] = {SL_COLUMN(NULL, "each alone"), SL_COLUMN(NULL, "cycles"),
                                       SL_COLUMN(NULL, "of the latency"),
                                       SL_COLUMN(NULL, "because")};
    const SlCost *cost = &priced->cost;
    double longest = cost->latency_cycles;
    int n = eval->accel.n_levels;
    char busy[SL_UNIT_ROOM], all[SL_UNIT_ROOM], macs[3 * SL_UNIT_ROOM];
    snprintf(macs, sizeof macs, "%s of %s MACs at work",
             sl_unit_show(SL_UNIT_COUNT, cost->counts.level[n].inst, busy),
             sl_unit_show(SL_UNIT_COUNT, (double)sl_accel_macs(&eval->accel), all));
    sl_doc_table(doc, NULL, "Latency", COLUMNS(columns));
    add_candidate(doc, "compute", cost->counts.cycles, longest, macs);
    for (int l = 0; l < n; l++) add_level_candidates(doc, eval, priced, l);
    add_candidate(doc, "+ ramp", cost->ramp_cycles, longest, "first tiles, before work starts");
    if (priced->parts.stall_cycles > 0)
        add_candidate(doc, "+ stalls", priced->parts.stall_cycles, longest,
                      "transfers of single-buffered levels");
    sl_doc_close(doc);
}

// ---- energy ----

// Where along the bars the next place starts, and what the whole is.
typedef struct {
    double whole_pj, from;
} Share;

// one place: its energy per tensor (NULL: of no tensor), its share of the whole and a bar
static void add_place(SlDoc *doc, const char *place, const double *tensors_pj, double pj,
                      Share *done) {
    double share = pj / done->whole_pj;
    sl_doc_row(doc);
    sl_doc_string(doc, NULL, "spent in", place);
    for (int t = 0; t < SL_N_TENSORS; t++)
        sl_doc_number(doc, NULL, sl_tensor_names[t], SL_UNIT_PJ,
                      tensors_pj && tensors_pj[t] > 0 ? tensors_pj[t] : NAN);
    sl_doc_number(doc, NULL, "total", SL_UNIT_PJ, pj);
    sl_doc_number(doc, NULL, "share", SL_UNIT_SHARE, share);
    sl_doc_bar(doc, "of the energy", done->from, done->from + share);
    done->from += share;
}

static double sum(const double pj[SL_N_TENSORS]) {
    return pj[SL_W] + pj[SL_I] + pj[SL_O];
}

static void add_energy(SlDoc *doc, const SlEvaluation *eval, const SlPriced *priced) {
    static const SlColumn columns[] = {
        SL_COLUMN(NULL, "spent in"),
        SL_COLUMN(NULL, "W"),
        SL_COLUMN(NULL, "I"),
        SL_COLUMN(NULL, "O"),
        SL_COLUMN(NULL, "total"),
        SL_COLUMN(NULL, "share"),
        SL_COLUMN(NULL, "of the energy"),
    };
    const SlBreakdown *parts = &priced->parts;
    Share done = {.whole_pj = priced->cost.energy_pj};
    char name[SL_UNIT_ROOM];
    sl_doc_table(doc, NULL, "Energy", COLUMNS(columns));
    for (int l = 0; l < eval->accel.n_levels; l++) {
        const char *level = eval->accel.levels[l].name;
        snprintf(name, sizeof name, "network into %s", level);
        if (eval->accel.levels[l].link_pj > 0 && l > 0)
            add_place(doc, name, parts->link_pj[l], sum(parts->link_pj[l]), &done);
        add_place(doc, level, parts->level_pj[l], sum(parts->level_pj[l]), &done);
    }
    add_place(doc, "MACs", NULL, parts->mac_pj, &done);
    sl_doc_close(doc);
}

// ---- floors ----

static void add_objective(SlDoc *doc, const char *label, const SlEvaluation *eval, int objective,
                          double value) {
    if (objective == SL_EDP)
        sl_doc_edp(doc, NULL, label, value, eval->accel.clock_mhz);
    else
        sl_doc_number(doc, NULL, label, objective == SL_LATENCY ? SL_UNIT_CYCLES : SL_UNIT_PJ,
                      value);
}

static void add_floors(SlDoc *doc, const SlEvaluation *eval, const SlPriced *priced) {
    static const SlColumn columns[] = {
        SL_COLUMN(NULL, "objective"), SL_COLUMN(NULL, "this mapping"),
        SL_COLUMN(NULL, "least possible"), SL_COLUMN(NULL, "multiple"), SL_COLUMN(NULL, "floor")};
    const SlFloor *floor = &priced->floor;
    bool compute = floor->compute_cycles >= floor->dram_cycles;
    const char *const reasons[] = {compute ? "every MAC busy" : "every word once over DRAM",
                                   "the MACs, every word once over DRAM", "product of the two"};
    sl_doc_table(doc, NULL, "Floors", COLUMNS(columns));
    for (int o = SL_LATENCY; o <= SL_EDP; o++) {
        SlObjective objective = (SlObjective)o;
        sl_doc_row(doc);
        sl_doc_string(doc, NULL, "objective", sl_objective_names[o]);
        add_objective(doc, "this mapping", eval, o, sl_cost_value(&priced->cost, objective));
        add_objective(doc, "least possible", eval, o, floor->value[o]);
        sl_doc_number(doc, NULL, "multiple", SL_UNIT_TIMES, sl_priced_multiple(priced, objective));
        sl_doc_string(doc, NULL, "floor", reasons[o]);
    }
    sl_doc_close(doc);
}

void sl_evaluation_parts(SlDoc *doc, const SlEvaluation *eval) {
    const SlPriced *priced = eval->layers[0];
    add_nest(doc, eval, priced);
    add_buffers(doc, eval, priced);
    add_traffic(doc, eval, priced);
    add_time(doc, eval, priced);
    add_energy(doc, eval, priced);
    add_floors(doc, eval, priced);
}

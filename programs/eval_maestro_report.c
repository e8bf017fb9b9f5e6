// eval_maestro_report.c - MAESTRO's numbers beside the exact ones, for reading.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "eval_maestro.h"
#include "show.h"
#include "text_table.h"

static const SlGuardRule guard_rules[] = {SL_GUARD_MACS, SL_GUARD_RUNTIME, SL_GUARD_L1,
                                          SL_GUARD_L2};
enum { N_GUARD_RULES = sizeof guard_rules / sizeof guard_rules[0] };

static bool is_physical(const MaestroPriced *priced) {
    return !priced->no_layer && priced->guard.broken == 0;
}

const char *maestro_directive(const SlDirective *directive, size_t n, char *out) {
    if (directive->kind == SL_MAP_CLUSTER)
        snprintf(out, n, "Cluster(%d, %c)", (int)directive->size, directive->unit);
    else
        snprintf(out, n, "%s(%d,%d) %s",
                 directive->kind == SL_MAP_SPATIAL ? "SpatialMap" : "TemporalMap",
                 (int)directive->size, (int)directive->offset,
                 sl_maestro_var_names[directive->var]);
    return out;
}

MaestroTotals maestro_totals(const MaestroEval *eval) {
    MaestroTotals sum = {0};
    for (int i = eval->from; i < eval->to; i++) {
        const MaestroPriced *priced = &eval->layers[i];
        sum.runtime += (double)priced->cost.runtime_cycles;
        sum.energy_nj += priced->cost.energy_nj;
        sum.macs += (double)priced->cost.macs;
        sum.exact_latency += priced->no_nest ? NAN : priced->exact_latency;
        sum.exact_macs += priced->no_layer ? NAN : (double)sl_layer_macs(&priced->layer);
        sum.n_unphysical += !is_physical(priced);
        sum.n_without_nest += priced->no_nest != NULL;
    }
    return sum;
}

// ---- what it is ----

static const char *limit(int32_t value, const char *unit, char out[static SHOW_ROOM]) {
    char count[32];
    if (value == INT32_MAX)
        snprintf(out, SHOW_ROOM, "without limit");
    else
        snprintf(out, SHOW_ROOM, "%s %s", sl_show_count(value, count), unit);
    return out;
}

static void add_hardware(const MaestroEval *eval, SlText *out) {
    const SlMaestroHardware *hardware = &eval->hardware;
    char a[SHOW_ROOM], b[SHOW_ROOM], pes[32], lanes[32], latency[32];
    sl_text_add(out, "Hardware: %s PE%s with %s MAC%s each; L1 %s, L2 %s\n",
                sl_show_count(hardware->num_pes, pes), hardware->num_pes == 1 ? "" : "s",
                sl_show_count(hardware->simd_lanes, lanes), hardware->simd_lanes == 1 ? "" : "s",
                limit(hardware->l1_bytes, "bytes", a), limit(hardware->l2_bytes, "bytes", b));
    sl_text_add(out, "          network %s, latency %s; off-chip %s\n",
                limit(hardware->noc_bw, "words/cycle", a),
                sl_show_count(hardware->noc_latency, latency),
                limit(hardware->offchip_bw, "words/cycle", b));
}

// "CONV K=5 C=6 R=3 S=3 Y=5 X=5, stride X=2 Y=2"
static void add_shape(const SlMaestroLayer *shape, SlText *out) {
    static const SlMaestroVar order[] = {SL_MV_N, SL_MV_G, SL_MV_M, SL_MV_K,  SL_MV_C, SL_MV_R,
                                         SL_MV_S, SL_MV_Y, SL_MV_X, SL_MV_YO, SL_MV_XO};
    bool gemm = shape->type == SL_MAESTRO_GEMM, strided = false;
    sl_text_add(out, "%s", sl_maestro_type_names[shape->type]);
    for (int i = 0; i < SL_N_MV; i++) {
        // of a matrix product N are the columns
        int v = gemm && i == 0 ? SL_MV_M : gemm && i == 2 ? SL_MV_N : (int)order[i];
        if (shape->size[v])
            sl_text_add(out, " %s=%d", sl_maestro_var_names[v], (int)shape->size[v]);
    }
    for (int v = SL_N_MV - 1; v >= 0; v--) {
        if (!shape->size[v] || shape->stride[v] == 1) continue;
        sl_text_add(out, "%s %s=%d", strided ? "" : ", stride", sl_maestro_var_names[v],
                    (int)shape->stride[v]);
        strided = true;
    }
    sl_text_add(out, "\n");
}

// the maps of one level from `d` on, in lines of at most 100 columns; returns where they end
static int add_maps(const SlMaestroMapping *mapping, int d, int column, SlText *out) {
    static const char indent[] = "\n   ";
    for (; d < mapping->n && mapping->list[d].kind != SL_MAP_CLUSTER; d++) {
        char text[64];
        maestro_directive(&mapping->list[d], sizeof text, text);
        bool last = d + 1 == mapping->n || mapping->list[d + 1].kind == SL_MAP_CLUSTER;
        int columns = (int)strlen(text) + 2;
        if (column + columns > TABLE_WIDTH) {
            sl_text_add(out, "%s", indent);
            column = (int)sizeof indent - 2;
        }
        sl_text_add(out, " %s%s", text, last ? "" : ";");
        column += columns;
    }
    sl_text_add(out, "\n");
    return d;
}

static void add_directives(const MaestroEval *eval, int i, SlText *out) {
    const SlMaestroMapping *mapping = &eval->net.mappings[i];
    int64_t fanout = eval->hardware.num_pes;
    int n_levels = 1;
    for (int d = 0; d < mapping->n; d++) {
        if (mapping->list[d].kind != SL_MAP_CLUSTER) continue;
        fanout /= mapping->list[d].size;
        n_levels++;
    }
    for (int d = 0, level = 0; level < n_levels; d++, level++) {
        char lead[SHOW_ROOM], count[32];
        snprintf(lead, sizeof lead, "Level %d, over %s %s%s:", level,
                 sl_show_count((double)fanout, count), level + 1 == n_levels ? "PE" : "cluster",
                 fanout == 1 ? "" : "s");
        sl_text_add(out, "%s", lead);
        d = add_maps(mapping, d, (int)strlen(lead), out);
        if (level + 1 < n_levels) fanout = mapping->list[d].size;
    }
}

static void add_nest(const MaestroPriced *priced, SlText *out) {
    char nest[SL_NEST_TEXT_MAX];
    if (!priced->no_nest)
        show_wrapped("As a loop nest: ", "    ", sl_mapping_write(&priced->nest, sizeof nest, nest),
                     out);
    else if (priced->no_layer)
        sl_text_add(out, "There is no such layer: %s, so nothing of it is known exactly.\n",
                    priced->no_layer);
    else
        sl_text_add(out, "No loop nest does this (%s): only the work is known exactly.\n",
                    priced->no_nest);
    sl_text_add(out, "\n");
}

// ---- whether it is physical ----

static void add_guard(const MaestroPriced *priced, SlText *out) {
    bool strided = priced->layer.stride[0] > 1 || priced->layer.stride[1] > 1;
    if (is_physical(priced)) {
        sl_text_add(out,
                    "Physical: every MAC is there%s, no time is too short, buffers suffice.\n\n",
                    strided ? " (counted at stride 1)" : "");
        return;
    }
    sl_text_add(out, "NOT PHYSICAL:\n");
    if (priced->no_layer) sl_text_add(out, "  - %s\n", priced->no_layer);
    for (int r = 0; !priced->no_layer && r < N_GUARD_RULES; r++) {
        char sentence[160];
        if (!(priced->guard.broken & (int)guard_rules[r])) continue;
        sl_maestro_guard_text(&priced->guard, guard_rules[r], sizeof sentence, sentence);
        show_wrapped("  - ", "    ", sentence, out);
    }
    sl_text_add(out, "\n");
}

// "MACs, runtime"
static const char *broken_rules(const MaestroPriced *priced, char out[static SHOW_ROOM]) {
    static const char *const names[N_GUARD_RULES] = {"MACs", "runtime", "L1", "L2"};
    size_t used = 0;
    snprintf(out, SHOW_ROOM, "%s", is_physical(priced) ? "yes" : "NO: ");
    if (is_physical(priced)) return out;
    if (priced->no_layer) {
        snprintf(out, SHOW_ROOM, "NO: layer");
        return out;
    }
    for (int r = 0; r < N_GUARD_RULES; r++) {
        if (!(priced->guard.broken & (int)guard_rules[r])) continue;
        used = strlen(out);
        snprintf(out + used, SHOW_ROOM - used, "%s%s", out[used - 1] == ' ' ? "" : ", ", names[r]);
    }
    return out;
}

// ---- side by side ----

// whole numbers as counts, others with six digits as MAESTRO has
static const char *number(double value, char out[static SHOW_ROOM]) {
    char count[32];
    if (isnan(value))
        snprintf(out, SHOW_ROOM, "-");
    else if (value == floor(value) && fabs(value) < 1e15)
        snprintf(out, SHOW_ROOM, "%s", sl_show_count(value, count));
    else
        snprintf(out, SHOW_ROOM, "%.6g", value);
    return out;
}

static const char *ratio(double maestro, double exact, char out[static SHOW_ROOM]) {
    if (isnan(maestro) || isnan(exact) || exact == 0)
        snprintf(out, SHOW_ROOM, "%s", maestro == exact ? "=" : "-");
    else if (fabs(maestro - exact) <= 1e-9 * fabs(exact))
        snprintf(out, SHOW_ROOM, "=");
    else
        show_multiple(maestro / exact, out);
    return out;
}

static bool is_energy(int row) {
    return row == SL_ROW_ENERGY || row == SL_ROW_SCREEN_ENERGY;
}

// some access is counted otherwise
static bool counts_differ(const MaestroRow *rows) {
    for (int r = SL_ROW_L2_READ; r <= SL_ROW_L1_WRITE; r++)
        if (rows[r].maestro != rows[r].exact) return true;
    return false;
}

static void add_why(SlText *why, const char *word) {
    sl_text_add(why, "%s%s", why->n ? ", " : "", word);
}

static void set_why(const MaestroEval *eval, int i, const MaestroRow *rows, int r, SlText *why) {
    const MaestroPriced *priced = &eval->layers[i];
    char binder[SHOW_ROOM];
    double maestro = rows[r].maestro, exact = rows[r].exact;
    bool differs = !isnan(exact) && fabs(maestro - exact) > 1e-9 * fabs(exact);
    if (!differs) return;
    for (int reason = 0; reason < SL_N_REASONS; reason++)
        if (rows[r].reasons >> reason & 1)
            add_why(why, sl_maestro_reason_name((SlMaestroReason)reason));
    if (is_energy(r) && counts_differ(rows)) add_why(why, "counts above");
    if (r != SL_ROW_RUNTIME || priced->binder.kind == SL_BIND_COMPUTE) return;
    sl_text_add(why, "%sexact: %s", why->n ? ", " : "",
                show_binder(&eval->accel, priced->binder, binder));
}

// Words of `why` in lines of a cell; every line but the first is a row of its own.
static void add_row(TextTable *table, const char *title, const char *const cells[3], char *why) {
    enum { WHY_COLUMNS = 34 };
    const char *first[] = {title, cells[0], cells[1], cells[2]};
    do {
        size_t n = strlen(why);
        if (n > WHY_COLUMNS) {
            for (n = WHY_COLUMNS; n > 0 && !(why[n] == ' ' && why[n - 1] == ',');) n--;
            if (n == 0) n = strlen(why);
        }
        table_row(table);
        for (int c = 0; c < 4; c++) {
            table_cell(table, "%s", first[c]);
            first[c] = "";
        }
        table_cell(table, "%.*s", (int)n, why);
        why += n;
        while (*why == ' ') why++;
    } while (*why);
}

// time that the work alone takes; MAESTRO does not say it
static void add_compute_row(TextTable *table, const MaestroPriced *priced) {
    char least[SHOW_ROOM], why[] = "";
    if (priced->no_layer) return;
    const char *const cells[] = {"-", number(priced->guard.cycles_least, least), "-"};
    add_row(table, priced->no_nest ? "  all PEs busy" : "  computing alone", cells, why);
}

static void add_comparison(const MaestroEval *eval, int i, SlText *out) {
    const MaestroPriced *priced = &eval->layers[i];
    MaestroRow rows[SL_N_ROWS];
    TextTable table;
    maestro_rows(eval, i, rows);
    table_init(&table, eval->arena, "<quantity|MAESTRO|exact|ratio|<why they differ");
    for (int r = 0; r < SL_N_ROWS; r++) {
        char a[SHOW_ROOM], b[SHOW_ROOM], c[SHOW_ROOM];
        SlText why;
        sl_text_init(&why, eval->arena);
        set_why(eval, i, rows, r, &why);
        if (why.failed) command_no_memory();
        const char *const cells[] = {number(rows[r].maestro, a), number(rows[r].exact, b),
                                     ratio(rows[r].maestro, rows[r].exact, c)};
        add_row(&table, rows[r].title, cells, why.data);
        if (r == SL_ROW_RUNTIME) add_compute_row(&table, priced);
    }
    table_draw(&table, out);
    sl_text_add(out, "\n");
}

// ---- what the names mean ----

static void count_reasons(const MaestroEval *eval, int counts[static SL_N_REASONS]) {
    for (int i = eval->from; i < eval->to; i++) {
        MaestroRow rows[SL_N_ROWS];
        uint32_t bits = 0;
        maestro_rows(eval, i, rows);
        for (int r = 0; r < SL_N_ROWS; r++) bits |= rows[r].reasons;
        for (int reason = 0; reason < SL_N_REASONS; reason++) counts[reason] += bits >> reason & 1;
    }
}

static void add_legend(const MaestroEval *eval, SlText *out) {
    int counts[SL_N_REASONS] = {0};
    bool any = false, several = eval->to - eval->from > 1;
    count_reasons(eval, counts);
    for (int r = 0; r < SL_N_REASONS; r++) {
        char lead[32], text[256];
        if (!counts[r]) continue;
        if (!any) sl_text_add(out, "Why MAESTRO differs:\n");
        any = true;
        snprintf(lead, sizeof lead, "  %-13s", sl_maestro_reason_name((SlMaestroReason)r));
        snprintf(text, sizeof text, "%s", sl_maestro_reason_text((SlMaestroReason)r));
        size_t used = strlen(text);
        if (several)
            snprintf(text + used, sizeof text - used, " (%d layer%s)", counts[r],
                     counts[r] == 1 ? "" : "s");
        show_wrapped(lead, "               ", text, out);
    }
    sl_text_add(out,
                "%sExact: the same loops counted step by step on the same machine, with MAESTRO's "
                "energies\n(DRAM costs none).\n",
                any ? "\n" : "");
}

// ---- one layer, many layers ----

// "two_levels:conv in MAESTRO's model", "conv on flex256 in MAESTRO's model, default mapping"
static void add_title(const MaestroEval *eval, const char *layer, SlText *out) {
    bool named = strcmp(eval->net.name, "inline") != 0 || !layer;
    sl_text_add(out, "%s%s%s%s%s in MAESTRO's model", named ? eval->net.name : "",
                named && layer ? ":" : "", layer ? layer : "", eval->machine ? " on " : "",
                eval->machine ? eval->machine : "");
    if (eval->mapping_from && strcmp(eval->mapping_from, "run") == 0)
        sl_text_add(out, ", mapping%s of the run", layer ? "" : "s");
    else if (eval->mapping_from)
        sl_text_add(out, ", %s mapping%s", eval->mapping_from, layer ? "" : "s");
    sl_text_add(out, "\n");
}

static void add_one(const MaestroEval *eval, int i, SlText *out) {
    const SlMaestroLayer *shape = &eval->net.layers[i];
    add_title(eval, shape->name, out);
    add_shape(shape, out);
    add_hardware(eval, out);
    sl_text_add(out, "\n");
    add_directives(eval, i, out);
    add_nest(&eval->layers[i], out);
    add_guard(&eval->layers[i], out);
    add_comparison(eval, i, out);
    add_legend(eval, out);
}

static void add_layer_row(TextTable *table, const MaestroEval *eval, int i) {
    const MaestroPriced *priced = &eval->layers[i];
    char text[SHOW_ROOM];
    double runtime = (double)priced->cost.runtime_cycles;
    double exact = priced->no_nest ? NAN : priced->exact_latency;
    table_row(table);
    table_cell(table, "%d", i + 1);
    table_cell(table, "%s", eval->net.layers[i].name);
    table_cell(table, "%s", sl_maestro_type_names[eval->net.layers[i].type]);
    table_cell(table, "%s", number((double)priced->cost.macs, text));
    table_cell(table, "%s", number(runtime, text));
    table_cell(table, "%s", number(exact, text));
    table_cell(table, "%s", ratio(runtime, exact, text));
    table_cell(table, "%.6g", priced->cost.energy_nj);
    table_cell(table, "%s", broken_rules(priced, text));
}

static void add_totals_row(TextTable *table, const MaestroTotals *sum, int n) {
    char text[SHOW_ROOM];
    table_rule(table);
    table_row(table);
    table_cell(table, "%s", "");
    table_cell(table, "%d layers", n);
    table_cell(table, "%s", "");
    table_cell(table, "%s", number(sum->macs, text));
    table_cell(table, "%s", number(sum->runtime, text));
    table_cell(table, "%s", number(sum->exact_latency, text));
    table_cell(table, "%s", ratio(sum->runtime, sum->exact_latency, text));
    table_cell(table, "%.6g", sum->energy_nj);
    if (sum->n_unphysical)
        table_cell(table, "%d NOT", sum->n_unphysical);
    else
        table_cell(table, "all");
}

static void add_many(const MaestroEval *eval, SlText *out) {
    MaestroTotals sum = maestro_totals(eval);
    TextTable table;
    add_title(eval, NULL, out);
    add_hardware(eval, out);
    sl_text_add(out, "\n");
    table_init(&table, eval->arena,
               "#|~layer|<type|MACs|cycles|exact cycles|ratio|energy, nJ|<physical?");
    for (int i = eval->from; i < eval->to; i++) add_layer_row(&table, eval, i);
    add_totals_row(&table, &sum, eval->to - eval->from);
    table_draw(&table, out);
    if (sum.n_without_nest)
        sl_text_add(out, "Exact cycles -: no loop nest does what the directives say.\n");
    sl_text_add(out, "\n");
    add_legend(eval, out);
    const char *base = strrchr(eval->word, '/');
    sl_text_add(out, "One layer in full: name it as in %s:%s\n", base ? base + 1 : eval->word,
                eval->net.layers[eval->from].name);
}

void add_maestro_report(const MaestroEval *eval, SlText *out) {
    if (eval->to - eval->from == 1)
        add_one(eval, eval->from, out);
    else
        add_many(eval, out);
}

// tuned_vta.c - a network tuned for a VTA tensor core: cycles, how busy it is, which core it is,
// what it needs of a chip.
#include <math.h>
#include <stdio.h>

#include "tuned_inside.h"

enum {
    CORE_ROOM = 96,
    LISTING_LINES = 4000, // of a program
    SHOWN_CORES = 10,     // on a terminal
};

typedef struct {
    SlVtaOptions options; // with the core given
    SlVtaCore core;       // the same; of a network that chose a core the one found
    bool search;          // it need not be the one given
    bool joint;           // it is searched with the schedule: one layer
} Machine;

// The best schedule of a layer, on the core found.
typedef struct {
    SlVtaTask task;
    SlVtaSchedule schedule;
    SlVtaTime time;
} Best;

static const Machine *machine_of(const SlTunedView *view) {
    return view->machine;
}

static const char *core_name(const SlVtaCore *core, char out[static CORE_ROOM]) {
    snprintf(out, CORE_ROOM, "%dx%dx%d", core->batch, core->block_in, core->block_out);
    return out;
}

// the core that was tuned for; NULL = none was found
static const SlVtaCore *core_found(const SlTunedView *view) {
    const Machine *machine = machine_of(view);
    if (!machine->joint) return &machine->core;
    const Best *best = view->layers[0].own;
    return best ? &best->task.core : NULL;
}

// ---- what it comes to ----

static SlStatus open_machine(SlTunedView *view) {
    const SlJobCore *chosen = sl_job_core(view->given->job);
    Machine *machine = SL_NEW(view->arena, 1, Machine);
    if (!machine) return SL_ENOMEM;
    if (view->setup->kind_options)
        machine->options = *(const SlVtaOptions *)view->setup->kind_options;
    else
        sl_vta_core_init(&machine->options.core);
    machine->core = chosen ? chosen->core : machine->options.core;
    machine->joint = machine->options.hardware == SL_HARDWARE_SEARCH;
    machine->search = machine->joint || view->setup->n_cores > 0;
    view->machine = machine;
    return SL_OK;
}

static SlStatus time_best(const SlTunedView *view, SlTunedLayer *layer) {
    const SlJobTask *task = layer->task;
    Best *best = layer->own = SL_NEW(view->arena, 1, Best);
    SlArena scratch;
    if (!best) return SL_ENOMEM;
    sl_arena_init(&scratch, 0);
    sl_task_vta(task->task, task->record.best.point, &best->task, &best->schedule);
    SlStatus status = sl_vta_time(&best->task, &best->schedule, &scratch, &best->time, NULL);
    sl_arena_free(&scratch);
    return status;
}

// cycles at the clock, and the host's share
static double seconds(const SlTunedView *view, double cycles) {
    const SlVtaTiming *timing = &machine_of(view)->core.timing;
    return cycles / (timing->clock_mhz * 1e6) + timing->call_us * 1e-6;
}

static double busy(const SlTunedView *view, const SlTunedLayer *layer) {
    const Best *best = layer->own;
    double cycles = best->time.utilisation * layer->best.value;
    return cycles / (machine_of(view)->core.timing.clock_mhz * 1e6) / layer->best.seconds;
}

static void write_program(const SlJobTask *task, SlText *out) {
    SlVtaTask vta;
    SlVtaSchedule schedule;
    SlArena scratch;
    sl_arena_init(&scratch, 0);
    sl_task_vta(task->task, task->record.best.point, &vta, &schedule);
    out->failed |= sl_vta_listing(&vta, &schedule, LISTING_LINES, &scratch, out) != SL_OK;
    sl_arena_free(&scratch);
}

// ---- names and members ----

static void name(const SlTunedView *view, SlText *out) {
    const SlVtaCore *core = core_found(view);
    char text[CORE_ROOM];
    sl_text_add(out, "vta%s%s", core ? " " : "", core ? core_name(core, text) : "");
}

static void describe(const SlTunedView *view, SlText *out) {
    const SlVtaCore *core = &machine_of(view)->options.core;
    char text[CORE_ROOM];
    sl_text_add(out, "vta %s%s, %d-bit bus, %s at %g MHz", core_name(core, text),
                machine_of(view)->search ? " or another core" : "", core->bus_bits,
                core->timing.name, core->timing.clock_mhz);
}

static void add_limit(SlDoc *doc, const char *key, double value) {
    sl_tuned_number(doc, key, value > 0 ? value : NAN);
}

// members of the group or row that is open; people see the label
static void add_core(SlDoc *doc, const SlVtaCore *core, const char *label) {
    char text[CORE_ROOM];
    sl_doc_string(doc, "name", label, sl_vta_core_write(core, sizeof text, text));
    sl_tuned_number(doc, "batch", core->batch);
    sl_tuned_number(doc, "block_in", core->block_in);
    sl_tuned_number(doc, "block_out", core->block_out);
    sl_tuned_number(doc, "bus_bits", core->bus_bits);
}

static void add_core_group(SlDoc *doc, const char *key, const SlVtaCore *core) {
    sl_doc_open(doc, key, NULL);
    add_core(doc, core, NULL);
    sl_doc_close(doc);
}

static void add_budget(SlDoc *doc, const SlVtaBudget *budget) {
    sl_doc_open(doc, "resources", NULL);
    add_limit(doc, "macs", (double)budget->macs);
    add_limit(doc, "dsp", budget->dsp);
    add_limit(doc, "bram36", budget->bram36);
    add_limit(doc, "lut", budget->lut);
    add_limit(doc, "sram_bytes", (double)budget->sram_bytes);
    sl_doc_close(doc);
}

// 0 = where a space is small, 1 = of all, 2 = never
static int optimum_wish(const SlJobSetup *setup) {
    if (!setup->prove) return 2;
    return setup->prove_points > 0 ? 0 : 1;
}

static void add_setup(SlDoc *doc, const SlTunedView *view) {
    const Machine *machine = machine_of(view);
    const SlVtaCore *core = &machine->options.core;
    int n_cores = view->setup->n_cores;
    sl_doc_string(doc, "hardware", NULL, sl_hardware_names[machine->search]);
    add_core_group(doc, "core", core);
    sl_doc_string(doc, "profile", NULL, core->timing.name);
    sl_tuned_number(doc, "clock_mhz", core->timing.clock_mhz);
    add_budget(doc, &machine->options.budget);
    sl_doc_flag(doc, "bias", NULL, machine->options.bias);
    sl_tuned_number(doc, "cores", n_cores > 0 ? (double)n_cores : (double)NAN);
    sl_tuned_number(doc, "optimum", optimum_wish(view->setup));
}

// what a layer alone would take, by the draft; NULL = not known
static const SlVtaCore *preferred_core(const SlTunedView *view, const SlTunedLayer *layer) {
    int i = (int)(layer - view->layers);
    const SlJobCore *best = NULL;
    for (int c = 0; c < view->n_cores && layer->task->task; c++)
        if (!best || view->cores[c].drafts[i] < best->drafts[i]) best = &view->cores[c];
    return best ? &best->core : NULL;
}

static void add_layer(SlDoc *doc, const SlTunedView *view, const SlTunedLayer *layer) {
    const SlVtaCore *preferred = preferred_core(view, layer);
    const Best *best = layer->own;
    if (preferred) add_core_group(doc, "preferred_core", preferred);
    if (!best) return;
    sl_doc_number(doc, "utilisation", NULL, SL_UNIT_SHARE, best->time.utilisation);
    sl_tuned_number(doc, "instructions", (double)best->time.insns);
    if (machine_of(view)->joint) add_core_group(doc, "core", &best->task.core);
}

static void add_sums(SlDoc *doc, const SlTunedView *view) {
    double cycles = view->sums.value;
    sl_doc_number(doc, "cycles", isfinite(cycles) ? "cycles" : NULL, SL_UNIT_COUNT, cycles);
    sl_doc_remark(doc, " at %g MHz", machine_of(view)->core.timing.clock_mhz);
}

// ---- the core ----

// what the core needs of one thing, and how full its limit is
static void add_need(SlDoc *doc, const char *key, const char *label, SlUnit unit, double need,
                     double have) {
    char limit[SL_UNIT_ROOM], share[SL_UNIT_ROOM];
    sl_doc_number(doc, key, label, unit, need);
    if (have > 0)
        sl_doc_remark(doc, "%s of %s", sl_unit_show(SL_UNIT_SHARE, need / have, share),
                      sl_unit_show(unit, have, limit));
}

static void add_resources(SlDoc *doc, const SlTunedView *view, const SlVtaCore *core) {
    static const char *const memories[] = {"uop", "inp", "wgt", "acc", "out"};
    const SlVtaBudget *budget = &machine_of(view)->options.budget;
    const char *which;
    SlVtaResources needs;
    double fill = sl_vta_fill(core, budget, &which);
    sl_vta_resources(core, budget->lut ? budget->dsp : 0, &needs);
    sl_doc_cards(doc, "resources", NULL);
    add_need(doc, "macs", "MACs", SL_UNIT_COUNT, (double)needs.macs, (double)budget->macs);
    add_need(doc, "dsp", "DSP", SL_UNIT_COUNT, needs.dsp, budget->dsp);
    add_need(doc, "lut", "LUT of multipliers", SL_UNIT_COUNT, needs.lut, budget->lut);
    add_need(doc, "bram36", "BRAM36", SL_UNIT_COUNT, needs.bram36_total, budget->bram36);
    add_need(doc, "sram_bytes", "SRAM", SL_UNIT_BYTES, (double)needs.sram_bytes,
             (double)budget->sram_bytes);
    add_limit(doc, "fill", fill);
    sl_doc_string(doc, "fullest", NULL, fill > 0 ? which : NULL);
    sl_doc_open(doc, "bram36_of", NULL);
    for (int i = 0; i < 5; i++) sl_tuned_number(doc, memories[i], needs.bram36[i]);
    sl_doc_close(doc);
    sl_doc_close(doc);
}

// ---- other cores of a network ----

static void add_candidate(SlDoc *doc, const SlJobCore *candidate, bool chosen) {
    SlVtaResources needs;
    char text[CORE_ROOM];
    sl_vta_resources(&candidate->core, 0, &needs);
    sl_doc_row(doc);
    sl_doc_string(doc, NULL, "core", core_name(&candidate->core, text));
    if (chosen) sl_doc_strong(doc);
    add_core(doc, &candidate->core, NULL);
    sl_doc_number(doc, NULL, "MACs", SL_UNIT_COUNT, (double)needs.macs);
    sl_doc_number(doc, NULL, "BRAM36", SL_UNIT_COUNT, needs.bram36_total);
    sl_tuned_number(doc, "drafted_cycles", candidate->draft);
    sl_tuned_number(doc, "cycles", candidate->tasks ? candidate->cycles : (double)NAN);
}

static void add_preferences(SlDoc *doc, const SlTunedView *view) {
    SlText words;
    char text[CORE_ROOM];
    const char *lead = "Alone, by the draft, the layers would take: ";
    sl_text_init(&words, view->arena);
    for (int i = 0; i < view->n_layers; i++) {
        const SlVtaCore *preferred = preferred_core(view, &view->layers[i]);
        if (!preferred) continue;
        sl_text_add(&words, "%s%s %s", lead, view->layers[i].task->layer->name,
                    core_name(preferred, text));
        lead = "; ";
    }
    sl_doc_words(doc, "%s.", sl_tuned_text(doc, &words));
}

// the cores that a network was tuned on, or might have been
static void add_candidates(SlDoc *doc, const SlTunedView *view) {
    static const SlColumn columns[] = {
        SL_COLUMN(NULL, "core"),
        SL_COLUMN("name", NULL),
        SL_COLUMN("batch", NULL),
        SL_COLUMN("block_in", NULL),
        SL_COLUMN("block_out", NULL),
        SL_COLUMN("bus_bits", NULL),
        SL_COLUMN(NULL, "MACs"),
        SL_COLUMN(NULL, "BRAM36"),
        SL_COLUMN("drafted_cycles", "drafted cycles", .unit = SL_UNIT_COUNT),
        SL_COLUMN("cycles", "tuned cycles", .unit = SL_UNIT_COUNT),
    };
    sl_doc_open(doc, NULL, "Other cores");
    sl_doc_words(doc, "%d fit. By the drafts of all schedules, and as tuned; the least sum wins.",
                 view->n_cores);
    sl_doc_table(doc, "cores", NULL, sizeof columns / sizeof *columns, columns);
    for (int i = 0; i < view->n_cores; i++) {
        sl_doc_detail(doc, i >= SHOWN_CORES);
        add_candidate(doc, &view->cores[i], &view->cores[i] == sl_job_core(view->given->job));
    }
    sl_doc_close(doc);
    sl_doc_detail(doc, false);
    add_preferences(doc, view);
    sl_doc_close(doc);
}

static void add_found(SlDoc *doc, const SlTunedView *view, const SlVtaCore *core) {
    const char *limits = view->given->limits;
    char text[CORE_ROOM], heading[CORE_ROOM + 8];
    if (!limits) limits = "what the core given needs";
    if (!(sl_vta_fill(core, &machine_of(view)->options.budget, NULL) > 0)) limits = "none";
    snprintf(heading, sizeof heading, "Core %s", core_name(core, text));
    sl_doc_open(doc, NULL, heading);
    sl_doc_open(doc, "core", NULL);
    add_core(doc, core, "configuration");
    sl_doc_string(doc, NULL, "limits", limits);
    sl_doc_close(doc);
    add_resources(doc, view, core);
    sl_doc_close(doc);
}

static void add_machine(SlDoc *doc, const SlTunedView *view) {
    const SlVtaCore *core = core_found(view);
    if (core) {
        add_found(doc, view, core);
    } else {
        sl_doc_null(doc, "core");
        sl_doc_null(doc, "resources");
    }
    if (view->setup->n_cores > 0) add_candidates(doc, view);
}

static const SlColumn columns[] = {
    SL_COLUMN("best.cycles", "cycles", .unit = SL_UNIT_COUNT, .csv = "cycles"),
    SL_COLUMN("utilisation", "busy"),
    SL_COLUMN("regret", "above best"),
};

const SlTunedKind sl_tuned_vta = {
    .kind = &sl_kind_vta,
    .unit = SL_UNIT_CYCLES,
    .key = "cycles",
    .axis = "cycles",
    .axis_scale = 1,
    .n_columns = sizeof columns / sizeof *columns,
    .columns = columns,
    .legend = "busy: of the multipliers. above best: than the proven optimum of the space.",
    .program = "instructions",
    .ending = ".vta",
    .open = open_machine,
    .look = time_best,
    .seconds = seconds,
    .busy = busy,
    .write_program = write_program,
    .name = name,
    .describe = describe,
    .add_setup = add_setup,
    .add_layer = add_layer,
    .add_sums = add_sums,
    .add_machine = add_machine,
};

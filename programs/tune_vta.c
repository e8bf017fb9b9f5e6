// tune_vta.c - the VTA tensor core as a target of `starling tune`: which core, on which chip, and
// what is shown of it.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tune_command.h"

enum {
    CORE_ROOM = 96,
    EASY_POINTS = 10000,  // spaces up to this size are proven unless it is not wanted
    LISTING_LINES = 4000, // of a program
    SHOWN_CORES = 10,     // on a terminal
};

typedef struct {
    SlVtaCore given; // --core
    SlVtaCore core;  // the same; of a network that chooses a core the one found
    SlVtaOptions options;
    bool joint; // the core is searched with the schedule: one layer
} Machine;

// The best schedule of a layer, on the core found.
typedef struct {
    SlVtaTask task;
    SlVtaSchedule schedule;
    SlVtaTime time;
} Best;

static Machine *machine_of(const Tune *tune) {
    return tune->machine;
}

static const char *core_name(const SlVtaCore *core, char out[static CORE_ROOM]) {
    snprintf(out, CORE_ROOM, "%dx%dx%d", core->batch, core->block_in, core->block_out);
    return out;
}

// the core that was tuned for; NULL = none was found
static const SlVtaCore *core_found(const Tune *tune) {
    const Machine *machine = machine_of(tune);
    if (!machine->joint) return &machine->core;
    const Best *best = tune->layers[0].own;
    return best ? &best->task.core : NULL;
}

// ---- what is asked for ----

static const char *conflict(const TuneOptions *options) {
    return options->iso_resource && options->resources
               ? "--iso-resource: --resources says what there is already"
               : NULL;
}

static SlStatus read_core(const TuneOptions *options, SlVtaCore *core, SlError *err) {
    sl_vta_core_init(core);
    core->bus_bits = (int)options->bus;
    core->timing = sl_vta_timings[options->profile];
    if (!options->core) {
        const char *fault = sl_vta_core_check(core);
        return fault ? sl_fail(err, SL_EINPUT, "--bus: %s", fault) : SL_OK;
    }
    SlError inside;
    SlStatus status = sl_vta_core_parse(options->core, core, &inside);
    return status == SL_OK ? SL_OK : sl_fail(err, status, "--core: %s", inside.text);
}

static SlStatus read_budget(const TuneOptions *options, const SlVtaCore *core, SlVtaBudget *budget,
                            SlError *err) {
    bool search = options->hw == SL_HARDWARE_SEARCH;
    if (options->resources && strcmp(options->resources, "none") != 0) {
        SlError inside;
        SlStatus status = sl_vta_budget_parse(options->resources, budget, &inside);
        if (status != SL_OK) return sl_fail(err, status, "--resources: %s", inside.text);
    } else if (!options->resources && (search || options->iso_resource)) {
        *budget = sl_vta_budget_equal(core, "the core as given");
    }
    const char *which;
    double fill = sl_vta_fill(core, budget, &which);
    if (search || fill <= 1) return SL_OK;
    return sl_fail(
        err, SL_EINPUT,
        "the core needs %.2f times the %s of --resources; --hw search looks for one that fits",
        fill, which);
}

static SlStatus plan(Tune *tune, SlError *err) {
    Machine *machine = call_need(SL_NEW(tune->arena, 1, Machine));
    tune->machine = machine;
    SlStatus status = read_core(tune->options, &machine->given, err);
    machine->core = machine->options.core = machine->given;
    machine->options.bias = tune->options->bias;
    return status == SL_OK
               ? read_budget(tune->options, &machine->given, &machine->options.budget, err)
               : status;
}

static void set_job(Tune *tune, int n, SlJobSetup *setup) {
    const TuneOptions *options = tune->options;
    Machine *machine = tune->machine;
    bool search = options->hw == SL_HARDWARE_SEARCH;
    machine->joint = search && n == 1;
    machine->options.hardware = machine->joint ? SL_HARDWARE_SEARCH : SL_HARDWARE_FIXED;
    setup->kind_options = &machine->options;
    setup->prove = options->optimum != OPTIMUM_OFF;
    setup->prove_points = options->optimum == OPTIMUM_AUTO ? EASY_POINTS : 0;
    setup->n_cores = search && n > 1 ? (int)options->cores : 0;
}

// ---- what came of it ----

static SlStatus time_best(const Tune *tune, TuneLayer *layer, SlError *err) {
    const SlJobTask *task = layer->job;
    if (!tune_has_result(layer)) return SL_OK;
    Best *best = layer->own = call_need(SL_NEW(tune->arena, 1, Best));
    SlArena scratch;
    sl_arena_init(&scratch, 0);
    sl_task_vta(task->task, task->record.best.point, &best->task, &best->schedule);
    SlStatus status = sl_vta_time(&best->task, &best->schedule, &scratch, &best->time, err);
    sl_arena_free(&scratch);
    return status;
}

static SlStatus finish(Tune *tune, SlError *err) {
    const SlJobCore *chosen = sl_job_core(tune->job);
    SlStatus status = SL_OK;
    if (chosen) machine_of(tune)->core = chosen->core;
    for (int i = 0; i < tune->n_layers && status == SL_OK; i++)
        status = time_best(tune, &tune->layers[i], err);
    return status;
}

// cycles at the clock, and the host's share
static double seconds(const Tune *tune, double cycles) {
    const SlVtaTiming *timing = &machine_of(tune)->core.timing;
    return cycles / (timing->clock_mhz * 1e6) + timing->call_us * 1e-6;
}

static double busy(const Tune *tune, const TuneLayer *layer) {
    const Best *best = layer->own;
    double cycles = best->time.utilisation * layer->best.value;
    return cycles / (machine_of(tune)->core.timing.clock_mhz * 1e6) / layer->best.seconds;
}

static void write_program(const Tune *tune, const TuneLayer *layer, SlText *out) {
    const Best *best = layer->own;
    SlArena scratch;
    (void)tune;
    sl_arena_init(&scratch, 0);
    out->failed |=
        sl_vta_listing(&best->task, &best->schedule, LISTING_LINES, &scratch, out) != SL_OK;
    sl_arena_free(&scratch);
}

// ---- names and members ----

static void name(const Tune *tune, SlText *out) {
    const SlVtaCore *core = core_found(tune);
    char text[CORE_ROOM];
    sl_text_add(out, "vta%s%s", core ? " " : "", core ? core_name(core, text) : "");
}

static void describe(const Tune *tune, SlText *out) {
    const SlVtaCore *core = &machine_of(tune)->given;
    char text[CORE_ROOM];
    sl_text_add(out, "vta %s%s, %d-bit bus, %s at %g MHz", core_name(core, text),
                tune->options->hw == SL_HARDWARE_SEARCH ? " or another core" : "", core->bus_bits,
                core->timing.name, core->timing.clock_mhz);
}

static void add_number(SlDoc *doc, const char *key, double value) {
    sl_doc_number(doc, key, NULL, SL_UNIT_PLAIN, value);
}

static void add_limit(SlDoc *doc, const char *key, double value) {
    add_number(doc, key, value > 0 ? value : NAN);
}

// members of the group or row that is open; people see the label
static void add_core(const SlVtaCore *core, const char *label, SlDoc *doc) {
    char text[CORE_ROOM];
    sl_doc_string(doc, "name", label, sl_vta_core_write(core, sizeof text, text));
    add_number(doc, "batch", core->batch);
    add_number(doc, "block_in", core->block_in);
    add_number(doc, "block_out", core->block_out);
    add_number(doc, "bus_bits", core->bus_bits);
}

static void add_core_group(const char *key, const SlVtaCore *core, SlDoc *doc) {
    sl_doc_open(doc, key, NULL);
    add_core(core, NULL, doc);
    sl_doc_close(doc);
}

static void add_budget(const SlVtaBudget *budget, SlDoc *doc) {
    sl_doc_open(doc, "resources", NULL);
    add_limit(doc, "macs", (double)budget->macs);
    add_limit(doc, "dsp", budget->dsp);
    add_limit(doc, "bram36", budget->bram36);
    add_limit(doc, "lut", budget->lut);
    add_limit(doc, "sram_bytes", (double)budget->sram_bytes);
    sl_doc_close(doc);
}

static void add_setup(const Tune *tune, SlDoc *doc) {
    const TuneOptions *options = tune->options;
    const Machine *machine = tune->machine;
    sl_doc_string(doc, "hardware", NULL, sl_hardware_names[options->hw]);
    add_core_group("core", &machine->given, doc);
    sl_doc_string(doc, "profile", NULL, machine->given.timing.name);
    add_number(doc, "clock_mhz", machine->given.timing.clock_mhz);
    add_budget(&machine->options.budget, doc);
    sl_doc_flag(doc, "bias", NULL, options->bias);
    add_number(doc, "cores", tune_chooses_core(tune) ? (double)options->cores : (double)NAN);
    add_number(doc, "optimum", options->optimum);
}

// what a layer alone would take, by the draft; NULL = not known
static const SlVtaCore *preferred_core(const Tune *tune, const TuneLayer *layer) {
    int i = (int)(layer - tune->layers);
    const SlJobCore *best = NULL;
    for (int c = 0; c < tune->n_cores && layer->job->task; c++)
        if (!best || tune->cores[c].drafts[i] < best->drafts[i]) best = &tune->cores[c];
    return best ? &best->core : NULL;
}

static void add_layer(const Tune *tune, const TuneLayer *layer, SlDoc *doc) {
    const SlVtaCore *preferred = preferred_core(tune, layer);
    const Best *best = layer->own;
    if (preferred) add_core_group("preferred_core", preferred, doc);
    if (!best) return;
    sl_doc_number(doc, "utilisation", NULL, SL_UNIT_SHARE, best->time.utilisation);
    add_number(doc, "instructions", (double)best->time.insns);
    if (machine_of(tune)->joint) add_core_group("core", &best->task.core, doc);
}

static void add_sums(const Tune *tune, const TuneSums *sums, SlDoc *doc) {
    sl_doc_number(doc, "cycles", isfinite(sums->value) ? "cycles" : NULL, SL_UNIT_COUNT,
                  sums->value);
    sl_doc_remark(doc, " at %g MHz", machine_of(tune)->core.timing.clock_mhz);
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

static void add_resources(const Tune *tune, const SlVtaCore *core, SlDoc *doc) {
    static const char *const memories[] = {"uop", "inp", "wgt", "acc", "out"};
    const SlVtaBudget *budget = &machine_of(tune)->options.budget;
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
    for (int i = 0; i < 5; i++) add_number(doc, memories[i], needs.bram36[i]);
    sl_doc_close(doc);
    sl_doc_close(doc);
}

// ---- other cores of a network ----

static void add_candidate(const SlJobCore *candidate, bool chosen, SlDoc *doc) {
    SlVtaResources needs;
    char text[CORE_ROOM];
    sl_vta_resources(&candidate->core, 0, &needs);
    sl_doc_row(doc);
    sl_doc_string(doc, NULL, "core", core_name(&candidate->core, text));
    if (chosen) sl_doc_strong(doc);
    add_core(&candidate->core, NULL, doc);
    sl_doc_number(doc, NULL, "MACs", SL_UNIT_COUNT, (double)needs.macs);
    sl_doc_number(doc, NULL, "BRAM36", SL_UNIT_COUNT, needs.bram36_total);
    add_number(doc, "drafted_cycles", candidate->draft);
    add_number(doc, "cycles", candidate->tasks ? candidate->cycles : (double)NAN);
}

static void add_preferences(const Tune *tune, SlDoc *doc) {
    SlText words;
    char text[CORE_ROOM];
    const char *lead = "Alone, by the draft, the layers would take: ";
    sl_text_init(&words, tune->arena);
    for (int i = 0; i < tune->n_layers; i++) {
        const SlVtaCore *preferred = preferred_core(tune, &tune->layers[i]);
        if (!preferred) continue;
        sl_text_add(&words, "%s%s %s", lead, tune->layers[i].job->layer->name,
                    core_name(preferred, text));
        lead = "; ";
    }
    sl_doc_words(doc, "%s.", words.data);
}

// the cores that a network was tuned on, or might have been
static void add_candidates(const Tune *tune, SlDoc *doc) {
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
                 tune->n_cores);
    sl_doc_table(doc, "cores", NULL, sizeof columns / sizeof *columns, columns);
    for (int i = 0; i < tune->n_cores; i++) {
        sl_doc_detail(doc, i >= SHOWN_CORES);
        add_candidate(&tune->cores[i], &tune->cores[i] == sl_job_core(tune->job), doc);
    }
    sl_doc_close(doc);
    sl_doc_detail(doc, false);
    add_preferences(tune, doc);
    sl_doc_close(doc);
}

static void add_machine(const Tune *tune, SlDoc *doc) {
    const SlVtaCore *core = core_found(tune);
    bool limited = core && sl_vta_fill(core, &machine_of(tune)->options.budget, NULL) > 0;
    const char *given =
        tune->options->resources ? tune->options->resources : "what the core given needs";
    char text[CORE_ROOM], heading[CORE_ROOM + 8];
    if (core) {
        snprintf(heading, sizeof heading, "Core %s", core_name(core, text));
        sl_doc_open(doc, NULL, heading);
        sl_doc_open(doc, "core", NULL);
        add_core(core, "configuration", doc);
        sl_doc_string(doc, NULL, "limits", limited ? given : "none");
        sl_doc_close(doc);
        add_resources(tune, core, doc);
        sl_doc_close(doc);
    } else {
        sl_doc_null(doc, "core");
        sl_doc_null(doc, "resources");
    }
    if (tune_chooses_core(tune)) add_candidates(tune, doc);
}

static const SlColumn columns[] = {
    SL_COLUMN("best.cycles", "cycles", .unit = SL_UNIT_COUNT, .csv = "cycles"),
    SL_COLUMN("utilisation", "busy"),
    SL_COLUMN("regret", "above best"),
};

const TuneTarget tune_vta = {
    .kind = &sl_kind_vta,
    .idle = "type",
    .unit = SL_UNIT_CYCLES,
    .key = "cycles",
    .axis = "cycles",
    .axis_scale = 1,
    .n_columns = sizeof columns / sizeof *columns,
    .columns = columns,
    .legend = "busy: of the multipliers. above best: than the proven optimum of the space.",
    .program = "instructions",
    .ending = ".vta",
    .conflict = conflict,
    .plan = plan,
    .set_job = set_job,
    .finish = finish,
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

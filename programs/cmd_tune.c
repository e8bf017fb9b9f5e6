// cmd_tune.c - `starling tune`: schedules for a tensor core, and the core itself, or C programs for
// this processor, found by measuring few of them.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tune_command.h"

static const char *const profile_names[] = {"tsim", "pynq", NULL};
static const char *const optimum_names[] = {"auto", "on", "off", NULL};

static const SlOption options_table[] = {
    SL_OPT_TEXT(TuneOptions, "evaluator", evaluator, "vta", "NAME",
                "measurement: vta (cycles of a simulated VTA core) or cpu (seconds of C programs "
                "on this processor)"),
    SL_OPT_TEXT(TuneOptions, "target", evaluator, "vta", "NAME", "older name of --evaluator"),
    SL_OPT_TEXT(TuneOptions, "method", method, NULL, "NAME",
                "search method; see 'starling list tuners' (default: dcoc; flock with --flock)",
                .letter = 'm'),
    SL_OPT_TEXT(TuneOptions, "flock", flock, NULL, "NAME|FILE|DIR",
                "pre-trained agents (a flock) for this core or processor: bundled name ('starling "
                "list flocks'), file or folder of 'starling learn'"),
    SL_OPT_TEXT(TuneOptions, "set", set, NULL, "NAME=VALUE,...",
                "options of the search method; see 'starling list tuners NAME'"),
    SL_OPT_WHOLE(TuneOptions, "budget", budget, "1000", 0, 1e9, "N",
                 "measurements per layer; 0 = --time alone", .letter = 'n'),
    SL_OPT_REAL(TuneOptions, "time", time, NULL, 0, 1e9, "SECONDS",
                "time limit per layer; 0 = none. Results then depend on the machine"),
    SL_OPT_CHOICE(TuneOptions, "hw", hw, NULL, sl_hardware_names, "NAME",
                  "core: fixed (as given) or search (the best that fits) (vta)"),
    SL_OPT_TEXT(TuneOptions, "core", core, NULL, "BxIxO",
                "BATCH, BLOCK_IN and BLOCK_OUT of the core; 1x16x16_i8w8a32_15_15_18_17 sets the "
                "buffers too (vta; default: 1x16x16)"),
    SL_OPT_CHOICE(TuneOptions, "profile", profile, NULL, profile_names, "NAME",
                  "timing constants: tsim (Verilator) or pynq (fitted to a board) (vta)"),
    SL_OPT_WHOLE(TuneOptions, "bus", bus, "64", 64, 512, "BITS",
                 "width of the DRAM port: 64, 128, 256 or 512 (vta)"),
    SL_OPT_FLAG(TuneOptions, "iso-resource", iso_resource,
                "limit the search to the resources of the given core; implied by --hw search "
                "without --resources (vta)"),
    SL_OPT_TEXT(TuneOptions, "resources", resources, NULL, "CHIP|LIMITS",
                "resource limits: z7020, zu3eg, none, or a list such as "
                "macs=256,bram=140,dsp=220,lut=53200,sram=1M (vta)"),
    SL_OPT_WHOLE(TuneOptions, "cores", cores, "4", 1, 100, "N",
                 "candidate cores for a network (--hw search); the budget is split among them"),
    SL_OPT_FLAG(TuneOptions, "bias", bias, "add a bias to every output (vta)"),
    SL_OPT_CHOICE(TuneOptions, "type", type, NULL, sl_kernel_type_names, "NAME", "data type (cpu)"),
    SL_OPT_WHOLE(
        TuneOptions, "threads", threads, NULL, 0, 64, "N",
        "layers in parallel, 0 = one per core (vta); thread limit of a program, 0 = 1 (cpu)",
        .letter = 'j'),
    SL_OPT_WHOLE(TuneOptions, "batch", batch, "1", 1, 65536, "N", "batch size", .letter = 'b'),
    SL_OPT_FLAG(TuneOptions, "skip-first", skip_first,
                "skip the first layer, which TVM leaves to the host"),
    SL_OPT_CHOICE(
        TuneOptions, "optimum", optimum, NULL, optimum_names, "auto|on|off",
        "proof of the optimal schedule: on, off or auto (spaces of up to 10,000 points) (vta)",
        .implied = "on"),
    SL_OPT_TEXT(TuneOptions, "log", log, NULL, "FILE",
                "measurement log instead of log.jsonl of the run directory; logged schedules are "
                "not measured again"),
    SL_OPT_TEXT(TuneOptions, "transfer", transfer, NULL, "FILE",
                "measurement log of other layers to learn from"),
    SL_OPT_FLAG(TuneOptions, "resume", resume, "continue an earlier run of the same command",
                .fallback = "true"),
    SL_OPT_WHOLE(TuneOptions, "seed", seed, "1", 0, 9e15, "S",
                 "random seed; equal seeds give identical schedules on vta", .letter = 's'),
    COMMON_OPTIONS,
    {0},
};

static const char *conflict(const TuneOptions *options, const SlWords *words) {
    if (words->n == 0)
        return "expected a workload, such as 'starling tune resnet18:conv2_1'; see 'starling list "
               "networks'";
    if (words->n > 1) return "expected one workload";
    if (options->budget == 0 && options->time == 0)
        return "--budget: expected at least 1 measurement, or --time";
    if (options->transfer && options->log && strcmp(options->transfer, options->log) == 0)
        return "--transfer: expected another file than --log";
    return NULL;
}

// options of other targets, or of a search for cores that there is not
static int refuse_idle(const Call *call, const TuneTarget *target) {
    const TuneOptions *options = call->options;
    char where[64];
    snprintf(where, sizeof where, "--target %s", target->kind->name);
    int code = call_refuse_idle(call, target->idle, where);
    if (code == CODE_DONE && options->hw != SL_HARDWARE_SEARCH)
        code = call_refuse_idle(call, "cores", "--hw fixed");
    // a flock knows the core that it was taught on
    if (code == CODE_DONE && options->hw == SL_HARDWARE_SEARCH)
        code = call_refuse_idle(call, "flock", "--hw search");
    return code;
}

// ---- what comes of it ----

// what went on, for people; never part of the results
static void tell(const Tune *tune) {
    char count[SL_UNIT_ROOM], seconds[SL_UNIT_ROOM], method[SL_UNIT_ROOM];
    if (!tune->dir && !isatty(STDERR_FILENO)) return;
    SlJobEffort effort = sl_job_effort(tune->tuned.job);
    call_note(tune->call, "%s measurements in %s; threads spent %s inside %s",
              sl_unit_show(SL_UNIT_COUNT, (double)(effort.samples - effort.replayed), count),
              sl_unit_show(SL_UNIT_SECONDS, tune->tuned.seconds, seconds),
              sl_unit_show(SL_UNIT_SECONDS, effort.method_seconds, method),
              tune->setup.method->name);
    if (effort.replayed > 0)
        call_note(tune->call, "%s more were in the log already",
                  sl_unit_show(SL_UNIT_COUNT, (double)effort.replayed, count));
    if (tune->signal)
        call_note(tune->call, "Interrupted.%s",
                  tune->log ? " Rerun the command to resume from the log." : "");
    if (tune->dir)
        call_note(tune->call,
                  "Written to %s: tune.html, tune.json, tune.txt, layers.csv, curves.svg, "
                  "schedules/, programs/%s",
                  tune->dir, tune->options->log ? "" : ", log.jsonl");
}

static int deliver(const Tune *tune) {
    SlError err;
    SlDoc *doc = sl_report_tuned(&tune->tuned);
    tune_add_files(tune, doc);
    SlStatus status = tune->dir ? tune_write(tune, doc, &err) : SL_OK;
    if (status != SL_OK) return call_fail(tune->call, status, &err);
    int code = call_show(tune->call, doc, tune->signal ? CODE_SIGNAL + tune->signal : CODE_DONE);
    tell(tune);
    return code;
}

static int work(Tune *tune, const char *workload) {
    SlError err;
    SlStatus status = tune_plan(workload, tune, &err);
    if (status == SL_OK) status = tune_open(tune, workload, &err);
    if (status == SL_OK && tune->reported)
        return run_print_again(tune->call, tune->dir, "tune", "layers");
    if (status == SL_OK) status = tune_run(tune, &err);
    return status == SL_OK ? deliver(tune) : call_fail(tune->call, status, &err);
}

static int run(Call *call) {
    const TuneOptions *options = call->options;
    SlError err;
    const char *reason = conflict(options, &call->words);
    if (reason) return call_refuse(call, "%s", reason);
    const TuneTarget *target = tune_target_find(options->evaluator, &err);
    if (!target) return call_fail(call, SL_EINPUT, &err);
    reason = target->conflict(options);
    if (reason) return call_refuse(call, "%s", reason);
    int code = refuse_idle(call, target);
    if (code != CODE_DONE) return code;
    Tune tune = {.call = call, .options = options, .arena = call->arena, .target = target};
    code = work(&tune, call->words.words[0]);
    tune_free(&tune);
    return code;
}

const Command cmd_tune = {
    .name = "tune",
    .summary = "find fast schedules of a layer or a network for VTA or this processor",
    .usage = "tune WORKLOAD [OPTION...]",
    .about = "Finds fast schedules of a layer, or of every distinct layer of a network, with few "
             "measurements.\n"
             "A measurement is the cycles of a simulated VTA tensor core, or the seconds of a C "
             "program, built,\n"
             "checked and timed on this processor. With --hw search the shape of the core is "
             "searched too:\n"
             "for a layer together with its schedule, for a network one core for all layers. Every "
             "layer is\n"
             "compared with its untuned schedule and, where proven, with the optimum of its "
             "schedule space.\n"
             "\n"
             "WORKLOAD is a network, NETWORK:LAYER, a layer of your own or a file, as for "
             "'starling eval'.\n"
             "The run directory is the DIR of --out, else starling-runs/tune-TARGET-NAME (none "
             "with --json alone).\n"
             "It holds tune.json, tune.txt, tune.html, layers.csv, curves.svg, schedules/, "
             "programs/ (instructions\n"
             "or C), and log.jsonl with every measurement. After Ctrl-C, SIGTERM (exit codes 130 "
             "and 143) or kill\n"
             "-9, rerun the command to resume, on vta to the same result. A finished run is shown "
             "again.",
    .examples = "starling tune resnet18:conv2_1 --target vta\n"
                "starling tune resnet18 --target vta --method autotvm --budget 128\n"
                "starling tune resnet18:conv4_1 --hw search --resources z7020\n"
                "starling tune alexnet --hw search --iso-resource --cores 3\n"
                "starling tune resnet18 --flock vta --budget 8\n"
                "starling tune resnet18:conv2_1 --target cpu --budget 200 --out conv2_1\n"
                "starling tune resnet34 --transfer starling-runs/tune-vta-resnet18/log.jsonl",
    .options = options_table,
    .options_bytes = sizeof(TuneOptions),
    .run = run,
};

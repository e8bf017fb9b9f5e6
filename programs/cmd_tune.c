// cmd_tune.c - `starling tune`: schedules for a tensor core, and the core itself, or C programs for
// this processor, found by measuring few of them.
#include <string.h>
#include <unistd.h>

#include "show.h"
#include "tune_command.h"

static const char *const profile_names[] = {"tsim", "pynq", NULL};
static const char *const optimum_names[] = {"auto", "on", "off", NULL};

static const SlOption options_table[] = {
    {.name = "evaluator",
     .kind = SL_OPTION_TEXT,
     .offset = offsetof(TuneOptions, evaluator),
     .fallback = "vta",
     .value = "NAME",
     .help = "who measures: vta, simulated, or cpu: C programs on this processor"},
    {.name = "target",
     .kind = SL_OPTION_TEXT,
     .offset = offsetof(TuneOptions, evaluator),
     .fallback = "vta",
     .value = "NAME",
     .help = "older name of --evaluator"},
    {.name = "method",
     .letter = 'm',
     .kind = SL_OPTION_TEXT,
     .offset = offsetof(TuneOptions, method),
     .fallback = "dcoc",
     .value = "NAME",
     .help = "the tuner; see 'starling list tuners'"},
    {.name = "set",
     .kind = SL_OPTION_TEXT,
     .offset = offsetof(TuneOptions, set),
     .value = "NAME=VALUE,...",
     .help = "options of the tuner; see 'starling list tuners NAME'"},
    {.name = "budget",
     .letter = 'n',
     .kind = SL_OPTION_INT,
     .offset = offsetof(TuneOptions, budget),
     .fallback = "1000",
     .max = 1e9,
     .value = "N",
     .help = "measurements per layer; 0 = --time alone"},
    {.name = "time",
     .kind = SL_OPTION_REAL,
     .offset = offsetof(TuneOptions, time),
     .max = 1e9,
     .value = "SECONDS",
     .help = "per layer at most; 0 = no limit. What is found then depends on the machine"},
    {.name = "hw",
     .kind = SL_OPTION_CHOICE,
     .offset = offsetof(TuneOptions, hw),
     .choices = sl_hardware_names,
     .value = "NAME",
     .help = "the core as given, or the best one that fits (vta)"},
    {.name = "core",
     .kind = SL_OPTION_TEXT,
     .offset = offsetof(TuneOptions, core),
     .value = "BxIxO",
     .help = "BATCH, BLOCK_IN, BLOCK_OUT; 1x16x16_i8w8a32_15_15_18_17 sets the buffers too (vta)"},
    {.name = "profile",
     .kind = SL_OPTION_CHOICE,
     .offset = offsetof(TuneOptions, profile),
     .choices = profile_names,
     .value = "NAME",
     .help = "of the timing: the Verilator build, or as fitted to a Pynq board (vta)"},
    {.name = "bus",
     .kind = SL_OPTION_INT,
     .offset = offsetof(TuneOptions, bus),
     .fallback = "64",
     .min = 64,
     .max = 512,
     .value = "BITS",
     .help = "width of the DRAM port: 64, 128, 256, 512 (vta)"},
    {.name = "iso-resource",
     .kind = SL_OPTION_FLAG,
     .offset = offsetof(TuneOptions, iso_resource),
     .help = "no more than the core as given needs; so is --hw search without --resources"},
    {.name = "resources",
     .kind = SL_OPTION_TEXT,
     .offset = offsetof(TuneOptions, resources),
     .value = "CHIP|LIMITS",
     .help = "z7020, zu3eg, macs=256,bram=140,dsp=220,lut=53200,sram=1M, or none (vta)"},
    {.name = "cores",
     .kind = SL_OPTION_INT,
     .offset = offsetof(TuneOptions, cores),
     .fallback = "4",
     .min = 1,
     .max = 100,
     .value = "N",
     .help = "on which a network is tuned with --hw search; they share the budget"},
    {.name = "bias",
     .kind = SL_OPTION_FLAG,
     .offset = offsetof(TuneOptions, bias),
     .help = "load and add a bias (vta)"},
    {.name = "type",
     .kind = SL_OPTION_CHOICE,
     .offset = offsetof(TuneOptions, type),
     .choices = sl_kernel_type_names,
     .value = "NAME",
     .help = "of the numbers (cpu)"},
    {.name = "threads",
     .letter = 'j',
     .kind = SL_OPTION_INT,
     .offset = offsetof(TuneOptions, threads),
     .max = 64,
     .value = "N",
     .help = "layers side by side, 0 = one per core (vta); most threads of a program, 0 = 1 (cpu)"},
    {.name = "batch",
     .letter = 'b',
     .kind = SL_OPTION_INT,
     .offset = offsetof(TuneOptions, batch),
     .fallback = "1",
     .min = 1,
     .max = 65536,
     .value = "N",
     .help = "images at once"},
    {.name = "skip-first",
     .kind = SL_OPTION_FLAG,
     .offset = offsetof(TuneOptions, skip_first),
     .help = "leave the first layer out, as TVM leaves it to the host"},
    {.name = "optimum",
     .kind = SL_OPTION_CHOICE,
     .offset = offsetof(TuneOptions, optimum),
     .choices = optimum_names,
     .value = "auto|on|off",
     .implied = "on",
     .help = "prove the best of the space too; auto: of spaces up to 10,000 points (vta)"},
    {.name = "log",
     .kind = SL_OPTION_TEXT,
     .offset = offsetof(TuneOptions, log),
     .value = "FILE",
     .help = "keep measurements there instead of log.jsonl of the run directory; what it has is "
             "not measured again"},
    {.name = "transfer",
     .kind = SL_OPTION_TEXT,
     .offset = offsetof(TuneOptions, transfer),
     .value = "FILE",
     .help = "a log of other layers to learn from"},
    {.name = "resume",
     .kind = SL_OPTION_FLAG,
     .offset = offsetof(TuneOptions, resume),
     .fallback = "true",
     .help = "go on from what the same command left"},
    {.name = "seed",
     .letter = 's',
     .kind = SL_OPTION_INT,
     .offset = offsetof(TuneOptions, seed),
     .fallback = "1",
     .min = 0,
     .max = 9e15,
     .value = "S",
     .help = "of all random numbers; the same seed gives the same schedules on vta"},
    COMMON_OPTIONS,
    {0},
};

static const CommandHelp help = {
    .usage = "tune WORKLOAD [OPTION...]",
    .about =
        "Finds fast schedules of a layer, or of every distinct layer of a network, by measuring "
        "few of them:\ncycles of a simulated VTA tensor core, or seconds of C programs that are "
        "generated, built, checked\nand timed on this processor. With --hw search the shape of "
        "the core is found too: for a layer\ntogether with its schedule, for a network one core "
        "for all layers. Shows every layer with its\nuntuned schedule and, where it was proven, "
        "the optimum.\n\n"
        "WORKLOAD is what 'starling eval' takes: a network, NETWORK:LAYER, a layer of your own, a "
        "file.\nThe run directory is the DIR of --out, else starling-runs/tune-TARGET-NAME (none "
        "with --json alone):\ntune.json, tune.txt, tune.html, curves.svg, schedules/, programs/ "
        "(instructions or C), and\nlog.jsonl with every measurement, from which the same command "
        "goes on after Ctrl-C, SIGTERM (exit\ncodes 130 and 143) or kill -9, on vta to the same "
        "result. A finished run is shown again.",
    .options = options_table,
    .examples = "starling tune resnet18:conv2_1 --target vta\n"
                "starling tune resnet18 --target vta --method autotvm --budget 128\n"
                "starling tune resnet18:conv4_1 --hw search --resources z7020\n"
                "starling tune alexnet --hw search --iso-resource --cores 3\n"
                "starling tune resnet18:conv2_1 --target cpu --budget 200 --out conv2_1\n"
                "starling tune resnet34 --transfer starling-runs/tune-vta-resnet18/log.jsonl",
};

static const char *conflict(const TuneOptions *options, const SlWords *words) {
    bool vta = strcmp(options->evaluator, "cpu") != 0;
    if (words->n == 0)
        return "expected a workload, such as 'starling tune resnet18:conv2_1'; see 'starling list "
               "networks'";
    if (words->n > 1) return "expected one workload";
    if (options->budget == 0 && options->time == 0)
        return "--budget: expected measurements, or seconds by --time";
    if (options->iso_resource && options->resources)
        return "--iso-resource: --resources says what there is already";
    if (!vta && options->hw == SL_HARDWARE_SEARCH)
        return "--hw search: the cpu is as it is; expected --target vta";
    if (!vta && (options->core || options->resources || options->iso_resource))
        return "--core, --resources, --iso-resource: expected --target vta";
    if (!vta && options->optimum == OPTIMUM_ON)
        return "--optimum: measured times prove nothing; expected --target vta";
    if (options->transfer && options->log && strcmp(options->transfer, options->log) == 0)
        return "--transfer: expected another file than --log";
    return NULL;
}

// options of the other target, or of a search for cores that there is not
static int refuse_idle(const TuneOptions *options) {
    if (strcmp(options->evaluator, "cpu") == 0)
        return command_refuse_idle(options_table, options, "profile bus cores bias",
                                   "--target cpu");
    int code = command_refuse_idle(options_table, options, "type", "--target vta");
    if (code == CODE_DONE && options->hw != SL_HARDWARE_SEARCH)
        code = command_refuse_idle(options_table, options, "cores", "--hw fixed");
    return code;
}

// ---- what comes of it ----

// what went on, for people; never part of the results
static void tell(const Tune *tune) {
    const CommonOptions *common = &tune->options->common;
    char count[32], seconds[SHOW_ROOM], method[SHOW_ROOM];
    if (!tune->dir && !isatty(STDERR_FILENO)) return;
    command_note(common, "%s measurements in %s; threads spent %s inside %s",
                 sl_show_count((double)tune->measured, count), show_seconds(tune->seconds, seconds),
                 show_seconds(tune->method_seconds, method), tune->tuner->name);
    if (tune->replayed > 0)
        command_note(common, "%s more were in the log already",
                     sl_show_count((double)tune->replayed, count));
    if (tune->signal)
        command_note(common, "Interrupted.%s",
                     tune->log ? " The same command again goes on from the log." : "");
    if (tune->dir)
        command_note(
            common,
            "Written to %s: tune.html, tune.json, tune.txt, curves.svg, schedules/, programs/%s",
            tune->dir, tune->options->log ? "" : ", log.jsonl");
}

static int deliver(const Tune *tune) {
    SlText text, json;
    SlError err;
    sl_text_init(&text, tune->arena);
    sl_text_init(&json, tune->arena);
    tune_text(tune, &text);
    if (text.failed) command_no_memory();
    SlStatus status = sl_json_print(tune_json(tune), &json, &err);
    if (status == SL_OK && tune->dir) status = tune_write(tune, &text, &json, &err);
    if (status != SL_OK) return command_fail(status, &err);
    const SlText *shown = tune->options->common.json ? &json : &text;
    int code =
        command_print(shown->data, shown->n, tune->signal ? CODE_SIGNAL + tune->signal : CODE_DONE);
    tell(tune);
    return code;
}

// a finished run, as it was
static int report_again(const Tune *tune) {
    SlText text;
    SlError err;
    sl_text_init(&text, tune->arena);
    SlStatus status = tune_reread(tune, &text, &err);
    if (status != SL_OK) return command_fail(status, &err);
    int code = command_print(text.data, text.n, CODE_DONE);
    command_note(&tune->options->common, "Finished before, in %s (--no-resume tunes it again)",
                 tune->dir);
    return code;
}

static int work(Tune *tune, const char *workload) {
    SlError err;
    SlStatus status = tune_plan(tune->options, workload, tune, &err);
    if (status == SL_OK) status = tune_open(tune, workload, &err);
    if (status == SL_OK && tune->reported) return report_again(tune);
    if (status == SL_OK) status = tune_run(tune, &err);
    return status == SL_OK ? deliver(tune) : command_fail(status, &err);
}

int cmd_tune(int argc, const char *const *argv) {
    TuneOptions options = {0};
    SlWords words;
    int code = CODE_DONE;
    if (!command_parse(&help, argc, argv, &options, &words, &code)) return code;
    const char *reason = conflict(&options, &words);
    if (reason) return command_refuse("%s", reason);
    code = refuse_idle(&options);
    if (code != CODE_DONE) return code;
    SlArena arena;
    sl_arena_init(&arena, 0);
    Tune tune = {.options = &options, .arena = &arena};
    code = work(&tune, words.words[0]);
    tune_free(&tune);
    sl_arena_free(&arena);
    return code;
}

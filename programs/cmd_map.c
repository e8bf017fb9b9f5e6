// cmd_map.c - `starling map`: find good mappings of layers on an accelerator.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "map.h"

static const SlOption options_table[] = {
    SL_OPT_TEXT(MapOptions, "accel", accel, NULL, "NAME|FILE",
                "accelerator: a bundled one or a YAML file; " DEFAULT_ACCEL " if not given",
                .letter = 'a'),
    SL_OPT_WHOLE(MapOptions, "batch", batch, "1", 1, 1 << 30, "N", "inputs at a time",
                 .letter = 'b'),
    WORKLOAD_OPTIONS(MapOptions),
    SL_OPT_TEXT(MapOptions, "objective", objective, "latency", "NAME",
                "what to make small: latency, energy, edp, area, power, or a product with weights "
                "such as latency=2,energy=1"),
    SL_OPT_TEXT(
        MapOptions, "evaluator", evaluator, "native", "NAME|PROGRAM",
        "who prices mappings: native, maestro (MAESTRO's numbers as long as they are physical), or "
        "any other command: a PROGRAM of your own (docs/formats/evaluator.md)"),
    EVALUATOR_OPTIONS(MapOptions),
    SL_OPT_TEXT(MapOptions, "model", evaluator, "native", "NAME", "older name of --evaluator"),
    SL_OPT_TEXT(MapOptions, "method", method, NULL, "NAME",
                "search method; see 'starling list methods'. flock where there is one, else marl",
                .letter = 'm'),
    SL_OPT_TEXT(MapOptions, "flock", flock, NULL, "NAME|FILE|DIR|none",
                "flock taught before on other layers and machines of the evaluator: a bundled one "
                "('starling list flocks') or one of 'starling learn'. The bundled one that suits "
                "if not given, unless --method or options of marl are; none = none"),
    SL_OPT_TEXT(MapOptions, "set", set, NULL, "NAME=VALUE,...",
                "options of the method itself; 'starling list methods NAME' shows them"),
    SL_OPT_CHOICE(
        MapOptions, "critic", critic, NULL, sl_critic_names, "WHEN",
        "whether a learned critic screens proposals; fewer samples, more time per sample"),
    SL_OPT_TEXT(MapOptions, "agents", agents, "all", "B|all",
                "agents per layer: one per parameter, or B that share the parameters as their "
                "correlations say"),
    SL_OPT_TEXT(MapOptions, "threshold", threshold, NULL, "HEIGHT|PERCENT%",
                "in place of --agents B: height at which the tree of parameters is cut, absolute "
                "such as 1.5 or as a share of its top such as 40%"),
    SL_OPT_WHOLE(MapOptions, "dataset", dataset, "2000", 20, 1e7, "N",
                 "samples per layer that the correlations come from, counted apart; with --agents "
                 "B or --threshold"),
    SL_OPT_TEXT(MapOptions, "assign-policy", policy, "random", "NAME",
                "method that collects these samples; with --agents B or --threshold"),
    SL_OPT_TEXT(MapOptions, "assignment", assignment, NULL, "FILE|DIR",
                "agents from assignment.yaml of 'starling assign --out', parameters matched by "
                "name; no samples for correlations"),
    SL_OPT_WHOLE(
        MapOptions, "warm", warm, "0", 0, 1e9, "N",
        "first N samples of every layer whose lessons all layers then start with, counted apart"),
    SL_OPT_WHOLE(MapOptions, "samples", samples, NULL, 1, 1e12, "N",
                 "evaluations per distinct layer; 2000 if not given, no limit with --time",
                 .letter = 'n'),
    SL_OPT_REAL(MapOptions, "time", time, NULL, 0, 1e9, "SECONDS",
                "time for the whole command, shared evenly by the layers, 0 = no limit; what is "
                "found then depends on the machine",
                .letter = 't'),
    SL_OPT_REAL(MapOptions, "target", target, NULL, 0, 1e9, "PERCENT",
                "stop a layer once it is within PERCENT of its floor; 0 = do not"),
    SL_OPT_TEXT(MapOptions, "prove", prove, NULL, "PERCENT",
                "prove how far every mapping is from the best of its space, until at most PERCENT: "
                "0.5 if not given, 0 = the best itself; better mappings met on the way are taken",
                .implied = "0.5"),
    SL_OPT_REAL(MapOptions, "prove-time", prove_time, "10", 0, 1e9, "SECONDS",
                "for the proof of a layer, besides --time; 0 = no limit. What a proof that it "
                "stops has reached depends on the machine"),
    SPACE_OPTIONS(MapOptions, "choose"),
    SL_OPT_CHOICE(MapOptions, "illegal", illegal, NULL, sl_illegal_names, "HOW",
                  "what becomes of proposals that do not fit"),
    SL_OPT_CHOICE(MapOptions, "start", start, NULL, sl_start_names, "FROM",
                  "the first sample: the default mapping, or the method's own"),
    SL_OPT_FLAG(MapOptions, "resume", resume,
                "take layers that an earlier run of the same command finished from its folder",
                .fallback = "true"),
    SL_OPT_WHOLE(MapOptions, "seed", seed, "1", 0, 9e15, "S",
                 "of all random numbers; the same seed gives the same bytes", .letter = 's'),
    SL_OPT_WHOLE(MapOptions, "threads", threads, "0", 0, 1024, "N",
                 "layers mapped side by side, 0 = one per core; results do not depend on it",
                 .letter = 'j'),
    COMMON_OPTIONS,
    {0},
};

static const char *conflict(const MapOptions *options, const SlWords *words) {
    if (words->n == 0)
        return "expected a workload, such as 'starling map mobilenet_v2' or 'starling map "
               "resnet18:conv2_1'; see 'starling list networks'";
    if (words->n > 1)
        return options->prove ? "expected one workload (the value of --prove stands behind '=': "
                                "--prove=2)"
                              : "expected one workload";
    return options->time < 0 ? "--time: expected seconds" : NULL;
}

static int refuse_idle(const Call *call) {
    const MapOptions *options = call->options;
    int code = CODE_DONE;
    if (options->method && strcmp(options->method, "exact") == 0)
        code = call_refuse_idle(call, "illegal start", "--method exact");
    if (code == CODE_DONE && options->assignment)
        return call_refuse_idle(call, "agents threshold dataset assign-policy", "--assignment");
    if (code == CODE_DONE && options->threshold)
        return call_refuse_idle(call, "agents", "--threshold, which says how many there are");
    if (code == CODE_DONE && strcmp(options->agents, "all") == 0)
        code = call_refuse_idle(call, "dataset assign-policy", "--agents all");
    return code;
}

static void tell_resumed(const Call *call, const Map *map) {
    char proofs[64] = "";
    if (map->mapped.setup.prove && map->mapped.setup.method)
        snprintf(proofs, sizeof proofs, ", %d with %s proof%s", map->n_proofs_resumed,
                 map->n_proofs_resumed == 1 ? "its" : "their",
                 map->n_proofs_resumed == 1 ? "" : "s");
    call_note(call,
              "%d of %d layers taken from an earlier run in %s%s (--no-resume maps them again)",
              map->n_resumed, map->mapped.n_layers, map->dir, proofs);
}

// --prove where it is known from the start that nothing can be proven
static void tell_uncovered(const Call *call, const Map *map) {
    const char *reason = sl_mapped_uncovered(&map->mapped);
    if (reason && (map->dir || isatty(STDERR_FILENO)))
        call_note(call, "--prove: there will be no proof: %s", reason);
}

// what went on, for people; never part of the results
static void tell(const Call *call, const Map *map) {
    const SlMapped *mapped = &map->mapped;
    char samples[32], seconds[SL_UNIT_ROOM];
    int n_mapped = mapped->n_layers - map->n_resumed;
    int n_proven = mapped->setup.prove ? mapped->n_layers - map->n_proofs_resumed : 0;
    // someone may read both streams as one
    if (!map->dir && !isatty(STDERR_FILENO)) return;
    int64_t n_samples = 0; // of this run alone
    for (int i = 0; i < mapped->n_layers; i++)
        if (!mapped->layers[i].task->resumed) n_samples += mapped->layers[i].task->record.samples;
    if (map->signal)
        call_note(call, "Interrupted: every layer has the best mapping so far.%s",
                  map->dir ? " The same command again finishes the rest." : "");
    if (n_mapped > 0 && !map->signal && mapped->setup.method)
        call_note(call, "%d layer%s mapped with %s samples in %s", n_mapped,
                  n_mapped == 1 ? "" : "s", sl_show_count((double)n_samples, samples),
                  sl_unit_show(SL_UNIT_SECONDS, map->seconds, seconds));
    if (n_proven > 0 && !map->signal)
        call_note(call, "%d proof%s in %s", n_proven, n_proven == 1 ? "" : "s",
                  sl_unit_show(SL_UNIT_SECONDS, map->proof_seconds, seconds));
    if (!map->dir) return;
    call_note(call, "Written to %s: map.html, map.txt, map.json, layers.csv, mappings/%s", map->dir,
              mapped->setup.prove ? ", certificates/" : "");
}

static int show(const Call *call, const Map *map, const SlDoc *doc, int code) {
    SlText csv;
    if (call_form(call) != SL_FORM_CSV) return call_show(call, doc, code);
    sl_text_init(&csv, map->arena);
    map_layers_csv(map, &csv);
    return call_print(call, csv.data, csv.n, code);
}

static int deliver(const Call *call, const Map *map) {
    SlError err;
    const SlDoc *doc = sl_report_mapped(&map->mapped);
    SlStatus status = map->dir ? map_write(map, doc, &err) : SL_OK;
    if (status != SL_OK) return call_fail(call, status, &err);
    int code = show(call, map, doc, map->signal ? CODE_SIGNAL + map->signal : CODE_DONE);
    tell(call, map);
    return code;
}

static int work(const Call *call, const char *workload, Map *map) {
    SlError err;
    SlStatus status = map_plan(call->options, workload, call->arena, map, &err);
    if (status == SL_OK) status = map_open(map, workload, &err);
    if (status == SL_OK && map->n_resumed > 0) tell_resumed(call, map);
    if (status == SL_OK) tell_uncovered(call, map);
    if (status == SL_OK) status = map_run(map, &err);
    return status == SL_OK ? deliver(call, map) : call_fail(call, status, &err);
}

static int run(Call *call) {
    Map map;
    const char *reason = conflict(call->options, &call->words);
    if (reason) return call_refuse(call, "%s", reason);
    int code = refuse_idle(call);
    if (code != CODE_DONE) return code;
    code = work(call, call->words.words[0], &map);
    map_free(&map);
    return code;
}

const Command cmd_map = {
    .name = "map",
    .summary = "find good mappings of a layer or a network on an accelerator",
    .usage = "map WORKLOAD [OPTION...]",
    .about =
        "Searches mappings of a layer, or of every distinct layer of a network, that make the "
        "objective\nsmall. Shows what was found layer by layer, in sum, against the physical floor "
        "and against the\ndefault mapping of starling eval. Ctrl-C and SIGTERM keep the best so "
        "far (exit codes 130 and 143).\n\n"
        "With --prove a lower bound of the objective is proven for every layer: no mapping of the "
        "space is\nbelow it. --method exact does nothing else: no samples (--samples, --time, "
        "--target, --start and\n--illegal are refused), the best mapping of the space where "
        "--prove-time suffices.\n\n"
        "WORKLOAD is what 'starling eval' takes: a network, NETWORK:LAYER, a layer of your own, a "
        "file.\nThe run directory is the DIR of --out, else starling-runs/NAME (none with --json "
        "alone): map.html,\nmap.txt, map.json, layers.csv, mappings/LAYER.yaml, with --prove "
        "certificates/LAYER.cert, and\nrecords.db with every finished layer, from which the same "
        "command goes on after an interruption. A\nfolder of another run is refused; --no-resume "
        "replaces "
        "it. 'starling eval DIR' reads a run back,\n'starling verify DIR' checks its proofs.",
    .examples = "starling map mobilenet_v2\n"
                "starling map resnet18:conv2_1 --objective edp --samples 5000\n"
                "starling map vgg16 --accel nvdla --time 60 --out vgg16-run\n"
                "starling map bert_base --method local --json\n"
                "starling map resnet18 --objective edp --prove --out proven\n"
                "starling map resnet18:conv2_1 --objective energy --method exact\n"
                "starling map resnet18 --assignment assigned\n"
                "starling map vgg16 --evaluator maestro --accel gamma168 --objective edp --flock "
                "small -n 10\n"
                "starling eval vgg16-run",
    .options = options_table,
    .options_bytes = sizeof(MapOptions),
    .run = run,
};

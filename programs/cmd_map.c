// cmd_map.c - `starling map`: find good mappings of layers on an accelerator.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "map.h"

static const SlOption options_table[] = {
    SL_OPT_TEXT(MapOptions, "accel", accel, NULL, "NAME|FILE",
                "accelerator: bundled name or YAML file (default: " DEFAULT_ACCEL ")",
                .letter = 'a'),
    SL_OPT_WHOLE(MapOptions, "batch", batch, "1", 1, 1 << 30, "N", "batch size", .letter = 'b'),
    WORKLOAD_OPTIONS(MapOptions),
    SL_OPT_TEXT(MapOptions, "objective", objective, NULL, "NAME",
                "objective to minimise: latency, energy, edp, area, power, or a weighted product "
                "such as latency=2,energy=1 (default: edp; latency with --evaluator PROGRAM)",
                .letter = 'o'),
    SL_OPT_TEXT(MapOptions, "evaluator", evaluator, "native", "NAME|PROGRAM",
                "cost model: native (exact counts), maestro (impossible results are rejected), or "
                "a PROGRAM of your own (docs/formats/evaluator.md)"),
    EVALUATOR_OPTIONS(MapOptions),
    SL_OPT_TEXT(MapOptions, "model", evaluator, "native", "NAME", "older name of --evaluator"),
    SL_OPT_TEXT(
        MapOptions, "method", method, NULL, "NAME",
        "search method; see 'starling list methods' (default: flock if one suits, else marl)",
        .letter = 'm'),
    SL_OPT_TEXT(MapOptions, "flock", flock, NULL, "NAME|FILE|DIR|none",
                "pre-trained agents (a flock): bundled name ('starling list flocks'), file, folder "
                "of 'starling learn', or none (default: the bundled one that suits)"),
    SL_OPT_TEXT(MapOptions, "set", set, NULL, "NAME=VALUE,...",
                "options of the search method; see 'starling list methods NAME'"),
    SL_OPT_CHOICE(MapOptions, "critic", critic, NULL, sl_critic_names, "WHEN",
                  "screening of proposals by a learned critic: on, off or auto (on for few samples "
                  "or a slow evaluator)"),
    SL_OPT_TEXT(
        MapOptions, "agents", agents, "all", "B|all",
        "agents per layer: all (one per parameter), or B that share the parameters by correlation"),
    SL_OPT_TEXT(MapOptions, "threshold", threshold, NULL, "HEIGHT|PERCENT%",
                "height at which the tree of parameters is cut, instead of --agents B: absolute "
                "(1.5) or a share of its top (40%)"),
    SL_OPT_WHOLE(MapOptions, "dataset", dataset, "2000", 20, 1e7, "N",
                 "samples per layer for the correlations; not part of --samples (with --agents B "
                 "or --threshold)"),
    SL_OPT_TEXT(MapOptions, "assign-policy", policy, "random", "NAME",
                "search method that collects these samples (with --agents B or --threshold)"),
    SL_OPT_TEXT(MapOptions, "assignment", assignment, NULL, "FILE|DIR",
                "agents of an earlier 'starling assign --out' (assignment.yaml), matched by "
                "parameter name"),
    SL_OPT_WHOLE(MapOptions, "warm", warm, "0", 0, 1e9, "N",
                 "warm-up samples per layer, shared by all layers; not part of --samples"),
    SL_OPT_WHOLE(MapOptions, "samples", samples, NULL, 1, 1e12, "N",
                 "evaluations per distinct layer (default: 2000; no limit with --time)",
                 .letter = 'n'),
    SL_OPT_REAL(MapOptions, "time", time, NULL, 0, 1e9, "SECONDS",
                "time limit of the command, split evenly among the layers; 0 = none. Results then "
                "depend on the machine",
                .letter = 't'),
    SL_OPT_REAL(MapOptions, "target", target, NULL, 0, 1e9, "PERCENT",
                "distance to the floor at which the search of a layer stops; 0 = off"),
    SL_OPT_TEXT(MapOptions, "prove", prove, NULL, "PERCENT",
                "prove every mapping within PERCENT of the best in its space (0.5 if left out; 0 = "
                "optimal); keeps better mappings found",
                .implied = "0.5"),
    SL_OPT_REAL(MapOptions, "prove-time", prove_time, "10", 0, 1e9, "SECONDS",
                "time limit per proof, on top of --time; 0 = none. A proof that hits it may end "
                "with another gap elsewhere"),
    SL_OPT_TEXT(
        MapOptions, "compare", compare, NULL, "N|all",
        "comparison with fixed dataflows (nvdla-, shidiannao-, eyeriss-style), searched and "
        "proven with the same settings; on all layers, or the N with the largest share",
        .implied = "all"),
    SL_OPT_TEXT(MapOptions, "sensitivity", sensitivity, NULL, "N|all",
                "effect of half and twice of every resource of the machine, mapped and proven "
                "again; on all layers, or the N with the largest share",
                .implied = "all"),
    SPACE_OPTIONS(MapOptions),
    SL_OPT_CHOICE(MapOptions, "illegal", illegal, NULL, sl_illegal_names, "HOW",
                  "how to treat mappings that exceed the hardware: repair (make them fit) or "
                  "penalty (score them badly)"),
    SL_OPT_CHOICE(MapOptions, "start", start, NULL, sl_start_names, "FROM",
                  "first sample: default (the default mapping) or none (the method's own choice)"),
    SL_OPT_FLAG(MapOptions, "resume", resume,
                "reuse the finished layers of an earlier run of the same command",
                .fallback = "true"),
    SL_OPT_WHOLE(MapOptions, "seed", seed, "1", 0, 9e15, "S",
                 "random seed; equal seeds give identical output", .letter = 's'),
    SL_OPT_WHOLE(MapOptions, "threads", threads, "0", 0, 1024, "N",
                 "layers mapped in parallel; 0 = one per core. Results do not depend on it",
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
        return call_refuse_idle(call, "agents", "--threshold, which decides the number of agents");
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
                  map->dir ? " Rerun the command to finish." : "");
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
    .summary = "find good mappings of a layer or a network, and prove how good they are",
    .usage = "map WORKLOAD [OPTION...]",
    .about = "Searches for mappings of a layer, or of every distinct layer of a network, that "
             "minimise an\n"
             "objective. Compares each with its physical floor and with the default mapping of "
             "'starling eval'.\n"
             "Ctrl-C and SIGTERM keep the best so far (exit codes 130 and 143).\n\n"
             "With --prove every layer gets a proven lower bound: no mapping of its space is below "
             "it. --method\n"
             "exact only proves: it takes no samples and returns the best mapping of the space if "
             "--prove-time\n"
             "suffices.\n\n"
             "WORKLOAD is a network, NETWORK:LAYER, a layer of your own or a file, as for "
             "'starling eval'. The\n"
             "run directory is the DIR of --out, else starling-runs/NAME (none with --json alone). "
             "It holds\n"
             "map.html, map.txt, map.json, layers.csv, mappings/LAYER.yaml, with --prove\n"
             "certificates/LAYER.cert, and records.db with every finished layer. After an "
             "interruption, rerun\n"
             "the command to resume. A folder of another run is refused; --no-resume replaces it. "
             "'starling eval\n"
             "DIR' shows a run again, 'starling verify DIR' checks its proofs.",
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

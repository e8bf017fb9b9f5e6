// cmd_eval.c - `starling eval`: what layers cost on an accelerator.
#include <stdio.h>
#include <string.h>

#include "eval.h"

static const char *const models[] = {"native", "maestro", NULL};
static const char *const exports[] = {"none", "maestro", "timeloop", NULL};

static const SlOption options_table[] = {
    SL_OPT_TEXT(
        EvalOptions, "accel", accel, NULL, "NAME|FILE",
        "accelerator: bundled name or YAML file (default: that of the run, else " DEFAULT_ACCEL ")",
        .letter = 'a'),
    SL_OPT_TEXT(EvalOptions, "mapping", mapping, NULL, "NEST|FILE",
                "mapping of one layer: nest text ('K:4 C:1 @7 P*1 ...'), YAML (Starling, Timeloop) "
                "or .m (MAESTRO) (default: made for the layer)",
                .letter = 'm'),
    SL_OPT_FLAG(EvalOptions, "repair", repair,
                "repair a --mapping that exceeds the hardware: smaller tiles, fewer instances"),
    SL_OPT_WHOLE(EvalOptions, "batch", batch, "1", 1, 1 << 30, "N", "batch size", .letter = 'b'),
    WORKLOAD_OPTIONS(EvalOptions),
    SL_OPT_CHOICE(EvalOptions, "objective", objective, NULL, sl_objective_names, "NAME",
                  "objective whose distance from the floor the table shows"),
    SL_OPT_CHOICE(EvalOptions, "model", model, NULL, models, "NAME",
                  "cost model: native (exact counts) or maestro (MAESTRO's numbers beside them)"),
    SL_OPT_CHOICE(EvalOptions, "export", export, NULL, exports, "FORM",
                  "format in which one layer's mapping is printed, alone: none, maestro (.m) or "
                  "timeloop (.yaml)"),
    SL_OPT_FLAG(EvalOptions, "witness", witness,
                "run the mapping as a C program (built by cc) and compare its counts with the "
                "model's; large layers are scaled down"),
    SL_OPT_TEXT(EvalOptions, "witness-source", witness_source, NULL, "FILE",
                "file for the source of the --witness program (- is standard output)"),
    SL_OPT_TEXT(EvalOptions, "nests", nests, NULL, "FILE",
                "CSV file of nests instead of a workload (- is standard input): columns id, ext, "
                "conv, net, nest"),
    SL_OPT_FLAG(EvalOptions, "csv", csv,
                "print CSV: one row per layer, readable by --nests; with --model maestro, "
                "MAESTRO's own file"),
    SL_OPT_WHOLE(EvalOptions, "threads", threads, "0", 0, 1024, "N",
                 "worker threads; 0 = one per core. Results do not depend on it", .letter = 'j'),
    SL_OPT_TEXT(EvalOptions, "hw-file", maestro.hw_file, NULL, "FILE",
                "MAESTRO hardware file (with --model maestro)"),
    SL_OPT_WHOLE(
        EvalOptions, "num-pes", maestro.num_pes, NULL, 1, INT32_MAX, "N",
        "number of PEs (default: 7 with --model maestro; those of --accel with --mapping FILE.m)"),
    SL_OPT_WHOLE(EvalOptions, "num-simd-lanes", maestro.simd_lanes, NULL, 1, INT32_MAX, "N",
                 "MACs per PE and cycle (with --model maestro; default: 1)"),
    SL_OPT_WHOLE(EvalOptions, "noc-bw", maestro.noc_bw, NULL, 1, INT32_MAX, "N",
                 "network bandwidth in words per cycle (with --model maestro; default: no limit)"),
    SL_OPT_WHOLE(EvalOptions, "noc-hops", maestro.noc_hops, NULL, 1, INT32_MAX, "N",
                 "network hops (with --model maestro; default: 1)"),
    SL_OPT_WHOLE(EvalOptions, "noc-hop-latency", maestro.noc_hop_latency, NULL, 0, INT32_MAX, "N",
                 "cycles per hop (with --model maestro; default: 0)"),
    SL_OPT_WHOLE(EvalOptions, "offchip-bw", maestro.offchip_bw, NULL, 1, INT32_MAX, "N",
                 "off-chip bandwidth in words per cycle (with --model maestro; default: 70000)"),
    SL_OPT_WHOLE(EvalOptions, "l1-size", maestro.l1_size, NULL, 1, INT32_MAX, "N",
                 "L1 size in bytes (with --model maestro; default: no limit)"),
    SL_OPT_WHOLE(EvalOptions, "l2-size", maestro.l2_size, NULL, 1, INT32_MAX, "N",
                 "L2 size in bytes (with --model maestro; default: no limit)"),
    COMMON_OPTIONS,
    {0},
};

// ---- options that cannot go together; the reason or NULL ----

// is a form asked for that is none of CSV?
static bool wants_form(const EvalOptions *options) {
    const CommonOptions *common = &options->common;
    return common->json || (common->form != SL_FORM_TEXT && common->form != SL_FORM_CSV);
}

static const char *witness_conflict(const EvalOptions *options) {
    if (!options->witness && !options->witness_source) return NULL;
    if (options->model == MODEL_MAESTRO) return "--witness: not together with --model maestro";
    if (options->csv || options->export || options->nests)
        return "--witness: not together with --csv, --export or --nests";
    if (options->witness)
        return options->witness_source && strcmp(options->witness_source, "-") == 0
                   ? "--witness-source -: not together with --witness"
                   : NULL;
    return wants_form(options) || options->common.out
               ? "--witness-source without --witness: not together with --json or --out"
               : NULL;
}

static const char *nests_conflict(const EvalOptions *options, const SlWords *words) {
    if (options->export) return "--export: not together with --nests";
    if (words->n > 0) return "--nests: expected no workload, the file has the layers";
    if (options->mapping) return "--nests: not together with --mapping, the file has the mappings";
    if (options->batch != 1) return "--nests: not together with --batch, the file has the layers";
    if (options->objective) return "--nests: not together with --objective";
    return wants_form(options) ? "--nests: not together with --json, it prints CSV" : NULL;
}

static const char *conflict(const EvalOptions *options, const SlWords *words) {
    if (options->csv && wants_form(options)) return "--csv and --json: choose one";
    if (options->repair && !options->mapping) return "--repair: expected --mapping too";
    if (options->export &&
        (options->csv || options->common.json || options->common.form || options->common.out))
        return "--export: not together with --csv, --json or --out";
    if (options->nests) return nests_conflict(options, words);
    if (words->n == 0)
        return "expected a workload, such as 'starling eval resnet18' or 'starling eval "
               "conv:K=64,C=64,P=56,Q=56,R=3,S=3'; see 'starling list networks'";
    return words->n > 1 ? "expected one workload" : NULL;
}

// ---- the command ----

bool eval_is_csv(const Call *call) {
    return ((const EvalOptions *)call->options)->csv || call_form(call) == SL_FORM_CSV;
}

static int deliver(const Call *call, const SlEvaluation *eval) {
    const SlDoc *doc = sl_report_evaluation(eval);
    const char *dir = call->common->out;
    SlText csv;
    SlError err;
    SlStatus status = dir ? call_write_files(doc, dir, "report", &err) : SL_OK;
    if (status == SL_OK && dir) status = evaluation_write_mappings(eval, dir, &err);
    if (status != SL_OK) return call_fail(call, status, &err);
    if (dir)
        call_note(call,
                  "Written to %s: report.html, report.txt, report.json, layers.csv, mappings/, "
                  "and its figures",
                  dir);
    if (!eval_is_csv(call)) return call_show(call, doc, evaluation_code(eval));
    sl_text_init(&csv, call->arena);
    if (!sl_doc_csv(doc, "layers", &csv) || csv.failed) call_no_memory();
    return call_print(call, csv.data, csv.n, evaluation_code(eval));
}

static int run(Call *call) {
    const EvalOptions *options = call->options;
    const char *word = call->words.n ? call->words.words[0] : NULL;
    char sentence[CONFLICT_ROOM];
    const char *reason = conflict(options, &call->words);
    if (!reason) reason = witness_conflict(options);
    if (!reason) reason = maestro_conflict(call, word, sentence);
    if (reason) return call_refuse(call, "%s", reason);
    if (options->model == MODEL_MAESTRO) return eval_maestro(call, word);
    if (options->nests) return eval_batch(call);

    SlEvaluation eval;
    SlError err;
    RunName run;
    SlStatus status = run_find(word, call->arena, &run)
                          ? evaluation_read_run(options, &run, call->arena, &eval, &err)
                          : evaluation_make(options, word, NULL, call->arena, &eval, &err);
    if (status != SL_OK) return call_fail(call, status, &err);
    if (options->export) return eval_export(call, &eval);
    bool witness = options->witness || options->witness_source;
    return witness ? eval_witness(call, &eval) : deliver(call, &eval);
}

const Command cmd_eval = {
    .name = "eval",
    .summary = "report the cost of a layer, a network or a finished run",
    .usage = "eval WORKLOAD|RUN [OPTION...]\n"
             "eval --model maestro FILE.m [OPTION...]\n"
             "eval --nests FILE.csv --csv [OPTION...]",
    .about = "Reports the cost of a layer or a network on an accelerator: cycles and what binds "
             "them, energy by\n"
             "level, buffers, the counts of every level, and the distance to the physical floors. "
             "It says whether\n"
             "the mapping fits. One layer gets a full report, a network a table with totals.\n"
             "\n"
             "WORKLOAD is a bundled network (resnet18), one of its layers (resnet18:conv2_1, "
             "resnet18:2), a layer\n"
             "of your own (conv:K=64,C=64,P=56,Q=56,R=3,S=3, dw:, linear:, gemm:, bmm:)\n"
             "or a .yaml, .csv, .m or .onnx file.\n"
             "RUN is a run directory of 'starling map', or RUN:LAYER: its workload, accelerator "
             "and mappings.\n"
             "Files of --out: report.txt, report.json, report.html, layers.csv, energy.svg, "
             "latency.svg and\n"
             "mappings/LAYER.yaml.\n"
             "\n"
             "With --model maestro, shows MAESTRO's numbers for the dataflows in FILE.m beside the "
             "exact counts of\n"
             "the same mappings. It says why the two differ, and which of MAESTRO's numbers are "
             "not physical.\n"
             "FILE.m:LAYER or a WORKLOAD is accepted, too. --csv prints MAESTRO's own file.\n"
             "Files of --out: maestro.txt, maestro.json, maestro.html, layers.csv, and MAESTRO's "
             "own maestro.csv.",
    .options = options_table,
    .examples = "starling eval resnet18 --accel eyeriss --out demo\n"
                "starling eval resnet18:conv2_1 --accel flex256\n"
                "starling eval starling-runs/resnet18\n"
                "starling eval gemm:M=512,N=768,K=768 --json\n"
                "starling eval --model maestro network.m --hw-file accelerator.m --csv\n"
                "starling eval --model maestro resnet18 --accel flex256\n"
                "starling eval resnet18:conv2_1 --accel flex256 --export timeloop\n"
                "starling eval conv:K=8,C=4,P=6,R=3 --witness --witness-source witness.c\n"
                "starling eval --nests nests.csv --csv --accel golden > costs.csv",
    .options_bytes = sizeof(EvalOptions),
    .run = run,
};

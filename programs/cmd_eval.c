// cmd_eval.c - `starling eval`: what layers cost on an accelerator.
#include <stdio.h>
#include <string.h>

#include "eval.h"

static const char *const models[] = {"native", "maestro", NULL};
static const char *const exports[] = {"none", "maestro", "timeloop", NULL};

static const SlOption options_table[] = {
    SL_OPT_TEXT(EvalOptions, "accel", accel, NULL, "NAME|FILE",
                "accelerator: a bundled one or a YAML file; if not given " DEFAULT_ACCEL
                ", or that of the run",
                .letter = 'a'),
    SL_OPT_TEXT(EvalOptions, "mapping", mapping, NULL, "NEST|FILE",
                "mapping of one layer: nest text such as 'K:4 C:1 @7 P*1 ...', a YAML file (ours "
                "or Timeloop's) or a .m file; a default mapping if not given",
                .letter = 'm'),
    SL_OPT_FLAG(EvalOptions, "repair", repair,
                "make the mapping of --mapping fit first: smaller tiles, fewer instances"),
    SL_OPT_WHOLE(EvalOptions, "batch", batch, "1", 1, 1 << 30, "N", "inputs at a time",
                 .letter = 'b'),
    WORKLOAD_OPTIONS(EvalOptions),
    SL_OPT_CHOICE(EvalOptions, "objective", objective, NULL, sl_objective_names, "NAME",
                  "whose distance from the floor the table shows"),
    SL_OPT_CHOICE(EvalOptions, "model", model, NULL, models, "NAME",
                  "cost model: exact counts, or MAESTRO's numbers beside them"),
    SL_OPT_CHOICE(
        EvalOptions, "export", export, NULL, exports, "FORM",
        "print the mapping of one layer for MAESTRO (.m) or Timeloop (.yaml), nothing else"),
    SL_OPT_FLAG(EvalOptions, "witness", witness,
                "execute the mapping as a C program, made by the system's cc, and compare every "
                "count with the model's; large layers are scaled down"),
    SL_OPT_TEXT(EvalOptions, "witness-source", witness_source, NULL, "FILE",
                "write that program to FILE (- is standard output)"),
    SL_OPT_TEXT(EvalOptions, "nests", nests, NULL, "FILE",
                "instead of a workload: a CSV file of nests (- reads standard input) with the "
                "columns id, ext, conv, net, nest; counts, with --accel also costs, come as CSV"),
    SL_OPT_FLAG(EvalOptions, "csv", csv,
                "print CSV: a row per layer, readable again by --nests; of maestro its own file"),
    SL_OPT_WHOLE(EvalOptions, "threads", threads, "0", 0, 1024, "N",
                 "threads that map layers, 0 = one per core; results do not depend on it",
                 .letter = 'j'),
    SL_OPT_TEXT(EvalOptions, "hw-file", maestro.hw_file, NULL, "FILE",
                "hardware file of MAESTRO; this and what follows only with --model maestro"),
    SL_OPT_WHOLE(EvalOptions, "num-pes", maestro.num_pes, NULL, 1, INT32_MAX, "N",
                 "PEs; 7 if not given. Also with --mapping FILE.m, else those of --accel"),
    SL_OPT_WHOLE(EvalOptions, "num-simd-lanes", maestro.simd_lanes, NULL, 1, INT32_MAX, "N",
                 "MACs per PE and cycle; 1 if not given"),
    SL_OPT_WHOLE(EvalOptions, "noc-bw", maestro.noc_bw, NULL, 1, INT32_MAX, "N",
                 "words per cycle of the network; no limit if not given"),
    SL_OPT_WHOLE(EvalOptions, "noc-hops", maestro.noc_hops, NULL, 1, INT32_MAX, "N",
                 "hops of the network; 1 if not given"),
    SL_OPT_WHOLE(EvalOptions, "noc-hop-latency", maestro.noc_hop_latency, NULL, 0, INT32_MAX, "N",
                 "cycles of a hop; 0 if not given"),
    SL_OPT_WHOLE(EvalOptions, "offchip-bw", maestro.offchip_bw, NULL, 1, INT32_MAX, "N",
                 "words per cycle from off-chip; 70000 if not given"),
    SL_OPT_WHOLE(EvalOptions, "l1-size", maestro.l1_size, NULL, 1, INT32_MAX, "N",
                 "bytes of an L1; no limit if not given"),
    SL_OPT_WHOLE(EvalOptions, "l2-size", maestro.l2_size, NULL, 1, INT32_MAX, "N",
                 "bytes of the L2; no limit if not given"),
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
    if (options->model == MODEL_MAESTRO) return "--witness is of exact counts, so not of maestro";
    if (options->csv || options->export || options->nests)
        return "--witness compares counts, so not with --csv, --export or --nests";
    if (options->witness)
        return options->witness_source && strcmp(options->witness_source, "-") == 0
                   ? "--witness-source - prints the program alone, so not with --witness"
                   : NULL;
    return wants_form(options) || options->common.out
               ? "--witness-source without --witness only writes the program, so not with --json "
                 "or --out"
               : NULL;
}

static const char *nests_conflict(const EvalOptions *options, const SlWords *words) {
    if (options->export) return "--export is of one layer, so not with --nests";
    if (words->n > 0) return "--nests takes its layers from the file, so expected no workload";
    if (options->mapping) return "--nests takes its mappings from the file, so not with --mapping";
    if (options->batch != 1) return "--nests takes its layers from the file, so not with --batch";
    if (options->objective) return "--nests has no floors, so not with --objective";
    return wants_form(options) ? "--nests prints CSV, so not with --json" : NULL;
}

static const char *conflict(const EvalOptions *options, const SlWords *words) {
    if (options->csv && wants_form(options)) return "--csv and --json: choose one";
    if (options->repair && !options->mapping) return "--repair needs a --mapping to repair";
    if (options->export &&
        (options->csv || options->common.json || options->common.form || options->common.out))
        return "--export prints the mapping alone, so not with --csv, --json or --out";
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
    .summary = "what a layer, a network or a run of map costs, every number and why",
    .usage = "eval WORKLOAD|RUN [OPTION...]\neval --model maestro FILE.m [OPTION...]\n"
             "eval --nests FILE.csv --csv [OPTION...]",
    .about = "Says what a layer or a network costs on an accelerator: cycles and what binds them, "
             "energy and\nwhere it goes, buffers, the counts of every level, the distance to the "
             "physical floors, and\nwhether the mapping fits. One layer gets a full report, a "
             "network a table with totals.\n\n"
             "WORKLOAD is a bundled network (resnet18), one of its layers (resnet18:conv2_1, "
             "resnet18:2), a layer\nof your own (conv:K=64,C=64,P=56,Q=56,R=3,S=3, dw:, linear:, "
             "gemm:, bmm:) or a\n.yaml, .csv, .m or .onnx file. RUN is a run directory of "
             "'starling map', "
             "or RUN:LAYER: its\nworkload, accelerator and mappings.\nFiles of --out: report.txt, "
             "report.json, report.html, layers.csv, energy.svg, latency.svg "
             "and\nmappings/LAYER.yaml.\n\n"
             "With --model maestro: what MAESTRO says of the dataflows in FILE.m (or FILE.m:LAYER, "
             "or of a\nWORKLOAD), beside the exact numbers of the same mappings, why the two "
             "differ, and whether they\nare physical; --csv prints what MAESTRO writes.\nFiles of "
             "--out: maestro.txt, maestro.json, maestro.html, layers.csv, "
             "and MAESTRO's own maestro.csv.",
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

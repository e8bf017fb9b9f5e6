// map_setup.c - what `starling map` was asked for, for machines and for people.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "map.h"

static void add_number(SlDoc *doc, const char *key, double value) {
    sl_doc_number(doc, key, NULL, SL_UNIT_PLAIN, value);
}

// 0 = there is none
static void add_limit(SlDoc *doc, const char *key, double value) {
    add_number(doc, key, value > 0 ? value : (double)NAN);
}

// ---- what was asked for ----

static void add_space(const Map *map, SlDoc *doc) {
    const SpaceChoice *choice = &map->options->space;
    sl_doc_open(doc, "space", NULL);
    sl_doc_string(doc, "preset", NULL, sl_space_names[choice->preset]);
    sl_doc_string(doc, "open", NULL, choice->open ? choice->open : "");
    sl_doc_string(doc, "constraints", NULL, choice->constraints ? map->constraints.name : NULL);
    sl_doc_close(doc);
}

static void add_limits(const Map *map, SlDoc *doc) {
    const MapOptions *options = map->options;
    sl_doc_open(doc, "budget", NULL);
    add_limit(doc, "samples", (double)map->samples);
    add_limit(doc, "seconds", options->time);
    add_limit(doc, "target_percent", options->target);
    add_number(doc, "warm", (double)options->warm);
    sl_doc_close(doc);
    if (!map->prove) {
        sl_doc_null(doc, "prove");
        return;
    }
    sl_doc_open(doc, "prove", NULL);
    add_number(doc, "epsilon", map->epsilon);
    add_limit(doc, "seconds", options->prove_time);
    sl_doc_close(doc);
}

// "all", a number, or null for a method without agents
static void add_agents(const Map *map, SlDoc *doc) {
    if (map->method->learns && map->n_agents > 0)
        add_number(doc, "agents", map->n_agents);
    else
        sl_doc_string(doc, "agents", NULL, map->method->learns ? "all" : NULL);
}

void map_add_setup(const Map *map, SlDoc *doc) {
    const MapOptions *options = map->options;
    char goal[256];
    add_workload(doc, &map->eval);
    add_accel(doc, &map->eval.accel);
    sl_doc_string(doc, "objective", NULL, sl_goal_text(&map->goal, sizeof goal, goal));
    sl_doc_string(doc, "unit", NULL, sl_goal_unit(&map->goal));
    sl_doc_string(doc, "model", NULL, map->evaluator->kind->name);
    sl_doc_string(doc, "evaluator", NULL, options->evaluator);
    sl_doc_string(doc, "method", NULL, map->method->name);
    sl_doc_options(doc, "options", map->method->options, map->method_options);
    add_agents(map, doc);
    add_space(map, doc);
    sl_doc_string(doc, "illegal", NULL, sl_illegal_names[options->illegal]);
    sl_doc_string(doc, "start", NULL, sl_start_names[options->start]);
    add_limits(map, doc);
    add_number(doc, "seed", (double)options->seed);
}

// ---- the same for people ----

static void add_budget(const Map *map, SlText *out) {
    const MapOptions *options = map->options;
    char count[32];
    if (map->samples > 0)
        sl_text_add(out, "%s samples%s", sl_show_count((double)map->samples, count),
                    map->n_layers > 1 ? " per layer" : "");
    if (options->time > 0)
        sl_text_add(out, "%s%g seconds", map->samples > 0 ? " or " : "", options->time);
    if (options->target > 0)
        sl_text_add(out, " or until within %g %% of the floor", options->target);
}

// ", proven to 0.5 % in at most 10 s per layer"
static void add_prove(const Map *map, SlText *out) {
    double seconds = map->options->prove_time;
    if (!map->prove) return;
    if (map_uncovered(map)) {
        sl_text_add(out, ", without a proof");
        return;
    }
    sl_text_add(out, "%sproven ", map->exact ? "" : ", ");
    if (map->epsilon > 0)
        sl_text_add(out, "to %g %%", 100 * map->epsilon);
    else
        sl_text_add(out, "optimal");
    if (seconds > 0)
        sl_text_add(out, " in at most %g s%s", seconds, map->n_layers > 1 ? " per layer" : "");
}

static void add_search(const Map *map, SlDoc *doc) {
    const MapOptions *options = map->options;
    char goal[256];
    SlText line;
    sl_text_init(&line, map->arena);
    sl_text_add(&line, "%s by %s, ", sl_goal_text(&map->goal, sizeof goal, goal),
                map->method->name);
    add_budget(map, &line);
    add_prove(map, &line);
    if (map->n_agents > 0)
        sl_text_add(&line, ", %d agent%s", map->n_agents, map->n_agents > 1 ? "s" : "");
    if (options->warm > 0 && map->n_layers > 1)
        sl_text_add(&line, ", warm start of %lld samples", (long long)options->warm);
    if (map->evaluator->describe) {
        sl_text_add(&line, ", ");
        map->evaluator->describe(map, &line);
    }
    if (options->space.constraints) sl_text_add(&line, ", constraints %s", map->constraints.name);
    if (options->space.preset != SL_SPACE_NATIVE)
        sl_text_add(&line, ", space %s", sl_space_names[options->space.preset]);
    if (options->batch > 1) sl_text_add(&line, ", batch %lld", (long long)options->batch);
    sl_text_add(&line, ", seed %lld", (long long)options->seed);
    sl_doc_string(doc, NULL, "search", line.data);
}

void map_add_head(const Map *map, SlDoc *doc) {
    const SlNetwork *net = &map->eval.net;
    const SlAccel *accel = &map->eval.accel;
    char title[EVALUATION_TITLE_ROOM], shape[384], count[32], area[SL_UNIT_ROOM];
    sl_doc_title(doc, "%s", evaluation_title(&map->eval, title));
    sl_doc_footer(doc, "%s", map->evaluator->note);
    map_add_setup(map, doc);
    add_machine(map, doc);
    sl_doc_flag(doc, "interrupted", NULL, map->signal != 0);
    if (net->title[0] && strcmp(net->name, "inline") != 0)
        sl_doc_string(doc, NULL, "workload", net->title);
    if (net->n_layers == 1)
        sl_doc_text(doc, NULL, "layer", "%s, %s MACs",
                    sl_layer_show(net->layers, sizeof shape, shape),
                    sl_show_count((double)sl_layer_macs(net->layers), count));
    sl_doc_text(doc, NULL, "machine", "%s MACs, %s%s%s",
                sl_show_count((double)sl_accel_macs(accel), count),
                sl_unit_show(SL_UNIT_UM2, sl_accel_area_um2(accel), area),
                accel->title[0] ? ", " : "", accel->title);
    add_search(map, doc);
    if (map->signal)
        sl_doc_warn(doc, "INTERRUPTED: the best so far; the same command again finishes it.");
}

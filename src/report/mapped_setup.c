// mapped_setup.c - what was asked for when a network was mapped, for machines and for people.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "evaluation_parts.h"
#include "mapped_inside.h"
#include "starling/job/run.h"

static void add_number(SlDoc *doc, const char *key, double value) {
    sl_doc_number(doc, key, NULL, SL_UNIT_PLAIN, value);
}

// 0 = there is none
static void add_limit(SlDoc *doc, const char *key, double value) {
    add_number(doc, key, value > 0 ? value : (double)NAN);
}

bool sl_mapped_learns(const SlMapped *mapped) {
    return mapped->setup.method && mapped->setup.method->learns;
}

static const char *method_name(const SlMapped *mapped) {
    return mapped->setup.method ? mapped->setup.method->name : "exact";
}

// ---- what certificates are compared with ----

// every line as a text of a list
static void add_lines(SlDoc *doc, const char *key, const SlText *text) {
    if (text->failed) sl_doc_fail(doc);
    sl_doc_list(doc, key);
    for (const char *at = text->data; *at;) {
        size_t n = strcspn(at, "\n");
        sl_doc_text(doc, NULL, NULL, "%.*s", (int)n, at);
        at += n + (at[n] == '\n');
    }
    sl_doc_close(doc);
}

static void add_machine(SlDoc *doc, const SlMapped *mapped) {
    SlText text;
    sl_text_init(&text, mapped->arena);
    sl_certificate_machine(&mapped->eval.accel, &text);
    add_lines(doc, "machine", &text);
}

void sl_mapped_add_lists(SlDoc *doc, const SlMapped *mapped, const SlMappedLayer *layer) {
    SlText text;
    if (!mapped->setup.space.constraints || !sl_job_has_bound(layer->task)) {
        sl_doc_null(doc, "lists");
        return;
    }
    sl_text_init(&text, mapped->arena);
    sl_certificate_lists(&layer->task->space, &text);
    add_lines(doc, "lists", &text);
}

// ---- what was asked for ----

static void add_space(SlDoc *doc, const SlMapped *mapped) {
    const SlSpaceOptions *space = &mapped->setup.space;
    sl_doc_open(doc, "space", NULL);
    sl_doc_string(doc, "preset", NULL, sl_space_names[space->preset]);
    sl_doc_string(doc, "open", NULL, mapped->open ? mapped->open : "");
    sl_doc_string(doc, "constraints", NULL, space->constraints ? space->constraints->name : NULL);
    sl_doc_close(doc);
}

static void add_limits(SlDoc *doc, const SlMapped *mapped) {
    const SlJobSetup *setup = &mapped->setup;
    sl_doc_open(doc, "budget", NULL);
    add_limit(doc, "samples", (double)setup->budget.samples);
    add_limit(doc, "seconds", setup->budget.seconds);
    add_limit(doc, "target_percent", mapped->target_percent);
    add_number(doc, "warm", (double)setup->warm);
    sl_doc_close(doc);
    if (!setup->prove) {
        sl_doc_null(doc, "prove");
        return;
    }
    sl_doc_open(doc, "prove", NULL);
    add_number(doc, "epsilon", setup->epsilon);
    add_limit(doc, "seconds", setup->prove_seconds);
    sl_doc_close(doc);
}

// what was taught before; null where nothing was
static void add_flock(SlDoc *doc, const SlMapped *mapped) {
    if (!mapped->setup.flock) {
        sl_doc_null(doc, "flock");
        return;
    }
    const SlFlockInfo *info = sl_flock_info(mapped->setup.flock);
    sl_doc_open(doc, "flock", NULL);
    sl_doc_string(doc, "name", NULL, mapped->flock ? mapped->flock : "");
    sl_doc_text(doc, "digest", NULL, "%016llx",
                (unsigned long long)sl_flock_digest(mapped->setup.flock));
    add_number(doc, "tasks", info->n_tasks);
    add_number(doc, "evaluations", (double)info->evaluations);
    sl_doc_close(doc);
}

static void add_options(SlDoc *doc, const SlJobSetup *setup) {
    static const SlOption none[] = {{0}};
    sl_doc_options(doc, "options", setup->method ? setup->method->options : none, setup->options);
}

static bool is_assigned(const SlAgentChoice *choice) {
    return choice->groups || choice->threshold.height > 0;
}

static const char *policy_of(const SlAssignSetup *setup) {
    return setup->policy ? setup->policy->name : "random";
}

// "all", a number, "assigned" where layers differ, or null for a method without agents
static void add_agents(SlDoc *doc, const SlMapped *mapped) {
    const SlAgentChoice *choice = &mapped->setup.agents;
    const char *word = is_assigned(choice) ? "assigned" : "all";
    if (sl_mapped_learns(mapped) && choice->n_agents > 0)
        add_number(doc, "agents", choice->n_agents);
    else
        sl_doc_string(doc, "agents", NULL, sl_mapped_learns(mapped) ? word : NULL);
}

// where the agents of a file come from
static void add_file(SlDoc *doc, const SlGroups *groups) {
    sl_doc_open(doc, "file", NULL);
    sl_doc_string(doc, "path", NULL, groups->file);
    sl_doc_string(doc, "layer", NULL, groups->layer);
    sl_doc_string(doc, "accel", NULL, groups->accel);
    sl_doc_string(doc, "space", NULL, groups->space);
    sl_doc_string(doc, "objective", NULL, groups->objective);
    add_number(doc, "agents", groups->n_agents);
    sl_doc_close(doc);
}

// how the agents came about; null where there is one per parameter or one for all
static void add_assignment(SlDoc *doc, const SlMapped *mapped) {
    const SlAgentChoice *choice = &mapped->setup.agents;
    const SlThreshold *threshold = &choice->threshold;
    const SlGroups *groups = choice->groups;
    if (!sl_mapped_learns(mapped) || (!is_assigned(choice) && choice->n_agents < 2)) {
        sl_doc_null(doc, "assignment");
        return;
    }
    sl_doc_open(doc, "assignment", NULL);
    sl_doc_string(doc, "policy", NULL, groups ? groups->policy : policy_of(&choice->assign));
    add_number(doc, "samples", (double)(groups ? groups->samples : choice->assign.samples));
    sl_doc_flag(doc, "counted", NULL, !groups);
    add_limit(doc, "threshold", threshold->of_top ? 0 : threshold->height);
    add_limit(doc, "threshold_percent", threshold->of_top ? 100 * threshold->height : 0);
    if (groups)
        add_file(doc, groups);
    else
        sl_doc_null(doc, "file");
    sl_doc_close(doc);
}

void sl_doc_mapped_setup(SlDoc *doc, const SlMapped *mapped) {
    const SlJobSetup *setup = &mapped->setup;
    char goal[256];
    sl_doc_workload(doc, &mapped->eval);
    sl_doc_accel(doc, &mapped->eval.accel);
    sl_doc_string(doc, "objective", NULL, sl_goal_text(&setup->goal, sizeof goal, goal));
    sl_doc_string(doc, "unit", NULL, sl_goal_unit(&setup->goal));
    sl_doc_string(doc, "model", NULL, setup->kind->name);
    sl_doc_string(doc, "evaluator", NULL, mapped->evaluator);
    sl_doc_string(doc, "method", NULL, method_name(mapped));
    add_flock(doc, mapped);
    add_options(doc, setup);
    add_agents(doc, mapped);
    add_assignment(doc, mapped);
    add_space(doc, mapped);
    sl_doc_string(doc, "illegal", NULL, sl_illegal_names[setup->illegal]);
    sl_doc_string(doc, "start", NULL, sl_start_names[setup->start]);
    add_limits(doc, mapped);
    add_number(doc, "seed", (double)setup->seed);
}

// ---- the same for people ----

static void add_budget(const SlMapped *mapped, SlText *out) {
    const SlBudget *budget = &mapped->setup.budget;
    char count[32];
    if (!mapped->setup.method) return; // nothing but proofs
    if (budget->samples > 0)
        sl_text_add(out, "%s samples%s", sl_show_count((double)budget->samples, count),
                    mapped->n_layers > 1 ? " per layer" : "");
    if (budget->seconds > 0)
        sl_text_add(out, "%s%g seconds", budget->samples > 0 ? " or " : "", budget->seconds);
    if (mapped->target_percent > 0)
        sl_text_add(out, " or until within %g %% of the floor", mapped->target_percent);
}

// ", proven to 0.5 % in at most 10 s per layer"
static void add_prove(const SlMapped *mapped, SlText *out) {
    const SlJobSetup *setup = &mapped->setup;
    if (!setup->prove) return;
    if (sl_mapped_uncovered(mapped)) {
        sl_text_add(out, ", without a proof");
        return;
    }
    sl_text_add(out, "%sproven ", setup->method ? ", " : "");
    if (setup->epsilon > 0)
        sl_text_add(out, "to %g %%", 100 * setup->epsilon);
    else
        sl_text_add(out, "optimal");
    if (setup->prove_seconds > 0)
        sl_text_add(out, " in at most %g s%s", setup->prove_seconds,
                    mapped->n_layers > 1 ? " per layer" : "");
}

// ", 3 agents by correlations of local's samples"
static void add_assigned(const SlAgentChoice *choice, SlText *out) {
    const SlThreshold *cut = &choice->threshold;
    const SlGroups *groups = choice->groups;
    char count[32];
    if (choice->n_agents > 0)
        sl_text_add(out, ", %d agent%s", choice->n_agents, choice->n_agents > 1 ? "s" : "");
    if (cut->height > 0 && cut->of_top)
        sl_text_add(out, ", agents below %g %% of the tree", 100 * cut->height);
    else if (cut->height > 0)
        sl_text_add(out, ", agents below height %g", cut->height);
    if ((choice->n_agents > 1 || cut->height > 0) && strcmp(policy_of(&choice->assign), "random"))
        sl_text_add(out, " by samples of %s", policy_of(&choice->assign));
    if (!groups) return;
    sl_text_add(out, ", agents of %s (%s on %s, by %s samples of %s, not counted here)",
                groups->file, groups->layer ? groups->layer : "no layer named",
                groups->accel ? groups->accel : "no machine named",
                sl_show_count((double)groups->samples, count),
                groups->policy ? groups->policy : "nobody named");
}

static void add_choices(const SlMapped *mapped, SlText *out) {
    const SlJobSetup *setup = &mapped->setup;
    add_assigned(&setup->agents, out);
    if (setup->warm > 0 && mapped->n_layers > 1)
        sl_text_add(out, ", warm start of %lld samples", (long long)setup->warm);
    if (sl_mapped_kind(mapped)->describe) sl_mapped_kind(mapped)->describe(mapped, out);
    if (setup->space.constraints)
        sl_text_add(out, ", constraints %s", setup->space.constraints->name);
    if (setup->space.preset != SL_SPACE_NATIVE)
        sl_text_add(out, ", space %s", sl_space_names[setup->space.preset]);
    if (mapped->eval.batch > 1) sl_text_add(out, ", batch %lld", (long long)mapped->eval.batch);
    sl_text_add(out, ", seed %lld", (long long)setup->seed);
}

// the layer that is farthest from what was taught
static const SlMappedLayer *farthest_layer(const SlMapped *mapped) {
    const SlMappedLayer *far = mapped->layers;
    for (int i = 1; i < mapped->n_layers; i++)
        if (mapped->layers[i].taught_distance > far->taught_distance) far = &mapped->layers[i];
    return far;
}

static void add_taught(SlDoc *doc, const SlMapped *mapped) {
    char tasks[32], evaluations[32], whose[64] = "";
    if (!mapped->setup.flock) return;
    const SlFlockInfo *info = sl_flock_info(mapped->setup.flock);
    const SlMappedLayer *far = farthest_layer(mapped);
    sl_doc_text(doc, NULL, "flock", "%s%spre-trained on %s tasks, %s evaluations",
                mapped->flock ? mapped->flock : "", mapped->flock ? ": " : "",
                sl_show_count(info->n_tasks, tasks),
                sl_show_count((double)info->evaluations, evaluations));
    if (mapped->n_layers > 1)
        snprintf(whose, sizeof whose, " (%.40s, the farthest layer)", far->found->layer.name);
    if (far->taught_share > 0)
        sl_doc_text(doc, NULL, "nearest taught task",
                    "closer than %.0f %% of taught tasks are to each other%s",
                    100 * far->taught_share, whose);
    else
        sl_doc_text(doc, NULL, "nearest taught task",
                    "farther than all taught tasks are from each other%s: the flock knows little "
                    "here",
                    whose);
}

static void add_search(SlDoc *doc, const SlMapped *mapped) {
    char goal[256];
    SlText line;
    sl_text_init(&line, mapped->arena);
    sl_text_add(&line, "%s by %s, ", sl_goal_text(&mapped->setup.goal, sizeof goal, goal),
                method_name(mapped));
    add_budget(mapped, &line);
    add_prove(mapped, &line);
    add_choices(mapped, &line);
    if (line.failed) sl_doc_fail(doc);
    sl_doc_string(doc, NULL, "search", line.data);
    add_taught(doc, mapped);
}

static void add_facts(SlDoc *doc, const SlNetwork *net, const SlAccel *accel) {
    char shape[384], count[32], area[SL_UNIT_ROOM];
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
}

void sl_mapped_add_head(SlDoc *doc, const SlMapped *mapped) {
    char title[SL_EVALUATION_TITLE];
    sl_doc_title(doc, "%s", sl_evaluation_title(&mapped->eval, title));
    sl_mapped_add_verdict(doc, mapped);
    if (mapped->interrupted)
        sl_doc_warn(doc, "INTERRUPTED: the best so far; rerun the command to finish.");
    sl_doc_skipped_words(doc, &mapped->eval.net);
    sl_mapped_add_outlook(doc, mapped);
    sl_doc_footer(doc, "%s", sl_mapped_kind(mapped)->note);
    sl_doc_mapped_setup(doc, mapped);
    add_machine(doc, mapped);
    sl_doc_flag(doc, "interrupted", NULL, mapped->interrupted);
    add_facts(doc, &mapped->eval.net, &mapped->eval.accel);
    add_search(doc, mapped);
}

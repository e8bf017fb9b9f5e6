// agents_choose.c - the agents of a run: one per parameter, one for all, by the assignment of its
// own task or of another one, or by a file.
#include <string.h>

#include "starling/job.h"

SlAssignSetup sl_assign_defaults(void) {
    return (SlAssignSetup){.samples = 2000,
                           .share = 0.15, // as in the paper
                           .metric = SL_METRIC_ROWS_OBJECTIVE,
                           .linkage = SL_LINK_WARD,
                           .seed = 1};
}

SlStatus sl_threshold_parse(const char *text, SlThreshold *threshold, SlError *err) {
    enum { MOST_HEIGHT = 1000000, WHOLE = 100 };
    size_t n = strlen(text);
    char number[40] = "";
    bool percent = n > 0 && text[n - 1] == '%';
    if (n < sizeof number) memcpy(number, text, n - percent);
    double value = 0;
    SlStatus status = sl_parse_real(number, 0, percent ? WHOLE : MOST_HEIGHT, &value, NULL);
    if (status != SL_OK || value <= 0)
        return sl_fail(err, SL_EINPUT,
                       "expected a height above 0, or a share of the tree's height such as 40%%, "
                       "got '%.40s'",
                       text);
    *threshold = (SlThreshold){.height = percent ? value / WHOLE : value, .of_top = percent};
    return SL_OK;
}

// ---- who steers what ----

// every parameter gets the agent of another one: groups keep their sizes
static void shuffle(const SlSpace *space, uint64_t seed, SlAgents *agents) {
    SlRng rng;
    sl_rng_init(&rng, seed, "groups");
    for (int i = space->n_params - 1; i > 0; i--) {
        int j = (int)sl_rng_below(&rng, (uint64_t)i + 1), kept = agents->agent[i];
        agents->agent[i] = agents->agent[j];
        agents->agent[j] = kept;
    }
}

// by Algorithm 1, on a task that may be another one
static SlStatus assign(const SlTaskSetup *task, const SlAgentChoice *choice, SlArena *arena,
                       SlAgents *agents, int64_t *samples, SlError *err) {
    SlAssignSetup setup = choice->assign;
    SlAssignment found = {0};
    if (setup.samples == 0) {
        setup = sl_assign_defaults();
        setup.policy = choice->assign.policy;
        setup.seed = choice->assign.seed;
    }
    SlStatus status = sl_assign_run(task, &setup, arena, &found, err);
    if (status != SL_OK) return status;
    int n = choice->n_agents ? choice->n_agents : sl_assign_count(&found, &choice->threshold);
    sl_assign_agents(&found, n < found.n ? n : found.n, agents);
    *samples = found.samples;
    return SL_OK;
}

// what another task's parameters say of this one's, by their names; its samples are not this run's
static SlStatus assign_elsewhere(const SlSpace *space, const SlAgentChoice *choice, SlArena *arena,
                                 SlAgents *agents, SlError *err) {
    int64_t elsewhere = 0;
    SlAgents theirs;
    SlStatus status = assign(choice->elsewhere, choice, arena, &theirs, &elsewhere, err);
    if (status != SL_OK) return status;
    SlGroups *groups = SL_NEW(arena, 1, SlGroups);
    if (!groups) return sl_fail(err, SL_ENOMEM, "not enough memory for the assignment");
    sl_groups_of(choice->elsewhere->space, &theirs, groups);
    groups->layer = choice->elsewhere->space->layer->name;
    return sl_groups_match(groups, space, agents, err);
}

static bool is_cut(const SlAgentChoice *choice) {
    return choice->n_agents > 1 || choice->threshold.height > 0;
}

SlStatus sl_agents_choose(const SlTaskSetup *task, const SlSpace *space,
                          const SlAgentChoice *choice, SlArena *arena, SlAgents *agents,
                          int64_t *samples, SlError *err) {
    SlStatus status = SL_OK;
    *samples = 0;
    sl_agents_each(space, agents);
    if (choice->groups) return sl_groups_match(choice->groups, space, agents, err);
    if (choice->n_agents == 1) *agents = (SlAgents){.n_agents = 1};
    if (!is_cut(choice) || choice->n_agents >= space->n_params) return SL_OK;
    status = choice->elsewhere ? assign_elsewhere(space, choice, arena, agents, err)
                               : assign(task, choice, arena, agents, samples, err);
    if (status == SL_OK && choice->shuffled) shuffle(space, choice->assign.seed, agents);
    return status;
}

// ---- as text ----

void sl_agents_describe(const SlAgentChoice *choice, SlText *out) {
    const SlAssignSetup *setup = &choice->assign;
    if (choice->groups) {
        const SlGroups *groups = choice->groups;
        sl_text_add(out, "groups");
        for (int i = 0; i < groups->n; i++)
            sl_text_add(out, " %s=%d", groups->params[i].name, groups->params[i].agent);
        sl_text_add(out, "\n");
    }
    if (choice->groups || !is_cut(choice)) return;
    sl_text_add(out, "agents by %s %lld %.17g %s %s %s %.17g %d %d\n",
                setup->policy ? setup->policy->name : "random", (long long)setup->samples,
                setup->share, setup->proposed ? "proposed" : "repaired",
                sl_metric_names[setup->metric], sl_linkage_names[setup->linkage],
                choice->threshold.height, choice->threshold.of_top, choice->shuffled);
    if (!choice->elsewhere) return;
    char layer[512];
    sl_layer_write(choice->elsewhere->space->layer, sizeof layer, layer);
    sl_text_add(out, "as of %s\n", layer);
}

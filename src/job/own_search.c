// own_search.c - a space of the user's own: its file, its task, agents, the run.
#include "starling/job/own_search.h"

// A space whose rules no point obeys is worth a word before anything is asked.
static SlStatus check_rules(const SlOwnSpace *own, SlError *err) {
    enum { DRAWS = 20000 };
    int32_t point[SL_MAX_PARAMS];
    SlRng rng;
    sl_rng_init(&rng, 1, "rules");
    for (int i = 0; i < DRAWS; i++) {
        sl_space_sample(&own->space, &rng, point);
        if (!sl_rules_broken(own->rules, &own->space, point)) return SL_OK;
    }
    return sl_fail(err, SL_EINPUT, "%s: none of %d random points obeys the rules", own->name,
                   DRAWS);
}

SlStatus sl_own_search_read(SlOwnSearch *search, const char *path, SlArena *arena, SlError *err) {
    SlStatus status = sl_own_space_read(path, arena, &search->own, err);
    return status == SL_OK ? check_rules(&search->own, err) : status;
}

SlStatus sl_own_search_open(SlOwnSearch *search, SlArena *arena, SlError *err) {
    search->process = (SlProcessOptions){.program = search->program, .rules = search->own.rules};
    search->setup = (SlTaskSetup){.kind = &sl_kind_process,
                                  .space = &search->own.space,
                                  .goal.weight[SL_LATENCY] = 1,
                                  .options = &search->process};
    return sl_task_make(&search->setup, arena, &search->task, err);
}

static SlStatus assign(SlOwnSearch *search, SlArena *arena, SlError *err) {
    SlAgentChoice choice = search->choice;
    choice.assign.seed = search->seed;
    return sl_agents_choose(&search->setup, &search->own.space, &choice, arena, &search->agents,
                            &search->assign_samples, err);
}

SlStatus sl_own_search_run(SlOwnSearch *search, SlWatch *watch, void *context, SlArena *arena,
                           SlError *err) {
    SlRunSetup setup = {.task = search->task,
                        .method = search->method,
                        .options = search->options,
                        .agents = &search->agents,
                        .seed = search->seed,
                        .stream = search->own.name,
                        .budget = search->budget,
                        .start = SL_START_NONE,
                        .log = search->log};
    SlStatus status = assign(search, arena, err);
    return status == SL_OK ? sl_run(&setup, watch, context, arena, &search->record, err) : status;
}

void sl_own_search_close(SlOwnSearch *search) {
    sl_task_close(search->task);
    search->task = NULL;
}

// fuzz_plan.c - any bytes as a plan: refused with a sentence, or cells with keys of their own.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "starling/study.h"

static void require(bool truth) {
    if (!truth) abort();
}

static void check_plan(const SlPlan *plan, SlArena *arena) {
    SlPlanCell *cells = NULL;
    int n = 0;
    SlError err = {0};
    require(plan->n_tasks >= 1 && plan->n_seeds >= 1);
    require(plan->n_rows == 0 ? plan->reference == -1 : plan->reference < plan->n_rows);
    for (int i = 0; i < plan->n_rows; i++)
        require(plan->rows[i].samples >= 1 && plan->rows[i].settings[0] == '{');
    SlStatus status = sl_plan_cells(plan, arena, &n, &cells, &err);
    require(status == SL_OK || err.text[0] != '\0');
    for (int i = 1; i < n && status == SL_OK; i++)
        require(strcmp(cells[i - 1].key, cells[i].key) != 0);
}

// One of three ways to ask for the plan, chosen by its length: all three at once are three times as
// slow, and the time goes into reading networks and making spaces.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    static const SlPlanChanges changes[] = {
        {0}, {.quick = true}, {.samples = 5, .seeds = 2, .methods = "random"}};
    SlArena arena;
    SlPlan plan;
    SlError err = {0};
    sl_arena_init(&arena, 64 << 20);
    SlStatus status =
        sl_plan_parse("fuzz", (const char *)data, n, &changes[n % 3], &arena, &plan, &err);
    if (status == SL_OK)
        check_plan(&plan, &arena);
    else
        require(err.text[0] != '\0');
    sl_arena_free(&arena);
    return 0;
}

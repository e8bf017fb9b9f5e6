// store_help.c - stores and small plans.
#include "support/store_help.h"

#include <string.h>

#include "support/check.h"

void plan_of(const char *text, const SlPlanChanges *changes, SlArena *arena, SlPlan *plan) {
    SlError err = {0};
    if (sl_plan_parse("plan.yaml", text, strlen(text), changes, arena, plan, &err) != SL_OK)
        fail_msg("%s:%d: %s", err.file, err.line, err.text);
}

SlStore *open_store(const char *path) {
    SlStore *store = NULL;
    SlError err = {0};
    if (sl_store_open(path, true, &store, &err) != SL_OK) fail_msg("%s: %s", err.file, err.text);
    return store;
}

uint64_t digest_of(const char *path) {
    SlStore *store = open_store(path);
    uint64_t digest = 0;
    assert_int_equal(sl_store_digest(store, &digest, NULL), SL_OK);
    sl_store_close(store);
    return digest;
}

// mapped_help.c - a small job that maps a workload onto eyeriss, for EDP, by local search.
#include "mapped_help.h"

#include <string.h>

#include "check.h"

void mapped_plan(const char *workload, SlArena *arena, SlMapped *mapped) {
    SlEvaluation *eval = &mapped->eval;
    assert_int_equal(sl_workload_find(workload, 1, arena, &eval->net, NULL), SL_OK);
    assert_int_equal(sl_accel_find("eyeriss", arena, &eval->accel, NULL), SL_OK);
    eval->batch = 1;
    mapped->arena = arena;
    mapped->setup = (SlJobSetup){.goal.weight[SL_EDP] = 1,
                                 .method = sl_method_find("local"),
                                 .budget.samples = 60,
                                 .seed = 3};
}

void mapped_run(SlMapped *mapped) {
    SlError err = {0};
    assert_int_equal(sl_mapped_open(mapped, NULL, &err), SL_OK);
    assert_int_equal(sl_job_run(mapped->job, NULL, NULL, NULL, NULL, &err), SL_OK);
    assert_int_equal(sl_mapped_finish(mapped, &err), SL_OK);
}

void mapped_begin(const char *network, MappedCase *c) {
    char file[TEMP_ROOM];
    *c = (MappedCase){0};
    folder_make(&c->folder);
    folder_path(&c->folder, "net.yaml", file);
    sl_arena_init(&c->arena, 0);
    assert_int_equal(sl_file_write(file, network, strlen(network), NULL), SL_OK);
    mapped_plan(file, &c->arena, &c->mapped);
}

void mapped_end(MappedCase *c) {
    sl_job_close(c->mapped.job);
    sl_arena_free(&c->arena);
    folder_remove(&c->folder);
}

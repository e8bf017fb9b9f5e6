// nest_walk.h - the lock-step walk through a small mapped nest, taken literally from sections 1-3
// of the model: time, instances, what each of them has to do now, and who shares a network.
//
// Flow: walk_init -> walk_place (any instance, now) -> walk_moving -> walk_move ... -> walk_free.
// Knows nothing of src/cost: the oracle and the machine stand on it.
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include "starling/cost.h"

// Like assert, but also there in release builds: a broken rule of the model ends the test.
#define REQUIRE(rule)                                                                              \
    do {                                                                                           \
        if (!(rule)) {                                                                             \
            fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #rule);                     \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

enum { WALK_MAX_INSTANCES = 512, WALK_MAX_POINTS = 1 << 18 };

// A nest in motion. Level 0 is DRAM, level n_levels the MACs; both keep every tensor.
typedef struct {
    const SlLayer *layer;
    const SlMapping *mapping;
    SlNet net;
    int n_levels;
    int at[SL_MAX_LEVELS + 1]; // loops above each level
    uint8_t keep[SL_MAX_LEVELS + 1];
    int n_instances[SL_MAX_LEVELS + 1];
    int64_t width[SL_MAX_LOOPS]; // most iterations of a loop side by side; 1 for temporal loops
    int64_t index[SL_MAX_LOOPS]; // iteration that a temporal loop is in
    int n_elements[SL_N_TENSORS];
    int *row, *column; // number of each touched input row (column) among the touched ones
    int n_rows, n_columns;
} Walk;

// Where one instance stands: the box of iterations inside its boundary. It works if no extent is
// below 1.
typedef struct {
    int64_t start[SL_N_DIMS], extent[SL_N_DIMS];
} Place;

// Dims that index each tensor: W[g,k,c,r,s], I[n,g,c,pr,qs], O[n,g,k,p,q].
extern const unsigned walk_relevant[SL_N_TENSORS];

void walk_init(Walk *walk, const SlLayer *layer, SlNet net, const SlMapping *mapping);
void walk_free(Walk *walk);

// Instances are numbered with the outermost spatial loop as the fastest digit, so that number
// modulo n_instances of an outer level is the instance above it, and instance 0 has index 0
// everywhere.
Place walk_place(const Walk *walk, int level, int number);
bool place_works(const Place *place, unsigned dims); // in all dims of the mask

// The outermost temporal loop that changes next, or -1 when time is over.
int walk_moving(const Walk *walk);
void walk_move(Walk *walk, int loop); // loop advances, every temporal loop inside it starts again

// Number of the element of a tensor that the iteration at `point` touches; of an input, by row and
// column.
int walk_element(const Walk *walk, SlTensor tensor, const int64_t point[SL_N_DIMS]);

// The nearest outer level that keeps the tensor.
int walk_parent(const Walk *walk, int level, SlTensor tensor);

// The network group of an instance, named by its leader: itself with index 0 in every irrelevant
// spatial loop between parent and level whose fan-out multicasts (O: reduces).
int walk_group(const Walk *walk, int level, SlTensor tensor, int number);

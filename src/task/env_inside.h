// env_inside.h - inside task: what every environment is made of. A new one begins its struct with
// SlEnv, fills the shape and points to its own row of functions.
#pragma once

#include "starling/task/env.h"

typedef struct {
    void (*reset)(SlEnv *env, uint64_t seed, SlEnvBuffers *buffers);
    void (*step)(SlEnv *env, SlPool *pool, SlEnvBuffers *buffers);
    int64_t (*samples)(const SlEnv *env);
    const SlBest *(*best)(const SlEnv *env); // NULL where nothing is mapped
} SlEnvKind;

struct SlEnv {
    const SlEnvKind *kind;
    SlEnvShape shape;
};

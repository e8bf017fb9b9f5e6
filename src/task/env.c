// env.c - the calls that every environment answers, each in its own way.
#include "env_inside.h"

const SlEnvShape *sl_env_shape(const SlEnv *env) {
    return &env->shape;
}

void sl_env_reset(SlEnv *env, uint64_t seed, SlEnvBuffers *buffers) {
    env->kind->reset(env, seed, buffers);
}

void sl_env_step(SlEnv *env, SlPool *pool, SlEnvBuffers *buffers) {
    env->kind->step(env, pool, buffers);
}

int64_t sl_env_samples(const SlEnv *env) {
    return env->kind->samples(env);
}

const SlBest *sl_env_best(const SlEnv *env) {
    return env->kind->best ? env->kind->best(env) : NULL;
}

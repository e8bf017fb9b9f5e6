// double_net.c - the networks' code in doubles.
#include "support/double_real.h"

#define COPY(name) double_##name
#include "net_copy.h"

// with the settings of `given`, which is an SlAdam of floats for everybody else
void double_adam_run(const SlAdam *given, size_t n, int steps, const double *grads, double *params);

void double_adam_run(const SlAdam *given, size_t n, int steps, const double *grads,
                     double *params) {
    SlArena arena;
    SlAdam adam;
    sl_arena_init(&arena, 0);
    bool made = sl_adam_make(n, given->rate, &arena, &adam);
    assert(made);
    (void)made;
    adam.beta1 = given->beta1;
    adam.beta2 = given->beta2;
    adam.epsilon = given->epsilon;
    adam.decay = given->decay;
    for (int i = 0; i < steps; i++) sl_adam_step(&adam, params, grads + (size_t)i * n);
    sl_arena_free(&arena);
}

// learn.c - the methods of this room.
#include "learn_inside.h"

const SlMethod *const sl_learn_methods[] = {
    &sl_method_marl,
    &sl_method_ppo,
    &sl_method_marl_paper,
    NULL,
};

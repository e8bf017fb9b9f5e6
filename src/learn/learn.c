// learn.c - the methods of this module.
#include "dcoc.h"
#include "learn_inside.h"

const SlMethod *const sl_learn_methods[] = {
    &sl_method_marl, &sl_method_flock,      &sl_method_ppo,       &sl_method_marl_paper,
    &sl_method_dcoc, &sl_method_dcoc_paper, &sl_method_chameleon, NULL,
};

// learn.c - the methods and tuners of this room.
#include "dcoc.h"
#include "learn_inside.h"

const SlMethod *const sl_learn_methods[] = {
    &sl_method_marl,
    &sl_method_ppo,
    &sl_method_marl_paper,
    NULL,
};

const SlTuner *const sl_learn_tuners[] = {
    &sl_tuner_dcoc,
    &sl_tuner_dcoc_paper,
    &sl_tuner_chameleon,
    NULL,
};

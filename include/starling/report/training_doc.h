// training_doc.h - trainings, and where their time goes, as documents.
//
// Flow: sl_training_evaluate -> sl_report_training; sl_engine_profile of cases ->
// sl_report_profile.
#pragma once

#include "starling/learn/engine_profile.h"
#include "starling/learn/training.h"
#include "starling/report/doc.h"

SL_API_BEGIN

// What was asked for, the returns, whether they are better than chance, the clock; the picture
// curve.svg (docs/formats/train-json.md). `key` is that of its run, NULL = none. NULL without
// memory.
SlDoc *sl_report_training(const SlTraining *training, const char *key, SlArena *arena);

// Everything that decides what an engine learns, for machines.
void sl_doc_engine(SlDoc *doc, const SlEngineSetup *setup);

// Shares of the phases, growth with twice the agents, samplings beside uniform, counters; pictures
// per world (docs/formats/profile-json.md). NULL without memory.
SlDoc *sl_report_profile(const SlProfile *profile, SlArena *arena);

// Recorded episodes of particle worlds that were played again (sl_episodes_play): the largest
// differences. NULL without memory.
SlDoc *sl_report_deviation(SlParticleRules rules, const SlDeviation *apart, SlArena *arena);

SL_API_END

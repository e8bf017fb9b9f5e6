// double_replay.c - the gather of replays in doubles.
#include "support/double_real.h"

#define sl_replay_gather double_replay_gather
#include "learn/replay_gather.c" // NOLINT(bugprone-suspicious-include)

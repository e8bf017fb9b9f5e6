// proof_words.c - what is proven, in words.
#include "proof_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double PROVEN = 1e-7; // gaps up to this are none: SL_PROOF_OPTIMAL

const char *sl_gap_show(double gap, char out[static SL_UNIT_ROOM]) {
    double percent = 100 * gap;
    if (!isfinite(gap))
        snprintf(out, SL_UNIT_ROOM, "-");
    else if (gap <= PROVEN)
        snprintf(out, SL_UNIT_ROOM, "0 %%");
    else if (percent < 0.001)
        snprintf(out, SL_UNIT_ROOM, "<0.001 %%");
    else if (percent > 9.9)
        snprintf(out, SL_UNIT_ROOM, "%.0f %%", ceil(percent - 1e-9));
    else {
        // two digits, rounded up: within 0.251 % is not within 0.25 %
        double step = pow(10, floor(log10(percent)) - 1);
        snprintf(out, SL_UNIT_ROOM, "%.2g %%", ceil(percent / step - 1e-6) * step);
    }
    return out;
}

// six digits as certificates have them: e14 instead of e+14, e6 instead of e+06
static void show_plain(double value, const char *unit, char out[static SL_UNIT_ROOM]) {
    snprintf(out, SL_UNIT_ROOM, value >= 1e6 ? "%.5e" : "%.6g", value);
    char *plus = strchr(out, '+');
    size_t n = plus && plus[1] == '0' ? 2 : 1;
    if (plus) memmove(plus, plus + n, strlen(plus + n) + 1);
    n = strlen(out);
    snprintf(out + n, SL_UNIT_ROOM - n, "%s%s", unit[0] ? " " : "", unit);
}

const char *sl_bound_show(const SlGoal *goal, double value, double clock_mhz,
                          char out[static SL_UNIT_ROOM]) {
    char count[32];
    SlObjective only = sl_goal_objective(goal);
    if (isnan(value))
        snprintf(out, SL_UNIT_ROOM, "-");
    else if (only == SL_LATENCY)
        snprintf(out, SL_UNIT_ROOM, "%s cycles", sl_show_count(value, count));
    else if (only == SL_ENERGY)
        sl_unit_exact(value * 1e-12, "J", out);
    else if (only == SL_EDP && clock_mhz > 0)
        sl_unit_exact(value * 1e-18 / clock_mhz, "J·s", out);
    else
        show_plain(value, sl_goal_unit(goal), out);
    return out;
}

const char *sl_proof_show(const SlProof *proof, double epsilon, char out[static SL_UNIT_ROOM]) {
    char gap[SL_UNIT_ROOM];
    switch (proof->status) {
    case SL_PROOF_OPTIMAL:
        snprintf(out, SL_UNIT_ROOM, "optimal");
        break;
    case SL_PROOF_WITHIN:
        snprintf(out, SL_UNIT_ROOM, "within %g %%", 100 * epsilon);
        break;
    case SL_PROOF_STOPPED:
        if (proof->lower_bound > 0)
            snprintf(out, SL_UNIT_ROOM, "stopped at %.40s", sl_gap_show(proof->gap, gap));
        else
            snprintf(out, SL_UNIT_ROOM, "stopped, no bound");
        break;
    case SL_PROOF_OUTSIDE:
        snprintf(out, SL_UNIT_ROOM, "outside the space");
        break;
    default:
        snprintf(out, SL_UNIT_ROOM, "no proof");
        break;
    }
    return out;
}

// what the bound says about the value
static void add_claim(const SlProof *proof, SlText *out) {
    char gap[SL_UNIT_ROOM];
    sl_gap_show(proof->gap, gap);
    if (proof->status == SL_PROOF_OPTIMAL)
        sl_text_add(out, "the optimum of this space, proven");
    else if (proof->status == SL_PROOF_WITHIN)
        sl_text_add(out, "within %s of the optimum of this space, proven", gap);
    else if (proof->status == SL_PROOF_OUTSIDE)
        sl_text_add(out, "the mapping lies outside this space, and no mapping inside is better");
    else
        sl_text_add(out, "at most %s above the optimum of this space, proven until it was stopped",
                    gap);
}

void sl_proof_sentence(const SlGoal *goal, double clock_mhz, const SlProof *proof,
                       const char *space, SlText *out) {
    char name[256], value[SL_UNIT_ROOM], bound[SL_UNIT_ROOM], count[32];
    if (proof->status == SL_PROOF_UNCOVERED) {
        sl_text_add(out, "no proof: %s", proof->reason ? proof->reason : "there are no bounds");
        return;
    }
    sl_text_add(out, "%s %s, ", sl_goal_text(goal, sizeof name, name),
                sl_bound_show(goal, proof->value, clock_mhz, value));
    if (!(proof->lower_bound > 0)) {
        sl_text_add(out, "stopped before there was a bound");
        return;
    }
    sl_text_add(out, "lower bound %s: ", sl_bound_show(goal, proof->lower_bound, clock_mhz, bound));
    add_claim(proof, out);
    sl_text_add(out, " (%s, %s way%s to spread)", space,
                sl_show_count((double)proof->n_branches, count), proof->n_branches == 1 ? "" : "s");
}

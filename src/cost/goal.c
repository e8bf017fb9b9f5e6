// goal.c - what is to be made small: one objective, or a product of objectives raised to weights.
#include "starling/cost.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The largest cost of a layer below 2^53 MACs, to the power of 3 in every objective at once, is
// still a double: latency and energy stay below 1e20, area below 1e16.
static const double WEIGHT_MAX = 3;

enum { WORD_ROOM = 40 }; // longer words are shown by their beginning

// one objective of weight 1, or -1
static int lone_objective(const SlGoal *goal) {
    int lone = -1;
    for (int o = 0; o < SL_N_OBJECTIVES; o++) {
        if (goal->weight[o] == 0) continue;
        if (lone >= 0 || goal->weight[o] != 1) return -1;
        lone = o;
    }
    return lone;
}

static int find_objective(const char *word, size_t n) {
    for (int o = 0; o < SL_N_OBJECTIVES; o++)
        if (strlen(sl_objective_names[o]) == n && memcmp(sl_objective_names[o], word, n) == 0)
            return o;
    return -1;
}

static SlStatus fail_name(const char *word, int n, SlError *err) {
    char name[WORD_ROOM + 1];
    snprintf(name, sizeof name, "%.*s", n, word);
    const char *near = sl_nearest_name(name, sl_objective_names);
    return sl_fail(err, SL_EINPUT,
                   "expected an objective (latency, energy, edp, area, power) or weights of them "
                   "(latency=2,energy=1), got '%s'%s%s%s",
                   name, near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
}

// the number behind "NAME="
static SlStatus parse_weight(const char *name, const char *text, size_t n, double *weight,
                             SlError *err) {
    char number[WORD_ROOM + 1];
    snprintf(number, sizeof number, "%.*s", (int)n, text);
    bool whole = n <= WORD_ROOM && sl_parse_real(number, 0, WEIGHT_MAX, weight, NULL) == SL_OK;
    if (whole && *weight > 0) return SL_OK;
    return sl_fail(err, SL_EINPUT,
                   "the weight of %s: expected a number above 0 and at most %g (only the ratio of "
                   "weights matters), got '%s'",
                   name, WEIGHT_MAX, number);
}

static size_t trim(const char **text, size_t n) {
    while (n > 0 && **text == ' ') ++*text, n--;
    while (n > 0 && (*text)[n - 1] == ' ') n--;
    return n;
}

// one "NAME=WEIGHT" of a list, or a NAME that is the whole text
static SlStatus parse_part(const char *part, size_t n, bool alone, SlGoal *goal, SlError *err) {
    n = trim(&part, n);
    const char *equals = memchr(part, '=', n);
    const char *word = part;
    size_t n_word = trim(&word, equals ? (size_t)(equals - part) : n);
    int o = find_objective(word, n_word);
    if (o < 0) return fail_name(word, n_word < WORD_ROOM ? (int)n_word : WORD_ROOM, err);
    const char *name = sl_objective_names[o];
    if (goal->weight[o] > 0)
        return sl_fail(err, SL_EINPUT, "the weight of %s is given twice", name);
    if (!equals && !alone)
        return sl_fail(err, SL_EINPUT, "expected a weight for %s, as in '%s=1'", name, name);
    goal->weight[o] = 1;
    if (!equals) return SL_OK;
    const char *number = equals + 1;
    size_t n_number = trim(&number, n - (size_t)(number - part));
    return parse_weight(name, number, n_number, &goal->weight[o], err);
}

SlStatus sl_goal_parse(const char *text, SlGoal *goal, SlError *err) {
    SlGoal read = {0};
    int n_parts = 0, last = 0;
    bool alone = !strchr(text, ',');
    for (const char *part = text;; n_parts++) {
        size_t n = strcspn(part, ",");
        SlStatus status = parse_part(part, n, alone, &read, err);
        if (status != SL_OK) return status;
        if (part[n] == '\0') break;
        part += n + 1;
    }
    // alone, a weight only renames the unit
    for (int o = 0; o < SL_N_OBJECTIVES; o++)
        if (read.weight[o] > 0) last = o;
    if (n_parts == 0) read.weight[last] = 1;
    *goal = read;
    return SL_OK;
}

// the shortest text that reads back as the same number
static void write_weight(double weight, char out[static 32]) {
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(out, 32, "%.*g", digits, weight);
        if (strtod(out, NULL) == weight) return;
    }
}

const char *sl_goal_text(const SlGoal *goal, size_t n, char *out) {
    int lone = lone_objective(goal);
    if (lone >= 0) {
        snprintf(out, n, "%s", sl_objective_names[lone]);
        return out;
    }
    size_t used = 0;
    if (n > 0) out[0] = '\0';
    for (int o = 0; o < SL_N_OBJECTIVES && used < n; o++) {
        if (goal->weight[o] == 0) continue;
        char weight[32];
        write_weight(goal->weight[o], weight);
        used += (size_t)snprintf(out + used, n - used, "%s%s=%s", used ? "," : "",
                                 sl_objective_names[o], weight);
    }
    return out;
}

const char *sl_goal_unit(const SlGoal *goal) {
    static const char *const units[SL_N_OBJECTIVES] = {"cycles", "pJ", "pJ x cycles", "um2", "mW"};
    int lone = lone_objective(goal);
    return lone >= 0 ? units[lone] : "";
}

// the product of values raised to the weights; a value without weight does not count, even NAN
static double product(const SlGoal *goal, const double value[SL_N_OBJECTIVES]) {
    double result = 1;
    for (int o = 0; o < SL_N_OBJECTIVES; o++) {
        double weight = goal->weight[o];
        assert(weight >= 0);
        if (weight > 0) result *= weight == 1 ? value[o] : pow(value[o], weight);
    }
    return result;
}

double sl_goal_value(const SlGoal *goal, const SlCost *cost) {
    double value[SL_N_OBJECTIVES];
    for (int o = 0; o < SL_N_OBJECTIVES; o++) value[o] = sl_cost_value(cost, (SlObjective)o);
    return product(goal, value);
}

double sl_goal_floor(const SlGoal *goal, const SlFloor *floor) {
    return product(goal, floor->value);
}

SlObjective sl_goal_objective(const SlGoal *goal) {
    SlObjective only = SL_N_OBJECTIVES;
    int n = 0;
    for (int o = 0; o < SL_N_OBJECTIVES; o++) {
        if (goal->weight[o] <= 0) continue;
        if (goal->weight[o] == 1) only = (SlObjective)o;
        n++;
    }
    return n == 1 ? only : SL_N_OBJECTIVES;
}

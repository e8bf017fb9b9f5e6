// fit_text.c - a violated inequality as a sentence with its numbers.
#include "nest_inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A sentence under construction; what does not fit is cut.
typedef struct {
    size_t n, used;
    char *out;
} Sentence;

SL_PRINTF(2, 3)
static void say(Sentence *sentence, const char *fmt, ...) {
    if (sentence->used >= sentence->n) return;
    va_list args;
    va_start(args, fmt);
    int added = vsnprintf(sentence->out + sentence->used, sentence->n - sentence->used, fmt, args);
    va_end(args);
    if (added > 0) sentence->used += (size_t)added;
}

// "12,288"; words of half a byte may leave a fraction
static void say_amount(Sentence *sentence, double value) {
    char digits[32];
    if (value == floor(value))
        say(sentence, "%s", sl_show_count(value, digits));
    else
        say(sentence, "%.1f", value);
}

static void say_tensors(Sentence *sentence, int mask) {
    if (mask == 0) say(sentence, "nothing");
    for (int t = 0, n = 0; t < SL_N_TENSORS; t++)
        if (mask >> t & 1) say(sentence, "%s%s", n++ ? " " : "", sl_tensor_names[t]);
}

static void say_dims(Sentence *sentence, int mask) {
    if (mask == 0) say(sentence, "none");
    for (int d = 0, n = 0; d < SL_N_DIMS; d++)
        if (mask >> d & 1) say(sentence, "%s%s", n++ ? " " : "", sl_dim_names[d]);
}

// "K 12, C 16"
static void say_spread(Sentence *sentence, const SlViolation *violation) {
    for (int d = 0, n = 0; d < SL_N_DIMS; d++) {
        if (violation->spread[d] <= 0) continue;
        say(sentence, "%s%s ", n++ ? ", " : "", sl_dim_names[d]);
        say_amount(sentence, violation->spread[d]);
    }
}

static void say_levels(Sentence *sentence, const SlAccel *accel, const SlViolation *violation) {
    say(sentence, "the nest has %.0f storage %s (@), %s has %.0f on-chip %s", violation->need,
        violation->need == 1 ? "boundary" : "boundaries", accel->name[0] ? accel->name : "it",
        violation->have, violation->have == 1 ? "level" : "levels");
    for (int l = 1; l < accel->n_levels; l++)
        say(sentence, "%s%s", l == 1 ? " (" : ", ", accel->levels[l].name);
    if (accel->n_levels > 1) say(sentence, ")");
}

static void say_capacity(Sentence *sentence, const SlViolation *violation, const char *level) {
    say(sentence, "%s needs ", level);
    say_amount(sentence, violation->need);
    say(sentence, " B (");
    for (int t = 0, n = 0; t < SL_N_TENSORS; t++) {
        if (violation->bytes[t] <= 0) continue;
        say(sentence, "%s%s ", n++ ? ", " : "", sl_tensor_names[t]);
        say_amount(sentence, violation->bytes[t]);
    }
    say(sentence, "%s), has ", violation->doubled ? "; double buffered" : "");
    say_amount(sentence, violation->have);
    say(sentence, " B");
}

static void say_axes(Sentence *sentence, const SlAccel *accel, const SlViolation *violation) {
    const SlFanout *fanout = &accel->fanouts[violation->level];
    say(sentence, "no way to lay the spatial loops (");
    say_spread(sentence, violation);
    say(sentence, ") on the axes below %s (", accel->levels[violation->level].name);
    for (int a = 0; a < fanout->n_axes; a++) {
        const SlAxis *axis = &fanout->axes[a];
        say(sentence, "%s%s%s%lld for ", a ? ", " : "", axis->name, axis->name[0] ? " " : "",
            (long long)axis->size);
        say_dims(sentence, axis->dims);
    }
    say(sentence, "), each loop wholly on one axis");
}

static void say_banned(Sentence *sentence, const SlAccel *accel, const SlViolation *violation) {
    const SlFanout *fanout = &accel->fanouts[violation->level];
    int allowed = 0;
    for (int a = 0; a < fanout->n_axes; a++) allowed |= fanout->axes[a].dims;
    say(sentence, "%s may not be spread below %s (allowed: ", sl_dim_names[violation->dim],
        accel->levels[violation->level].name);
    say_dims(sentence, allowed);
    say(sentence, ")");
}

const char *sl_violation_text(const SlAccel *accel, const SlViolation *violation, size_t n,
                              char *out) {
    Sentence sentence = {.n = n, .out = out};
    if (n > 0) out[0] = '\0';
    const char *level = accel->levels[violation->level].name;
    switch (violation->rule) {
    case SL_RULE_LEVELS:
        say_levels(&sentence, accel, violation);
        break;
    case SL_RULE_KEEP:
        say(&sentence, "%s keeps ", level);
        say_tensors(&sentence, (int)violation->need);
        say(&sentence, ", can hold ");
        say_tensors(&sentence, (int)violation->have);
        break;
    case SL_RULE_CAPACITY:
        say_capacity(&sentence, violation, level);
        break;
    case SL_RULE_FANOUT:
        say(&sentence, "the fan-out below %s has ", level);
        say_amount(&sentence, violation->have);
        say(&sentence, " instance%s, the spatial loops need ", violation->have == 1 ? "" : "s");
        say_amount(&sentence, violation->need);
        say(&sentence, " (");
        say_spread(&sentence, violation);
        say(&sentence, ")");
        break;
    case SL_RULE_AXES:
        say_axes(&sentence, accel, violation);
        break;
    case SL_RULE_SPREAD:
        say_banned(&sentence, accel, violation);
        break;
    }
    return out;
}

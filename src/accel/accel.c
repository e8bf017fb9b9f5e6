// accel.c - whether a description makes an accelerator, how many instances it has, how large it is.
#include "starling/accel.h"

#include <assert.h>
#include <math.h>
#include <string.h>

const char *const sl_buffering_names[4] = {"single", "double", "overlapped", NULL};

// product of two positive counts, INT64_MAX where it does not fit
static int64_t times(int64_t a, int64_t b) {
    assert(a >= 1 && b >= 1);
    return a > INT64_MAX / b ? INT64_MAX : a * b;
}

int64_t sl_fanout_size(const SlFanout *fanout) {
    int64_t size = 1;
    for (int i = 0; i < fanout->n_axes; i++) size = times(size, fanout->axes[i].size);
    return size;
}

int64_t sl_accel_instances(const SlAccel *accel, int level) {
    assert(0 <= level && level <= accel->n_levels);
    int64_t instances = 1;
    for (int l = 0; l < level; l++)
        instances = times(instances, sl_fanout_size(&accel->fanouts[l]));
    return instances;
}

int64_t sl_accel_macs(const SlAccel *accel) {
    return sl_accel_instances(accel, accel->n_levels);
}

double sl_accel_bytes(const SlAccel *accel) {
    double bytes = 0;
    for (int l = 1; l < accel->n_levels; l++) {
        bytes += (double)sl_accel_instances(accel, l) * (double)accel->levels[l].capacity_bytes;
    }
    return bytes;
}

double sl_accel_area_um2(const SlAccel *accel) {
    double area = (double)sl_accel_macs(accel) * accel->mac_area_um2;
    for (int l = 1; l < accel->n_levels; l++) {
        const SlLevel *level = &accel->levels[l];
        double bytes = (double)sl_accel_instances(accel, l) * (double)level->capacity_bytes;
        area += bytes * level->area_um2_per_byte;
    }
    return area;
}

bool sl_accel_name_ok(const char *name) {
    size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.");
    return n > 0 && name[n] == '\0';
}

// Wide enough for anything, narrow enough that no product of these numbers overflows a double.
static const double smallest = 1e-30, largest = 1e30;

// energies and areas; NaN fails every comparison
static bool is_amount(double x) {
    return x >= 0 && x <= largest;
}

static bool is_positive(double x) {
    return x >= smallest && x <= largest;
}

// words per cycle, infinity allowed
static bool is_rate(double x) {
    return x >= smallest;
}

static const char *check_level(const SlLevel *level, bool outermost) {
    if (!sl_accel_name_ok(level->name))
        return "a level's name must be one word of letters, digits, '_', '-', '.'";
    if (level->keep == 0 || level->keep > SL_KEEP_ALL)
        return "a level must keep at least one of W, I, O";
    if (outermost && level->keep != SL_KEEP_ALL)
        return "the first level (DRAM) must keep W, I and O";
    if (outermost && level->capacity_bytes != 0)
        return "the first level (DRAM) must have capacity 0 (unlimited)";
    if (!outermost && level->capacity_bytes <= 0)
        return "the capacity of a level on chip must be positive";
    if (level->buffering < SL_BUFFER_SINGLE || level->buffering > SL_BUFFER_OVERLAPPED) {
        return "a level's buffering must be single, double or overlapped";
    }
    if (!is_rate(level->port_words))
        return "a level's port must pass a positive number of words per cycle (1e-30 or more)";
    if (!is_rate(level->link_words))
        return "a level's link must pass a positive number of words per cycle (1e-30 or more)";
    if (!is_amount(level->read_pj) || !is_amount(level->write_pj) || !is_amount(level->link_pj)) {
        return "a level's energies per word must lie in 0 to 1e30";
    }
    if (!is_amount(level->area_um2_per_byte))
        return "a level's area per byte must lie in 0 to 1e30";
    return NULL;
}

static const char *check_fanout(const SlFanout *fanout) {
    if (fanout->n_axes < 0 || fanout->n_axes > SL_MAX_AXES) return "a fan-out has at most 4 axes";
    for (int i = 0; i < fanout->n_axes; i++) {
        const SlAxis *axis = &fanout->axes[i];
        if (!sl_accel_name_ok(axis->name))
            return "an axis' name must be one word of letters, digits, '_', '-', '.'";
        if (axis->size < 1) return "the size of a fan-out must be at least 1";
        if (axis->dims == 0) return "an axis must let at least one dim be spread over it";
        for (int j = 0; j < i; j++) {
            if (strcmp(axis->name, fanout->axes[j].name) == 0)
                return "two axes of a fan-out have the same name";
        }
    }
    return NULL;
}

// the levels one by one and their names against each other
static const char *check_levels(const SlAccel *accel) {
    for (int l = 0; l < accel->n_levels; l++) {
        const char *why = check_level(&accel->levels[l], l == 0);
        if (!why) why = check_fanout(&accel->fanouts[l]);
        if (why) return why;
        for (int k = 0; k < l; k++) {
            if (strcmp(accel->levels[l].name, accel->levels[k].name) == 0)
                return "two levels have the same name";
        }
    }
    return NULL;
}

const char *sl_accel_check(const SlAccel *accel) {
    if (!sl_accel_name_ok(accel->name))
        return "the accelerator's name must be one word of letters, digits, '_', '-', '.'";
    if (accel->n_levels < 2 || accel->n_levels > SL_MAX_LEVELS)
        return "an accelerator has 2 to 7 levels, DRAM included";
    for (int t = 0; t < 3; t++) {
        if (!is_positive(accel->word_bytes[t]))
            return "the bytes per word of W, I and O must be positive (1e-30 to 1e30)";
    }
    if (!is_positive(accel->clock_mhz)) return "the clock must be positive (1e-30 to 1e30)";
    if (!is_amount(accel->mac_pj)) return "the energy of a MAC must lie in 0 to 1e30";
    if (!is_amount(accel->mac_area_um2)) return "the area of a MAC must lie in 0 to 1e30";
    const char *why = check_levels(accel);
    if (why) return why;
    if (sl_accel_macs(accel) > SL_MAX_INSTANCES)
        return "the fan-outs multiply to more than 2^40 MACs";
    return NULL;
}

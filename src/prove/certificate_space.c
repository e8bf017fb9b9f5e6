// certificate_space.c - the space of a certificate: its lines, and what it has of its preset
// (docs/formats/certificate.md).
#include <limits.h>
#include <string.h>

#include "certificate_inside.h"

// --- the lines

static void add_dims(SlText *out, const char *key, int n, const uint8_t *dims) {
    sl_text_add(out, " %s=%s", key, n ? "" : "-");
    for (int i = 0; i < n; i++) sl_text_add(out, "%s", sl_dim_names[dims[i]]);
}

static void add_sizes(SlText *out, const char *between, const SlParam *param) {
    for (int i = 0; param && i < param->n; i++)
        sl_text_add(out, "%s%lld", i ? between : "", (long long)param->sizes[i]);
}

// NULL = it is not among the parameters: a space of tiles alone spreads nothing
static const SlParam *find_param(const SlSpace *space, SlParamRole role, int level, int axis) {
    for (int i = 0; i < space->n_params; i++) {
        const SlParam *param = &space->params[i];
        if (param->role == role && param->level == level && param->axis == axis) return param;
    }
    return NULL;
}

static void write_level(const SlSpace *space, int level, SlText *out) {
    const SlParam *order = find_param(space, SL_ROLE_ORDER, level, 0);
    sl_text_add(out, "order %d", level);
    add_dims(out, "before", order ? order->n_before : 0, order ? order->before : NULL);
    add_dims(out, "free", order ? order->n_items : 0, order ? order->items : NULL);
    add_dims(out, "after", order ? order->n_after : 0, order ? order->after : NULL);
    sl_text_add(out, "\n");
    for (int d = 0; d < SL_N_DIMS; d++) {
        if (space->tile_param[level][d] < 0) continue;
        sl_text_add(out, "sizes %d %s ", level, sl_dim_names[d]);
        add_sizes(out, " ", &space->params[space->tile_param[level][d]]);
        sl_text_add(out, "\n");
    }
}

// the dims of sets of one dim each
static void add_choices(SlText *out, const char *key, const SlParam *param) {
    uint8_t dims[SL_N_DIMS];
    int n = 0;
    for (int v = 0; param && v < param->n && n < SL_N_DIMS; v++)
        if (param->spreads[v]) dims[n++] = (uint8_t)__builtin_ctz(param->spreads[v]);
    add_dims(out, key, n, dims);
}

static void write_axis(const SlSpace *space, int level, int axis, SlText *out) {
    const SlParam *param = find_param(space, SL_ROLE_PARALLEL, level, axis);
    sl_text_add(out, "axis %d %d sets=%s", level, axis, param ? "" : "-");
    for (int v = 0; param && v < param->n; v++) {
        sl_text_add(out, "%s", v ? "," : "");
        sl_certificate_set(param->spreads[v], sl_dim_names, out);
    }
    sl_text_add(out, "\n");
}

static void write_choices(const SlSpace *space, int level, SlText *out) {
    if (!sl_has_clusters(space->accel, level)) {
        for (int a = 0; a < space->accel->fanouts[level].n_axes; a++)
            write_axis(space, level, a, out);
        return;
    }
    sl_text_add(out, "clusters %d", level);
    add_choices(out, "over", find_param(space, SL_ROLE_PARALLEL, level, 0));
    add_choices(out, "inside", find_param(space, SL_ROLE_PARALLEL, level, 1));
    sl_text_add(out, " sizes=");
    add_sizes(out, ",", find_param(space, SL_ROLE_CLUSTER, level, 0));
    sl_text_add(out, "\n");
}

void sl_certificate_lists(const SlSpace *space, SlText *out) {
    for (int l = 1; l < space->accel->n_levels; l++) write_level(space, l, out);
    for (int l = 0; l < space->accel->n_levels; l++) write_choices(space, l, out);
}

void sl_certificate_space(const SlSpace *space, bool constrained, uint8_t open, SlText *out) {
    sl_text_add(out, "space %s constrained=%d waves=%d open=", sl_space_names[space->preset],
                constrained, space->preset == SL_SPACE_NATIVE);
    sl_certificate_set(open, sl_dim_names, out);
    sl_text_add(out, " outermost=");
    sl_certificate_set(space->outermost, sl_dim_names, out);
    sl_text_add(out, "\n");
    sl_certificate_lists(space, out);
}

// --- against the preset

// could the space have come from opening these dims?
static bool may_open(const SlSpace *space, uint8_t open) {
    if (space->preset != SL_SPACE_NATIVE && space->preset != SL_SPACE_ALL) return open == 0;
    if (open & ~space->dims) return false;
    for (int d = SL_R; d <= SL_S && space->accel->n_levels > 2; d++)
        if ((open >> d & 1) != (space->tile_param[1][d] >= 0)) return false;
    return true;
}

// dims of N, G, R, S by number, 0..15
static uint8_t opened(unsigned number) {
    static const uint8_t dims[] = {SL_N, SL_G, SL_R, SL_S};
    unsigned open = 0;
    for (int i = 0; i < 4; i++)
        if (number >> i & 1) open |= 1u << dims[i];
    return (uint8_t)open;
}

// the lines `space` and lists of a preset with dims opened, NULL where there is no such space
static const char *preset_text(const SlSpace *space, uint8_t open, SlArena *scratch) {
    const SlSpaceOptions options = {.preset = space->preset, .open = open};
    SlSpace made;
    SlText text;
    if (sl_space_make(space->layer, space->accel, &options, scratch, &made, NULL) != SL_OK)
        return NULL;
    sl_text_init(&text, scratch);
    sl_certificate_space(&made, false, 0, &text);
    return text.failed ? NULL : text.data;
}

bool sl_certificate_preset(const SlSpace *space, uint8_t *open, SlArena *scratch) {
    size_t mark = sl_arena_mark(scratch);
    bool same = false;
    SlText text;
    sl_text_init(&text, scratch);
    sl_certificate_space(space, false, 0, &text);
    for (unsigned set = 0; set < 16 && !same && !text.failed; set++) {
        *open = opened(set);
        if (!may_open(space, *open)) continue;
        size_t inner = sl_arena_mark(scratch);
        const char *remade = preset_text(space, *open, scratch);
        same = remade && strcmp(text.data, remade) == 0;
        sl_arena_rewind(scratch, inner);
    }
    sl_arena_rewind(scratch, mark);
    if (!same) *open = 0;
    return same;
}

// --- which lists are others

// "order 1", "sizes 2 K", "clusters 1", "axis 0 1": the words that name a list
static int name_length(const char *line) {
    int n_words = strncmp(line, "sizes ", 6) == 0 || strncmp(line, "axis ", 5) == 0 ? 3 : 2, n = 0;
    for (; line[n] && line[n] != '\n'; n++)
        if (line[n] == ' ' && --n_words == 0) break;
    return n;
}

// whether one of the lines is the `n` bytes at `start`, or begins with them as its first words
static bool has_line(const char *lines, const char *start, int n, bool begins) {
    for (; *lines; lines += strcspn(lines, "\n") + 1) {
        if (strncmp(lines, start, (size_t)n) != 0) continue;
        if (lines[n] == '\n' || (begins && lines[n] == ' ')) return true;
    }
    return false;
}

// add the names of the lines that `others` does not have; of lists that it lacks only if `lacks`
static int add_others(const char *lines, const char *others, bool lacks, int n, SlText *out) {
    for (; *lines; lines += strcspn(lines, "\n") + 1) {
        int name = name_length(lines), length = lacks ? name : (int)strcspn(lines, "\n");
        if (has_line(others, lines, length, lacks)) continue;
        sl_text_add(out, "%s%.*s", n++ ? ", " : "", name, lines);
    }
    return n;
}

const char *sl_certificate_others(const SlSpace *space, SlArena *arena) {
    SlText mine;
    const char *best = "";
    int fewest = INT_MAX;
    sl_text_init(&mine, arena);
    sl_certificate_lists(space, &mine);
    for (unsigned set = 0; set < 16 && !mine.failed; set++) {
        const char *preset =
            may_open(space, opened(set)) ? preset_text(space, opened(set), arena) : NULL;
        if (!preset) continue;
        preset += strcspn(preset, "\n") + 1; // without the line `space`
        SlText names;
        sl_text_init(&names, arena);
        int n = add_others(mine.data, preset, false, 0, &names);
        n = add_others(preset, mine.data, true, n, &names);
        if (names.failed || n >= fewest) continue;
        fewest = n;
        best = n ? names.data : "";
    }
    return mine.failed ? NULL : best;
}

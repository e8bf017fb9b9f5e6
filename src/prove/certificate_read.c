// certificate_read.c - a certificate as text: line by line, nothing guessed
// (docs/formats/certificate.md).
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "certificate_inside.h"

enum { MAX_CLAIMS = 1 << 20 };

// Where the reader stands. The first failure stays; everything after it is read as nothing.
typedef struct {
    const char *file;
    char *next; // line after this one, NULL = the text is over
    int line;
    char *key;    // of a line that was looked at and not taken yet, NULL = none
    char *rest;   // of the line, NULL = no more words
    char none[1]; // what is read after a failure
    SlArena *arena;
    SlStatus status;
    SlError *err;
} Reader;

static void fail(Reader *reader, const char *fmt, ...) SL_PRINTF(2, 3);
static void fail(Reader *reader, const char *fmt, ...) {
    if (reader->status != SL_OK) return;
    char text[400];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    reader->status = sl_fail_at(reader->err, SL_EINPUT, reader->file, reader->line, 0, "%s", text);
}

static void *make(Reader *reader, size_t n, size_t size) {
    void *made = reader->status == SL_OK ? sl_arena_alloc(reader->arena, n, size) : NULL;
    if (!made && reader->status == SL_OK)
        reader->status = sl_fail(reader->err, SL_ENOMEM, "not enough memory for the certificate");
    return made;
}

// --- lines and words

// as strchr, which a checked build lets look at all the text that follows, line after line
static char *find(char *text, char c) {
    while (*text && *text != c) text++;
    return *text ? text : NULL;
}

// the next word of the line, NULL if there is none
static char *cut_word(Reader *reader) {
    char *word = reader->rest;
    if (!word) return NULL;
    char *blank = find(word, ' ');
    if (blank) *blank++ = '\0';
    reader->rest = blank;
    return word;
}

// words of printable ASCII without '#', one blank between them
static void check_line(Reader *reader, const char *line) {
    char before = ' ';
    for (; *line && reader->status == SL_OK; before = *line++) {
        if (*line < ' ' || *line > '~' || *line == '#')
            fail(reader, "expected words of printable ASCII without '#'");
        else if (*line == ' ' && (before == ' ' || !line[1]))
            fail(reader, "expected one blank between words, and none at the ends");
    }
}

// stand at the first word of the next line that is no comment; false at the end
static bool look(Reader *reader) {
    while (!reader->key && reader->next) {
        char *line = reader->next, *end = find(line, '\n');
        if (end) *end++ = '\0';
        reader->next = end;
        reader->line++;
        if (line[0] == '#' || line[0] == '\0') continue;
        check_line(reader, line);
        reader->rest = line;
        reader->key = cut_word(reader);
    }
    return reader->key && reader->status == SL_OK;
}

static bool next_is(Reader *reader, const char *key) {
    return look(reader) && strcmp(reader->key, key) == 0;
}

static void begin(Reader *reader, const char *key) {
    if (!next_is(reader, key)) {
        if (reader->key)
            fail(reader, "expected '%s', got '%.40s'", key, reader->key);
        else
            fail(reader, "expected '%s', but the certificate ends", key);
    }
    reader->key = NULL;
}

static void finish(Reader *reader) {
    if (reader->rest) fail(reader, "nothing more was expected on this line: '%.40s'", reader->rest);
}

static const char *take_word(Reader *reader, const char *what) {
    const char *word = reader->status == SL_OK ? cut_word(reader) : NULL;
    if (!word) fail(reader, "expected %s, but the line ends", what);
    return word ? word : "";
}

// all that is left of the line
static char *take_rest(Reader *reader, const char *what) {
    char *rest = reader->rest;
    if (!rest) fail(reader, "expected %s, but the line ends", what);
    reader->rest = NULL;
    return rest && reader->status == SL_OK ? rest : reader->none;
}

static int64_t to_int(Reader *reader, const char *word, int64_t lo, int64_t hi) {
    int64_t value = lo;
    SlError why;
    if (*word == '+' || *word == '-')
        fail(reader, "expected a whole number without a sign, got '%.40s'", word);
    if (reader->status == SL_OK && sl_parse_int(word, lo, hi, &value, &why) != SL_OK)
        fail(reader, "%s", why.text);
    return value;
}

// "12", "0.5", "1e-7", "inf": what other readers of numbers know besides is refused
static bool is_plain(const char *word) {
    static const char digits[] = "0123456789";
    if (strcmp(word, "inf") == 0) return true;
    size_t n = strspn(word, digits);
    if (n == 0) return false;
    word += n;
    if (*word == '.') {
        n = strspn(++word, digits);
        if (n == 0) return false;
        word += n;
    }
    if (*word != 'e') return *word == '\0';
    word += 1 + (word[1] == '+' || word[1] == '-');
    n = strspn(word, digits);
    return n > 0 && word[n] == '\0';
}

static double to_real(Reader *reader, const char *word) {
    double value = 0;
    SlError why;
    if (!is_plain(word))
        fail(reader, "expected a number such as 12, 0.5 or inf, got '%.40s'", word);
    if (reader->status == SL_OK && sl_parse_real(word, 0, INFINITY, &value, &why) != SL_OK)
        fail(reader, "%s", why.text);
    return value;
}

static int64_t take_int(Reader *reader, int64_t lo, int64_t hi) {
    return to_int(reader, take_word(reader, "a whole number"), lo, hi);
}

// what follows "KEY=" in the next word
static char *take_field(Reader *reader, const char *key) {
    size_t n = strlen(key);
    char *word = reader->status == SL_OK ? cut_word(reader) : NULL;
    if (word && strncmp(word, key, n) == 0 && word[n] == '=') return word + n + 1;
    fail(reader, "expected '%s=', got '%.40s'", key, word ? word : "");
    return reader->none;
}

static double take_real(Reader *reader, const char *key) {
    return to_real(reader, take_field(reader, key));
}

static bool take_flag(Reader *reader, const char *key) {
    return to_int(reader, take_field(reader, key), 0, 1);
}

// "KCP" as letters of `names`, in the order given; "-" = none. Returns how many
static int to_letters(Reader *reader, const char *word, const char *const *names, uint8_t *out) {
    int n = 0;
    unsigned seen = 0;
    if (strcmp(word, "-") == 0) return 0;
    if (!*word) fail(reader, "expected letters, or '-' for none");
    for (; *word && reader->status == SL_OK; word++) {
        int i = 0;
        while (names[i] && names[i][0] != *word) i++;
        if (!names[i] || seen >> i & 1) {
            fail(reader, "expected letters, each once, got '%.40s'", word);
            return 0;
        }
        seen |= 1u << i;
        out[n++] = (uint8_t)i;
    }
    return n;
}

static uint8_t to_set(Reader *reader, const char *word, const char *const *names) {
    uint8_t letters[SL_N_DIMS], set = 0;
    int n = to_letters(reader, word, names, letters);
    for (int i = 0; i < n; i++) set |= (uint8_t)(1u << letters[i]);
    return set;
}

static int to_choice(Reader *reader, const char *word, const char *const *names) {
    for (int i = 0; names[i]; i++)
        if (strcmp(word, names[i]) == 0) return i;
    const char *near = sl_nearest_name(word, names);
    fail(reader, "unknown word '%.40s'%s%s%s", word, near ? " (did you mean '" : "",
         near ? near : "", near ? "'?)" : "");
    return 0;
}

// cut the next part of a list "a,b,c" off
static char *cut_part(char **list) {
    char *part = *list, *comma = part ? strchr(part, ',') : NULL;
    if (comma) *comma++ = '\0';
    *list = comma;
    return part;
}

static int count(const char *text, char what) {
    int n = 1;
    for (; *text; text++) n += *text == what;
    return n;
}

// ascending sizes in 1..most with `between` between them, into the row of a parameter
static void read_sizes(Reader *reader, char *text, char between, int64_t most, SlParam *param) {
    int n = count(text, between);
    int64_t *sizes = make(reader, (size_t)n, sizeof *sizes);
    for (int i = 0; text && reader->status == SL_OK; i++) {
        char *end = find(text, between);
        if (end) *end++ = '\0';
        sizes[i] = to_int(reader, text, i ? sizes[i - 1] + 1 : 1, most);
        text = end;
    }
    param->n = n;
    param->sizes = sizes;
}

// --- layer and accelerator

// dims, strides and dilations alone, in digits: other keys of a layer count for nothing here
static void check_layer(Reader *reader, const char *text) {
    static const char *const keys[] = {
        "N=", "G=", "K=", "C=", "P=", "Q=", "R=", "S=", "stride=", "dilation=", NULL};
    bool good = strncmp(text, "conv:", 5) == 0;
    for (text += good ? 5 : 0; good; text++) {
        int k = 0;
        while (keys[k] && strncmp(text, keys[k], strlen(keys[k])) != 0) k++;
        good = keys[k];
        if (!good) break;
        text += strlen(keys[k]);
        text += strspn(text, k < SL_N_DIMS ? "0123456789" : "0123456789x");
        good = *text == ',' || *text == '\0';
        if (*text == '\0') break;
    }
    if (!good) fail(reader, "expected a layer such as conv:K=64,C=64,P=56,stride=2x1, in digits");
}

static void read_layer(Reader *reader, SlCertificate *out) {
    SlError why;
    begin(reader, "layer");
    const char *text = take_rest(reader, "a layer");
    check_layer(reader, text);
    if (reader->status == SL_OK && sl_layer_parse(text, &out->layer, &why) != SL_OK)
        fail(reader, "%s", why.text);
    // the words have a line of their own
    memset(out->layer.word_bytes, 0, sizeof out->layer.word_bytes);
    begin(reader, "words");
    for (int t = 0; t < SL_N_TENSORS; t++)
        out->accel.word_bytes[t] = take_real(reader, sl_tensor_names[t]);
    finish(reader);
}

static void take_name(Reader *reader, size_t room, char *out) {
    const char *word = take_word(reader, "a name");
    if (strlen(word) >= room) fail(reader, "the name '%.40s' is too long", word);
    snprintf(out, room, "%s", word);
}

static void read_level(Reader *reader, SlAccel *accel) {
    int l = accel->n_levels;
    begin(reader, "level");
    if (l == SL_MAX_LEVELS) fail(reader, "an accelerator has at most %d levels", SL_MAX_LEVELS);
    if (reader->status != SL_OK) return;
    SlLevel *level = &accel->levels[l];
    take_int(reader, l, l);
    take_name(reader, sizeof level->name, level->name);
    level->capacity_bytes = to_int(reader, take_field(reader, "capacity"), 0, INT64_MAX);
    level->keep = to_set(reader, take_field(reader, "keep"), sl_tensor_names);
    level->buffering =
        (SlBuffering)to_choice(reader, take_field(reader, "buffering"), sl_buffering_names);
    level->port_words = take_real(reader, "port");
    level->link_words = take_real(reader, "link");
    level->read_pj = take_real(reader, "read-pj");
    level->write_pj = take_real(reader, "write-pj");
    level->link_pj = take_real(reader, "link-pj");
    finish(reader);
    accel->n_levels++;
}

static void read_fanout(Reader *reader, int least, SlAccel *accel, int *last) {
    static const char *const kinds[] = {"flexible", "grid", NULL};
    begin(reader, "fanout");
    *last = (int)take_int(reader, least, accel->n_levels - 1);
    if (reader->status != SL_OK) return;
    SlFanout *fanout = &accel->fanouts[*last];
    bool grid = to_choice(reader, take_word(reader, "flexible or grid"), kinds);
    fanout->multicast = take_flag(reader, "multicast");
    fanout->reduction = take_flag(reader, "reduction");
    char *sizes = take_field(reader, "sizes"), *dims = take_field(reader, "spread");
    while (sizes && dims && reader->status == SL_OK) {
        if (fanout->n_axes == SL_MAX_AXES) {
            fail(reader, "a fan-out has at most %d axes", SL_MAX_AXES);
            return;
        }
        SlAxis *axis = &fanout->axes[fanout->n_axes];
        snprintf(axis->name, sizeof axis->name, "axis%d", fanout->n_axes++);
        axis->size = to_int(reader, cut_part(&sizes), 1, SL_MAX_INSTANCES);
        axis->dims = to_set(reader, cut_part(&dims), sl_dim_names);
    }
    if (sizes || dims || grid != (fanout->n_axes > 1))
        fail(reader, "expected as many sizes as spreads: one if flexible, else several");
    finish(reader);
}

static void read_accel(Reader *reader, SlAccel *accel) {
    begin(reader, "accel");
    take_name(reader, sizeof accel->name, accel->name);
    finish(reader);
    begin(reader, "mac-pj");
    accel->mac_pj = to_real(reader, take_word(reader, "a number"));
    finish(reader);
    begin(reader, "clock-mhz");
    accel->clock_mhz = to_real(reader, take_word(reader, "a number"));
    finish(reader);
    do read_level(reader, accel);
    while (next_is(reader, "level"));
    for (int last = -1; next_is(reader, "fanout");) read_fanout(reader, last + 1, accel, &last);
    const char *why = reader->status == SL_OK ? sl_accel_check(accel) : NULL;
    if (why) fail(reader, "%s", why);
}

// --- the space

static SlParam *new_param(Reader *reader, SlSpace *space, SlParamRole role, int level, int axis) {
    if (space->n_params == SL_MAX_PARAMS)
        fail(reader, "a space has at most %d parameters", SL_MAX_PARAMS);
    if (reader->status != SL_OK) return NULL;
    SlParam *param = &space->params[space->n_params++];
    *param = (SlParam){.role = role, .level = level, .axis = axis, .n = 1};
    param->kind = role == SL_ROLE_ORDER      ? SL_PERMUTATION
                  : role == SL_ROLE_PARALLEL ? SL_CATEGORICAL
                                             : SL_ORDINAL;
    return param;
}

static uint8_t set_of(int n, const uint8_t *dims) {
    unsigned set = 0;
    for (int i = 0; i < n; i++) set |= 1u << dims[i];
    return (uint8_t)set;
}

// the loops of a level; returns their dims
static uint8_t read_order(Reader *reader, SlSpace *space, int level) {
    begin(reader, "order");
    take_int(reader, level, level);
    SlParam *param = new_param(reader, space, SL_ROLE_ORDER, level, 0);
    if (!param) return 0;
    param->n_before = to_letters(reader, take_field(reader, "before"), sl_dim_names, param->before);
    param->n_items = to_letters(reader, take_field(reader, "free"), sl_dim_names, param->items);
    param->n_after = to_letters(reader, take_field(reader, "after"), sl_dim_names, param->after);
    param->n = sl_factorial(param->n_items);
    uint8_t before = set_of(param->n_before, param->before), after, free;
    free = set_of(param->n_items, param->items);
    after = set_of(param->n_after, param->after);
    if ((before & free) | (before & after) | (free & after))
        fail(reader, "a dim has two places in the order");
    finish(reader);
    return before | free | after;
}

// tiles of a level: those of every dim whose loop is in its order
static void read_level_lists(Reader *reader, SlSpace *space, int level) {
    uint8_t moving = read_order(reader, space, level), tiled = 0;
    for (int next = 0; next_is(reader, "sizes");) {
        begin(reader, "sizes");
        take_int(reader, level, level);
        uint8_t dim[SL_N_DIMS] = {0};
        int n = to_letters(reader, take_word(reader, "a dim"), sl_dim_names, dim);
        if (n != 1 || dim[0] < next)
            fail(reader, "expected one dim, and dims from N to S, each once");
        SlParam *param = new_param(reader, space, SL_ROLE_TILE, level, 0);
        char *text = take_rest(reader, "sizes");
        if (!param) return;
        param->dim = dim[0];
        read_sizes(reader, text, ' ', space->layer->dims[dim[0]], param);
        space->tile_param[level][dim[0]] = (int16_t)(space->n_params - 1);
        tiled |= (uint8_t)(1u << dim[0]);
        next = dim[0] + 1;
    }
    if (level == space->accel->n_levels - 1) space->dims = tiled;
    for (int d = 0; d < SL_N_DIMS; d++) {
        bool moves = moving >> d & 1, sizes = tiled >> d & 1;
        if ((moves && !sizes) || (sizes && !moves && space->layer->dims[d] > 1))
            fail(reader, "level %d: %s must have sizes and a place in the order, or neither", level,
                 sl_dim_names[d]);
    }
}

// every dim is tiled in the innermost level, or a step outside everything
static void check_dims(Reader *reader, const SlSpace *space) {
    for (int d = 0; d < SL_N_DIMS; d++) {
        bool outside = space->outermost >> d & 1, tiled = space->dims >> d & 1;
        if ((space->layer->dims[d] > 1 && outside == tiled) || (outside && tiled))
            fail(reader, "%s must be tiled in the innermost level or be outermost, not both",
                 sl_dim_names[d]);
        for (int l = 1; l < space->accel->n_levels; l++)
            if (space->tile_param[l][d] >= 0 && !tiled)
                fail(reader, "%s has sizes in level %d, but none in the innermost one",
                     sl_dim_names[d], l);
    }
}

// the dims of a list, each as a set of its own; none: the empty set
static void read_choices(Reader *reader, SlSpace *space, int level, int axis, const char *key) {
    uint8_t dims[SL_N_DIMS];
    SlParam *param = new_param(reader, space, SL_ROLE_PARALLEL, level, axis);
    int n = to_letters(reader, take_field(reader, key), sl_dim_names, dims);
    if (!param) return;
    for (int i = 0; i < n; i++) param->spreads[i] = (uint8_t)(1u << dims[i]);
    param->n = n ? n : 1;
    if (set_of(n, dims) & ~space->dims) fail(reader, "a dim without tiles is spread");
}

static void read_clusters(Reader *reader, SlSpace *space, int level) {
    begin(reader, "clusters");
    take_int(reader, level, level);
    read_choices(reader, space, level, 0, "over");
    read_choices(reader, space, level, 1, "inside");
    SlParam *param = new_param(reader, space, SL_ROLE_CLUSTER, level, 0);
    char *text = take_field(reader, "sizes");
    if (param) read_sizes(reader, text, ',', space->accel->fanouts[level].axes[0].size, param);
    finish(reader);
}

static void read_axis(Reader *reader, SlSpace *space, int level, int axis) {
    begin(reader, "axis");
    take_int(reader, level, level);
    take_int(reader, axis, axis);
    SlParam *param = new_param(reader, space, SL_ROLE_PARALLEL, level, axis);
    char *sets = take_field(reader, "sets");
    finish(reader);
    if (!param) return;
    param->n = 0;
    while (sets && reader->status == SL_OK) {
        if (param->n == SL_MAX_SPREADS) {
            fail(reader, "an axis has at most %d sets", SL_MAX_SPREADS);
            return;
        }
        uint8_t set = to_set(reader, cut_part(&sets), sl_dim_names);
        param->spreads[param->n++] = set;
        if (set & ~space->dims) fail(reader, "a dim without tiles is spread");
    }
}

// what decoding looks up
static void index_space(SlSpace *space) {
    for (int l = 1; l < space->accel->n_levels; l++) {
        double copies = space->accel->levels[l].buffering == SL_BUFFER_DOUBLE ? 2 : 1;
        for (int t = 0; t < SL_N_TENSORS; t++)
            if (space->accel->levels[l].keep >> t & 1)
                space->word_bytes[l][t] =
                    copies * sl_word_bytes(space->layer, space->accel, (SlTensor)t);
    }
    for (int g = 0; g < 2; g++) {
        space->stride[g] = space->layer->stride[g];
        space->dilation[g] = space->layer->dilation[g];
        sl_window_reduce(&space->stride[g], &space->dilation[g]);
    }
}

// loops that a nest of the space may need: at most as many as a nest has space for
static void check_loops(Reader *reader, const SlSpace *space) {
    int n = 0, last = space->accel->n_levels - 1;
    for (int d = 0; d < SL_N_DIMS; d++) {
        n += space->outermost >> d & 1;
        if (space->dims >> d & 1 && space->layer->dims[d] > 1) n += 2;
    }
    for (int i = 0; i < space->n_params && reader->status == SL_OK; i++) {
        const SlParam *param = &space->params[i];
        int most = 0; // dims of one axis
        for (int v = 0; param->role == SL_ROLE_PARALLEL && v < param->n; v++) {
            int dims = __builtin_popcount(param->spreads[v]);
            if (most < dims) most = dims;
        }
        n += most;
        if (param->role == SL_ROLE_TILE && param->level < last && param->n > 1) n++;
    }
    if (n > SL_MAX_LOOPS)
        fail(reader, "nests of this space may need more than %d loops", SL_MAX_LOOPS);
}

// the smallest tiles, nothing spread
static void check_smallest(Reader *reader, const SlSpace *space) {
    int32_t point[SL_MAX_PARAMS] = {0};
    SlScheme scheme;
    SlMapping mapping;
    SlFit fit;
    char text[256];
    if (reader->status != SL_OK) return;
    sl_space_decode(space, point, &scheme);
    for (int l = 0; l < space->accel->n_levels; l++) {
        scheme.clusters[l] = SL_N_DIMS;
        scheme.n_clusters[l] = 1;
        memset(scheme.spread[l], 0, sizeof scheme.spread[l]);
    }
    sl_scheme_mapping(space, &scheme, &mapping);
    if (!sl_mapping_fit(space->layer, space->accel, &mapping, &fit))
        fail(reader, "not even the smallest tiles fit: %s",
             sl_violation_text(space->accel, &fit.list[0], sizeof text, text));
}

static void read_space(Reader *reader, SlCertificate *out) {
    SlSpace *space = &out->space;
    *space = (SlSpace){.layer = &out->layer, .accel = &out->accel};
    memset(space->tile_param, -1, sizeof space->tile_param);
    space->params = make(reader, SL_MAX_PARAMS, sizeof *space->params);
    begin(reader, "space");
    space->preset = (SlSpacePreset)to_choice(reader, take_word(reader, "a preset"), sl_space_names);
    out->constrained = space->constrained = take_flag(reader, "constrained");
    bool waves = take_flag(reader, "waves");
    out->open = to_set(reader, take_field(reader, "open"), sl_dim_names);
    space->outermost = to_set(reader, take_field(reader, "outermost"), sl_dim_names);
    finish(reader);
    if (space->preset == SL_SPACE_PAPER10) fail(reader, "the space paper10 has no proofs");
    if (waves != (space->preset == SL_SPACE_NATIVE))
        fail(reader, "whole waves belong to the space native, and to no other");
    for (int l = 1; l < out->accel.n_levels; l++) read_level_lists(reader, space, l);
    check_dims(reader, space);
    for (int l = 0; l < out->accel.n_levels; l++) {
        if (sl_has_clusters(&out->accel, l)) {
            read_clusters(reader, space, l);
            continue;
        }
        for (int a = 0; a < out->accel.fanouts[l].n_axes; a++) read_axis(reader, space, l, a);
    }
    check_loops(reader, space);
    index_space(space);
    check_smallest(reader, space);
}

// --- mapping and branches

static double read_number(Reader *reader, const char *key) {
    begin(reader, key);
    double value = to_real(reader, take_word(reader, "a number"));
    finish(reader);
    return value;
}

static void read_mapping(Reader *reader, SlCertificate *out) {
    SlError why;
    begin(reader, "mapping");
    const char *text = take_rest(reader, "a nest");
    if (reader->status == SL_OK && sl_mapping_parse(text, &out->mapping, &why) != SL_OK)
        fail(reader, "%s", why.text);
    begin(reader, "counts");
    out->counts = take_rest(reader, "counts");
    out->latency = read_number(reader, "latency");
    out->energy = read_number(reader, "energy");
    out->value = read_number(reader, "value");
}

static void read_claim(Reader *reader, int i, SlClaim *claim) {
    begin(reader, "branch");
    take_int(reader, i, i);
    char *rest = take_rest(reader, "a branch"), *bound = strstr(rest, "bound=");
    bool apart = bound && (bound == rest || bound[-1] == ' ');
    if (!apart) fail(reader, "expected 'bound='");
    if (reader->status != SL_OK) return;
    claim->spread = rest;
    if (bound > rest)
        bound[-1] = '\0';
    else
        claim->spread = "";
    reader->rest = bound;
    claim->bound = take_real(reader, "bound");
    claim->nodes = to_int(reader, take_field(reader, "nodes"), 0, INT64_MAX);
    finish(reader);
}

static void read_claims(Reader *reader, SlCertificate *out) {
    begin(reader, "branches");
    out->n_claims = (int)take_int(reader, 1, MAX_CLAIMS);
    finish(reader);
    out->claims = make(reader, (size_t)out->n_claims, sizeof *out->claims);
    for (int i = 0; i < out->n_claims && reader->status == SL_OK; i++)
        read_claim(reader, i, &out->claims[i]);
    begin(reader, "end");
    finish(reader);
    if (look(reader)) fail(reader, "nothing was expected after 'end'");
}

// as the goal is written, and no other way
static void read_goal(Reader *reader, SlGoal *goal) {
    SlError why;
    char same[256];
    begin(reader, "goal");
    const char *text = take_rest(reader, "a goal");
    if (reader->status == SL_OK && sl_goal_parse(text, goal, &why) != SL_OK)
        fail(reader, "%s", why.text);
    if (reader->status == SL_OK && strcmp(text, sl_goal_text(goal, sizeof same, same)) != 0)
        fail(reader, "expected the goal as '%s', got '%.40s'", same, text);
}

SlStatus sl_certificate_read(const char *name, const char *text, size_t n, SlArena *arena,
                             SlCertificate *out, SlError *err) {
    Reader reader = {.file = name, .arena = arena, .err = err};
    *out = (SlCertificate){0};
    if (memchr(text, '\0', n))
        return sl_fail_at(err, SL_EINPUT, name, 0, 0, "expected text, got a zero byte");
    reader.next = sl_arena_text(arena, text, n);
    if (!reader.next) return sl_fail(err, SL_ENOMEM, "not enough memory for the certificate");
    begin(&reader, "starling-certificate");
    take_int(&reader, 1, 1);
    finish(&reader);
    read_layer(&reader, out);
    read_accel(&reader, &out->accel);
    read_goal(&reader, &out->goal);
    if (reader.status == SL_OK) read_space(&reader, out);
    read_mapping(&reader, out);
    out->bound = read_number(&reader, "bound");
    out->epsilon = read_number(&reader, "epsilon");
    read_claims(&reader, out);
    return reader.status;
}

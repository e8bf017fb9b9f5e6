// maestro_file.c - MAESTRO's .m files (docs/formats/maestro.md).
//
// The reader walks the words once, one ahead. MAESTRO's separators vanish: "Y: 224," is two words.
// Braces are words of their own.
#include "starling/workload/maestro_file.h"

#include <string.h>

#include "maestro_parse.h"

const char *const sl_maestro_var_names[SL_N_MV + 1] = {"C", "G", "K",  "M", "N",  "R",
                                                       "S", "X", "X'", "Y", "Y'", NULL};

const char *const sl_maestro_type_names[SL_N_MAESTRO_TYPES + 1] = {"CONV",   "TRCONV", "DSCONV",
                                                                   "NGCONV", "GEMM",   NULL};

enum { MAX_CONSTANTS = 256 };

typedef struct {
    SlToken name;
    int32_t value;
} Constant;

typedef struct {
    SlScan scan;
    SlToken word; // the next one, empty at the end
    SlError *err;
    bool need_dataflow;
    int n_constants;
    Constant constants[MAX_CONSTANTS];
    int room; // of the network's arrays
    SlMaestroNetwork *net;
} Parser;

// What a layer has had so far.
typedef struct {
    SlMaestroLayer *layer;
    SlMaestroMapping *mapping;
    bool type, stride, dims, dataflow;
} Draft;

// The words that begin something; none of them can be a name.
static const char *const keywords[] = {"Constant", "Network",     "Layer",       "Type",
                                       "Stride",   "Dimensions",  "Dataflow",    "Cluster",
                                       "Sz",       "{",           "TemporalMap", "SpatialMap",
                                       "}",        "Accelerator", NULL};

bool sl_maestro_keyword(const char *word) {
    for (int i = 0; keywords[i]; i++) {
        if (!strcmp(word, keywords[i])) return true;
    }
    return false;
}

// ---- words ----

#define FAIL(p, ...) sl_token_fail(&(p)->scan, &(p)->word, (p)->err, __VA_ARGS__)
#define SHOWN(token) sl_token_shown(token), (token)->text

static bool is(const Parser *p, const char *word) {
    return sl_token_is(&p->word, word);
}

static int find(const SlToken *word, const char *const *names) {
    for (int i = 0; names[i]; i++) {
        if (sl_token_is(word, names[i])) return i;
    }
    return -1;
}

// step to the next word; braces and comments that stick to others are surely not meant
static SlStatus advance(Parser *p) {
    if (!sl_scan_next(&p->scan, &p->word)) return SL_OK;
    const SlToken *word = &p->word;
    if (word->n > 1 && (memchr(word->text, '{', word->n) || memchr(word->text, '}', word->n)))
        return FAIL(p, "expected blanks around the brace in '%.*s'", SHOWN(word));
    for (size_t i = 1; i < word->n; i++) {
        if (word->text[i - 1] == '/' && word->text[i] == '/')
            return FAIL(p, "expected a blank before the comment in '%.*s'", SHOWN(word));
    }
    return SL_OK;
}

// "expected WHAT, got 'word'", with the nearest of `names` if one is near
static SlStatus expected(Parser *p, const char *what, const char *const *names) {
    char word[64] = "";
    if (!p->word.n) return FAIL(p, "expected %s, got the end of the file", what);
    bool fits = names && sl_token_copy(&p->word, sizeof word, word);
    const char *near = fits ? sl_nearest_name(word, names) : NULL;
    return FAIL(p, "expected %s, got '%.*s'%s%s%s", what, SHOWN(&p->word),
                near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
}

static SlStatus open_brace(Parser *p, const char *what) {
    return is(p, "{") ? advance(p) : expected(p, what, NULL);
}

// ---- names, numbers, dims ----

// The words up to '{' are a name; of several the last one counts, as in MAESTRO.
static SlStatus read_name(Parser *p, const char *what, char name[static 64]) {
    SlToken last = {0};
    while (!is(p, "{")) {
        if (!p->word.n || find(&p->word, keywords) >= 0)
            return expected(p, last.n ? "'{'" : what, NULL);
        if (!sl_token_printable(&p->word))
            return FAIL(p, "expected a name of printable UTF-8, got '%.*s'", SHOWN(&p->word));
        last = p->word;
        SlStatus status = advance(p);
        if (status != SL_OK) return status;
    }
    if (!last.n) return expected(p, what, NULL);
    if (sl_token_copy(&last, 64, name)) return advance(p);
    return sl_token_fail(&p->scan, &last, p->err, "a name has at most 63 bytes, '%.*s...' has %zu",
                         SHOWN(&last), last.n);
}

// "-4" loses its sign among MAESTRO's separators
static bool follows_minus(const Parser *p) {
    return p->word.text > p->scan.line_start && p->word.text[-1] == '-';
}

static SlStatus read_number(Parser *p, const char *what, int32_t *out) {
    int64_t value = 0;
    if (!sl_token_int(&p->word, 1, INT32_MAX, &value)) return expected(p, what, NULL);
    if (follows_minus(p)) return FAIL(p, "expected %s, got '-%.*s'", what, SHOWN(&p->word));
    *out = (int32_t)value;
    return advance(p);
}

static const Constant *find_constant(const Parser *p) {
    for (int i = 0; i < p->n_constants; i++) {
        const SlToken *name = &p->constants[i].name;
        if (name->n == p->word.n && !memcmp(name->text, p->word.text, name->n))
            return &p->constants[i];
    }
    return NULL;
}

// a number or a constant
static SlStatus read_extent(Parser *p, const char *what, int32_t *out) {
    const Constant *constant = find_constant(p);
    if (!constant) return read_number(p, what, out);
    *out = constant->value;
    return advance(p);
}

static SlStatus read_var(Parser *p, SlMaestroVar *var) {
    int found = find(&p->word, sl_maestro_var_names);
    if (found < 0) return expected(p, "a dimension (C, G, K, M, N, R, S, X, X', Y or Y')", NULL);
    *var = (SlMaestroVar)found;
    return advance(p);
}

// the size of a map or cluster: a number, a constant, or Sz(dim)
static SlStatus read_size(Parser *p, const SlMaestroLayer *layer, int32_t *out) {
    if (!is(p, "Sz"))
        return read_extent(p, "a size (1 to 2147483647, Sz(dimension) or a constant)", out);
    SlStatus status = advance(p);
    SlToken word = p->word;
    SlMaestroVar var = SL_MV_C;
    if (status == SL_OK) status = read_var(p, &var);
    if (status != SL_OK) return status;
    *out = layer->size[var];
    if (*out) return SL_OK;
    return sl_token_fail(&p->scan, &word, p->err, "Sz(%s): the layer declares no dimension %s",
                         sl_maestro_var_names[var], sl_maestro_var_names[var]);
}

// ---- the parts of a layer ----

static SlStatus read_type(Parser *p, Draft *draft) {
    static const char types[] = "one of CONV, TRCONV, DSCONV, NGCONV, GEMM";
    static const char *const others[] = {"FC", "LSTM", "POOL", NULL};
    int type = find(&p->word, sl_maestro_type_names);
    if (find(&p->word, others) >= 0)
        return FAIL(p, "MAESTRO does not support layers of type %.*s, expected %s", SHOWN(&p->word),
                    types);
    if (type < 0) return expected(p, types, sl_maestro_type_names);
    draft->layer->type = (SlMaestroType)type;
    return advance(p);
}

// { X: 2, Y: 2 }, numbers only
static SlStatus read_strides(Parser *p, Draft *draft) {
    bool seen[SL_N_MV] = {false};
    SlStatus status = open_brace(p, "'{' of Stride");
    while (status == SL_OK && !is(p, "}")) {
        SlMaestroVar var = SL_MV_C;
        SlToken word = p->word;
        if ((status = read_var(p, &var)) != SL_OK) return status;
        if (seen[var])
            return sl_token_fail(&p->scan, &word, p->err, "the stride of %s is given twice",
                                 sl_maestro_var_names[var]);
        seen[var] = true;
        status = read_number(p, "a stride (1 to 2147483647)", &draft->layer->stride[var]);
    }
    return status == SL_OK ? advance(p) : status;
}

// { K: 64, C: 3, ... }; saying the same twice does no harm, and files do
static SlStatus read_dims(Parser *p, Draft *draft) {
    SlStatus status = open_brace(p, "'{' of Dimensions");
    while (status == SL_OK && !is(p, "}")) {
        SlMaestroVar var = SL_MV_C;
        int32_t size = 0;
        SlToken word = p->word;
        if ((status = read_var(p, &var)) != SL_OK) return status;
        status = read_extent(p, "a size (1 to 2147483647 or a constant)", &size);
        int32_t before = draft->layer->size[var];
        if (status == SL_OK && before && before != size)
            return sl_token_fail(&p->scan, &word, p->err, "dimension %s is %d already",
                                 sl_maestro_var_names[var], (int)before);
        draft->layer->size[var] = size;
    }
    return status == SL_OK ? advance(p) : status;
}

// TemporalMap(size, offset) var, SpatialMap(size, offset) var
static SlStatus read_map(Parser *p, const SlMaestroLayer *layer, SlDirective *directive) {
    SlMaestroVar var = SL_MV_C;
    SlStatus status = read_size(p, layer, &directive->size);
    if (status == SL_OK) status = read_size(p, layer, &directive->offset);
    if (status == SL_OK) status = read_var(p, &var);
    directive->var = (uint8_t)var;
    return status;
}

// Cluster(size, P)
static SlStatus read_cluster(Parser *p, const SlMaestroLayer *layer, SlDirective *directive) {
    SlStatus status = read_size(p, layer, &directive->size);
    if (status != SL_OK) return status;
    if (!is(p, "P") && !is(p, "L")) return expected(p, "P or L after the size of a cluster", NULL);
    directive->unit = p->word.text[0];
    return advance(p);
}

static SlStatus read_directive(Parser *p, Draft *draft) {
    static const char *const kinds[] = {"TemporalMap", "SpatialMap", "Cluster", NULL};
    SlMaestroMapping *mapping = draft->mapping;
    int kind = find(&p->word, kinds);
    if (kind < 0)
        return expected(p, "TemporalMap, SpatialMap, Cluster or the '}' of Dataflow", kinds);
    if (mapping->n == SL_MAX_DIRECTIVES)
        return FAIL(p, "a dataflow has at most %d directives", SL_MAX_DIRECTIVES);
    SlDirective *directive = &mapping->list[mapping->n++];
    directive->kind = (uint8_t)kind;
    SlStatus status = advance(p);
    if (status != SL_OK) return status;
    return kind == SL_MAP_CLUSTER ? read_cluster(p, draft->layer, directive)
                                  : read_map(p, draft->layer, directive);
}

static SlStatus read_dataflow(Parser *p, Draft *draft) {
    SlStatus status = open_brace(p, "'{' of Dataflow");
    while (status == SL_OK && !is(p, "}")) status = read_directive(p, draft);
    return status == SL_OK ? advance(p) : status;
}

// ---- a layer ----

typedef struct {
    const char *name;
    SlStatus (*read)(Parser *p, Draft *draft);
    size_t seen; // offset of its flag in Draft
} Part;

static const Part parts[] = {
    {"Type", read_type, offsetof(Draft, type)},
    {"Stride", read_strides, offsetof(Draft, stride)},
    {"Dimensions", read_dims, offsetof(Draft, dims)},
    {"Dataflow", read_dataflow, offsetof(Draft, dataflow)},
};
static const char *const part_names[] = {"Type", "Stride", "Dimensions", "Dataflow", NULL};

// NULL, or why the part cannot come here
static const char *out_of_order(const Draft *draft, const char *part) {
    if (draft->dims && !strcmp(part, "Type"))
        return "Type must come before Dimensions (MAESTRO would name the layer after its last "
               "dimension)";
    if (draft->dims && !strcmp(part, "Stride")) return "Stride must come before Dimensions";
    if (!draft->dims && !strcmp(part, "Dataflow")) return "Dimensions must come before Dataflow";
    return NULL;
}

static SlStatus read_part(Parser *p, Draft *draft) {
    int at = find(&p->word, part_names);
    if (at < 0)
        return expected(p, "Type, Stride, Dimensions, Dataflow or the '}' of the layer",
                        part_names);
    const Part *part = &parts[at];
    bool *seen = (bool *)((char *)draft + part->seen);
    if (*seen) return FAIL(p, "%s is given twice", part->name);
    const char *reason = out_of_order(draft, part->name);
    if (reason) return FAIL(p, "%s", reason);
    *seen = true;
    SlStatus status = advance(p);
    return status == SL_OK ? part->read(p, draft) : status;
}

static bool has_dims(const SlMaestroLayer *layer) {
    for (int v = 0; v < SL_N_MV; v++) {
        if (layer->size[v]) return true;
    }
    return false;
}

// at the '}' of a layer
static SlStatus check_layer(Parser *p, const Draft *draft) {
    const char *name = draft->layer->name;
    if (!draft->type) return FAIL(p, "layer '%s' has no Type", name);
    if (!has_dims(draft->layer)) return FAIL(p, "layer '%s' has no Dimensions", name);
    if (p->need_dataflow && !draft->mapping->n)
        return FAIL(p, "layer '%s' has no directives in a Dataflow (MAESTRO would crash)", name);
    return SL_OK;
}

static SlStatus read_layer(Parser *p) {
    SlMaestroNetwork *net = p->net;
    if (!is(p, "Layer")) {
        static const char *const names[] = {"Layer", NULL};
        return expected(p, "Layer or the '}' of the network", names);
    }
    if (net->n_layers == p->room)
        return FAIL(p, "a network has at most %d layers", SL_NETWORK_MAX_LAYERS);
    int at = net->n_layers++;
    Draft draft = {.layer = &net->layers[at], .mapping = &net->mappings[at]};
    net->lines[at] = p->word.line;
    for (int v = 0; v < SL_N_MV; v++) draft.layer->stride[v] = 1;

    SlStatus status = advance(p);
    if (status == SL_OK) status = read_name(p, "the name of the layer", draft.layer->name);
    while (status == SL_OK && !is(p, "}")) status = read_part(p, &draft);
    if (status == SL_OK) status = check_layer(p, &draft);
    return status == SL_OK ? advance(p) : status;
}

// ---- a file ----

static SlStatus read_network(Parser *p) {
    if (p->net->name[0]) return FAIL(p, "expected one Network in a file, got a second one");
    SlStatus status = advance(p);
    if (status == SL_OK) status = read_name(p, "the name of the network", p->net->name);
    while (status == SL_OK && !is(p, "}")) status = read_layer(p);
    if (status == SL_OK && !p->net->n_layers)
        return FAIL(p, "network '%s' has no layers", p->net->name);
    return status == SL_OK ? advance(p) : status;
}

// Constant NAME VALUE
static SlStatus read_constant(Parser *p) {
    SlStatus status = advance(p);
    if (status != SL_OK) return status;
    if (p->n_constants == MAX_CONSTANTS)
        return FAIL(p, "a file has at most %d constants", MAX_CONSTANTS);
    if (!p->word.n || find(&p->word, keywords) >= 0 ||
        ('0' <= p->word.text[0] && p->word.text[0] <= '9'))
        return expected(p, "the name of a constant", NULL);
    if (find_constant(p)) return FAIL(p, "constant '%.*s' is given twice", SHOWN(&p->word));
    Constant constant = {.name = p->word};
    if ((status = advance(p)) != SL_OK) return status;
    status = read_number(p, "the value of the constant (1 to 2147483647)", &constant.value);
    if (status == SL_OK) p->constants[p->n_constants++] = constant;
    return status;
}

static SlStatus read_file(Parser *p) {
    static const char *const names[] = {"Constant", "Network", NULL};
    SlStatus status = advance(p);
    while (status == SL_OK && p->word.n) {
        if (is(p, "Constant"))
            status = read_constant(p);
        else if (is(p, "Network"))
            status = read_network(p);
        else if (is(p, "Accelerator"))
            return FAIL(p, "MAESTRO cannot read Accelerator blocks; describe the hardware in a "
                           "file of its own");
        else
            return expected(p, "Constant or Network", names);
    }
    if (status == SL_OK && !p->net->name[0]) return expected(p, "a Network", NULL);
    return status;
}

// The first layer of a type says for all whether N is a batch. TRCONV is a CONV.
static void couple_batches(SlMaestroNetwork *net) {
    const SlMaestroLayer *first[SL_N_MAESTRO_TYPES] = {NULL};
    for (int i = 0; i < net->n_layers; i++) {
        SlMaestroLayer *layer = &net->layers[i];
        SlMaestroType type = layer->type == SL_MAESTRO_TRCONV ? SL_MAESTRO_CONV : layer->type;
        if (!first[type]) first[type] = layer;
        layer->batched = type != SL_MAESTRO_GEMM && first[type]->size[SL_MV_N] > 0;
    }
}

// space for as many layers as the text can have
static SlStatus make_room(Parser *p, SlArena *arena) {
    SlScan scan = p->scan;
    SlToken word;
    while (sl_scan_next(&scan, &word) && p->room < SL_NETWORK_MAX_LAYERS)
        p->room += sl_token_is(&word, "Layer");
    p->net->layers = SL_NEW(arena, p->room, SlMaestroLayer);
    p->net->mappings = SL_NEW(arena, p->room, SlMaestroMapping);
    p->net->lines = SL_NEW(arena, p->room, int);
    if (p->net->layers && p->net->mappings && p->net->lines) return SL_OK;
    return sl_fail(p->err, SL_ENOMEM, "no memory for a network of %d layers", p->room);
}

SlStatus sl_maestro_parse_some(const char *name, const char *text, size_t n, bool need_dataflow,
                               SlArena *arena, SlMaestroNetwork *net, SlError *err) {
    Parser p = {.err = err, .need_dataflow = need_dataflow, .net = net};
    *net = (SlMaestroNetwork){0};
    // a byte-order mark is not text, and a carriage return ends no word that MAESTRO would know
    size_t mark_bytes = n >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3) ? 3 : 0;
    sl_scan_init(&p.scan, name, text + mark_bytes, n - mark_bytes, " \t,->():;\r", "//");
    if (n > SL_MAESTRO_MAX_BYTES)
        return sl_fail_at(err, SL_EINPUT, name, 0, 0, "expected at most %d bytes",
                          SL_MAESTRO_MAX_BYTES);
    size_t mark = sl_arena_mark(arena);
    SlStatus status = make_room(&p, arena);
    if (status == SL_OK) status = read_file(&p);
    if (status == SL_OK) couple_batches(net);
    if (status != SL_OK) {
        sl_arena_rewind(arena, mark);
        *net = (SlMaestroNetwork){0};
    }
    return status;
}

SlStatus sl_maestro_parse(const char *name, const char *text, size_t n, SlArena *arena,
                          SlMaestroNetwork *net, SlError *err) {
    return sl_maestro_parse_some(name, text, n, true, arena, net, err);
}

SlStatus sl_maestro_read(const char *path, SlArena *arena, SlMaestroNetwork *net, SlError *err) {
    SlArena scratch;
    sl_arena_init(&scratch, arena->limit);
    char *text = NULL;
    size_t n = 0;
    SlStatus status = sl_file_read(path, SL_MAESTRO_MAX_BYTES, &scratch, &text, &n, err);
    if (status == SL_OK) status = sl_maestro_parse(path, text, n, arena, net, err);
    sl_arena_free(&scratch);
    return status;
}

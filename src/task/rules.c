// rules.c - rules that points of an own space must obey: comparisons of sums and products of
// parameters and numbers, joined by and, or, not. A label stands for itself (dataflow == ws).
//
// Recursive descent into a tree of nodes:
//   rule = all {or all}        all = fact {and fact}       fact = [not] comparison
//   comparison = sum [(<= < >= > == !=) sum]               sum = product {(+ -) product}
//   product = factor {(* / %) factor}                      factor = number | name | ( rule ) | -
//   factor
#include "rules.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RULES = 256, MOST_DEPTH = 64, WORD_ROOM = 64 };

typedef enum {
    NODE_NUMBER,
    NODE_PARAM,
    NODE_LABEL,
    NODE_NOT,
    NODE_MINUS,
    NODE_OR,
    NODE_AND,
    NODE_LESS,
    NODE_LESS_EQUAL,
    NODE_MORE,
    NODE_MORE_EQUAL,
    NODE_EQUAL,
    NODE_UNEQUAL,
    NODE_ADD,
    NODE_SUBTRACT,
    NODE_MULTIPLY,
    NODE_DIVIDE,
    NODE_REST,
} NodeKind;

typedef struct Node Node;
struct Node {
    NodeKind kind;
    double number;
    int param;
    const char *label;
    const Node *left, *right;
};

typedef struct {
    const char *text;
    const Node *root;
} Rule;

struct SlRules {
    int n;
    Rule rules[]; // (n)
};

// ---- reading ----

typedef struct {
    const SlNode *node; // of the file
    const SlSpace *space;
    SlArena *arena;
    const char *at;
    int depth;
    SlStatus status;
    SlError *err;
} Reader;

static const Node *read_rule(Reader *reader);

static void fail(Reader *reader, const char *expected) {
    if (reader->status != SL_OK) return;
    reader->status = sl_node_fail(reader->node, reader->err, "expected %s at '%.40s'", expected,
                                  *reader->at ? reader->at : "the end");
}

static void skip_blanks(Reader *reader) {
    while (*reader->at == ' ' || *reader->at == '\t') reader->at++;
}

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

// take a symbol, or a word that stands alone
static bool take(Reader *reader, const char *symbol) {
    size_t n = strlen(symbol);
    skip_blanks(reader);
    if (strncmp(reader->at, symbol, n) != 0) return false;
    if (is_word(symbol[0]) && is_word(reader->at[n])) return false;
    reader->at += n;
    return true;
}

static const Node *new_node(Reader *reader, Node node) {
    Node *made = SL_NEW(reader->arena, 1, Node);
    if (made)
        *made = node;
    else if (reader->status == SL_OK)
        reader->status = sl_fail(reader->err, SL_ENOMEM, "not enough memory for the rules");
    return made;
}

// a parameter by its name, else a label of any parameter
static const Node *read_name(Reader *reader) {
    char word[WORD_ROOM];
    size_t n = 0;
    while (is_word(reader->at[n]) && n < WORD_ROOM - 1) n++;
    memcpy(word, reader->at, n);
    word[n] = '\0';
    const SlSpace *space = reader->space;
    for (int i = 0; i < space->n_params; i++) {
        if (strcmp(space->params[i].name, word) != 0) continue;
        reader->at += n;
        return new_node(reader, (Node){.kind = NODE_PARAM, .param = i});
    }
    for (int i = 0; i < space->n_params; i++) {
        const SlParam *param = &space->params[i];
        for (int v = 0; param->kind == SL_CATEGORICAL && v < param->n; v++) {
            if (strcmp(param->labels[v], word) != 0) continue;
            reader->at += n;
            return new_node(reader, (Node){.kind = NODE_LABEL, .label = param->labels[v]});
        }
    }
    fail(reader, "a parameter, a label or a number");
    return NULL;
}

static const Node *read_factor(Reader *reader) {
    if (++reader->depth > MOST_DEPTH) fail(reader, "fewer brackets");
    const Node *made = NULL;
    if (reader->status != SL_OK) return NULL;
    skip_blanks(reader);
    if (take(reader, "(")) {
        made = read_rule(reader);
        if (!take(reader, ")")) fail(reader, "')'");
    } else if (take(reader, "-")) {
        made = new_node(reader, (Node){.kind = NODE_MINUS, .left = read_factor(reader)});
    } else if (isdigit((unsigned char)*reader->at)) {
        char *end;
        double number = strtod(reader->at, &end);
        reader->at = end;
        made = new_node(reader, (Node){.kind = NODE_NUMBER, .number = number});
    } else {
        made = read_name(reader);
    }
    reader->depth--;
    return made;
}

typedef struct {
    const char *symbol;
    NodeKind kind;
} Operator;

// one of the operators, NULL = none of them
static const Operator *take_operator(Reader *reader, const Operator *operators) {
    for (const Operator *op = operators; op->symbol; op++)
        if (take(reader, op->symbol)) return op;
    return NULL;
}

// parts joined by operators, from the left; `once`: at most one of them
static const Node *read_chain(Reader *reader, const Operator *operators, bool once,
                              const Node *(*part)(Reader *)) {
    const Node *left = part(reader);
    const Operator *op;
    while (reader->status == SL_OK && (op = take_operator(reader, operators)) != NULL) {
        left = new_node(reader, (Node){.kind = op->kind, .left = left, .right = part(reader)});
        if (once) break;
    }
    return left;
}

static const Node *read_product(Reader *reader) {
    static const Operator operators[] = {
        {"*", NODE_MULTIPLY}, {"/", NODE_DIVIDE}, {"%", NODE_REST}, {NULL, 0}};
    return read_chain(reader, operators, false, read_factor);
}

static const Node *read_sum(Reader *reader) {
    static const Operator operators[] = {{"+", NODE_ADD}, {"-", NODE_SUBTRACT}, {NULL, 0}};
    return read_chain(reader, operators, false, read_product);
}

static const Node *read_comparison(Reader *reader) {
    static const Operator operators[] = {
        {"<=", NODE_LESS_EQUAL}, {">=", NODE_MORE_EQUAL}, {"==", NODE_EQUAL}, {"!=", NODE_UNEQUAL},
        {"<", NODE_LESS},        {">", NODE_MORE},        {NULL, 0}};
    return read_chain(reader, operators, true, read_sum);
}

static const Node *read_fact(Reader *reader) {
    if (!take(reader, "not")) return read_comparison(reader);
    return new_node(reader, (Node){.kind = NODE_NOT, .left = read_comparison(reader)});
}

static const Node *read_all(Reader *reader) {
    static const Operator operators[] = {{"and", NODE_AND}, {NULL, 0}};
    return read_chain(reader, operators, false, read_fact);
}

static const Node *read_rule(Reader *reader) {
    static const Operator operators[] = {{"or", NODE_OR}, {NULL, 0}};
    return read_chain(reader, operators, false, read_all);
}

static SlStatus read_one(const SlNode *node, const SlSpace *space, SlArena *arena, Rule *rule,
                         SlError *err) {
    SlStatus status = sl_node_expect(node, SL_NODE_SCALAR, "a rule", err);
    if (status != SL_OK) return status;
    Reader reader = {.node = node, .space = space, .arena = arena, .at = node->text, .err = err};
    rule->root = read_rule(&reader);
    skip_blanks(&reader);
    if (*reader.at) fail(&reader, "an operator or the end");
    bool truth = reader.status == SL_OK && rule->root->kind >= NODE_NOT &&
                 rule->root->kind != NODE_MINUS && rule->root->kind < NODE_ADD;
    if (reader.status == SL_OK && !truth)
        return sl_node_fail(node, err, "expected a comparison, such as rows * cols <= 1024");
    rule->text = sl_arena_text(arena, node->text, strlen(node->text));
    if (reader.status == SL_OK && !rule->text)
        return sl_fail(err, SL_ENOMEM, "not enough memory for the rules");
    return reader.status;
}

SlStatus sl_rules_make(const SlNode *list, const SlSpace *space, SlArena *arena,
                       const SlRules **rules, SlError *err) {
    *rules = NULL;
    if (!list) return SL_OK;
    SlStatus status = sl_node_expect(list, SL_NODE_LIST, "rules", err);
    if (status != SL_OK) return status;
    if (list->n > MOST_RULES)
        return sl_node_fail(list, err, "expected at most %d rules", MOST_RULES);
    SlRules *made = sl_arena_alloc(arena, 1, sizeof(SlRules) + (size_t)list->n * sizeof(Rule));
    if (!made) return sl_fail(err, SL_ENOMEM, "not enough memory for the rules");
    for (const SlNode *node = list->first; node && status == SL_OK; node = node->next)
        status = read_one(node, space, arena, &made->rules[made->n++], err);
    *rules = made;
    return status;
}

// ---- asking ----

typedef struct {
    double number;
    const char *label; // NULL = a number
} Value;

static Value param_value(const SlParam *param, int32_t value) {
    if (param->kind == SL_ORDINAL)
        return (Value){.number = param->labels ? strtod(param->labels[value], NULL)
                                               : (double)param->sizes[value]};
    if (param->kind == SL_CATEGORICAL) return (Value){.label = param->labels[value]};
    return (Value){.number = value};
}

static double compare(NodeKind kind, Value a, Value b) {
    bool labels = a.label || b.label;
    bool equal =
        labels ? a.label && b.label && strcmp(a.label, b.label) == 0 : a.number == b.number;
    switch (kind) {
    case NODE_EQUAL:
        return equal;
    case NODE_UNEQUAL:
        return !equal;
    case NODE_LESS:
        return a.number < b.number;
    case NODE_LESS_EQUAL:
        return a.number <= b.number;
    case NODE_MORE:
        return a.number > b.number;
    default:
        return a.number >= b.number;
    }
}

static double compute(NodeKind kind, double a, double b) {
    switch (kind) {
    case NODE_ADD:
        return a + b;
    case NODE_SUBTRACT:
        return a - b;
    case NODE_MULTIPLY:
        return a * b;
    case NODE_DIVIDE:
        return a / b;
    default:
        return fmod(a, b);
    }
}

static Value value_of(const Node *node, const SlSpace *space, const int32_t *point) {
    switch (node->kind) {
    case NODE_NUMBER:
        return (Value){.number = node->number};
    case NODE_LABEL:
        return (Value){.label = node->label};
    case NODE_PARAM:
        return param_value(&space->params[node->param], point[node->param]);
    case NODE_NOT:
        return (Value){.number = !(value_of(node->left, space, point).number != 0)};
    case NODE_MINUS:
        return (Value){.number = -value_of(node->left, space, point).number};
    default:
        break;
    }
    Value a = value_of(node->left, space, point), b = value_of(node->right, space, point);
    if (node->kind == NODE_OR) return (Value){.number = a.number != 0 || b.number != 0};
    if (node->kind == NODE_AND) return (Value){.number = a.number != 0 && b.number != 0};
    if (node->kind < NODE_ADD) return (Value){.number = compare(node->kind, a, b)};
    return (Value){.number = compute(node->kind, a.number, b.number)};
}

const char *sl_rules_broken(const SlRules *rules, const SlSpace *space, const int32_t *point) {
    for (int i = 0; rules && i < rules->n; i++)
        if (value_of(rules->rules[i].root, space, point).number == 0) return rules->rules[i].text;
    return NULL;
}

// certificate_bind.c - does a certificate belong to a result of a run? Compared by content: what a
// file is called proves nothing.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "certificate_inside.h"
#include "prove_inside.h"

#define SAME 1e-9 // relative difference that the digits of a document may make

// One result beside one certificate. Functions return whether both say the same; if not, `reason`
// says what differs.
typedef struct {
    const SlRunResult *result;
    const SlProofClaims *claims;
    SlArena *scratch;
    char *reason; // (REASON_ROOM)
    bool no_memory;
} Pair;

enum { REASON_ROOM = sizeof((SlBinding *)0)->reason };

static bool differs(char *reason, const char *fmt, ...) SL_PRINTF(2, 3);
static bool differs(char *reason, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    vsnprintf(reason, REASON_ROOM, fmt, args);
    va_end(args);
    return false;
}

static bool same_number(double a, double b) {
    return a == b || (isfinite(b) && fabs(a - b) <= SAME * fabs(b));
}

// --- lines

static int word_length(const char *at) {
    int n = (int)strcspn(at, " \n");
    return n < 80 ? n : 80;
}

// the first word that differs, with the line it is in: "'level 1' has capacity=512, ... 1024"
static bool same_lines(char *reason, const char *what, const char *said, const char *is) {
    int line = 0, word = 0, i = 0;
    for (; said[i] == is[i] && said[i]; i++) {
        if (said[i] == '\n') line = i + 1;
        if (said[i] == '\n' || said[i] == ' ') word = i + 1;
    }
    if (said[i] == is[i]) return true;
    // the line is named by its first two words
    int name = line + (int)strcspn(said + line, " \n");
    if (said[name] == ' ') name += 1 + (int)strcspn(said + name + 1, " \n");
    return differs(reason,
                   "the %s of the certificate is another: '%.*s' has '%.*s', in the run '%.*s'",
                   what, name - line, said + line, word_length(said + word), said + word,
                   word_length(is + word), is + word);
}

static const char *machine_text(Pair *pair, const SlAccel *accel) {
    SlText text;
    sl_text_init(&text, pair->scratch);
    sl_certificate_machine(accel, &text);
    pair->no_memory |= text.failed;
    return text.failed ? "" : text.data;
}

// --- what the proof is about

enum { LAYER_KEY = sizeof "layer " - 1 };

// of the text behind the key
static int layer_length(const char *line) {
    size_t n = strlen(line);
    return n > LAYER_KEY ? (int)n - LAYER_KEY - 1 : 0;
}

static const char *layer_text(Pair *pair, const SlLayer *layer) {
    SlText text;
    sl_text_init(&text, pair->scratch);
    sl_certificate_layer(layer, &text);
    pair->no_memory |= text.failed;
    return text.failed ? "layer " : text.data; // with its key in any case
}

static bool same_layer(Pair *pair) {
    const char *said = layer_text(pair, &pair->claims->layer);
    const char *is = layer_text(pair, &pair->result->layer);
    return strcmp(said, is) == 0 ||
           differs(pair->reason, "the certificate is about another layer: %.*s, not %.*s",
                   layer_length(said), said + LAYER_KEY, layer_length(is), is + LAYER_KEY);
}

static bool same_machine(Pair *pair) {
    const SlRunResult *result = pair->result;
    const SlAccel own = sl_certificate_accel(&result->layer, result->accel);
    if (!same_lines(pair->reason, "machine", machine_text(pair, &pair->claims->accel),
                    machine_text(pair, &own)))
        return false;
    if (!result->machine || strcmp(result->machine, machine_text(pair, result->accel)) == 0)
        return true;
    return differs(pair->reason,
                   "the results and the accelerator of the run say different machines");
}

static bool same_goal(const Pair *pair) {
    char said[128], is[128];
    sl_goal_text(&pair->claims->goal, sizeof said, said);
    sl_goal_text(&pair->result->goal, sizeof is, is);
    return strcmp(said, is) == 0 ||
           differs(pair->reason, "the goal of the certificate is %s, that of the run %s", said, is);
}

// lists of the preset, with what the run opened; NULL = there is no such space
static const char *preset_lists(Pair *pair) {
    const SlRunResult *result = pair->result;
    const SlSpaceOptions options = {.preset = result->preset, .open = result->open};
    SlSpace space;
    SlText lists;
    if (sl_space_make(&result->layer, result->accel, &options, pair->scratch, &space, NULL) !=
        SL_OK)
        return NULL;
    sl_text_init(&lists, pair->scratch);
    sl_certificate_lists(&space, &lists);
    pair->no_memory |= lists.failed;
    return lists.failed ? NULL : lists.data;
}

static bool same_space(Pair *pair) {
    const SlRunResult *result = pair->result;
    const SlProofClaims *claims = pair->claims;
    if (claims->space.preset != result->preset)
        return differs(pair->reason, "the space of the certificate is %s, that of the run %s",
                       sl_space_names[claims->space.preset], sl_space_names[result->preset]);
    if (result->constrained && !result->lists)
        return differs(pair->reason, "the run does not say what its constraints left of the space: "
                                     "map it again with this version");
    const char *lists = result->constrained ? result->lists : preset_lists(pair);
    if (!lists) return differs(pair->reason, "the space of the run cannot be made");
    return same_lines(pair->reason, "space", claims->lists, lists);
}

// --- what is claimed

static bool same_mapping(const Pair *pair) {
    char said[SL_NEST_TEXT_MAX], is[SL_NEST_TEXT_MAX];
    sl_mapping_write(&pair->claims->mapping, sizeof said, said);
    sl_mapping_write(&pair->result->mapping, sizeof is, is);
    return strcmp(said, is) == 0 ||
           differs(pair->reason,
                   "the mapping of the certificate is '%.160s', that of the run '%.160s'", said,
                   is);
}

static bool same_values(const Pair *pair) {
    const SlRunResult *result = pair->result;
    const SlProofClaims *claims = pair->claims;
    const struct {
        const char *what;
        double said, is;
    } rows[] = {
        {"latency", claims->latency_cycles, result->latency_cycles},
        {"energy", claims->energy_pj, result->energy_pj},
        {"value", claims->value, result->value},
        {"lower bound", claims->lower_bound, result->lower_bound},
        {"epsilon", claims->epsilon, result->epsilon},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (!same_number(rows[i].said, rows[i].is))
            return differs(pair->reason,
                           "the %s of the certificate is %.15g, that of the run %.15g",
                           rows[i].what, rows[i].said, rows[i].is);
    return true;
}

// gap and status of a result follow from its value and its bound
static bool result_holds(const SlRunResult *result, char *reason) {
    const char *status = result->status < SL_N_PROOFS ? sl_proof_names[result->status] : "unproven";
    bool bound = result->lower_bound > 0;
    if (!bound && (result->status == SL_PROOF_OPTIMAL || result->status == SL_PROOF_WITHIN ||
                   result->status == SL_PROOF_OUTSIDE))
        return differs(reason, "the run calls it %s, without a lower bound", status);
    if (!bound) return true;
    double over = result->value / result->lower_bound - 1, gap = fmax(over, 0);
    if (!(fabs(result->gap - gap) <= SAME * (1 + gap)))
        return differs(reason, "the run says a gap of %.6g, its value and bound one of %.6g",
                       result->gap, gap);
    bool fits = result->status == SL_PROOF_STOPPED ||
                (result->status == SL_PROOF_OPTIMAL && gap <= SL_OPTIMAL_GAP + SAME) ||
                (result->status == SL_PROOF_WITHIN && gap <= result->epsilon + SAME) ||
                (result->status == SL_PROOF_OUTSIDE && over <= SAME);
    return fits || differs(reason, "the run calls it %s, with a gap of %.6g", status, gap);
}

static bool matches(Pair *pair) {
    size_t mark = sl_arena_mark(pair->scratch);
    bool same = same_layer(pair) && same_machine(pair) && same_goal(pair) && same_space(pair) &&
                same_mapping(pair) && same_values(pair) && result_holds(pair->result, pair->reason);
    sl_arena_rewind(pair->scratch, mark);
    if (same) pair->reason[0] = '\0';
    return same;
}

// --- which file

static int find_named(const SlRunProofs *run, const char *name) {
    for (int f = 0; f < run->n_files; f++)
        if (strcmp(run->files[f].name, name) == 0) return f;
    return -1;
}

// where the run does not say which: a certificate that agrees, else one about the same layer
static int find_fitting(const SlRunProofs *run, Pair *pair, const int *owners) {
    int about = -1;
    for (int f = 0; f < run->n_files && !pair->no_memory; f++) {
        pair->claims = run->files[f].claims;
        if (!pair->claims || owners[f] >= 0) continue;
        if (matches(pair)) return f;
        if (about < 0 && same_layer(pair)) about = f;
    }
    return about;
}

static SlStatus bind_result(const SlRunProofs *run, int i, SlArena *scratch, SlBinding *binding,
                            int *owners) {
    const SlRunResult *result = &run->results[i];
    Pair pair = {.result = result, .scratch = scratch, .reason = binding->reason};
    *binding = (SlBinding){.file = -1};
    if (!(result->lower_bound > 0)) {
        result_holds(result, binding->reason);
        return SL_OK;
    }
    binding->file = result->certificate ? find_named(run, result->certificate)
                                        : find_fitting(run, &pair, owners);
    binding->missing = binding->file < 0;
    if (binding->missing) {
        differs(binding->reason, "its certificate is missing%s%.300s",
                result->certificate ? ": " : "", result->certificate ? result->certificate : "");
        return pair.no_memory ? SL_ENOMEM : SL_OK;
    }
    owners[binding->file] = i;
    pair.claims = run->files[binding->file].claims;
    if (pair.claims) matches(&pair);
    return pair.no_memory ? SL_ENOMEM : SL_OK;
}

SlStatus sl_certificates_bind(const SlRunProofs *run, SlArena *scratch, SlBinding *bindings,
                              int *owners) {
    SlStatus status = SL_OK;
    for (int f = 0; f < run->n_files; f++) owners[f] = -1;
    for (int i = 0; i < run->n_results && status == SL_OK; i++)
        status = bind_result(run, i, scratch, &bindings[i], owners);
    return status;
}

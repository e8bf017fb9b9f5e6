// flock_file.c - a flock as a file (docs/formats/flock.md): little-endian numbers in one row, a
// digest behind them, packed by gzip.
//
// Whatever the bytes are, reading ends in a flock that can be asked or in a sentence: counts are
// held against limits and against what is left of the file before anything is allocated.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "flock_inside.h"
#include "rivals_file.h"

static const char MAGIC[8] = "SLFLOCK";
enum { DIGEST_BYTES = 8, MOST_TREES = 100000, MOST_TASKS = 1 << 20, CHOICE_BYTES = 18 };

// ---- sections: what a flock may have besides ----

// four letters, the number of bytes, bytes
typedef struct {
    char name[5];
    bool (*has)(const SlFlock *flock);
    void (*put)(const SlFlock *flock, SlText *out);
    void (*get)(SlBytes *in, SlFlock *flock);
} Section;

static bool has_skills(const SlFlock *flock) {
    for (int i = 0; i < SL_N_FLOCK_LAYERS; i++)
        if (flock->info.skills[i].n_tasks > 0) return true;
    return false;
}

static void put_skills(const SlFlock *flock, SlText *out) {
    for (int i = 0; i < SL_N_FLOCK_LAYERS; i++) {
        const SlFlockSkill *skill = &flock->info.skills[i];
        sl_bytes_put_whole(out, (uint64_t)skill->n_tasks, 4);
        sl_bytes_put_real(out, skill->tau);
        sl_bytes_put_real(out, skill->regret1);
        sl_bytes_put_real(out, skill->error);
    }
}

static void get_skills(SlBytes *in, SlFlock *flock) {
    for (int i = 0; i < SL_N_FLOCK_LAYERS; i++) {
        SlFlockSkill *skill = &flock->info.skills[i];
        skill->n_tasks =
            sl_bytes_count(in, 0, flock->info.n_tasks, "its tasks of a kind are too many");
        skill->tau = sl_bytes_real(in);
        skill->regret1 = sl_bytes_real(in);
        skill->error = sl_bytes_real(in);
        if (!in->wrong && !(skill->error >= 0)) in->wrong = "its scale is impossible";
    }
}

static bool has_rivals(const SlFlock *flock) {
    return flock->rivals.n_nets > 0;
}

static void put_rivals(const SlFlock *flock, SlText *out) {
    sl_rivals_put(&flock->rivals, out);
}

static void get_rivals(SlBytes *in, SlFlock *flock) {
    sl_rivals_get(in, flock->info.n_inputs, &flock->rivals);
}

static const Section sections[] = {{"SKIL", has_skills, put_skills, get_skills},
                                   {"RIVL", has_rivals, put_rivals, get_rivals}};
enum { N_SECTIONS = sizeof sections / sizeof *sections };

static void put_section(const SlFlock *flock, const Section *section, SlText *out) {
    SlArena scratch;
    SlText bytes;
    sl_arena_init(&scratch, 0);
    sl_text_init(&bytes, &scratch);
    section->put(flock, &bytes);
    out->failed |= bytes.failed;
    sl_text_put(out, section->name, 4);
    sl_bytes_put_whole(out, bytes.n, 4);
    sl_text_put(out, bytes.data, bytes.n);
    sl_arena_free(&scratch);
}

static void get_section(SlBytes *in, SlFlock *flock) {
    char name[4];
    for (int i = 0; i < 4; i++) name[i] = (char)sl_bytes_whole(in, 1);
    const size_t n = (size_t)sl_bytes_whole(in, 4), left = in->left;
    int s = 0;
    while (s < N_SECTIONS && memcmp(name, sections[s].name, sizeof name) != 0) s++;
    if (!in->wrong && s == N_SECTIONS)
        in->wrong = "it has a section that this program does not know";
    if (!in->wrong && sections[s].has(flock)) in->wrong = "a section of it stands twice";
    if (!in->wrong) sections[s].get(in, flock);
    if (!in->wrong && left - in->left != n) in->wrong = "a section of it has another length";
}

// ---- writing ----

static void put_string(SlText *out, const char *text) {
    sl_bytes_put_whole(out, strlen(text), 2);
    sl_text_put(out, text, strlen(text));
}

static void put_info(SlText *out, const SlFlock *flock) {
    const SlFlockInfo *info = &flock->info;
    put_string(out, info->kind);
    put_string(out, info->evaluator);
    put_string(out, info->goal);
    put_string(out, info->source);
    sl_bytes_put_whole(out, (uint64_t)info->features, 4);
    sl_bytes_put_whole(out, (uint64_t)info->n_inputs, 4);
    sl_bytes_put_whole(out, (uint64_t)info->n_context, 4);
    sl_bytes_put_whole(out, (uint64_t)info->n_tasks, 4);
    sl_bytes_put_whole(out, (uint64_t)info->evaluations, 8);
    sl_bytes_put_whole(out, (uint64_t)info->n_members, 4);
    sl_bytes_put_whole(out, (uint64_t)info->n_best, 4);
    sl_bytes_put_whole(out, (uint64_t)flock->n_params, 4);
    const double reals[] = {info->tau,   info->regret1, info->regret3,
                            info->error, flock->cap,    flock->bend};
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) sl_bytes_put_real(out, reals[i]);
}

static void put_trees(SlText *out, const SlBoostTrees *trees) {
    const size_t leaves = (size_t)trees->n_trees << trees->depth;
    const size_t nodes = leaves - (size_t)trees->n_trees;
    sl_bytes_put_whole(out, (uint64_t)trees->n_trees, 4);
    sl_bytes_put_whole(out, (uint64_t)trees->depth, 4);
    sl_bytes_put_floats(out, 1, &trees->start);
    for (size_t i = 0; i < nodes; i++) sl_bytes_put_floats(out, 1, &trees->nodes[i].threshold);
    for (size_t i = 0; i < nodes; i++) sl_bytes_put_whole(out, (uint64_t)trees->nodes[i].input, 2);
    sl_bytes_put_floats(out, leaves, trees->leaves);
}

static void put_best(SlText *out, const SlFlock *flock) {
    for (int i = 0; i < flock->info.n_best; i++) {
        sl_bytes_put_whole(out, (uint64_t)flock->best[i].task, 4);
        sl_bytes_put_floats(out, 1, &flock->best[i].distance);
        const SlChoice *choices = flock->choices + (size_t)i * (size_t)flock->n_params;
        for (int k = 0; k < flock->n_params; k++) {
            const SlChoice *choice = &choices[k];
            const int8_t words[] = {choice->kind, choice->role, choice->level,
                                    choice->axis, choice->dim,  choice->whole};
            for (size_t w = 0; w < sizeof words; w++) sl_bytes_put_whole(out, (uint8_t)words[w], 1);
            sl_bytes_put_whole(out, choice->name, 4);
            sl_bytes_put_whole(out, (uint64_t)choice->value, 8);
        }
    }
}

void sl_flock_put(const SlFlock *flock, SlText *out) {
    const SlFlockInfo *info = &flock->info;
    bool more = false; // without sections the file is as in version 1
    for (int s = 0; s < N_SECTIONS; s++) more |= sections[s].has(flock);
    sl_text_put(out, MAGIC, sizeof MAGIC);
    sl_bytes_put_whole(out, more ? SL_FLOCK_VERSION : 1, 4);
    put_info(out, flock);
    for (int m = 0; m < info->n_members; m++) put_trees(out, &flock->members[m]);
    sl_bytes_put_floats(out, (size_t)info->n_inputs, flock->deviation);
    sl_bytes_put_floats(out, (size_t)info->n_tasks * (size_t)info->n_context, flock->tasks);
    put_best(out, flock);
    for (int k = 0; k < SL_N_FLOCK_POLICIES; k++) sl_flock_policy_write(&flock->policies[k], out);
    for (int s = 0; s < N_SECTIONS; s++)
        if (sections[s].has(flock)) put_section(flock, &sections[s], out);
    sl_bytes_put_whole(out, sl_fnv_bytes(SL_FNV_START, out->data, out->n), DIGEST_BYTES);
}

SlStatus sl_flock_write(const SlFlock *flock, const char *path, SlError *err) {
    SlArena scratch;
    SlText bytes;
    sl_arena_init(&scratch, 0);
    sl_text_init(&bytes, &scratch);
    sl_flock_put(flock, &bytes);
    SlStatus status = bytes.failed ? sl_fail(err, SL_ENOMEM, "not enough memory to write a flock")
                                   : sl_file_write_gzip(path, bytes.data, bytes.n, err);
    sl_arena_free(&scratch);
    return status;
}

uint64_t sl_flock_digest(const SlFlock *flock) {
    SlArena scratch;
    SlText bytes;
    sl_arena_init(&scratch, 0);
    sl_text_init(&bytes, &scratch);
    sl_flock_put(flock, &bytes);
    uint64_t digest = sl_fnv_bytes(SL_FNV_START, bytes.data, bytes.n);
    sl_arena_free(&scratch);
    return digest;
}

// ---- reading ----

static void get_string(SlBytes *in, size_t room, char *out) {
    size_t n = (size_t)sl_bytes_whole(in, 2);
    if (!in->wrong && (n >= room || n > in->left)) in->wrong = "a text in it is too long";
    if (in->wrong) return;
    memcpy(out, in->at, n);
    out[n] = '\0';
    sl_text_clean(out, false);
    in->at += n;
    in->left -= n;
}

static void get_info(SlBytes *in, SlFlock *flock) {
    SlFlockInfo *info = &flock->info;
    get_string(in, sizeof info->kind, info->kind);
    get_string(in, sizeof info->evaluator, info->evaluator);
    get_string(in, sizeof info->goal, info->goal);
    get_string(in, sizeof info->source, info->source);
    info->features = sl_bytes_count(in, 0, INT32_MAX, "its features have no version");
    info->n_inputs =
        sl_bytes_count(in, 1, SL_FLOCK_MAX_INPUTS, "its number of inputs is impossible");
    info->n_context = sl_bytes_count(in, 0, info->n_inputs, "its number of inputs is impossible");
    info->n_tasks = sl_bytes_count(in, 1, MOST_TASKS, "its number of tasks is impossible");
    info->evaluations = (int64_t)(sl_bytes_whole(in, 8) & INT64_MAX);
    info->n_members =
        sl_bytes_count(in, 1, SL_FLOCK_MAX_MEMBERS, "its number of critics is impossible");
    info->n_best = sl_bytes_count(in, 0, INT32_MAX, "its number of points is impossible");
    flock->n_params =
        sl_bytes_count(in, 0, SL_MAX_PARAMS, "its number of parameters is impossible");
    double *const reals[] = {&info->tau,   &info->regret1, &info->regret3,
                             &info->error, &flock->cap,    &flock->bend};
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) *reals[i] = sl_bytes_real(in);
    if (!in->wrong && !(flock->cap > 0 && flock->bend >= 0 && info->error >= 0))
        in->wrong = "its scale is impossible";
}

static void get_trees(SlBytes *in, int n_inputs, SlBoostTrees *trees) {
    *trees = (SlBoostTrees){.n_inputs = n_inputs};
    trees->n_trees = sl_bytes_count(in, 0, MOST_TREES, "its number of trees is impossible");
    trees->depth =
        sl_bytes_count(in, 1, SL_BOOST_MAX_DEPTH, "the depth of its trees is impossible");
    sl_bytes_finite(in, 1, &trees->start);
    const size_t leaves = (size_t)trees->n_trees << trees->depth;
    const size_t nodes = leaves - (size_t)trees->n_trees;
    trees->nodes = sl_bytes_room(in, nodes, 6, sizeof *trees->nodes);
    trees->leaves = sl_bytes_room(in, leaves, 4, sizeof *trees->leaves);
    for (size_t i = 0; i < nodes && !in->wrong; i++) {
        sl_bytes_floats(in, 1, &trees->nodes[i].threshold);
        if (isnan(trees->nodes[i].threshold)) in->wrong = "a tree in it has an invalid split";
    }
    for (size_t i = 0; i < nodes && !in->wrong; i++) {
        trees->nodes[i].input = (int32_t)sl_bytes_whole(in, 2);
        if (trees->nodes[i].input >= n_inputs) in->wrong = "a tree in it refers to a missing input";
    }
    if (!in->wrong) sl_bytes_finite(in, leaves, trees->leaves);
}

static void get_choice(SlBytes *in, SlChoice *choice) {
    int8_t words[6];
    for (int w = 0; w < 6; w++) words[w] = (int8_t)(uint8_t)sl_bytes_whole(in, 1);
    *choice = (SlChoice){.kind = words[0],
                         .role = words[1],
                         .level = words[2],
                         .axis = words[3],
                         .dim = words[4],
                         .whole = words[5] != 0};
    choice->name = (uint32_t)sl_bytes_whole(in, 4);
    choice->value = (int64_t)sl_bytes_whole(in, 8);
    if (!in->wrong && (choice->kind < -1 || choice->kind > SL_PERMUTATION || choice->value < 0))
        in->wrong = "a choice in it is impossible";
}

static void get_best(SlBytes *in, SlFlock *flock) {
    const size_t n = (size_t)flock->info.n_best, width = (size_t)flock->n_params;
    flock->best = sl_bytes_room(in, n, 8 + CHOICE_BYTES * width, sizeof *flock->best);
    if (!in->wrong) {
        flock->choices = sl_arena_alloc(in->arena, n * width, sizeof *flock->choices);
        if (!flock->choices) in->wrong = "there is not enough memory for it";
    }
    int before = 0;
    for (size_t i = 0; i < n && !in->wrong; i++) {
        SlBestPoint *best = &flock->best[i];
        *best = (SlBestPoint){.task = sl_bytes_count(in, 0, flock->info.n_tasks - 1,
                                                     "a point in it belongs to no task"),
                              .first = (int32_t)(i * width)};
        sl_bytes_finite(in, 1, &best->distance);
        for (size_t k = 0; k < width; k++) get_choice(in, &flock->choices[i * width + k]);
        if (!in->wrong && best->task < before) in->wrong = "its points are out of order";
        before = best->task;
    }
}

static void get_policy(SlBytes *in, SlFlockPolicy *policy) {
    size_t read = 0;
    if (sl_flock_policy_read((const char *)in->at, in->left, &read, in->arena, policy, &in->why) !=
        SL_OK) {
        in->wrong = in->why.text;
        return;
    }
    in->at += read;
    in->left -= read;
}

static void get_flock(SlBytes *in, int version, SlFlock *flock) {
    SlFlockInfo *info = &flock->info;
    get_info(in, flock);
    for (int m = 0; m < info->n_members && !in->wrong; m++) {
        get_trees(in, info->n_inputs, &flock->members[m]);
        info->n_trees += flock->members[m].n_trees;
    }
    flock->deviation = sl_bytes_room(in, (size_t)info->n_inputs, 4, sizeof(float));
    if (!in->wrong) sl_bytes_finite(in, (size_t)info->n_inputs, flock->deviation);
    for (int i = 0; i < info->n_inputs && !in->wrong; i++)
        if (!(flock->deviation[i] > 0)) in->wrong = "an input of it has no scale";
    const size_t contexts = (size_t)info->n_tasks * (size_t)info->n_context;
    flock->tasks = sl_bytes_room(in, contexts, 4, sizeof(float));
    if (!in->wrong) sl_bytes_finite(in, contexts, flock->tasks);
    get_best(in, flock);
    for (int k = 0; k < SL_N_FLOCK_POLICIES && !in->wrong; k++) get_policy(in, &flock->policies[k]);
    if (version < 2 && !in->wrong && in->left > 0) in->wrong = "there are bytes behind its end";
    while (!in->wrong && in->left > 0) get_section(in, flock);
}

// the frame: what it is, which version, whether all of it came
static const char *check_frame(const char *bytes, size_t n, int *version) {
    if (n < sizeof MAGIC + 4 + DIGEST_BYTES || memcmp(bytes, MAGIC, sizeof MAGIC) != 0)
        return "expected a flock as 'starling learn' writes it";
    SlBytes in = {.at = (const unsigned char *)bytes + sizeof MAGIC, .left = 4};
    uint64_t found = sl_bytes_whole(&in, 4);
    if (found < 1 || found > SL_FLOCK_VERSION)
        return "expected a flock of version 1 or 2; teach it again with this program";
    *version = (int)found;
    SlBytes end = {.at = (const unsigned char *)bytes + n - DIGEST_BYTES, .left = DIGEST_BYTES};
    if (sl_bytes_whole(&end, DIGEST_BYTES) != sl_fnv_bytes(SL_FNV_START, bytes, n - DIGEST_BYTES))
        return "the flock is damaged: its digest does not fit its bytes";
    return NULL;
}

SlStatus sl_flock_parse(const char *name, const char *bytes, size_t n, SlArena *arena,
                        SlFlock **flock, SlError *err) {
    const size_t mark = sl_arena_mark(arena);
    int version = 0;
    const char *wrong = check_frame(bytes, n, &version);
    if (wrong) return sl_fail_at(err, SL_EINPUT, name, 0, 0, "%s", wrong);
    SlFlock *made = SL_NEW(arena, 1, SlFlock);
    if (!made) return sl_fail(err, SL_ENOMEM, "not enough memory for a flock");
    const size_t head = sizeof MAGIC + 4;
    SlBytes in = {
        .at = (const unsigned char *)bytes + head, .left = n - head - DIGEST_BYTES, .arena = arena};
    get_flock(&in, version, made);
    if (in.wrong) {
        sl_arena_rewind(arena, mark);
        return sl_fail_at(err, SL_EINPUT, name, 0, 0, "the flock is invalid: %s", in.wrong);
    }
    *flock = made;
    return SL_OK;
}

SlStatus sl_flock_read(const char *path, SlArena *arena, SlFlock **flock, SlError *err) {
    char *bytes = NULL;
    size_t n = 0;
    SlArena scratch;
    sl_arena_init(&scratch, 0);
    SlStatus status = sl_file_read_gzip(path, SL_FLOCK_MAX_BYTES, &scratch, &bytes, &n, err);
    if (status == SL_OK) status = sl_flock_parse(path, bytes, n, arena, flock, err);
    sl_arena_free(&scratch);
    return status;
}

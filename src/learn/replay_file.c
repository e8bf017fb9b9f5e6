// replay_file.c - what is held, to and from a file: a header, rows, weights.
#include <math.h>
#include <stdio.h>

#include "replay_inside.h"

typedef struct {
    char magic[8];
    uint32_t order; // of bytes
    int32_t layout, n_agents, n_observed, n_state, n_fixed;
    uint64_t map; // hash
    int64_t capacity, stride;
    int64_t n, next;
    int64_t weights; // 1 = weights follow the rows
    double largest;
} FileHead;

static uint64_t map_hash(const SlReplaySetup *setup) {
    uint64_t hash = SL_FNV_START;
    for (int i = 0; setup->map && i < setup->n_agents * setup->n_observed; i++) {
        hash = sl_fnv_add(hash, (uint16_t)setup->map[i].plus);
        hash = sl_fnv_add(hash, (uint16_t)setup->map[i].minus);
    }
    return hash;
}

static FileHead head_of(const SlReplay *replay) {
    const SlReplaySetup *setup = &replay->setup;
    FileHead head;
    memset(&head, 0, sizeof head);
    memcpy(head.magic, "SLREPLAY", sizeof head.magic);
    head.order = 0x01020304;
    head.layout = (int32_t)setup->layout;
    head.n_agents = setup->n_agents;
    head.n_observed = setup->n_observed;
    head.n_state = setup->n_state;
    head.n_fixed = setup->n_fixed;
    head.map = map_hash(setup);
    head.capacity = setup->capacity;
    head.stride = (int64_t)replay->plan.stride;
    head.n = replay->n;
    head.next = replay->next;
    head.weights = replay->tree.nodes != NULL;
    head.largest = replay->tree.largest;
    return head;
}

SlStatus sl_replay_save(const SlReplay *replay, void *file, SlError *err) {
    const FileHead head = head_of(replay);
    const size_t row = replay->plan.stride * sizeof(float), n = (size_t)replay->n;
    bool good = fwrite(&head, sizeof head, 1, file) == 1;
    for (int b = 0; good && b < replay->n_buffers; b++)
        good = fwrite(replay->buffers[b].at, row, n, file) == n;
    if (good && replay->tree.nodes)
        good = fwrite(replay->tree.nodes + replay->tree.n_leaves, sizeof(double), n, file) == n;
    return good ? SL_OK : sl_fail(err, SL_EIO, "the replay cannot be written");
}

// NULL, or why what the header speaks of cannot go into this replay
static const char *check_head(const SlReplay *replay, const FileHead *head) {
    const FileHead own = head_of(replay);
    if (memcmp(head->magic, own.magic, sizeof own.magic) != 0) return "this is not a saved replay";
    if (head->order != own.order) return "the replay was saved on a machine with other byte order";
    if (head->layout != own.layout) return "the replay was saved in another layout";
    if (head->n_agents != own.n_agents || head->n_observed != own.n_observed ||
        head->n_state != own.n_state || head->n_fixed != own.n_fixed ||
        head->stride != own.stride || head->map != own.map)
        return "the replay was saved from another environment";
    if (head->capacity != own.capacity) return "the replay was saved with another capacity";
    if (head->weights != own.weights)
        return own.weights ? "the replay was saved without priorities"
                           : "the replay was saved with priorities";
    const bool full = head->n == head->capacity;
    if (head->n < 0 || head->n > head->capacity || head->next < 0 || head->next >= head->capacity ||
        (!full && head->next != head->n))
        return "the saved replay has an impossible number of transitions";
    if (own.weights && !(head->largest > 0 && isfinite(head->largest)))
        return "the saved replay has an impossible priority";
    return NULL;
}

static void forget_weights(PriorityTree *tree) {
    if (!tree->nodes) return;
    memset(tree->nodes, 0, 2 * (size_t)tree->n_leaves * sizeof(double));
    tree->largest = 1;
}

static const char *read_weights(PriorityTree *tree, size_t n, double largest, FILE *file) {
    double *leaves = tree->nodes + tree->n_leaves;
    if (fread(leaves, sizeof(double), n, file) != n) return "the saved replay is cut off";
    for (size_t i = 0; i < n; i++)
        if (!(leaves[i] >= 0 && leaves[i] <= largest))
            return "the saved replay has an impossible priority";
    tree->largest = largest;
    sl_priority_rebuild(tree);
    return n == 0 || tree->nodes[1] > 0 ? NULL : "the saved replay has an impossible priority";
}

SlStatus sl_replay_load(SlReplay *replay, void *file, SlError *err) {
    FileHead head;
    const bool there = fread(&head, sizeof head, 1, file) == 1;
    const char *wrong = there ? check_head(replay, &head) : "the saved replay is cut off";
    const size_t row = replay->plan.stride * sizeof(float), n = wrong ? 0 : (size_t)head.n;
    replay->n = replay->next = 0;
    forget_weights(&replay->tree);
    for (int b = 0; !wrong && b < replay->n_buffers; b++)
        if (fread(replay->buffers[b].at, row, n, file) != n) wrong = "the saved replay is cut off";
    if (!wrong && replay->tree.nodes) wrong = read_weights(&replay->tree, n, head.largest, file);
    if (wrong) {
        forget_weights(&replay->tree);
        return sl_fail(err, SL_EINPUT, "%s", wrong);
    }
    replay->n = head.n;
    replay->next = head.next;
    return SL_OK;
}

// dendro.c - agglomerative clustering: a tree of merges, its cut and its leaves.
//
// Single linkage grows the minimum spanning tree point by point (Prim 1957; Gower & Ross 1969). The
// others follow chains of nearest neighbours, which end in pairs that are each other's nearest
// (Murtagh 1983; Muellner 2011), with the updates of Lance & Williams (1967). Both take O(n^2)
// steps. They find merges in an order of their own, so these are sorted by height, stably, and then
// named by union-find. Where distances tie, the choices are SciPy's.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "starling/assign.h"

const char *const sl_linkage_names[SL_N_LINKAGES + 1] = {"ward", "average", "complete", "single",
                                                         NULL};

// What a build works on. Clusters live in the slots of their points.
typedef struct {
    SlLinkage linkage;
    int n;
    double *d;      // (n, n) distances between live slots
    int *size;      // (n) points in each slot; 0 = merged into another
    int *chain;     // (n) each the nearest neighbour of the one before
    int *parent;    // (2n - 1) union-find over cluster ids
    SlMerge *merge; // (n - 1) in the order of finding, between slots
    SlMerge *spare; // (n - 1)
} Build;

// ---- single linkage ----

// the point outside the tree that is nearest to it; ties go to the lowest
static int nearest_outside(int n, const int *size, const double *reach) {
    int nearest = -1;
    for (int i = 0; i < n; i++)
        if (size[i] && (nearest < 0 || reach[i] < reach[nearest])) nearest = i;
    return nearest;
}

// grow a minimum spanning tree from point 0; its edges are the merges. Row 0 of `d` becomes the
// distance of each point to the tree.
static void grow_spanning_tree(Build *build) {
    int n = build->n, from = 0;
    double *reach = build->d;
    build->size[0] = 0;
    for (int m = 0; m < n - 1; m++) {
        int to = nearest_outside(n, build->size, reach);
        build->merge[m] = (SlMerge){.left = from, .right = to, .height = reach[to]};
        build->size[to] = 0;
        const double *row = build->d + (size_t)to * (size_t)n;
        for (int i = 0; i < n; i++) reach[i] = fmin(reach[i], row[i]);
        from = to;
    }
}

// ---- nearest-neighbour chains ----

// distance of the union of clusters x and y, `xy` apart, from cluster i
static double united(SlLinkage linkage, double xi, double yi, double xy, const int size[3]) {
    double nx = size[0], ny = size[1], ni = size[2];
    if (linkage == SL_LINK_COMPLETE) return fmax(xi, yi);
    if (linkage == SL_LINK_AVERAGE) return (nx * xi + ny * yi) / (nx + ny);
    // never the root of less than 0: x and y are nearest, so xi >= xy and yi >= xy
    double share = 1 / (nx + ny + ni);
    return sqrt((ni + nx) * share * xi * xi + (ni + ny) * share * yi * yi - ni * share * xy * xy);
}

// the live slot nearest to x; a tie goes to `previous` (-1 = none), then to the lowest
static int nearest_slot(const Build *build, int x, int previous) {
    const double *row = build->d + (size_t)x * (size_t)build->n;
    int nearest = previous;
    for (int i = 0; i < build->n; i++) {
        if (!build->size[i] || i == x) continue;
        if (nearest < 0 || row[i] < row[nearest]) nearest = i;
    }
    return nearest;
}

// merge slot x into slot y
static void merge_slots(Build *build, int x, int y) {
    int n = build->n;
    double *to_x = build->d + (size_t)x * (size_t)n, *to_y = build->d + (size_t)y * (size_t)n;
    int *size = build->size;
    int nx = size[x], ny = size[y];
    size[x] = 0;
    size[y] = nx + ny;
    for (int i = 0; i < n; i++) {
        if (!size[i] || i == y) continue;
        to_y[i] = united(build->linkage, to_x[i], to_y[i], to_x[y], (int[]){nx, ny, size[i]});
        build->d[(size_t)i * (size_t)n + (size_t)y] = to_y[i];
    }
}

static void follow_chains(Build *build) {
    int n = build->n, length = 0;
    int *chain = build->chain;
    for (int m = 0; m < n - 1; m++) {
        // what is left of the last chain still holds; else start at the lowest live slot
        if (length == 0) {
            chain[0] = 0;
            while (!build->size[chain[0]]) chain[0]++;
            length = 1;
        }
        // walk to ever nearer neighbours until two are each other's
        for (;;) {
            int previous = length > 1 ? chain[length - 2] : -1;
            int next = nearest_slot(build, chain[length - 1], previous);
            if (next == previous) break;
            chain[length++] = next;
        }
        length -= 2;
        int a = chain[length], b = chain[length + 1];
        int x = a < b ? a : b, y = a < b ? b : a;
        double height = build->d[(size_t)x * (size_t)n + (size_t)y];
        build->merge[m] = (SlMerge){.left = x, .right = y, .height = height};
        merge_slots(build, x, y);
    }
}

// ---- the tree ----

// merge sort by height; equal heights keep their order
static void sort_merges(int n, SlMerge *merge, SlMerge *spare) {
    if (n < 2) return;
    int half = n / 2;
    sort_merges(half, merge, spare);
    sort_merges(n - half, merge + half, spare);
    memcpy(spare, merge, (size_t)half * sizeof *merge);
    for (int i = 0, j = half, k = 0; i < half; k++)
        merge[k] = j < n && merge[j].height < spare[i].height ? merge[j++] : spare[i++];
}

static int root_of(int *parent, int id) {
    while (parent[id] != id) id = parent[id] = parent[parent[id]];
    return id;
}

// give the sorted merges the ids of the clusters they join
static void name_merges(Build *build, SlMerge *tree) {
    int n = build->n;
    int *parent = build->parent;
    for (int id = 0; id < 2 * n - 1; id++) parent[id] = id;
    for (int m = 0; m < n - 1; m++) {
        int a = root_of(parent, build->merge[m].left), b = root_of(parent, build->merge[m].right);
        int size_a = a < n ? 1 : tree[a - n].size, size_b = b < n ? 1 : tree[b - n].size;
        tree[m] = (SlMerge){.left = a < b ? a : b,
                            .right = a < b ? b : a,
                            .height = build->merge[m].height,
                            .size = size_a + size_b};
        parent[a] = parent[b] = n + m;
    }
}

static bool make_room(Build *build, SlArena *scratch) {
    int n = build->n;
    build->d = SL_NEW(scratch, (size_t)n * (size_t)n, double);
    build->size = SL_NEW(scratch, n, int);
    build->chain = SL_NEW(scratch, n, int);
    build->parent = SL_NEW(scratch, 2 * n - 1, int);
    build->merge = SL_NEW(scratch, n - 1, SlMerge);
    build->spare = SL_NEW(scratch, n - 1, SlMerge);
    return build->d && build->size && build->chain && build->parent && build->merge && build->spare;
}

SlStatus sl_dendro_build(SlLinkage linkage, int n, const double *d, SlArena *scratch,
                         SlMerge *tree) {
    assert(n >= 1 && n <= SL_DENDRO_MAX && linkage >= 0 && linkage < SL_N_LINKAGES);
    size_t mark = sl_arena_mark(scratch);
    Build build = {.linkage = linkage, .n = n};
    SlStatus status = make_room(&build, scratch) ? SL_OK : SL_ENOMEM;
    if (status == SL_OK) {
        // every point starts as its own cluster
        memcpy(build.d, d, (size_t)n * (size_t)n * sizeof *d);
        for (int i = 0; i < n; i++) build.size[i] = 1;
        if (linkage == SL_LINK_SINGLE)
            grow_spanning_tree(&build);
        else
            follow_chains(&build);
        sort_merges(n - 1, build.merge, build.spare);
        name_merges(&build, tree);
    }
    sl_arena_rewind(scratch, mark);
    return status;
}

void sl_dendro_cut(int n, const SlMerge *tree, int n_clusters, int *cluster) {
    assert(n >= 1 && n <= SL_DENDRO_MAX && n_clusters >= 1 && n_clusters <= n);
    // from the last merge that is kept down: parts belong to what their union belongs to
    int root[2 * SL_DENDRO_MAX] = {0};
    int n_kept = n - n_clusters;
    for (int id = 0; id < n + n_kept; id++) root[id] = id;
    for (int m = n_kept - 1; m >= 0; m--) root[tree[m].left] = root[tree[m].right] = root[n + m];

    // number the clusters in the order of first points
    int number[2 * SL_DENDRO_MAX] = {0}, n_found = 0;
    for (int i = 0; i < n; i++) {
        if (!number[root[i]]) number[root[i]] = ++n_found;
        cluster[i] = number[root[i]] - 1;
    }
}

int sl_dendro_count(int n, const SlMerge *tree, double height) {
    int n_kept = 0; // heights never decrease
    while (n_kept < n - 1 && tree[n_kept].height <= height) n_kept++;
    return n - n_kept;
}

void sl_dendro_leaves(int n, const SlMerge *tree, int *leaves) {
    assert(n >= 1 && n <= SL_DENDRO_MAX);
    // a cluster's points stand together: those of its left part, then those of its right part
    int start[2 * SL_DENDRO_MAX];
    start[2 * n - 2] = 0;
    for (int m = n - 2; m >= 0; m--) {
        int left = tree[m].left, right = tree[m].right;
        start[left] = start[n + m];
        start[right] = start[n + m] + (left < n ? 1 : tree[left - n].size);
    }
    for (int i = 0; i < n; i++) leaves[start[i]] = i;
}

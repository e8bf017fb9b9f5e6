// assign.h - which parameters belong together: correlation, agglomerative clustering, agents
// (Algorithm 1 of the mapping paper).
//
// Flow: columns of samples -> sl_assign_top (the best share) -> sl_correlations -> sl_distances ->
//       sl_dendro_build -> sl_dendro_count (agents below a height) -> sl_dendro_cut -> one agent
//       per parameter -> sl_partition_agreement (with another cut).
#pragma once

#include "starling/core.h"

SL_API_BEGIN

enum { SL_DENDRO_MAX = 4096 }; // most points in one tree

// Indices of n scores (lower is better; ties go to the earlier; NaN last) into `rows` (n), best
// first; returns how many of them are the best share, ceil(share * n). 0 < share <= 1.
int sl_assign_top(int n, const double *scores, double share, int *rows);

// A parameter enters as one or more columns: ordinals as their index, permutations as the position
// of each item, categoricals as one indicator per value. r of two parameters with one column each
// is Pearson's; else it is 0..1, from the mean squared correlation of their columns, relative to
// that inside each of them, so that a parameter and its copy have 1 (docs/assign.md).
typedef struct {
    int n_rows, n_params;
    const int *first;     // (n_params + 1) first column of each parameter; the last = n_columns
    const double *values; // (n_columns, n_rows)
} SlColumns;

// r (n_params, n_params): symmetric, ones on the diagonal, 0 where a side is constant.
void sl_correlations(const SlColumns *columns, double *r);

typedef enum {
    SL_METRIC_ROWS_OBJECTIVE, // rows of the matrix, with what each has to do with the objective
    SL_METRIC_ROWS,           // rows of the matrix
    SL_METRIC_ONE_MINUS_R,
    SL_N_METRICS
} SlMetric;
typedef enum {
    SL_LINK_WARD,
    SL_LINK_AVERAGE,
    SL_LINK_COMPLETE,
    SL_LINK_SINGLE,
    SL_N_LINKAGES
} SlLinkage;
extern const char *const sl_metric_names[SL_N_METRICS + 1];   // "rows+objective", "rows", "1-|r|"
extern const char *const sl_linkage_names[SL_N_LINKAGES + 1]; // "ward" ...

// d (n, n): Euclidean distance between rows of r (n, n), with `objective` (n) as one more column of
// it where the metric asks for that, or 1 - |r|. Symmetric, zero diagonal.
void sl_distances(SlMetric metric, int n, const double *r, const double *objective, double *d);

// One merge in a tree of n points. Ids below n are points; id n+i is the cluster of merge i.
typedef struct {
    int left, right; // ids of the two merged clusters, left < right
    double height;   // distance between them; never decreases from merge to merge
    int size;        // points below
} SlMerge;

// Fill `tree` (n-1) as SciPy's linkage does, ties included. `d` (n, n) is symmetric, finite and
// >= 0. `scratch` is used and given back; SL_ENOMEM if it is too small.
SlStatus sl_dendro_build(SlLinkage linkage, int n, const double *d, SlArena *scratch,
                         SlMerge *tree);

// Cut into `n_clusters` (1..n) by undoing the last merges: cluster[i] (n) is numbered in the order
// of first points.
void sl_dendro_cut(int n, const SlMerge *tree, int n_clusters, int *cluster);

// Clusters that are left when every merge above `height` is undone, 1..n.
int sl_dendro_count(int n, const SlMerge *tree, double height);

// The points from left to right when the tree is drawn, as SciPy's dendrogram (no sorting).
void sl_dendro_leaves(int n, const SlMerge *tree, int *leaves);

// How far two partitions of n points agree: the adjusted Rand index (Hubert & Arabie 1985), 1 =
// they are the same, 0 = as much as by chance. Clusters are numbers from 0 to n - 1. 1 where both
// have one cluster, or n of them: there is nothing to disagree about.
double sl_partition_agreement(int n, const int *a, const int *b);

SL_API_END

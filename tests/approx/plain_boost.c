// plain_boost.c - boosted trees once more, under other names, for the plain instruction set of the
// architecture.
#define SL_NO_CLONES
#define sl_boost_defaults plain_boost_defaults
#define sl_boost_make plain_boost_make
#define sl_boost_fit plain_boost_fit
#define sl_boost_n_trees plain_boost_n_trees
#define sl_boost_predict plain_boost_predict
#define sl_boost_leaf plain_boost_leaf
#define sl_boost_trees plain_boost_trees
#define sl_boost_trees_predict plain_boost_trees_predict
#define sl_boost_recall plain_boost_recall
#define sl_boost_recall_ranked plain_boost_recall_ranked
#define sl_boost_sort plain_boost_sort
#define sl_boost_bin plain_boost_bin
#define sl_boost_order plain_boost_order
#define sl_boost_draw plain_boost_draw
#define sl_boost_squared plain_boost_squared
#define sl_boost_ranked plain_boost_ranked
#define sl_boost_grow plain_boost_grow

// NOLINTBEGIN(bugprone-suspicious-include)
#include "approx/boost.c"
#include "approx/boost_bins.c"
#include "approx/boost_grow.c"
#include "approx/boost_loss.c"
#include "approx/boost_predict.c"
#include "approx/boost_recall.c"
// NOLINTEND(bugprone-suspicious-include)

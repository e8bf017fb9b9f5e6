// dense_copy.h - the code of batched networks once more, under names that COPY(name) makes.
//
// Included once per copy, behind support/double_real.h, with SL_NO_CLONES set, or neither.
#define sl_gemm COPY(gemm)
#define sl_gemm_has COPY(gemm_has)
#define sl_gemm_run COPY(gemm_run)
#define sl_gemm_run_with COPY(gemm_run_with)
#define sl_dense_forward COPY(dense_forward)
#define sl_dense_gradient COPY(dense_gradient)
#define sl_dense_back COPY(dense_back)
#define sl_dense_turn COPY(dense_turn)
#define sl_mlp_init_uniform COPY(mlp_init_uniform)
#define sl_gumbel_softmax COPY(gumbel_softmax)
#define sl_softmax_back COPY(softmax_back)
#define sl_softmax_entropy COPY(softmax_entropy)
#define sl_softmax_entropy_back COPY(softmax_entropy_back)
#define sl_philox_eval COPY(philox_eval)
#define sl_noise_init COPY(noise_init)
#define sl_noise_uniform COPY(noise_uniform)
#define sl_train_step COPY(train_step)
#define sl_soft_update COPY(soft_update)

// the sources, in one piece
#include "approx/dense.c"
#include "approx/gemm.c"
#include "approx/gumbel.c"
#include "approx/noise.c"
#include "approx/train.c"

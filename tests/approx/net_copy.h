// net_copy.h - the code of networks once more, under names that COPY(name) makes.
//
// Included once per copy, behind support/double_real.h, with SL_NO_CLONES set, or neither; see
// net_copies.h.
#define sl_product_eval COPY(product_eval)
#define sl_transpose COPY(transpose)
#define sl_activate COPY(activate)
#define sl_activate_back COPY(activate_back)
#define sl_mlp_params COPY(mlp_params)
#define sl_mlp_work COPY(mlp_work)
#define sl_mlp_init COPY(mlp_init)
#define sl_mlp_scale_last COPY(mlp_scale_last)
#define sl_mlp_forward COPY(mlp_forward)
#define sl_mlp_backward COPY(mlp_backward)
#define sl_adam_make COPY(adam_make)
#define sl_adam_reset COPY(adam_reset)
#define sl_adam_step COPY(adam_step)
#define sl_clip_norm COPY(clip_norm)

// the sources, in one piece
#include "approx/activate.c"
#include "approx/adam.c"
#include "approx/mlp.c"
#include "approx/product.c"

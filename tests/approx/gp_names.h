// gp_names.h - the code of Gaussian processes once more, under other names: for the plain
// instruction set of the architecture, and with the sanitizers of the build.
#pragma once

#define SL_NO_CLONES
#define sl_gp_make plain_gp_make
#define sl_gp_n plain_gp_n
#define sl_gp_n_params plain_gp_n_params
#define sl_gp_params plain_gp_params
#define sl_gp_clear plain_gp_clear
#define sl_gp_add plain_gp_add
#define sl_gp_drop plain_gp_drop
#define sl_gp_teach plain_gp_teach
#define sl_gp_set plain_gp_set
#define sl_gp_evidence plain_gp_evidence
#define sl_gp_gradient plain_gp_gradient
#define sl_gp_fit plain_gp_fit
#define sl_gp_predict plain_gp_predict
#define sl_gp_distances plain_gp_distances
#define sl_gp_pull plain_gp_pull
#define sl_gp_weigh plain_gp_weigh
#define sl_matern plain_matern
#define sl_upper_factor plain_upper_factor
#define sl_upper_solve plain_upper_solve
#define sl_upper_invert plain_upper_invert
#define sl_upper_forward plain_upper_forward
#define sl_upper_back plain_upper_back
#define sl_lower_subtract plain_lower_subtract

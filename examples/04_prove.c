// 04_prove.c - the best mapping of a layer, and the proof that it is the best of its space.
#include <stdio.h>

#include "starling/study.h"

int main(void) {
    SlArena arena;
    SlNetwork net;
    SlAccel accel;
    SlSpace space;
    SlSpaceOptions options = {.preset = SL_SPACE_NATIVE};
    SlError err;
    sl_arena_init(&arena, 0);
    int code = 1;
    if (sl_workload_find("mobilenet_v2:block8_dw", 1, &arena, &net, &err) != SL_OK ||
        sl_accel_find("eyeriss", &arena, &accel, &err) != SL_OK ||
        sl_space_make(net.layers, &accel, &options, &arena, &space, &err) != SL_OK) {
        fprintf(stderr, "%s\n", err.text);
        goto done;
    }
    // no mapping of the space may be better by more than 0.5 %
    SlProveSetup setup = {.space = &space, .finder = sl_method_find("local"), .epsilon = 0.005};
    SlProof proof;
    if (sl_goal_parse("edp", &setup.goal, &err) != SL_OK ||
        sl_prove(&setup, NULL, NULL, &arena, &proof, &err) != SL_OK) {
        fprintf(stderr, "%s\n", err.text);
        goto done;
    }
    char nest[SL_NEST_TEXT_MAX];
    printf("%s\n", sl_mapping_write(&proof.mapping, sizeof nest, nest));
    printf("edp %.6g, no mapping is below %.6g: %s, gap %.2f %%\n", proof.value, proof.lower_bound,
           sl_proof_names[proof.status], 100 * proof.gap);

    // what a checker needs to prove it again
    SlText certificate;
    sl_text_init(&certificate, &arena);
    sl_certificate_write(&setup, &proof, &certificate);
    printf("certificate of %zu bytes for %d ways to spread\n", certificate.n, proof.n_branches);
    code = proof.gap <= 0.005 ? 0 : 1;
done:
    sl_arena_free(&arena);
    return code;
}

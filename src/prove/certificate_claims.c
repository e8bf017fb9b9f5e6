// certificate_claims.c - what a certificate claims, as plain values, and the name of its space.
#include <stdio.h>
#include <string.h>

#include "certificate_inside.h"

SlStatus sl_certificate_proven_space(const SlCertificate *certificate, SlArena *scratch,
                                     SlProvenSpace *out) {
    const SlSpace *space = &certificate->space;
    size_t mark = sl_arena_mark(scratch);
    *out = (SlProvenSpace){.preset = space->preset};
    out->narrowed = !sl_certificate_preset(space, &out->open, scratch);
    const char *others = out->narrowed ? sl_certificate_others(space, scratch) : "";
    size_t room = sizeof out->lists;
    if (others && strlen(others) >= room)
        snprintf(out->lists, room, "%.*s ...", (int)room - 5, others);
    else if (others)
        snprintf(out->lists, room, "%s", others);
    sl_arena_rewind(scratch, mark);
    return others ? SL_OK : SL_ENOMEM;
}

const char *sl_proven_space_text(const SlProvenSpace *space, size_t n, char *out) {
    const char *preset = sl_space_names[space->preset];
    if (space->narrowed) {
        snprintf(out, n, "a space narrowed by constraints%s%s (%s%s%s)",
                 space->constraints[0] ? " " : "", space->constraints, preset,
                 space->lists[0] ? " but for " : "", space->lists);
        return out;
    }
    size_t used = (size_t)snprintf(out, n, "the space %s", preset);
    const char *before = " with ";
    for (int d = 0; d < SL_N_DIMS && used < n; d++) {
        if (!(space->open >> d & 1)) continue;
        used += (size_t)snprintf(out + used, n - used, "%s%s", before, sl_dim_names[d]);
        before = " and ";
    }
    if (space->open && used < n) snprintf(out + used, n - used, " open");
    return out;
}

static SlStatus fill_claims(const SlCertificate *certificate, SlArena *arena,
                            SlProofClaims *claims) {
    SlText lists;
    *claims = (SlProofClaims){.layer = certificate->layer,
                              .accel = certificate->accel,
                              .goal = certificate->goal,
                              .mapping = certificate->mapping,
                              .latency_cycles = certificate->latency,
                              .energy_pj = certificate->energy,
                              .value = certificate->value,
                              .lower_bound = certificate->bound,
                              .epsilon = certificate->epsilon,
                              .n_branches = certificate->n_claims};
    sl_text_init(&lists, arena);
    sl_certificate_lists(&certificate->space, &lists);
    claims->lists = lists.data;
    if (lists.failed) return SL_ENOMEM;
    return sl_certificate_proven_space(certificate, arena, &claims->space);
}

SlStatus sl_certificate_claims(const char *name, const char *text, size_t n, SlArena *arena,
                               SlProofClaims *claims, SlError *err) {
    SlCertificate *certificate = SL_NEW(arena, 1, SlCertificate);
    if (!certificate) return sl_fail(err, SL_ENOMEM, "not enough memory for the certificate");
    SlStatus status = sl_certificate_read(name, text, n, arena, certificate, err);
    if (status != SL_OK) return status;
    status = fill_claims(certificate, arena, claims);
    return status == SL_OK ? SL_OK : sl_fail(err, status, "not enough memory for the certificate");
}

// prove.h - the exact mapper: branch and bound with an anytime bound (docs/optimum.md), and
// certificates that can be checked again.
//
// Flow: SlProveSetup -> sl_prove -> SlProof -> sl_certificate_write; sl_certificate_verify proves a
//       certificate again, sl_certificate_claims reads what it says, sl_certificates_bind compares
//       that with the results of a run. Whatever a proof finds is priced through a task.
#pragma once

#include "starling/task.h"

SL_API_BEGIN

typedef enum {
    SL_PROOF_OPTIMAL,   // the value is the least of the space (to 1e-7)
    SL_PROOF_WITHIN,    // the gap is at most epsilon
    SL_PROOF_STOPPED,   // time, nodes or an interruption ended it: the gap is what is proven so far
    SL_PROOF_OUTSIDE,   // the mapping given lies outside the space and is below its bound
    SL_PROOF_UNCOVERED, // no bound: `reason` says why
    SL_N_PROOFS
} SlProofStatus;
extern const char *const sl_proof_names[SL_N_PROOFS + 1]; // "optimal", "within", "stopped",
                                                          // "outside", "uncovered", NULL

typedef struct {
    const SlSpace *space;
    SlGoal goal;
    double epsilon;             // gap to prove, 0 = optimal; 0.005 = half a percent
    double seconds;             // wall time, 0 = no limit
    int64_t nodes;              // in all, 0 = no limit
    const SlMapping *incumbent; // a mapping known already, NULL = a short search finds one
    const SlMethod *finder; // of that search, with its defaults; NULL = the default mapping alone
    uint64_t seed;          // of that search
    SlPool *pool;           // branches side by side; NULL = this thread. Same result
} SlProveSetup;

// How one branch was closed.
typedef struct {
    int branch;    // of SlBounds
    double bound;  // no mapping of the branch is below
    int64_t nodes; // 0 = by its first bound
} SlBranchProof;

typedef struct {
    double seconds, value, lower_bound;
} SlProofPoint;

typedef struct {
    SlProofStatus status;
    const char *reason; // SL_PROOF_UNCOVERED
    double value;       // of `mapping`
    double lower_bound; // no mapping of the space is below; 0 = none
    double gap;         // value / lower_bound - 1; 0 where the mapping is below the bound,
                        // INFINITY without a bound
    SlMapping mapping;  // the incumbent, or a better one
    bool improved;      // better than the incumbent given
    double start;       // value of the incumbent given, or of the one that the finder found
    int n_branches;
    SlBranchProof *branches; // (n_branches), in the order of SlBounds
    int64_t nodes;
    double seconds;
    int n_points;
    SlProofPoint *points; // (n_points) the gap over time
} SlProof;

// Called now and then by any thread of the pool, one at a time; true = stop soon. May be NULL.
typedef bool SlProveWatch(void *context, const SlProofPoint *now);

// Prove how good the incumbent is, or find a better one. SL_ENOMEM; SL_EINPUT if the incumbent is
// no mapping that fits. The results are in the arena.
SlStatus sl_prove(const SlProveSetup *setup, SlProveWatch *watch, void *context, SlArena *arena,
                  SlProof *proof, SlError *err);

// The certificate of a proof: everything a checker needs to prove it again
// (docs/formats/certificate.md). Only where there is a bound.
void sl_certificate_write(const SlProveSetup *setup, const SlProof *proof, SlText *out);

// Its lines `words` to the last `fanout`, and its lines `order` to the last list of the space: for
// documents that say which machine and which space they are about.
void sl_certificate_machine(const SlAccel *accel, SlText *out);
void sl_certificate_lists(const SlSpace *space, SlText *out);

// The space that a bound holds for.
typedef struct {
    SlSpacePreset preset;
    uint8_t open;    // dims tiled at every level besides those of the preset, bit d for dim d
    bool narrowed;   // by constraints: the bound holds for mappings that they allow only
    char lists[256]; // if narrowed: which lists are not those of the preset, "order 1, sizes 2 K"
    char constraints[64]; // if narrowed: what the run calls them, "" = a certificate does not say
} SlProvenSpace;

// "the space native", "the space native with R and S open", "a space narrowed by constraints NAME
// (native but for order 1, sizes 2 K)".
const char *sl_proven_space_text(const SlProvenSpace *space, size_t n, char *out);

// What a certificate says, and whether it is true: the mapping is priced, the branches are listed
// anew and each is closed again. SL_EINPUT with the line where it cannot be read; a false claim is
// not an error but a verdict.
typedef struct {
    bool valid;
    char reason[256]; // the first claim that does not hold
    double value, lower_bound, gap;
    int n_branches;
    int64_t nodes; // walked
    char layer[128], accel[64], goal[64];
    SlProvenSpace space;
} SlVerdict;
SlStatus sl_certificate_verify(const char *name, const char *text, size_t n, SlPool *pool,
                               SlArena *arena, SlVerdict *verdict, SlError *err);

// What a certificate claims, as plain values. Nothing of it is proven by reading it.
typedef struct {
    SlLayer layer; // without name; the words are those of `accel`
    SlAccel accel;
    SlGoal goal;
    SlProvenSpace space;
    const char *lists; // as sl_certificate_lists writes them, in the arena
    SlMapping mapping;
    double latency_cycles, energy_pj, value, lower_bound, epsilon;
    int n_branches;
} SlProofClaims;
SlStatus sl_certificate_claims(const char *name, const char *text, size_t n, SlArena *arena,
                               SlProofClaims *claims, SlError *err);

// One result of a run, as its documents say it.
typedef struct {
    const char *certificate; // file of its proof; NULL = the run does not say which
    SlLayer layer;
    const SlAccel *accel;
    const char *machine; // of sl_certificate_machine, as the document has it; NULL = it has none
    SlGoal goal;
    SlSpacePreset preset;
    uint8_t open;
    bool constrained;
    const char *lists; // if constrained: of sl_certificate_lists; NULL = the document has none
    SlMapping mapping;
    double latency_cycles, energy_pj, value;
    double lower_bound, gap; // lower_bound 0 = none, and no certificate is expected
    SlProofStatus status;    // SL_N_PROOFS = nothing was to be proven
    double epsilon;
} SlRunResult;

typedef struct {
    const char *name;
    const SlProofClaims *claims; // NULL = it cannot be read
} SlRunCertificate;

// What becomes of a result.
typedef struct {
    int file;         // its certificate, -1 = none
    bool missing;     // there is a lower bound and no certificate for it
    char reason[512]; // the first thing that the certificate, or the result itself, contradicts
} SlBinding;

// Find the certificate of every result and compare them by content: layer, machine, goal, space,
// mapping, costs, value, bound, gap, status. Whether the certificate is true is another question.
// `bindings` (n_results); `owners` (n_files): the result that a certificate belongs to, -1 = none.
// SL_ENOMEM.
typedef struct {
    int n_results, n_files;
    const SlRunResult *results;    // (n_results)
    const SlRunCertificate *files; // (n_files)
} SlRunProofs;
SlStatus sl_certificates_bind(const SlRunProofs *run, SlArena *scratch, SlBinding *bindings,
                              int *owners);

SL_API_END

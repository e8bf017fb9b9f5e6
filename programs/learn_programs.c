// learn_programs.c - what teaching by programs needs: the core of VTA, the compiler for this
// processor, layers of which a measurement is short.
#include "learn_programs.h"

// on a processor: of layers that are drawn, so that a measurement takes milliseconds
static const double LEAST_MACS = 1e6, MOST_MACS = 1e8;

const SlTaskKind *learn_programs_kind(const char *name) {
    const SlTaskKind *kind = sl_task_kind_find(name);
    return kind && !kind->maps ? kind : NULL;
}

const char *learn_programs_idle(const SlTaskKind *kind) {
    return kind == &sl_kind_vta ? "evaluator-copies evaluator-timeout objective accels machines "
                                  "space open constraints"
                                : "evaluator-copies evaluator-timeout objective accels machines "
                                  "space open constraints core";
}

SlStatus learn_programs_read(const SlTaskKind *kind, const char *core, LearnPrograms *programs,
                             SlTeachSetup *setup, SlError *err) {
    SlError inside;
    setup->kind = kind;
    sl_vta_core_init(&programs->vta.core);
    if (core && sl_vta_core_parse(core, &programs->vta.core, &inside) != SL_OK)
        return sl_fail(err, SL_EINPUT, "--core: %s", inside.text);
    setup->kind_options = &programs->vta;
    if (kind == &sl_kind_vta) return SL_OK;
    programs->cpu = (SlCpuOptions){.threads = 1, .bench = &programs->bench};
    setup->kind_options = &programs->cpu;
    setup->macs[0] = LEAST_MACS;
    setup->macs[1] = MOST_MACS;
    return sl_compiler_init(&programs->bench.compiler, NULL, err);
}

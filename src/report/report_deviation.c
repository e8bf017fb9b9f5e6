// report_deviation.c - recorded episodes played again, as a document: how far they end up.
#include "starling/report/training_doc.h"

SlDoc *sl_report_deviation(SlParticleRules rules, const SlDeviation *apart, SlArena *arena) {
    const char *name = sl_particle_rules_names[rules];
    const struct {
        const char *key, *label;
        double value;
    } rows[] = {{"pos_dev", "positions", apart->pos},
                {"vel_dev", "velocities", apart->vel},
                {"obs_dev", "observations", apart->obs},
                {"reward_dev", "rewards", apart->reward}};
    char episodes[SL_UNIT_ROOM], steps[SL_UNIT_ROOM];
    SlDoc *doc = sl_doc_make(arena, "env-replay", 1);
    sl_doc_words(doc, "%s episode%s, %s step%s, rules %s: largest absolute differences",
                 sl_unit_show(SL_UNIT_COUNT, apart->episodes, episodes),
                 apart->episodes == 1 ? "" : "s", sl_unit_show(SL_UNIT_COUNT, apart->steps, steps),
                 apart->steps == 1 ? "" : "s", name);
    sl_doc_string(doc, "rules", NULL, name);
    sl_doc_number(doc, "episodes", NULL, SL_UNIT_COUNT, apart->episodes);
    sl_doc_number(doc, "steps", NULL, SL_UNIT_COUNT, apart->steps);
    for (int i = 0; i < 4; i++) {
        sl_doc_number(doc, rows[i].key, rows[i].label, SL_UNIT_PLAIN, rows[i].value);
        sl_doc_shown(doc, "%.3g", rows[i].value);
    }
    return doc;
}

// engine_doc.c - everything that decides what a training engine learns, as keys of a document.
#include <math.h>

#include "doc_inside.h"
#include "starling/report/training_doc.h"

void sl_doc_engine(SlDoc *doc, const SlEngineSetup *s) {
    const SlParticleSetup *w = &s->world;
    bool near = s->sampling != SL_SAMPLE_UNIFORM;
    sl_doc_string(doc, "env", NULL, w->world->name);
    sl_doc_plain(doc, "agents", (double)w->n_agents);
    sl_doc_string(doc, "rules", NULL, sl_particle_rules_names[w->rules]);
    sl_doc_string(doc, "prey", NULL, w->world->scripts[w->script]);
    // only where they are given, so that runs of old keep their keys
    if (w->n_scripted != 0) sl_doc_plain(doc, "scripted", (double)w->n_scripted);
    if (w->n_landmarks != 0) sl_doc_plain(doc, "landmarks", (double)w->n_landmarks);
    if (w->shaping != 0) sl_doc_plain(doc, "shaping", w->shaping);
    sl_doc_plain(doc, "envs", (double)w->n_envs);
    sl_doc_plain(doc, "episode_steps", (double)w->episode_steps);
    sl_doc_string(doc, "algo", NULL, sl_algo_names[s->algo]);
    sl_doc_string(doc, "mode", NULL, sl_engine_mode_names[s->mode]);
    sl_doc_string(doc, "layout", NULL, sl_replay_layout_names[s->layout]);
    sl_doc_string(doc, "sampling", NULL, sl_sampling_names[s->sampling]);
    sl_doc_plain(doc, "neighbors", near ? (double)s->neighbors : (double)NAN);
    sl_doc_plain(doc, "capacity", (double)s->capacity);
    sl_doc_plain(doc, "batch", (double)s->batch);
    sl_doc_plain(doc, "hidden", (double)s->hidden);
    sl_doc_plain(doc, "rate", s->rate);
    sl_doc_plain(doc, "gamma", s->gamma);
    sl_doc_plain(doc, "tau", s->tau);
    sl_doc_plain(doc, "clip", s->clip);
    sl_doc_plain(doc, "regulariser", s->algo == SL_MADDPG ? s->regulariser : (double)NAN);
    sl_doc_plain(doc, "entropy", s->algo == SL_MASAC ? s->entropy : (double)NAN);
    sl_doc_plain(doc, "update_every", (double)s->update_every);
    sl_doc_plain(doc, "warm", (double)s->warm);
    sl_doc_plain(doc, "seed", (double)s->seed);
}

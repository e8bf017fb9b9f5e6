// train_json.c - what `starling train` came to as a JSON document (docs/formats/train-json.md).
#include <jansson.h>
#include <math.h>
#include <stdio.h>

#include "train.h"

static json_t *object(void) {
    return command_need(json_object());
}

void train_setup_json(const Train *train, json_t *to) {
    const SlEngineSetup *s = &train->setup;
    const SlParticleSetup *w = &s->world;
    json_put_text(to, "env", w->world->name);
    json_put(to, "agents", json_integer(w->n_agents));
    json_put_text(to, "rules", sl_particle_rules_names[w->rules]);
    json_put_text(to, "prey", w->world->scripts[w->script]);
    json_put(to, "envs", json_integer(w->n_envs));
    json_put(to, "episode_steps", json_integer(w->episode_steps));
    json_put_text(to, "algo", sl_algo_names[s->algo]);
    json_put_text(to, "mode", sl_engine_mode_names[s->mode]);
    json_put_text(to, "layout", sl_replay_layout_names[s->layout]);
    json_put_text(to, "sampling", sl_sampling_names[s->sampling]);
    json_put(to, "neighbors",
             s->sampling == SL_SAMPLE_UNIFORM ? json_null() : json_integer(s->neighbors));
    json_put(to, "capacity", json_integer(s->capacity));
    json_put(to, "batch", json_integer(s->batch));
    json_put(to, "hidden", json_integer(s->hidden));
    json_put_number(to, "rate", s->rate);
    json_put_number(to, "gamma", s->gamma);
    json_put_number(to, "tau", s->tau);
    json_put_number(to, "clip", s->clip);
    json_put_number(to, "regulariser", s->algo == SL_MADDPG ? s->regulariser : NAN);
    json_put_number(to, "entropy", s->algo == SL_MASAC ? s->entropy : NAN);
    json_put(to, "update_every", json_integer(s->update_every));
    json_put(to, "warm", json_integer(s->warm));
    json_put(to, "seed", json_integer((int64_t)s->seed));
}

static json_t *digest(const void *data, size_t n) {
    char text[RUN_KEY_ROOM];
    run_digest(data, n, text);
    return json_string(text);
}

static json_t *return_json(const SlReturn *value) {
    json_t *to = object();
    json_put_number(to, "mean", value->mean);
    json_put_number(to, "error", value->error);
    return to;
}

static json_t *evaluation_json(const Train *train) {
    json_t *to = object();
    json_put(to, "episodes", json_integer(train->options->trials));
    json_put(to, "noisy", return_json(&train->trials.noisy));
    json_put(to, "greedy", return_json(&train->trials.greedy));
    json_put(to, "random", return_json(&train->trials.random));
    return to;
}

static json_t *learning_json(const Train *train) {
    json_t *to = object();
    TrainVerdict verdict = train_judge(train);
    json_put_text(to, "verdict", train_learnt_names[verdict.learnt]);
    json_put(to, "episodes", json_integer(verdict.episodes));
    json_put(to, "last", return_json(&verdict.last));
    json_put_text(to, "sentence", verdict.sentence);
    return to;
}

static json_t *returns_json(const Train *train) {
    json_t *list = command_need(json_array());
    for (int64_t i = 0; i < train_blocks(train); i++)
        json_add(list, sl_json_number(train_block(train, i)));
    return list;
}

// what the clock says, of this run alone
static json_t *speed_json(const Train *train) {
    json_t *to = object(), *phases = object();
    int64_t steps = train->now.steps - train->first_step;
    json_put(to, "from_episode", json_integer(train->resumed));
    json_put(to, "steps", json_integer(steps));
    json_put_number(to, "seconds", train->seconds);
    json_put_number(to, "steps_per_second", steps > 0 ? (double)steps / train->seconds : NAN);
    for (int p = 0; p < SL_N_PHASES; p++)
        json_put_number(phases, sl_phase_names[p], train->now.seconds[p]);
    json_put(to, "phase_seconds", phases);
    return to;
}

json_t *train_json(const Train *train) {
    json_t *document = command_need(sl_json_document("train", 1)), *setup = object();
    const SlReal *weights;
    size_t n = sl_engine_weights(train->engine, &weights);
    train_setup_json(train, setup);
    json_put_text(document, "key", train->key);
    json_put(document, "setup", setup);
    json_put(document, "finished", json_boolean(train_finished(train)));
    json_put(document, "episodes", json_integer(train->now.episodes));
    json_put(document, "steps", json_integer(train->now.steps));
    json_put(document, "rounds", json_integer(train->now.rounds));
    json_put(document, "weights", json_integer((json_int_t)n));
    json_put(document, "weights_digest", digest(weights, n * sizeof *weights));
    json_put(document, "returns_digest",
             digest(sl_engine_returns(train->engine), (size_t)train->now.episodes * sizeof(float)));
    json_put(document, "block", json_integer(TRAIN_BLOCK));
    json_put(document, "returns", returns_json(train));
    json_put(document, "evaluation", evaluation_json(train));
    json_put(document, "learning", learning_json(train));
    json_put(document, "speed", speed_json(train));
    return document;
}

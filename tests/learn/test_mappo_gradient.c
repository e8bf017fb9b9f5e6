// test_mappo_gradient.c - the losses of actors and critics against central
// differences in doubles, advantages against their definition. The sources are
// compiled here once more, in that precision.
#include "support/double_real.h"

#include "approx/activate.c"
#include "approx/adam.c"
#include "approx/mlp.c"
#include "approx/product.c"
#include "learn/mappo.c"

#include "support/check.h"
#include "support/toy_task.h"

enum { KNOBS = 5, ENVS = 3, STEPS = 7, TURNS = ENVS * STEPS };
static const int VALUES[KNOBS] = {4, 5, 3, 6, 2};
static const int AGENTS[KNOBS] = {0, 2, 0, 1, 2};

typedef struct {
    SlArena arena;
    ToyTask toy;
    SlMappo *m;
    int index[TURNS];
} World;

static World w;

static double hill(const SlSpace *space, const int32_t *point) {
    (void)space;
    double sum = 0;
    for (int k = 0; k < KNOBS; k++) sum += (k + 1) * sin(1.3 * point[k] + k);
    return sum / 5;
}

static void model(void *context, int n, const int32_t *points, double *scores) {
    for (int i = 0; i < n; i++) scores[i] = hill(context, points + (ptrdiff_t)i * KNOBS);
}

// a rollout, and policies that moved since
static void begin(SlMappoCritic critic, bool single, double move) {
    memset(&w, 0, sizeof w);
    sl_arena_init(&w.arena, 0);
    toy_task_init(&w.toy, KNOBS, VALUES);
    w.toy.value = hill;
    for (int k = 0; k < KNOBS; k++) w.toy.params[k].profession = AGENTS[k];
    w.toy.task.setup.layer = &w.toy.task.layer;
    for (int d = 0; d < SL_N_DIMS; d++) w.toy.task.layer.dims[d] = 1 << d;
    SlCodesignEnvSetup setup = {
        .task = &w.toy.task, .n_envs = ENVS, .episode_steps = 4, .single = single, .model = model};
    SlEnv *env = sl_codesign_env_make(&setup, &w.arena);
    SlMappoOptions options = {.steps = STEPS,
                              .hidden = 6,
                              .actor_layers = 2,
                              .critic_layers = 2,
                              .gamma = 0.9,
                              .lambda = 0.8,
                              .clip = 0.2,
                              .value_weight = 0.7,
                              .temperature = 0.6,
                              .minibatch = TURNS,
                              .critic = critic}; // rate 0: nothing moves
    w.m = sl_mappo_make(env, &options, 3, "gradient", &w.arena);
    assert_non_null(w.m);
    for (int round = 0; round < 2; round++) sl_mappo_walk(w.m);
    for (int c = 0; c < w.m->n_critics; c++) estimate(w.m, c);
    SlRng rng;
    sl_rng_init(&rng, 5, "move");
    for (int i = 0; i < TURNS; i++) w.index[i] = i;
    sl_rng_shuffle(&rng, TURNS, w.index);
    for (int a = 0; a < w.m->n_agents; a++)
        for (size_t i = 0; i < sl_mlp_params(&w.m->actors[a].policy.shape); i++)
            w.m->actors[a].policy.params[i] += move * sl_rng_normal(&rng);
    for (int c = 0; c < w.m->n_critics; c++)
        for (size_t i = 0; i < sl_mlp_params(&w.m->critics[c].shape); i++)
            w.m->critics[c].params[i] += move * sl_rng_normal(&rng);
}

static void end(void) {
    sl_arena_free(&w.arena);
}

// ---- losses, as the comment of the file has them ----

static double actor_loss(int agent, int n, double entropy, int *n_clipped) {
    const Actor *actor = &w.m->actors[agent];
    int seen = w.m->shape->n_observed, critic = w.m->n_critics == 1 ? 0 : agent;
    double loss = 0;
    *n_clipped = 0;
    for (int i = 0; i < n; i++) {
        ptrdiff_t row = w.index[i];
        SlReal x[KNOBS + SL_N_DIMS], work[4096];
        for (int j = 0; j < seen; j++)
            x[j] = (SlReal)w.m->seen[(row * w.m->n_agents + agent) * seen + j];
        assert_true(sl_mlp_work(&actor->policy.shape, 1) <= 4096);
        const SlReal *out = sl_mlp_forward(&actor->policy.shape, actor->policy.params, 1, x, work);
        double logp = 0, h = 0;
        for (int k = 0; k < actor->n_heads; k++) {
            double z[3];
            for (int c = 0; c < 3; c++) z[c] = out[3 * k + c] / 0.6;
            logp += sl_categorical_logp(3, z, w.m->actions[row * KNOBS + actor->heads[k]]);
            h += sl_categorical_entropy(3, z);
        }
        double rho = exp(logp - w.m->logp[row * w.m->n_agents + agent]);
        double a = w.m->advantages[(ptrdiff_t)critic * TURNS + row];
        double clipped = fmin(fmax(rho, 0.8), 1.2);
        *n_clipped += clipped * a < rho * a;
        loss -= (fmin(rho * a, clipped * a) + entropy * h) / n;
    }
    return loss;
}

static double critic_loss(int c, int n, int *n_clipped) {
    const Net *net = &w.m->critics[c];
    ptrdiff_t stride;
    const float *rows = critic_rows(w.m, c, &stride);
    double loss = 0;
    *n_clipped = 0;
    for (int i = 0; i < n; i++) {
        ptrdiff_t row = w.index[i];
        SlReal x[KNOBS + SL_N_DIMS + 3], work[4096];
        for (int j = 0; j < critic_inputs(w.m); j++) x[j] = (SlReal)rows[row * stride + j];
        double value = sl_mlp_forward(&net->shape, net->params, 1, x, work)[0];
        double old = w.m->values[(ptrdiff_t)c * (TURNS + ENVS) + row];
        double target = w.m->returns[(ptrdiff_t)c * TURNS + row];
        double kept = fmin(fmax(value, old - 0.2), old + 0.2);
        double errors[2] = {pow(value - target, 2), pow(kept - target, 2)};
        *n_clipped += errors[1] > errors[0];
        loss += 0.7 * fmax(errors[0], errors[1]) / 2 / n;
    }
    return loss;
}

// ---- gradients ----

typedef double Loss(int which, int *n_clipped);

static double actor_of(int agent, int *n_clipped) {
    return actor_loss(agent, TURNS - 4, 0.05, n_clipped);
}

static double critic_of(int c, int *n_clipped) {
    return critic_loss(c, TURNS - 4, n_clipped);
}

static void check_gradient(Loss *loss, int which, Net *net) {
    double largest = 0;
    int ignored;
    for (size_t i = 0; i < sl_mlp_params(&net->shape); i++) {
        double kept = net->params[i], h = 1e-6;
        net->params[i] = kept + h;
        double above = loss(which, &ignored);
        net->params[i] = kept - h;
        double below = loss(which, &ignored);
        net->params[i] = kept;
        double difference = (above - below) / (2 * h);
        largest = fmax(largest, fabs(net->grad[i]));
        if (fabs(difference - net->grad[i]) > 1e-7 * fmax(1, fabs(net->grad[i])))
            fail_msg("parameter %zu: %.12g by differences, %.12g by backward", i, difference,
                     net->grad[i]);
    }
    assert_true(largest > 1e-3);
}

static void check_all(SlMappoCritic critic, bool single, double move) {
    int clipped, some = 0;
    begin(critic, single, move);
    for (int a = 0; a < w.m->n_agents; a++) {
        learn_actor(w.m, a, TURNS - 4, w.index, 0.05);
        check_gradient(actor_of, a, &w.m->actors[a].policy);
        actor_of(a, &clipped);
        some += clipped;
    }
    for (int c = 0; c < w.m->n_critics; c++) {
        learn_critic(w.m, c, TURNS - 4, w.index);
        check_gradient(critic_of, c, &w.m->critics[c]);
        critic_of(c, &clipped);
        some += clipped;
    }
    assert_true(move > 0.1 ? some > 5 : some == 0);
    end();
}

static void gradients_are_right_where_the_policies_have_just_walked(void **state) {
    (void)state;
    check_all(SL_CRITIC_CENTRAL, false, 0.001);
}

static void gradients_are_right_where_ratios_and_values_are_clipped(void **state) {
    (void)state;
    check_all(SL_CRITIC_CENTRAL, false, 0.5);
}

static void gradients_of_own_critics_are_right(void **state) {
    (void)state;
    check_all(SL_CRITIC_OWN, false, 0.5);
}

static void gradients_of_a_single_agent_are_right(void **state) {
    (void)state;
    check_all(SL_CRITIC_CENTRAL, true, 0.5);
}

static void long_gradients_are_cut(void **state) {
    (void)state;
    begin(SL_CRITIC_CENTRAL, false, 0.5);
    w.m->options.most_norm = 1e-3;
    learn_critic(w.m, 0, TURNS, w.index);
    double square = 0;
    for (size_t i = 0; i < sl_mlp_params(&w.m->critics[0].shape); i++)
        square += w.m->critics[0].grad[i] * w.m->critics[0].grad[i];
    assert_true(fabs(sqrt(square) - 1e-3) < 1e-9);
    end();
}

// ---- advantages ----

// sum over later steps of the episode of (gamma lambda)^l times their one-step
// errors; then to mean 0 and variance 1
static void check_advantages(SlMappoCritic critic) {
    begin(critic, false, 0);
    int ended = 0;
    for (int i = 0; i < TURNS; i++) ended += w.m->dones[i];
    assert_true(ended > 2 && ended < TURNS);
    for (int c = 0; c < w.m->n_critics; c++) {
        const double *values = w.m->values + (ptrdiff_t)c * (TURNS + ENVS);
        double plain[TURNS], mean = 0, square = 0;
        for (int row = 0; row < TURNS; row++) {
            double weight = 1;
            plain[row] = 0;
            for (int at = row; at < TURNS; at += ENVS, weight *= 0.9 * 0.8) {
                double next = w.m->dones[at] ? 0 : values[at + ENVS];
                plain[row] += weight * (w.m->rewards[at] + 0.9 * next - values[at]);
                if (w.m->dones[at]) break;
            }
            mean += plain[row] / TURNS;
        }
        for (int row = 0; row < TURNS; row++) square += pow(plain[row] - mean, 2) / TURNS;
        for (int row = 0; row < TURNS; row++) {
            double returns = w.m->returns[(ptrdiff_t)c * TURNS + row];
            double advantage = w.m->advantages[(ptrdiff_t)c * TURNS + row];
            assert_true(fabs(returns - (plain[row] + values[row])) < 1e-9);
            assert_true(fabs(advantage - (plain[row] - mean) / sqrt(square)) < 1e-6);
        }
    }
    end();
}

static void advantages_are_what_they_are_defined_to_be(void **state) {
    (void)state;
    check_advantages(SL_CRITIC_CENTRAL);
    check_advantages(SL_CRITIC_OWN);
}

// ---- what critics are asked ----

// points where walks stand are worth what critics said of the rows there
static void values_of_points_are_those_of_the_rollout(void **state) {
    (void)state;
    for (int critic = SL_CRITIC_CENTRAL; critic <= SL_CRITIC_OWN; critic++) {
        begin((SlMappoCritic)critic, false, 0);
        double values[ENVS];
        sl_mappo_values(w.m, ENVS, sl_codesign_points(w.m->env), values);
        for (int e = 0; e < ENVS; e++) {
            double mean = 0;
            for (int c = 0; c < w.m->n_critics; c++)
                mean += w.m->values[(ptrdiff_t)c * (TURNS + ENVS) + TURNS + e] / w.m->n_critics;
            assert_true(fabs(values[e] - mean) < 1e-12);
        }
        end();
    }
}

// what agents see in the first rows of a rollout is where the last one left them
static void rollouts_begin_with_what_was_seen_last(void **state) {
    (void)state;
    begin(SL_CRITIC_CENTRAL, false, 0);
    size_t view = (size_t)(w.m->n_agents * w.m->shape->n_observed);
    float last[ENVS * SL_N_PROFESSIONS * (KNOBS + SL_N_DIMS)];
    memcpy(last, w.m->seen + TURNS * view, ENVS * view * sizeof *last);
    sl_mappo_walk(w.m);
    assert_memory_equal(last, w.m->seen, ENVS * view * sizeof *last);
    end();
}

// in pieces or at once
static void values_do_not_depend_on_how_many_are_asked(void **state) {
    (void)state;
    enum { MANY = 720 };
    static int32_t points[MANY * KNOBS];
    static double values[MANY];
    for (int critic = SL_CRITIC_CENTRAL; critic <= SL_CRITIC_OWN; critic++) {
        begin((SlMappoCritic)critic, false, 0);
        assert_int_equal(w.toy.space.n_points, MANY);
        for (int i = 0; i < MANY; i++) sl_space_at(&w.toy.space, i, points + (ptrdiff_t)i * KNOBS);
        sl_mappo_values(w.m, MANY, points, values);
        for (int i = 0; i < MANY; i += 37) {
            double one;
            sl_mappo_values(w.m, 1, points + (ptrdiff_t)i * KNOBS, &one);
            assert_true(fabs(one - values[i]) < 1e-12);
        }
        end();
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_are_right_where_the_policies_have_just_walked),
        cmocka_unit_test(gradients_are_right_where_ratios_and_values_are_clipped),
        cmocka_unit_test(gradients_of_own_critics_are_right),
        cmocka_unit_test(gradients_of_a_single_agent_are_right),
        cmocka_unit_test(long_gradients_are_cut),
        cmocka_unit_test(advantages_are_what_they_are_defined_to_be),
        cmocka_unit_test(values_of_points_are_those_of_the_rollout),
        cmocka_unit_test(rollouts_begin_with_what_was_seen_last),
        cmocka_unit_test(values_do_not_depend_on_how_many_are_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// engine_update.c - one agent's update on one batch: MADDPG (Lowe et al. 2017) and a discrete
// MASAC.
//
//   y    = r + gamma (1 - ended) Q'(x', a')              a' = Gumbel-softmax of all target actors
//   critic: mean (Q(x, a) - y)^2                         MASAC: two critics, y has the smaller Q'
//   and actor:  -mean Q(x, a with the own one anew)                 0.05 times the entropy at o'
//           + 1e-3 mean logits^2                         MASAC: entropy instead of the regulariser
//
// Every phase is a pass over blocks of rows, then over blocks of weights, so any number of threads
// gives the same sums. Folded, the first critic layer is computed from the world state
// (engine_fold.c).
#include <assert.h>
#include <string.h>

#include "engine_inside.h"

enum { ACTIONS = SL_PARTICLE_ACTIONS, CHUNK = SL_ENGINE_BLOCK };

static int at_most(int a, int b) {
    return a < b ? a : b;
}

static void each(SlPool *pool, int n, SlWork *work, void *context) {
    if (pool) {
        sl_pool_run(pool, n, work, context);
        return;
    }
    for (int i = 0; i < n; i++) work(context, i, 0);
}

// ---- a block of rows ----

typedef struct {
    int begin, n;
} Rows;

static Rows rows_of(const SlAgentJob *job, int block) {
    int begin = block * CHUNK;
    return (Rows){begin, at_most(CHUNK, job->batch->n - begin)};
}

static int n_blocks(const SlAgentJob *job) {
    return (job->batch->n + CHUNK - 1) / CHUNK;
}

SlReal *sl_agent_y(const SlAgentJob *job) {
    return job->work->y + (size_t)job->agent * (size_t)job->batch->n;
}

size_t sl_agent_scratch(const SlNets *nets) {
    size_t hidden = (size_t)nets->hidden;
    // observations, two hidden layers, logits and actions, values and entropies of a block
    return CHUNK * ((size_t)nets->n_observed + 2 * hidden + 4 * ACTIONS + 2);
}

// observations of an agent: part of the row, or differences of its state
static const SlReal *observe(const SlNets *nets, int agent, const SlReal *x, Rows rows,
                             SlReal *pieces, size_t *row) {
    size_t width = (size_t)nets->n_first;
    const SlReal *from = x + (size_t)rows.begin * width;
    int n = nets->n_observed;
    if (!nets->folded) {
        *row = width;
        return from + (size_t)agent * (size_t)n;
    }
    const SlObserved *map = nets->map + (size_t)agent * (size_t)n;
    for (int r = 0; r < rows.n; r++, from += width) {
        SlReal *to = pieces + (size_t)r * (size_t)n;
        for (int o = 0; o < n; o++) {
            SlReal plus = map[o].plus < 0 ? 0 : from[map[o].plus];
            to[o] = map[o].minus < 0 ? plus : plus - from[map[o].minus];
        }
    }
    *row = (size_t)n;
    return pieces;
}

// ---- networks ----

// Where the layers of a block of parameters lie.
typedef struct {
    size_t w1, b1, w2, b2, w3, b3;
} Places;

static Places places_of(const SlMlpShape *shape) {
    size_t in = (size_t)shape->width[0], hidden = (size_t)shape->width[1];
    size_t out = (size_t)shape->width[3];
    Places p = {.b1 = in * hidden};
    p.w2 = p.b1 + hidden;
    p.b2 = p.w2 + hidden * hidden;
    p.w3 = p.b2 + hidden;
    p.b3 = p.w3 + hidden * out;
    return p;
}

// Hidden layers and outputs of some rows; all have the width of their layer between rows. Outputs
// that nobody reads are NULL.
typedef struct {
    SlReal *h1, *h2, *out;
} Layers;

static void upper_layers(const SlMlpShape *shape, const SlReal *params, int n, Layers to) {
    Places at = places_of(shape);
    int hidden = shape->width[1], out = shape->width[3];
    sl_dense_forward(&(SlDense){.rows = n,
                                .in = hidden,
                                .out = hidden,
                                .x = to.h1,
                                .x_row = (size_t)hidden,
                                .w = params + at.w2,
                                .bias = params + at.b2,
                                .y = to.h2,
                                .y_row = (size_t)hidden,
                                .relu = true});
    if (!to.out) return;
    sl_dense_forward(&(SlDense){.rows = n,
                                .in = hidden,
                                .out = out,
                                .x = to.h2,
                                .x_row = (size_t)hidden,
                                .w = params + at.w3,
                                .bias = params + at.b3,
                                .y = to.out,
                                .y_row = (size_t)out});
}

static void actor_forward(const SlNets *nets, const SlReal *params, const SlReal *x, size_t x_row,
                          int n, Layers to) {
    Places at = places_of(&nets->actor);
    sl_dense_forward(&(SlDense){.rows = n,
                                .in = nets->n_observed,
                                .out = nets->hidden,
                                .x = x,
                                .x_row = x_row,
                                .w = params + at.w1,
                                .bias = params + at.b1,
                                .y = to.h1,
                                .y_row = (size_t)nets->hidden,
                                .relu = true});
    upper_layers(&nets->actor, params, n, to);
}

// first: weights of the first layer as computed, (n_first, hidden). With `delta` (n, 5) the action
// of `agent` is changed by it.
static void critic_forward(const SlNets *nets, const SlReal *params, const SlReal *first,
                           const SlReal *x, int n, const SlReal *delta, int agent, Layers to) {
    Places at = places_of(&nets->critic);
    size_t hidden = (size_t)nets->hidden;
    sl_dense_forward(&(SlDense){.rows = n,
                                .in = nets->n_first,
                                .out = nets->hidden,
                                .x = x,
                                .x_row = (size_t)nets->n_first,
                                .w = first,
                                .bias = params + at.b1,
                                .y = to.h1,
                                .y_row = hidden,
                                .relu = !delta});
    if (delta) {
        size_t own = (size_t)nets->n_seen + (size_t)agent * ACTIONS;
        sl_dense_forward(&(SlDense){.rows = n,
                                    .in = ACTIONS,
                                    .out = nets->hidden,
                                    .x = delta,
                                    .x_row = ACTIONS,
                                    .w = first + own * hidden,
                                    .y = to.h1,
                                    .y_row = hidden,
                                    .relu = true,
                                    .add = true});
    }
    upper_layers(&nets->critic, params, n, to);
}

// ---- target actions and values ----

// Pieces of a worker's scratch.
typedef struct {
    SlReal *seen, *h1, *h2, *logits, *act, *delta, *da, *q, *entropy;
} Pieces;

static Pieces pieces_of(const SlAgentJob *job, int worker) {
    SlReal *at = job->work->scratch[worker];
    size_t hidden = (size_t)job->nets->hidden;
    Pieces pieces = {.seen = at};
    pieces.h1 = pieces.seen + (size_t)CHUNK * (size_t)job->nets->n_observed;
    pieces.h2 = pieces.h1 + CHUNK * hidden;
    pieces.logits = pieces.h2 + CHUNK * hidden;
    pieces.act = pieces.logits + CHUNK * ACTIONS;
    pieces.delta = pieces.act + CHUNK * ACTIONS;
    pieces.da = pieces.delta + CHUNK * ACTIONS;
    pieces.q = pieces.da + CHUNK * ACTIONS;
    pieces.entropy = pieces.q + CHUNK;
    return pieces;
}

// Weights for the way back through a network: of the layers above the first one, and of the rows
// of a critic's first layer that the own action meets.
typedef struct {
    SlReal *w2, *w3, *own;
} Turned;

// A pass over rows with the first layers of the critics as computed.
typedef struct {
    const SlAgentJob *job;
    int critic;
    const SlReal *first[SL_ENGINE_CRITICS];
    Turned turned_critic, turned_actor;
} Pass;

static void target_actions(void *context, int block, int worker) {
    const SlAgentJob *job = ((const Pass *)context)->job;
    const SlNets *nets = job->nets;
    Rows rows = rows_of(job, block);
    Pieces pieces = pieces_of(job, worker);
    size_t width = (size_t)nets->n_first, n = (size_t)job->batch->n;
    SlReal *actions = job->batch->next + (size_t)rows.begin * width + nets->n_seen;
    for (int j = 0; j < nets->n_agents; j++) {
        size_t row;
        const SlReal *seen = observe(nets, j, job->batch->next, rows, pieces.seen, &row);
        actor_forward(nets, job->learners[j].target_actor, seen, row, rows.n,
                      (Layers){pieces.h1, pieces.h2, pieces.logits});
        const SlReal *u = job->batch->u_target + ((size_t)j * n + (size_t)rows.begin) * ACTIONS;
        sl_gumbel_softmax(rows.n, ACTIONS, pieces.logits, u, actions + j * ACTIONS, width);
    }
}

void sl_agent_actions(const SlAgentJob *job) {
    Pass pass = {.job = job};
    each(job->pool, n_blocks(job), target_actions, &pass);
}

static void target_values(void *context, int block, int worker) {
    const Pass *pass = context;
    const SlAgentJob *job = pass->job;
    const SlNets *nets = job->nets;
    const SlLearner *learner = &job->learners[job->agent];
    Rows rows = rows_of(job, block);
    Pieces pieces = pieces_of(job, worker);
    const SlReal *x = job->batch->next + (size_t)rows.begin * (size_t)nets->n_first;
    SlReal *y = sl_agent_y(job) + rows.begin;
    for (int c = 0; c < nets->n_critics; c++) {
        critic_forward(nets, learner->target_critic[c], pass->first[c], x, rows.n, NULL, 0,
                       (Layers){pieces.h1, pieces.h2, pieces.q});
        for (int r = 0; r < rows.n; r++)
            if (c == 0 || pieces.q[r] < y[r]) y[r] = pieces.q[r];
    }
    if (nets->algo == SL_MASAC) {
        size_t row;
        const SlReal *seen = observe(nets, job->agent, job->batch->next, rows, pieces.seen, &row);
        actor_forward(nets, learner->actor, seen, row, rows.n,
                      (Layers){pieces.h1, pieces.h2, pieces.logits});
        sl_softmax_entropy(rows.n, ACTIONS, pieces.logits, pieces.entropy);
        for (int r = 0; r < rows.n; r++) y[r] += (SlReal)nets->entropy * pieces.entropy[r];
    }
    const SlReal *rewards = job->batch->rewards + rows.begin,
                 *ended = job->batch->ended + rows.begin;
    for (int r = 0; r < rows.n; r++) {
        // MASAC's original has no mask; worlds without an end make no difference
        SlReal future = (SlReal)nets->gamma * (1 - ended[r]);
        y[r] = rewards[r] + future * y[r];
    }
}

void sl_agent_target(const SlAgentJob *job) {
    SlLearner *learner = &job->learners[job->agent];
    Pass pass = {.job = job};
    pass.first[0] = sl_agent_fold(job->nets, learner->target_critic[0], job->work->first);
    if (job->nets->n_critics > 1)
        pass.first[1] = sl_agent_fold(job->nets, learner->target_critic[1], job->work->first2);
    each(job->pool, n_blocks(job), target_values, &pass);
}

// ---- gradients of a network of three layers ----

// turned weights of a network, in `pieces`
static Turned turn(const SlMlpShape *shape, const SlReal *params, SlReal *pieces) {
    Places at = places_of(shape);
    int hidden = shape->width[1], out = shape->width[3];
    size_t row = (size_t)hidden;
    Turned to = {.w2 = pieces, .w3 = pieces + row * row, .own = pieces + row * (row + (size_t)out)};
    sl_dense_turn(hidden, hidden, params + at.w2, to.w2);
    sl_dense_turn(hidden, out, params + at.w3, to.w3);
    return to;
}

// dz2 and dz1 of some rows from the gradient by the outputs
static void back_layers(const SlMlpShape *shape, const Turned *turned, int n, Layers from,
                        const SlReal *dout, SlReal *dz1, SlReal *dz2) {
    int hidden = shape->width[1], out = shape->width[3];
    size_t row = (size_t)hidden;
    sl_dense_back(&(SlDenseBack){.rows = n,
                                 .in = hidden,
                                 .out = out,
                                 .dy = dout,
                                 .dy_row = (size_t)out,
                                 .turned = turned->w3,
                                 .y = from.h2,
                                 .y_row = row,
                                 .dx = dz2,
                                 .dx_row = row});
    sl_dense_back(&(SlDenseBack){.rows = n,
                                 .in = hidden,
                                 .out = hidden,
                                 .dy = dz2,
                                 .dy_row = row,
                                 .turned = turned->w2,
                                 .y = from.h1,
                                 .y_row = row,
                                 .dx = dz1,
                                 .dx_row = row});
}

// A pass over weights: those of the first layer in blocks of rows, then those above.
typedef struct {
    int n; // rows of the batch
    const SlMlpShape *shape;
    int in; // rows of the first layer's weights as computed
    const SlReal *x;
    size_t x_row;
    Layers values;
    const SlReal *dz1, *dz2, *dout;
    SlReal *first; // gradient of the first layer's weights, (in, hidden)
    SlReal *grad;  // of everything above, where it lies among the params
} Gradient;

static void weight_gradient(void *context, int item, int worker) {
    (void)worker;
    const Gradient *g = context;
    Places at = places_of(g->shape);
    int hidden = g->shape->width[1], out = g->shape->width[3];
    size_t row = (size_t)hidden;
    int begin = item * CHUNK;
    if (begin < g->in) {
        int n = at_most(CHUNK, g->in - begin);
        sl_dense_gradient(g->n, n, hidden, g->x + begin, g->x_row, g->dz1, row,
                          g->first + (size_t)begin * row, item == 0 ? g->grad + at.b1 : NULL);
        return;
    }
    sl_dense_gradient(g->n, hidden, hidden, g->values.h1, row, g->dz2, row, g->grad + at.w2,
                      g->grad + at.b2);
    sl_dense_gradient(g->n, hidden, out, g->values.h2, row, g->dout, (size_t)out, g->grad + at.w3,
                      g->grad + at.b3);
}

static void all_gradients(const SlAgentJob *job, Gradient *g) {
    memset(g->grad, 0, sl_mlp_params(g->shape) * sizeof *g->grad);
    memset(g->first, 0, (size_t)g->in * (size_t)g->shape->width[1] * sizeof *g->first);
    each(job->pool, (g->in + CHUNK - 1) / CHUNK + 1, weight_gradient, g);
}

// ---- critics ----

static void critic_rows(void *context, int block, int worker) {
    (void)worker;
    const Pass *pass = context;
    const SlAgentJob *job = pass->job;
    const SlNets *nets = job->nets;
    const SlAgentWork *work = job->work;
    const SlReal *params = job->learners[job->agent].critic[pass->critic], *y = sl_agent_y(job);
    Rows rows = rows_of(job, block);
    size_t begin = (size_t)rows.begin, hidden = (size_t)nets->hidden;
    Layers to = {work->h1 + begin * hidden, work->h2 + begin * hidden, work->q + begin};
    critic_forward(nets, params, pass->first[0], job->batch->x + begin * (size_t)nets->n_first,
                   rows.n, NULL, 0, to);
    for (int r = 0; r < rows.n; r++) {
        SlReal error = to.out[r] - y[begin + (size_t)r];
        work->dq[begin + (size_t)r] = 2 * error / (SlReal)job->batch->n;
    }
    back_layers(&nets->critic, &pass->turned_critic, rows.n, to, work->dq + begin,
                work->dz1 + begin * hidden, work->dz2 + begin * hidden);
}

static void step_critic(const SlAgentJob *job, int c) {
    const SlNets *nets = job->nets;
    SlAgentWork *work = job->work;
    SlLearner *learner = &job->learners[job->agent];
    Pass pass = {.job = job, .critic = c};
    pass.first[0] = sl_agent_fold(nets, learner->critic[c], work->first);
    pass.turned_critic = turn(&nets->critic, learner->critic[c], work->turned);
    each(job->pool, n_blocks(job), critic_rows, &pass);
    Gradient g = {.n = job->batch->n,
                  .shape = &nets->critic,
                  .in = nets->n_first,
                  .x = job->batch->x,
                  .x_row = (size_t)nets->n_first,
                  .values = {work->h1, work->h2, work->q},
                  .dz1 = work->dz1,
                  .dz2 = work->dz2,
                  .dout = work->dq,
                  .first = nets->folded ? work->dfirst : work->grad,
                  .grad = work->grad};
    all_gradients(job, &g);
    if (nets->folded) sl_agent_unfold(nets, work->dfirst, work->grad);
    sl_train_step(&nets->train, &nets->critic, learner->steps + 1, learner->critic[c], work->grad,
                  learner->critic_mean[c], learner->critic_square[c]);
}

void sl_agent_critics(const SlAgentJob *job) {
    for (int c = 0; c < job->nets->n_critics; c++) step_critic(job, c);
}

// ---- the actor ----

// the rows of the first layer that the own action meets, for the gradient by it
static void turn_own(const SlNets *nets, const SlReal *first, int agent, const Turned *to) {
    size_t own = (size_t)nets->n_seen + (size_t)agent * ACTIONS;
    sl_dense_turn(ACTIONS, nets->hidden, first + own * (size_t)nets->hidden, to->own);
}

static void actor_rows(void *context, int block, int worker) {
    const Pass *pass = context;
    const SlAgentJob *job = pass->job;
    const SlNets *nets = job->nets;
    const SlAgentWork *work = job->work;
    const SlLearner *learner = &job->learners[job->agent];
    Rows rows = rows_of(job, block);
    Pieces pieces = pieces_of(job, worker);
    size_t begin = (size_t)rows.begin, hidden = (size_t)nets->hidden, row;
    size_t width = (size_t)nets->n_first, n_seen = (size_t)nets->n_observed;
    SlReal n = (SlReal)job->batch->n;

    // a new action from the observation, which is kept for the gradient of the weights
    const SlReal *seen = observe(nets, job->agent, job->batch->x, rows, pieces.seen, &row);
    for (int r = 0; r < rows.n; r++)
        memcpy(work->own + (begin + (size_t)r) * n_seen, seen + (size_t)r * row,
               n_seen * sizeof *seen);
    Layers to = {work->a1 + begin * hidden, work->a2 + begin * hidden, pieces.logits};
    actor_forward(nets, learner->actor, work->own + begin * n_seen, n_seen, rows.n, to);
    sl_gumbel_softmax(rows.n, ACTIONS, pieces.logits, job->batch->u_policy + begin * ACTIONS,
                      pieces.act, ACTIONS);

    // the critic's opinion of it
    const SlReal *x = job->batch->x + begin * width;
    const SlReal *old = x + nets->n_seen + job->agent * ACTIONS;
    for (int r = 0; r < rows.n; r++)
        for (int a = 0; a < ACTIONS; a++)
            pieces.delta[r * ACTIONS + a] =
                pieces.act[r * ACTIONS + a] - old[(size_t)r * width + a];
    critic_forward(nets, learner->critic[0], pass->first[0], x, rows.n, pieces.delta, job->agent,
                   (Layers){pieces.h1, pieces.h2, NULL});
    for (int r = 0; r < rows.n; r++) pieces.q[r] = -1 / n;
    SlReal *dz1 = work->dz1 + begin * hidden, *dz2 = work->dz2 + begin * hidden;
    back_layers(&nets->critic, &pass->turned_critic, rows.n, (Layers){pieces.h1, pieces.h2, NULL},
                pieces.q, dz1, dz2);
    sl_dense_back(&(SlDenseBack){.rows = rows.n,
                                 .in = ACTIONS,
                                 .out = nets->hidden,
                                 .dy = dz1,
                                 .dy_row = hidden,
                                 .turned = pass->turned_critic.own,
                                 .dx = pieces.da,
                                 .dx_row = ACTIONS});

    // and back through the actor
    SlReal *dlogits = work->dlogits + begin * ACTIONS;
    sl_softmax_back(rows.n, ACTIONS, pieces.act, ACTIONS, pieces.da, ACTIONS, dlogits);
    if (nets->algo == SL_MASAC) {
        sl_softmax_entropy_back(rows.n, ACTIONS, pieces.logits, (SlReal)-nets->entropy / n,
                                dlogits);
    } else {
        SlReal pull = 2 * (SlReal)nets->regulariser / (n * ACTIONS);
        for (int i = 0; i < rows.n * ACTIONS; i++) dlogits[i] += pull * pieces.logits[i];
    }
    back_layers(&nets->actor, &pass->turned_actor, rows.n, to, dlogits, work->da1 + begin * hidden,
                work->da2 + begin * hidden);
}

void sl_agent_actor(const SlAgentJob *job) {
    const SlNets *nets = job->nets;
    SlAgentWork *work = job->work;
    SlLearner *learner = &job->learners[job->agent];
    Pass pass = {.job = job};
    pass.first[0] = sl_agent_fold(nets, learner->critic[0], work->first);
    pass.turned_critic = turn(&nets->critic, learner->critic[0], work->turned);
    turn_own(nets, pass.first[0], job->agent, &pass.turned_critic);
    size_t taken = (size_t)nets->hidden * ((size_t)nets->hidden + 1 + ACTIONS);
    pass.turned_actor = turn(&nets->actor, learner->actor, work->turned + taken);
    each(job->pool, n_blocks(job), actor_rows, &pass);
    Gradient g = {.n = job->batch->n,
                  .shape = &nets->actor,
                  .in = nets->n_observed,
                  .x = work->own,
                  .x_row = (size_t)nets->n_observed,
                  .values = {work->a1, work->a2, NULL},
                  .dz1 = work->da1,
                  .dz2 = work->da2,
                  .dout = work->dlogits,
                  .first = work->grad,
                  .grad = work->grad};
    all_gradients(job, &g);
    sl_train_step(&nets->train, &nets->actor, learner->steps + 1, learner->actor, work->grad,
                  learner->actor_mean, learner->actor_square);
}

void sl_agent_soften(const SlAgentJob *job) {
    const SlNets *nets = job->nets;
    SlLearner *learner = &job->learners[job->agent];
    SlReal tau = (SlReal)nets->tau;
    sl_soft_update(nets->actor_params, tau, learner->actor, learner->target_actor);
    for (int c = 0; c < nets->n_critics; c++)
        sl_soft_update(nets->critic_params, tau, learner->critic[c], learner->target_critic[c]);
    learner->steps++;
}

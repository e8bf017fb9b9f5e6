"""One MADDPG round of all trainers in JAX: agent by agent from rows of their own, or all at once from shared rows.

Both are one compiled function per call (jit); networks of all agents are stacked and mapped (vmap). Noise is drawn and rows are
gathered by numpy, which is faster than JAX there. As in fused_torch.py the actor's loss corrects the critic's first layer by the own
action alone, so that no gradient is computed that nobody reads.
"""
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from rounds import ACTIONS, BETA1, BETA2, CLIP, EPSILON, GAMMA, HIDDEN, REGULARISER, TAU, joint_rows, rate_of

relu = jax.nn.relu


def layers(net, x):
    return rest(net, x @ net[0] + net[1])


def rest(net, before):
    _, _, w2, b2, w3, b3 = net
    return relu(relu(before) @ w2 + b2) @ w3 + b3


def relaxed(logits, uniform):
    """A Gumbel-softmax sample at temperature 1."""
    return jax.nn.softmax(logits - lax.optimization_barrier(jnp.log(-jnp.log(uniform))), axis=-1)


def follow(target, source):
    return tuple((1 - TAU) * mine + TAU * other for mine, other in zip(target, source))


def adam(net, grads, moments, rate, dims):
    """TensorFlow's form; dims[i]: the axes of tensor i over which one agent's norm is taken, None = all."""
    new, means, squares = [], [], []
    for tensor, grad, mean, square, axes in zip(net, grads, *moments, dims):
        norm = jnp.sqrt(jnp.sum(grad * grad, axis=axes, keepdims=axes is not None))
        grad = grad * (CLIP / jnp.maximum(norm, CLIP))
        means.append(BETA1 * mean + (1 - BETA1) * grad)
        squares.append(BETA2 * square + (1 - BETA2) * grad * grad)
        new.append(tensor - rate * means[-1] / (jnp.sqrt(squares[-1]) + EPSILON["maddpg"]))
    return tuple(new), (tuple(means), tuple(squares))


def by_agent(flat, n):
    """(rows, n * wide) -> (n, rows, wide)."""
    return flat.reshape(len(flat), n, -1).transpose(1, 0, 2)


def target_row(targets, after, noise):
    """What the target critics read: next observations and the actions of all target actors."""
    n = len(targets[0])
    actions = relaxed(jax.vmap(layers)(targets, by_agent(after, n)), noise)
    return jnp.concatenate((after, actions.transpose(1, 0, 2).reshape(len(after), -1)), axis=1)


# ---- one agent after the other

ALL = (None,) * 6


def update_one(state, targets, me, batch, rate, u_target, u_policy):
    """The update of agent `me`. `state`: its networks and moments; `targets`: the target actors of all agents, stacked.
    `batch`: (x, next observations, reward, end)."""
    x, after, reward, done = batch
    n, rows, wide = len(targets[0]), len(x), state["actor"][0].shape[0]
    value = layers(state["target_critic"], target_row(targets, after, u_target))[:, 0]
    y = reward + GAMMA * (1 - done) * value

    def critic_loss(critic):
        return jnp.mean((layers(critic, x)[:, 0] - y) ** 2)

    q_loss, grads = jax.value_and_grad(critic_loss)(state["critic"])
    critic, critic_moments = adam(state["critic"], grads, state["critic_moments"], rate, ALL)
    before = x @ critic[0] + critic[1]
    first = n * wide + me * ACTIONS
    own = lax.dynamic_slice(critic[0], (first, 0), (ACTIONS, HIDDEN))
    seen = lax.dynamic_slice(x, (0, me * wide), (rows, wide))
    acted = lax.dynamic_slice(x, (0, first), (rows, ACTIONS))

    def actor_loss(actor):
        logits = layers(actor, seen)
        value = rest(critic, before + (relaxed(logits, u_policy) - acted) @ own)
        return REGULARISER * jnp.mean(logits**2) - jnp.mean(value)

    p_loss, grads = jax.value_and_grad(actor_loss)(state["actor"])
    actor, actor_moments = adam(state["actor"], grads, state["actor_moments"], rate, ALL)
    mine = follow(tuple(stack[me] for stack in targets), actor)
    targets = tuple(lax.dynamic_update_index_in_dim(stack, one, me, 0) for stack, one in zip(targets, mine))
    new = {"actor": actor, "critic": critic, "target_critic": follow(state["target_critic"], critic),
           "actor_moments": actor_moments, "critic_moments": critic_moments}  # fmt: skip
    return new, targets, (y, q_loss, p_loss)


@functools.partial(jax.jit, donate_argnums=(0, 1))
def timed_one(state, targets, me, picked, rate, noise):
    x, after, outcomes = picked
    n = len(targets[0])
    reward = lax.dynamic_index_in_dim(outcomes, me, 1, False)
    done = lax.dynamic_index_in_dim(outcomes, n + me, 1, False)
    state, targets, _ = update_one(state, targets, me, (x, after, reward, done), rate, *noise)
    return state, targets


# ---- all at once

ACTOR_DIMS = ((1, 2),) * 6
CRITIC_DIMS = ((0, 2), (0, 2)) + ((1, 2),) * 4


def wide_first(net, x):
    """The first layer of all critics as one product, (n, rows, 64); its weights are (in, n, 64)."""
    return (x @ net[0].reshape(x.shape[1], -1) + net[1].reshape(1, -1)).reshape(len(x), -1, HIDDEN).transpose(1, 0, 2)


def wide_layers(net, x):
    return wide_rest(net, wide_first(net, x))


def wide_rest(net, before):
    return jax.vmap(lambda w2, b2, w3, b3, z: relu(relu(z) @ w2 + b2) @ w3 + b3)(*net[2:], before)


def update_all(state, batch, rate, u_target, u_policy):
    """All agents from the same rows and from where all were. Rewards and ends are (rows, n)."""
    x, after, reward, done = batch
    n, wide = len(state["actor"][0]), state["actor"][0].shape[1]
    value = wide_layers(state["target_critic"], target_row(state["target_actor"], after, u_target))[:, :, 0]
    y = reward.T + GAMMA * (1 - done.T) * value

    def critic_loss(critic):
        return jnp.sum(jnp.mean((wide_layers(critic, x)[:, :, 0] - y) ** 2, axis=1))

    grads = jax.grad(critic_loss)(state["critic"])
    critic, critic_moments = adam(state["critic"], grads, state["critic_moments"], rate, CRITIC_DIMS)
    before = wide_first(critic, x)
    every = jnp.arange(n)
    own = critic[0][n * wide :].reshape(n, ACTIONS, n, HIDDEN)[every, :, every]
    seen, acted = by_agent(x[:, : n * wide], n), by_agent(x[:, n * wide :], n)

    def actor_loss(actor):
        logits = jax.vmap(layers)(actor, seen)
        value = wide_rest(critic, before + (relaxed(logits, u_policy) - acted) @ own)
        return jnp.sum(REGULARISER * jnp.mean(logits**2, axis=(1, 2)) - jnp.mean(value, axis=(1, 2)))

    grads = jax.grad(actor_loss)(state["actor"])
    actor, actor_moments = adam(state["actor"], grads, state["actor_moments"], rate, ACTOR_DIMS)
    return {"actor": actor, "critic": critic, "target_actor": follow(state["target_actor"], actor),
            "target_critic": follow(state["target_critic"], critic),
            "actor_moments": actor_moments, "critic_moments": critic_moments}  # fmt: skip


@functools.partial(jax.jit, donate_argnums=0)
def timed_all(state, picked, rate, noise):
    x, after, outcomes = picked
    n = len(state["actor"][0])
    return update_all(state, (x, after, outcomes[:, :n], outcomes[:, n:]), rate, *noise)


# ---- learners to be timed


def fresh(rng, n_in, n_out):
    """Weights (in, out), uniform as Glorot and Bengio's; biases 0."""
    tensors = []
    for rows, columns in ((n_in, HIDDEN), (HIDDEN, HIDDEN), (HIDDEN, n_out)):
        bound = (6 / (rows + columns)) ** 0.5
        tensors += [rng.uniform(-bound, bound, (rows, columns)), np.zeros(columns)]
    return tensors


def stacked(nets):
    """Networks of all agents as one, the agent in front; biases as (n, 1, out)."""
    stack = [np.stack(tensors) for tensors in zip(*nets)]
    return tuple(jnp.asarray(t if t.ndim == 3 else t[:, None]) for t in stack)


def stacked_critics(nets):
    """As stacked(), but the first layer as (in, n, 64)."""
    stack = stacked(nets)
    return (jnp.asarray(stack[0].transpose(1, 0, 2)), jnp.asarray(stack[1].transpose(1, 0, 2))) + stack[2:]


def no_moments(net):
    return tuple(map(jnp.zeros_like, net)), tuple(map(jnp.zeros_like, net))


def single(actor, critic, target_critic):
    actor, critic, target_critic = (tuple(map(jnp.asarray, net)) for net in (actor, critic, target_critic))
    return {"actor": actor, "critic": critic, "target_critic": target_critic,
            "actor_moments": no_moments(actor), "critic_moments": no_moments(critic)}  # fmt: skip


def flock(actors, target_actors, critics, target_critics):
    actor, critic = stacked(actors), stacked_critics(critics)
    return {"actor": actor, "critic": critic, "target_actor": stacked(target_actors),
            "target_critic": stacked_critics(target_critics),
            "actor_moments": no_moments(actor), "critic_moments": no_moments(critic)}  # fmt: skip


class Learner:
    """A joint replay of float32 rows, and what both rounds need."""

    def __init__(self, options, fill, wide):
        self.rng = np.random.Generator(np.random.SFC64(options.seed))
        self.n, self.wide, self.batch, self.steps = options.agents, wide, options.batch, 0
        self.rows = joint_rows(self.rng, self.n, wide, fill)

    def nets(self, n_in, n_out):
        return [[tensor.astype(np.float32) for tensor in fresh(self.rng, n_in, n_out)] for _ in range(self.n)]

    def sample(self):
        at = self.rng.integers(len(self.rows[0]), size=self.batch)
        return [array.take(at, axis=0) for array in self.rows]

    def noise(self, *shape):
        return self.rng.random(shape, dtype=np.float32) + np.float32(2**-25)


class OneByOne(Learner):
    def __init__(self, options, fill, wide):
        super().__init__(options, fill, wide)
        joint = self.n * (wide + ACTIONS)
        self.states = [single(*nets) for nets in zip(self.nets(wide, ACTIONS), self.nets(joint, 1), self.nets(joint, 1))]
        self.targets = stacked(self.nets(wide, ACTIONS))

    def round(self, lap):
        self.steps += 1
        for me in range(self.n):
            picked = self.sample()
            lap("sampling")
            noise = self.noise(self.n, self.batch, ACTIONS), self.noise(self.batch, ACTIONS)
            self.states[me], self.targets = timed_one(self.states[me], self.targets, me, picked, rate_of(self.steps), noise)
            jax.block_until_ready(self.targets)
            lap("update")


class AllAtOnce(Learner):
    def __init__(self, options, fill, wide):
        super().__init__(options, fill, wide)
        joint = self.n * (wide + ACTIONS)
        nets = [self.nets(*sizes) for sizes in ((wide, ACTIONS), (wide, ACTIONS), (joint, 1), (joint, 1))]
        self.state = flock(*nets)

    def round(self, lap):
        self.steps += 1
        picked = self.sample()
        lap("sampling")
        noise = [self.noise(self.n, self.batch, ACTIONS) for _ in range(2)]
        self.state = timed_all(self.state, picked, rate_of(self.steps), noise)
        jax.block_until_ready(self.state)
        lap("update")

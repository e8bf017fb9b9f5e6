"""One MADDPG round of all trainers as functions for torch.compile (PyTorch 2.3 or later): agent by agent from rows of their own,
or all at once from shared rows. The computation is that of rounds_jax.py; gradients by torch.func."""
import numpy as np
import torch

from rounds import ACTIONS, BETA1, BETA2, CLIP, EPSILON, GAMMA, HIDDEN, REGULARISER, TAU, joint_rows, rate_of


def layers(net, x):
    """Networks of one agent on (rows, in), or of all agents on (n, rows, in)."""
    return rest(net, torch.matmul(x, net[0]) + net[1])


def rest(net, before):
    _, _, w2, b2, w3, b3 = net
    return torch.matmul(torch.relu(torch.matmul(torch.relu(before), w2) + b2), w3) + b3


def relaxed(logits, uniform):
    """A Gumbel-softmax sample at temperature 1."""
    return torch.softmax(logits - torch.log(-torch.log(uniform)), dim=-1)


def follow(target, source):
    for mine, other in zip(target, source):
        mine.mul_(1 - TAU).add_(other, alpha=TAU)


def adam(net, grads, moments, rate, dims):
    """TensorFlow's form, in place; dims[i]: the axes of tensor i over which one agent's norm is taken."""
    for tensor, grad, mean, square, axes in zip(net, grads, *moments, dims):
        norm = torch.linalg.vector_norm(grad, dim=axes, keepdim=True)
        grad = grad * (CLIP / norm.clamp(min=CLIP))
        mean.mul_(BETA1).add_(grad, alpha=1 - BETA1)
        square.mul_(BETA2).addcmul_(grad, grad, value=1 - BETA2)
        tensor.sub_(rate * mean / (square.sqrt() + EPSILON["maddpg"]))


def by_agent(flat, n):
    """(rows, n * wide) -> (n, rows, wide)."""
    return flat.view(len(flat), n, -1).transpose(0, 1)


def target_row(targets, after, noise):
    """What the target critics read: next observations and the actions of all target actors."""
    actions = relaxed(layers(targets, by_agent(after, len(targets[0]))), noise)
    return torch.cat((after, actions.transpose(0, 1).reshape(len(after), -1)), dim=1)


# ---- one agent after the other

ONE = ((0, 1), (0,)) * 3


def update_one(state, targets, own, batch, rate, u_target, u_policy):
    """The update of one agent but for its target actor; `own`: the columns of its observation and of its action."""
    x, after, reward, done = batch
    value = layers(state["target_critic"], target_row(targets, after, u_target)).squeeze(1)
    y = reward + GAMMA * (1 - done) * value

    def critic_loss(critic):
        return (layers(critic, x).squeeze(1) - y).square().mean()

    critic = state["critic"]
    grads = torch.func.grad(critic_loss)(critic)
    adam(critic, grads, state["critic_moments"], rate, ONE)
    before = torch.matmul(x, critic[0]) + critic[1]
    seen, acted = x.index_select(1, own[0]), x.index_select(1, own[1])
    weights = critic[0].index_select(0, own[1])

    def actor_loss(actor):
        logits = layers(actor, seen)
        value = rest(critic, before + torch.matmul(relaxed(logits, u_policy) - acted, weights))
        return REGULARISER * logits.square().mean() - value.mean()

    grads = torch.func.grad(actor_loss)(state["actor"])
    adam(state["actor"], grads, state["actor_moments"], rate, ONE)
    follow(state["target_critic"], critic)
    return y


# ---- all at once

ACTOR_DIMS = ((1, 2),) * 6
CRITIC_DIMS = ((0, 2), (0, 2)) + ((1, 2),) * 4


def wide_first(net, x):
    """The first layer of all critics as one product, (n, rows, 64); its weights are (in, n, 64)."""
    product = torch.addmm(net[1].view(-1), x, net[0].view(x.shape[1], -1))
    return product.view(len(x), -1, HIDDEN).transpose(0, 1)


def update_all(state, batch, rate, u_target, u_policy):
    """All agents from the same rows and from where all were. Rewards and ends are (rows, n)."""
    x, after, reward, done = batch
    n, wide = state["actor"][0].shape[:2]
    target, critic = state["target_critic"], state["critic"]
    value = rest(target, wide_first(target, target_row(state["target_actor"], after, u_target))).squeeze(2)
    y = reward.t() + GAMMA * (1 - done.t()) * value

    def critic_loss(nets):
        return (rest(nets, wide_first(nets, x)).squeeze(2) - y).square().mean(dim=1).sum()

    adam(critic, torch.func.grad(critic_loss)(critic), state["critic_moments"], rate, CRITIC_DIMS)
    before = wide_first(critic, x)
    weights = critic[0][n * wide :].view(n, ACTIONS, n, HIDDEN).diagonal(dim1=0, dim2=2).permute(2, 0, 1)
    seen, acted = by_agent(x[:, : n * wide].contiguous(), n), by_agent(x[:, n * wide :].contiguous(), n)

    def actor_loss(actor):
        logits = layers(actor, seen)
        value = rest(critic, before + torch.matmul(relaxed(logits, u_policy) - acted, weights))
        return REGULARISER * logits.square().mean(dim=(1, 2)).sum() - value.mean(dim=(1, 2)).sum()

    adam(state["actor"], torch.func.grad(actor_loss)(state["actor"]), state["actor_moments"], rate, ACTOR_DIMS)
    follow(state["target_actor"], state["actor"])
    follow(target, critic)


# ---- learners to be timed


def fresh(n_in, n_out):
    """Weights (in, out), uniform as Glorot and Bengio's; biases 0."""
    tensors = []
    for rows, columns in ((n_in, HIDDEN), (HIDDEN, HIDDEN), (HIDDEN, n_out)):
        bound = (6 / (rows + columns)) ** 0.5
        tensors += [torch.empty(rows, columns).uniform_(-bound, bound), torch.zeros(columns)]
    return tensors


def stacked(nets):
    """Networks of all agents as one, the agent in front; biases as (n, 1, out)."""
    stack = [torch.stack(tensors) for tensors in zip(*nets)]
    return tuple(t if t.ndim == 3 else t.unsqueeze(1).contiguous() for t in stack)


def stacked_critics(nets):
    """As stacked(), but the first layer as (in, n, 64)."""
    stack = stacked(nets)
    return tuple(t.transpose(0, 1).contiguous() for t in stack[:2]) + stack[2:]


def with_moments(**nets):
    for name in ("actor", "critic"):
        nets[name + "_moments"] = tuple(tuple(map(torch.zeros_like, nets[name])) for _ in range(2))
    return nets


def single(actor, critic, target_critic):
    return with_moments(actor=tuple(actor), critic=tuple(critic), target_critic=tuple(target_critic))


def flock(actors, target_actors, critics, target_critics):
    return with_moments(actor=stacked(actors), target_actor=stacked(target_actors),
                        critic=stacked_critics(critics), target_critic=stacked_critics(target_critics))  # fmt: skip


def own_columns(n, wide, me):
    first = n * wide + me * ACTIONS
    return torch.arange(me * wide, (me + 1) * wide), torch.arange(first, first + ACTIONS)


class Learner:
    """A joint replay of float32 rows, and what both rounds need."""

    def __init__(self, options, fill, wide):
        self.rng = np.random.default_rng(options.seed)
        self.n, self.wide, self.batch, self.steps = options.agents, wide, options.batch, 0
        self.rows = [torch.from_numpy(array) for array in joint_rows(self.rng, self.n, wide, fill)]
        self.rate = torch.zeros(())  # a tensor: a number would be compiled in

    def nets(self, n_in, n_out):
        return [fresh(n_in, n_out) for _ in range(self.n)]

    def sample(self):
        at = torch.randint(len(self.rows[0]), (self.batch,))
        return [array.index_select(0, at) for array in self.rows]

    def next_step(self):
        self.steps += 1
        self.rate.fill_(rate_of(self.steps))


class OneByOne(Learner):
    def __init__(self, options, fill, wide):
        super().__init__(options, fill, wide)
        joint = self.n * (wide + ACTIONS)
        self.states = [single(*nets) for nets in zip(self.nets(wide, ACTIONS), self.nets(joint, 1), self.nets(joint, 1))]
        self.targets = stacked(self.nets(wide, ACTIONS))
        self.own = [own_columns(self.n, wide, me) for me in range(self.n)]
        self.update, self.follow = torch.compile(update_one), torch.compile(follow)

    def round(self, lap):
        self.next_step()
        with torch.no_grad():
            for me in range(self.n):
                x, after, outcomes = self.sample()
                lap("sampling")
                batch = x, after, outcomes[:, me].contiguous(), outcomes[:, self.n + me].contiguous()
                noise = torch.rand(self.n, self.batch, ACTIONS), torch.rand(self.batch, ACTIONS)
                self.update(self.states[me], self.targets, self.own[me], batch, self.rate, *noise)
                lap("update")
                self.follow([stack[me].view_as(t) for stack, t in zip(self.targets, self.states[me]["actor"])],
                            self.states[me]["actor"])  # fmt: skip
                lap("soft")


class AllAtOnce(Learner):
    def __init__(self, options, fill, wide):
        super().__init__(options, fill, wide)
        joint = self.n * (wide + ACTIONS)
        self.state = flock(*(self.nets(*sizes) for sizes in ((wide, ACTIONS), (wide, ACTIONS), (joint, 1), (joint, 1))))
        self.update = torch.compile(update_all)

    def round(self, lap):
        self.next_step()
        with torch.no_grad():
            x, after, outcomes = self.sample()
            lap("sampling")
            noise = [torch.rand(self.n, self.batch, ACTIONS) for _ in range(2)]
            self.update(self.state, (x, after, outcomes[:, : self.n], outcomes[:, self.n :]), self.rate, *noise)
            lap("update")

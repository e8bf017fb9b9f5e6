"""MADDPG and MASAC agent by agent: replay in lists or arrays, networks, and the round of all trainers (README.md)."""
import numpy as np
import torch

from rounds import ACTIONS, BETA1, BETA2, CLIP, ENTROPY, EPSILON, GAMMA, HIDDEN, REGULARISER, TAU, draw, episodes, rate_of


class Lists:
    """A list of (obs, act, reward, next obs, done) per agent; the next obs of a step is the obs of the one after it."""

    def __init__(self, rng, n, wide, fill):
        self.buffers = [[] for _ in range(n)]
        for seen, acted in episodes(rng, n, wide, fill):
            now = [row.copy() for row in seen[0]]
            for step, actions in enumerate(acted):
                after = [row.copy() for row in seen[step + 1]]
                for agent, buffer in enumerate(self.buffers):
                    buffer.append((now[agent], actions[agent].copy(), 0.1 * agent, after[agent], False))
                now = after

    def read(self, agent, rows):
        columns = ([], [], [], [], [])
        buffer = self.buffers[agent]
        for row in rows.tolist():
            obs, act, reward, after, done = buffer[row]
            columns[0].append(obs)
            columns[1].append(act)
            columns[2].append(reward)
            columns[3].append(after)
            columns[4].append(done)
        return [np.array(column) for column in columns]


class Arrays:
    """The same in five float32 arrays per agent."""

    def __init__(self, rng, n, wide, fill):
        shapes = ((fill, wide), (fill, ACTIONS), (fill,), (fill, wide), (fill,))
        self.buffers = [[np.zeros(shape, np.float32) for shape in shapes] for _ in range(n)]
        at = 0
        for seen, acted in episodes(rng, n, wide, fill):
            rows = slice(at, at + len(acted))
            for agent, (obs, act, reward, after, _) in enumerate(self.buffers):
                obs[rows], after[rows] = seen[:-1, agent], seen[1:, agent]
                act[rows], reward[rows] = acted[:, agent], 0.1 * agent
            at += len(acted)

    def read(self, agent, rows):
        return [array[rows] for array in self.buffers[agent]]


class Mlp:
    """in -> 64 -> 64 -> out with ReLU; weights (in, out), Xavier-uniform, biases 0."""

    def __init__(self, n_in, n_out, dtype=torch.float32):
        self.tensors = []
        for rows, columns in ((n_in, HIDDEN), (HIDDEN, HIDDEN), (HIDDEN, n_out)):
            bound = (6 / (rows + columns)) ** 0.5
            self.tensors += [torch.empty(rows, columns, dtype=dtype).uniform_(-bound, bound), torch.zeros(columns, dtype=dtype)]
        for tensor in self.tensors:
            tensor.requires_grad_()

    def __call__(self, x):
        w1, b1, w2, b2, w3, b3 = self.tensors
        x = torch.addmm(b1, x, w1).relu_()
        x = torch.addmm(b2, x, w2).relu_()
        return torch.addmm(b3, x, w3)

    def copy(self, source):
        with torch.no_grad():
            for mine, other in zip(self.tensors, source.tensors):
                mine.copy_(other)

    def follow(self, source):
        """Soft update towards `source`."""
        with torch.no_grad():
            for mine, other in zip(self.tensors, source.tensors):
                mine.mul_(1 - TAU).add_(other, alpha=TAU)


class Adam:
    """TensorFlow's form: the correction in the rate, epsilon beside the uncorrected root. Every tensor is clipped alone."""

    def __init__(self, tensors, epsilon):
        self.tensors, self.epsilon, self.steps = tensors, epsilon, 0
        self.means = [torch.zeros_like(tensor) for tensor in tensors]
        self.squares = [torch.zeros_like(tensor) for tensor in tensors]

    def descend(self, loss):
        grads = torch.autograd.grad(loss, self.tensors)
        self.steps += 1
        rate = rate_of(self.steps)
        with torch.no_grad():
            for tensor, grad, mean, square in zip(self.tensors, grads, self.means, self.squares):
                grad = grad * (CLIP / grad.norm().clamp_(min=CLIP))
                mean.mul_(BETA1).add_(grad, alpha=1 - BETA1)
                square.mul_(BETA2).addcmul_(grad, grad, value=1 - BETA2)
                tensor.addcdiv_(mean, square.sqrt().add_(self.epsilon), value=-rate)


def uniforms(like):
    return torch.rand_like(like)


def relaxed(logits, uniform):
    """A Gumbel-softmax sample at temperature 1."""
    return torch.softmax(logits - torch.log(-torch.log(uniform)), dim=-1)


def entropy(logits):
    chances = torch.softmax(logits, dim=-1)
    return -(chances * torch.log(chances + 1e-6)).sum(dim=-1)


class Trainer:
    """Actor, critics (two for MASAC) and their targets of one agent."""

    def __init__(self, n, wide, algo, dtype=torch.float32):
        joint = n * (wide + ACTIONS)
        critics = 2 if algo == "masac" else 1
        self.algo = algo
        self.actor, self.target_actor = Mlp(wide, ACTIONS, dtype), Mlp(wide, ACTIONS, dtype)
        self.critics = [Mlp(joint, 1, dtype) for _ in range(critics)]
        self.target_critics = [Mlp(joint, 1, dtype) for _ in range(critics)]
        if algo == "masac":  # targets begin as copies; those of MADDPG on their own
            for target, source in zip([self.target_actor] + self.target_critics, [self.actor] + self.critics):
                target.copy(source)
        self.actor_adam = Adam(self.actor.tensors, EPSILON[algo])
        self.critic_adams = [Adam(critic.tensors, EPSILON[algo]) for critic in self.critics]


def target_values(trainers, me, batch, noise):
    """y of agent `me`; the target actors of all agents act on their next observations."""
    mine = trainers[me]
    with torch.no_grad():
        actions = []
        for other, after in zip(trainers, batch["after"]):
            logits = other.target_actor(after)
            actions.append(relaxed(logits, noise(logits)))
        x = torch.cat(batch["after"] + actions, dim=1)
        value = mine.target_critics[0](x).squeeze(1)
        if mine.algo == "maddpg":
            return batch["reward"] + GAMMA * (1 - batch["done"]) * value
        value = torch.minimum(value, mine.target_critics[1](x).squeeze(1))
        return batch["reward"] + GAMMA * (value + ENTROPY * entropy(mine.actor(batch["after"][me])))


def critic_step(mine, batch, y):
    x = torch.cat(batch["obs"] + batch["act"], dim=1)
    losses = []
    for critic, adam in zip(mine.critics, mine.critic_adams):
        loss = (critic(x).squeeze(1) - y).square().mean()
        adam.descend(loss)
        losses.append(loss.detach())
    return losses[0]


def actor_step(mine, me, batch, noise):
    logits = mine.actor(batch["obs"][me])
    actions = list(batch["act"])
    actions[me] = relaxed(logits, noise(logits))
    value = mine.critics[0](torch.cat(batch["obs"] + actions, dim=1)).mean()
    if mine.algo == "maddpg":
        loss = REGULARISER * logits.square().mean() - value
    else:
        loss = -(value + ENTROPY * entropy(logits).mean())
    mine.actor_adam.descend(loss)
    return loss.detach()


def follow_all(mine):
    mine.target_actor.follow(mine.actor)
    for target, critic in zip(mine.target_critics, mine.critics):
        target.follow(critic)


class AgentByAgent:
    """Replay and trainers; a round updates the agents in order, each from rows of its own."""

    def __init__(self, options, fill, wide):
        self.rng, self.fill = np.random.default_rng(options.seed), fill
        self.batch, self.sampling = options.batch, options.sampling
        layout = Lists if options.layout == "list" else Arrays
        self.replay = layout(self.rng, options.agents, wide, fill)
        self.trainers = [Trainer(options.agents, wide, options.algo) for _ in range(options.agents)]

    def sample(self, me):
        """N + 1 reads of the same rows: the buffers of all agents, then that of `me` again for reward and end."""
        rows = draw(self.rng, self.fill, self.batch, self.sampling)
        reads = [self.replay.read(agent, rows) for agent in range(len(self.trainers))]
        return reads, self.replay.read(me, rows)

    def round(self, lap):
        for me, mine in enumerate(self.trainers):
            reads, own = self.sample(me)
            lap("sampling")
            batch = to_tensors(reads, own)
            lap("convert")
            y = target_values(self.trainers, me, batch, uniforms)
            lap("target_q")
            critic_step(mine, batch, y)
            lap("q_loss")
            actor_step(mine, me, batch, uniforms)
            lap("p_loss")
            follow_all(mine)
            lap("soft")


def to_tensors(reads, own):
    def tensor(array):
        return torch.as_tensor(array, dtype=torch.float32)

    return {
        "obs": [tensor(read[0]) for read in reads],
        "act": [tensor(read[1]) for read in reads],
        "after": [tensor(read[3]) for read in reads],
        "reward": tensor(own[2]),
        "done": tensor(own[4]),
    }

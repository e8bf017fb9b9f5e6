"""All agents at once from one draw of rows: the fastest MADDPG round we could write in PyTorch.

Not the algorithm of the paper: agents share their rows, and all start from the networks the round began with. Rows hold a
whole time step. Weights of all agents are stacked; the first layer of all critics is one matrix product, as they read the
same numbers. For the actors' loss that layer is corrected by the own action alone.
"""
import numpy as np
import torch

from agents_torch import relaxed, uniforms
from rounds import ACTIONS, BETA1, BETA2, CLIP, EPSILON, GAMMA, HIDDEN, REGULARISER, TAU, joint_rows, rate_of


def xavier(n_in, n_out, *shape):
    bound = (6 / (n_in + n_out)) ** 0.5
    return torch.empty(*shape).uniform_(-bound, bound)


class Stack:
    """One network per agent. `wide`: the first weights are (in, n * 64), for inputs that all agents share."""

    def __init__(self, n, n_in, n_out, wide):
        self.n, self.wide = n, wide
        first = (n_in, n * HIDDEN) if wide else (n, n_in, HIDDEN)
        bias = (n * HIDDEN,) if wide else (n, 1, HIDDEN)
        self.tensors = [
            xavier(n_in, HIDDEN, *first), torch.zeros(*bias),
            xavier(HIDDEN, HIDDEN, n, HIDDEN, HIDDEN), torch.zeros(n, 1, HIDDEN),
            xavier(HIDDEN, n_out, n, HIDDEN, n_out), torch.zeros(n, 1, n_out),
        ]  # fmt: skip
        for tensor in self.tensors:
            tensor.requires_grad_()

    def first(self, x):
        """First layer before ReLU as (n, rows, 64)."""
        weights, bias = self.tensors[:2]
        if not self.wide:
            return torch.baddbmm(bias, x, weights)
        return torch.addmm(bias, x, weights).view(len(x), self.n, HIDDEN).transpose(0, 1).contiguous()

    def rest(self, before):
        _, _, w2, b2, w3, b3 = self.tensors
        return torch.baddbmm(b3, torch.baddbmm(b2, before.relu(), w2).relu_(), w3)

    def __call__(self, x):
        return self.rest(self.first(x))

    def by_agent(self, number, tensor):
        """A view with the agent in the middle, and the dims of one agent's numbers."""
        if self.wide and number < 2:
            return tensor.view(-1, self.n, HIDDEN), (0, 2)
        return tensor, (1, 2)

    def follow(self, source):
        with torch.no_grad():
            for mine, other in zip(self.tensors, source.tensors):
                mine.mul_(1 - TAU).add_(other, alpha=TAU)


class StackAdam:
    """As Adam of agents_torch.py; the norm that clips is of one agent's tensor."""

    def __init__(self, stack):
        self.stack, self.steps = stack, 0
        self.means = [torch.zeros_like(tensor) for tensor in stack.tensors]
        self.squares = [torch.zeros_like(tensor) for tensor in stack.tensors]

    def descend(self, loss):
        grads = torch.autograd.grad(loss, self.stack.tensors)
        self.steps += 1
        rate = rate_of(self.steps)
        with torch.no_grad():
            for number, (tensor, grad) in enumerate(zip(self.stack.tensors, grads)):
                mean, square = self.means[number], self.squares[number]
                view, dims = self.stack.by_agent(number, grad)
                view.mul_(CLIP / torch.linalg.vector_norm(view, dim=dims, keepdim=True).clamp_(min=CLIP))
                mean.mul_(BETA1).add_(grad, alpha=1 - BETA1)
                square.mul_(BETA2).addcmul_(grad, grad, value=1 - BETA2)
                tensor.addcdiv_(mean, square.sqrt().add_(EPSILON["maddpg"]), value=-rate)


class Fused:
    def __init__(self, options, fill, wide):
        n = options.agents
        self.n, self.wide, self.batch = n, wide, options.batch
        self.rows = [torch.from_numpy(array) for array in joint_rows(np.random.default_rng(options.seed), n, wide, fill)]
        joint = n * (wide + ACTIONS)
        self.actor, self.target_actor = (Stack(n, wide, ACTIONS, False) for _ in range(2))
        self.critic, self.target_critic = (Stack(n, joint, 1, True) for _ in range(2))
        self.actor_adam, self.critic_adam = StackAdam(self.actor), StackAdam(self.critic)

    def sample(self):
        """x = (obs, act) of all agents, next observations, rewards and ends as (rows, n)."""
        at = torch.randint(len(self.rows[0]), (self.batch,))
        x, after, outcomes = (array.index_select(0, at) for array in self.rows)
        return x, after, outcomes[:, : self.n], outcomes[:, self.n :]

    def each(self, flat, wide):
        """(rows, n * wide) -> (n, rows, wide)."""
        return flat.view(len(flat), self.n, wide).transpose(0, 1)

    def targets(self, after, reward, done):
        with torch.no_grad():
            logits = self.target_actor(self.each(after.contiguous(), self.wide))
            actions = relaxed(logits, uniforms(logits)).transpose(0, 1).reshape(self.batch, -1)
            value = self.target_critic(torch.cat((after, actions), dim=1)).squeeze(2)
            return reward.t() + GAMMA * (1 - done.t()) * value

    def critic_step(self, x, y):
        loss = (self.critic(x).squeeze(2) - y).square().mean(dim=1).sum()
        self.critic_adam.descend(loss)

    def own_weights(self):
        """The rows of an agent's first critic layer that its own action meets: (n, 5, 64)."""
        of_actions = self.critic.tensors[0][self.n * self.wide :].view(self.n, ACTIONS, self.n, HIDDEN)
        return of_actions.diagonal(dim1=0, dim2=2).permute(2, 0, 1).contiguous()

    def actor_step(self, x):
        seen = self.each(x[:, : self.n * self.wide].contiguous(), self.wide)
        acted = self.each(x[:, self.n * self.wide :].contiguous(), ACTIONS)
        with torch.no_grad():
            before, own = self.critic.first(x), self.own_weights()
        logits = self.actor(seen)
        actions = relaxed(logits, uniforms(logits))
        value = self.critic.rest(before + torch.bmm(actions - acted, own))
        loss = REGULARISER * logits.square().mean(dim=(1, 2)).sum() - value.mean(dim=(1, 2)).sum()
        self.actor_adam.descend(loss)

    def round(self, lap):
        x, after, reward, done = self.sample()
        lap("sampling")
        y = self.targets(after, reward, done)
        lap("target_q")
        self.critic_step(x, y)
        lap("q_loss")
        self.actor_step(x)
        lap("p_loss")
        self.target_actor.follow(self.actor)
        self.target_critic.follow(self.critic)
        lap("soft")

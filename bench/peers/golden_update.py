"""Two recorded rounds of MADDPG in float64: does the reference give the same numbers? (tests/data/marl/README.md)"""
import copy
import gzip
import math
import os

import numpy as np
import torch

import fused_torch
from agents_torch import Trainer, actor_step, critic_step, follow_all, target_values

AGENTS, OBSERVED, ROWS = 3, 16, 64
PARTS = ("W1", "b1", "W2", "b2", "W3", "b3")
BATCH = (("obs", (AGENTS, ROWS, OBSERVED)), ("act", (AGENTS, ROWS, 5)), ("rew", (ROWS,)), ("obs_next", (AGENTS, ROWS, OBSERVED)),
         ("done", (ROWS,)), ("u_target", (AGENTS, ROWS, 5)), ("u_policy", (ROWS, 5)), ("y", (ROWS,)))  # fmt: skip


def doubles(folder, name):
    with gzip.open(os.path.join(folder, name)) as file:
        return torch.tensor(np.frombuffer(file.read(), "<f8"))


def networks(trainers):
    """(name, tensor) of all weights in the order of the files."""
    for agent, mine in enumerate(trainers):
        nets = (("p", mine.actor), ("tp", mine.target_actor), ("q", mine.critics[0]), ("tq", mine.target_critics[0]))
        for name, net in nets:
            for part, tensor in zip(PARTS, net.tensors):
                yield f"agent{agent}.{name}.{part}", tensor


def split(numbers, shapes):
    """name -> tensor of (name, shape) pairs that lie one behind the other."""
    named, at = {}, 0
    for name, shape in shapes:
        size = math.prod(shape)
        named[name] = numbers[at : at + size].reshape(shape)
        at += size
    if at != len(numbers):
        raise ValueError(f"{len(numbers)} numbers instead of {at}")
    return named


def from_index(folder):
    """The one-file form: maddpg_update.f64.gz with names, shapes and offsets in maddpg_update.txt."""
    numbers, named = doubles(folder, "maddpg_update.f64.gz"), {}
    with open(os.path.join(folder, "maddpg_update.txt"), encoding="utf-8") as file:
        for name, shape, offset in (line.split() for line in file):
            shape = [int(size) for size in shape.split("x")]
            named[name] = numbers[int(offset) : int(offset) + math.prod(shape)].reshape(shape)
    return named


def golden(folder, trainers):
    if os.path.exists(os.path.join(folder, "maddpg_update.txt")):
        return from_index(folder)
    weights = [(name, tuple(tensor.shape)) for name, tensor in networks(trainers)]
    batches = [(f"r{number}.a{agent}.{name}", shape) for number in range(2) for agent in range(AGENTS) for name, shape in BATCH]
    named = split(doubles(folder, "init.f64.gz"), [("init." + name, shape) for name, shape in weights])
    named.update(split(doubles(folder, "rounds.f64.gz"), batches))
    named.update(split(doubles(folder, "after.f64.gz"), [("after1." + name, shape) for name, shape in weights]))
    return named


def given(*uniforms):
    """Noise that was recorded, in order."""
    queue = list(uniforms)
    return lambda logits: queue.pop(0)


class Deviation:
    """Largest difference so far, relative where the recorded value is above 1. Values that were not recorded are skipped."""

    def __init__(self, data):
        self.data, self.worst, self.compared = data, 0.0, 0

    def see(self, name, value):
        if name in self.data:
            want = self.data[name]
            off = (value.detach().reshape(want.shape) - want).abs() / want.abs().clamp(min=1)
            self.worst = max(self.worst, math.inf if off.isnan().any() else off.max().item())
            self.compared += want.numel()


def recorded(data, number, me):
    at = f"r{number}.a{me}."
    return {"obs": list(data[at + "obs"]), "act": list(data[at + "act"]), "after": list(data[at + "obs_next"]),
            "reward": data[at + "rew"], "done": data[at + "done"]}  # fmt: skip


def update(trainers, me, batch, for_targets, for_policy):
    """(y, loss of the critic, loss of the actor) of agent `me`."""
    y = target_values(trainers, me, batch, given(*for_targets))
    q_loss = critic_step(trainers[me], batch, y)
    p_loss = actor_step(trainers[me], me, batch, given(for_policy))
    follow_all(trainers[me])
    return y, q_loss, p_loss


def replay_rounds(trainers, data, deviation):
    for number in range(2):
        for me in range(AGENTS):
            at = f"r{number}.a{me}."
            found = update(trainers, me, recorded(data, number, me), data[at + "u_target"], data[at + "u_policy"])
            for name, value in zip(("y", "q_loss", "p_loss"), found):
                deviation.see(at + name, value)
        for name, tensor in networks(trainers):
            deviation.see(f"after{number}.{name}", tensor)


class FusedOptions:
    agents, batch, seed = AGENTS, ROWS, 1


def fused_like(trainers):
    """The fused learner with the weights of these trainers."""
    torch.set_default_dtype(torch.float64)
    fused = fused_torch.Fused(FusedOptions, ROWS, OBSERVED)
    torch.set_default_dtype(torch.float32)
    with torch.no_grad():
        for (_, tensor), (_, source) in zip(fused_networks(fused), networks(trainers)):
            tensor.copy_(source.reshape(tensor.shape))
    return fused


def fused_networks(fused):
    """As networks(): views of the stacked tensors, agent by agent."""
    for agent in range(AGENTS):
        nets = (("p", fused.actor), ("tp", fused.target_actor), ("q", fused.critic), ("tq", fused.target_critic))
        for name, net in nets:
            for number, part in enumerate(PARTS):
                view, dims = net.by_agent(number, net.tensors[number])
                yield f"agent{agent}.{name}.{part}", view[:, agent] if dims == (0, 2) else view[agent]


def all_alone(trainers, batch, uniforms):
    """The agents after each has updated from where all were."""
    updated = []
    for me in range(AGENTS):
        alone = copy.deepcopy(trainers)
        update(alone, me, batch, uniforms, uniforms[me])
        updated.append(alone[me])
    return updated


def fused_deviation(trainers, data):
    """Two fused rounds against agents that update alone, all from a recorded batch. (One round would not do: the first step
    of Adam hardly depends on the size of a gradient.)"""
    fused = fused_like(trainers)
    for number in range(2):
        batch, uniforms = recorded(data, number, 0), data[f"r{number}.a0.u_target"]
        trainers = all_alone(trainers, batch, uniforms)
        reward, done = (batch[name].repeat(AGENTS, 1).t() for name in ("reward", "done"))
        rows = (torch.cat(batch["obs"] + batch["act"], 1), torch.cat(batch["after"], 1), reward, done)
        fused.sample = lambda rows=rows: rows
        fused_torch.uniforms = lambda like, uniforms=uniforms: uniforms
        fused.round(lambda phase: None)
    deviation = Deviation(dict(networks(trainers)))
    for name, tensor in fused_networks(fused):
        deviation.see(name, tensor)
    return deviation


def check(folder):
    """Exit code: 0 if all numbers agree to 1e-10."""
    trainers = [Trainer(AGENTS, OBSERVED, "maddpg", torch.float64) for _ in range(AGENTS)]
    try:
        data = golden(folder, trainers)
    except (OSError, ValueError) as error:
        print(f"{folder}: cannot read the recorded update: {error}")
        return 2
    with torch.no_grad():
        for name, tensor in networks(trainers):
            tensor.copy_(data["init." + name])
    found = [("fused, against agents alone", fused_deviation(trainers, data)), ("recorded rounds", Deviation(data))]
    replay_rounds(trainers, data, found[1][1])
    for name, deviation in found:
        print(f"{name}: largest deviation {deviation.worst:.3g} over {deviation.compared} numbers, at most 1e-10 wanted")
    return 0 if all(deviation.compared and deviation.worst <= 1e-10 for _, deviation in found) else 1

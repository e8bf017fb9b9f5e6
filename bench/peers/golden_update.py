"""Recorded rounds of MADDPG in float64 through the PyTorch peers: do they give the same numbers?"""
import copy

import torch

import fused_torch
import golden_data
from agents_torch import Trainer, actor_step, critic_step, follow_all, target_values
from golden_data import AGENTS, OBSERVED, PARTS, ROWS, Deviation


def networks(trainers):
    """(name, tensor) of all weights in the order of the files."""
    for agent, mine in enumerate(trainers):
        nets = (("p", mine.actor), ("tp", mine.target_actor), ("q", mine.critics[0]), ("tq", mine.target_critics[0]))
        for name, net in nets:
            for part, tensor in zip(PARTS, net.tensors):
                yield f"agent{agent}.{name}.{part}", tensor


def given(*uniforms):
    """Noise that was recorded, in order."""
    queue = list(uniforms)
    return lambda logits: queue.pop(0)


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
                deviation.see(at + name, value.detach())
        for name, tensor in networks(trainers):
            deviation.see(f"after{number}.{name}", tensor.detach())


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
    deviation = Deviation({name: tensor.detach() for name, tensor in networks(trainers)})
    for name, tensor in fused_networks(fused):
        deviation.see(name, tensor.detach())
    return deviation


def compiled_deviations(data):
    """The functions of compiled_torch.py, as they are and compiled; [] where PyTorch has no torch.func."""
    if not hasattr(torch, "func"):
        return []
    import golden_compiled

    return golden_compiled.deviations(data)


def check(folder):
    """Exit code: 0 if all numbers agree to 1e-10."""
    trainers = [Trainer(AGENTS, OBSERVED, "maddpg", torch.float64) for _ in range(AGENTS)]
    try:
        data = {name: torch.tensor(array) for name, array in golden_data.read(folder).items()}
    except (OSError, ValueError) as error:
        print(f"{folder}: cannot read the recorded update: {error}")
        return 2
    with torch.no_grad():
        for name, tensor in networks(trainers):
            tensor.copy_(data["init." + name])
    found = [("fused, against agents alone", fused_deviation(trainers, data)), ("list and array, recorded rounds", Deviation(data))]
    replay_rounds(trainers, data, found[1][1])
    return golden_data.report(found + compiled_deviations(data))

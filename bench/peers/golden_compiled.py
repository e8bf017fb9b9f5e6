"""Recorded rounds of MADDPG in float64 through the functions of compiled_torch.py, compiled."""
import torch

import compiled_torch
from golden_data import AGENTS, NETS, OBSERVED, PARTS, Deviation
from rounds import rate_of


def net(data, agent, name):
    return [data[f"init.agent{agent}.{name}.{part}"].clone() for part in PARTS]


def batch_of(data, number, me):
    """(x, next observations, reward, end) as the rounds want them."""
    at = f"r{number}.a{me}."
    obs, act, after = (torch.cat(list(data[at + name]), dim=1) for name in ("obs", "act", "obs_next"))
    return torch.cat((obs, act), dim=1), after, data[at + "rew"], data[at + "done"]


def rate_tensor(number):
    return torch.tensor(rate_of(number + 1), dtype=torch.float64)


def begin(data):
    states = [compiled_torch.single(*(net(data, agent, name) for name in ("p", "q", "tq"))) for agent in range(AGENTS)]
    return states, compiled_torch.stacked([net(data, agent, "tp") for agent in range(AGENTS)])


def weights(states, targets):
    for agent, state in enumerate(states):
        target_actor = [stack[agent] for stack in targets]
        for name, tensors in zip(NETS, (state["actor"], target_actor, state["critic"], state["target_critic"])):
            for part, tensor in zip(PARTS, tensors):
                yield f"agent{agent}.{name}.{part}", tensor


def own_target(targets, me, actor):
    compiled_torch.follow([stack[me].view_as(tensor) for stack, tensor in zip(targets, actor)], actor)


def recorded_rounds(update_one, data):
    deviation = Deviation(data)
    states, targets = begin(data)
    for number in range(2):
        for me in range(AGENTS):
            at = f"r{number}.a{me}."
            own = compiled_torch.own_columns(AGENTS, OBSERVED, me)
            noise = data[at + "u_target"], data[at + "u_policy"]
            y = update_one(states[me], targets, own, batch_of(data, number, me), rate_tensor(number), *noise)
            own_target(targets, me, states[me]["actor"])
            deviation.see(at + "y", y)
        for name, tensor in weights(states, targets):
            deviation.see(f"after{number}.{name}", tensor)
    return deviation


def all_against_alone(update_one, update_all, data):
    """Two rounds of all at once against agents that update alone, each from where all were."""
    states, targets = begin(data)
    flock = compiled_torch.flock(*([net(data, agent, name) for agent in range(AGENTS)] for name in ("p", "tp", "q", "tq")))
    for number in range(2):
        x, after, reward, done = batch_of(data, number, 0)
        uniforms = data[f"r{number}.a0.u_target"]
        for me in range(AGENTS):  # target actors move after all have read them
            own = compiled_torch.own_columns(AGENTS, OBSERVED, me)
            update_one(states[me], targets, own, (x, after, reward, done), rate_tensor(number), uniforms, uniforms[me])
        for me in range(AGENTS):
            own_target(targets, me, states[me]["actor"])
        outcomes = (values.repeat(AGENTS, 1).t() for values in (reward, done))
        update_all(flock, (x, after, *outcomes), rate_tensor(number), uniforms, uniforms)
    deviation = Deviation(dict(weights(states, targets)))
    for agent in range(AGENTS):
        nets = (flock["actor"], flock["target_actor"], flock["critic"], flock["target_critic"])
        for name, tensors in zip(NETS, nets):
            for i, (part, tensor) in enumerate(zip(PARTS, tensors)):
                wide = name in ("q", "tq") and i < 2
                deviation.see(f"agent{agent}.{name}.{part}", tensor[:, agent] if wide else tensor[agent])
    return deviation


def deviations(data):
    one, every = torch.compile(compiled_torch.update_one), torch.compile(compiled_torch.update_all)
    with torch.no_grad():
        return [
            ("compiled, recorded rounds", recorded_rounds(one, data)),
            ("fused-compiled, against agents alone", all_against_alone(compiled_torch.update_one, every, data)),
        ]

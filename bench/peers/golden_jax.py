"""Recorded rounds of MADDPG in float64 through the rounds of rounds_jax.py."""
import jax
import numpy as np

import golden_data
import rounds_jax
from golden_data import AGENTS, NETS, PARTS, Deviation
from rounds import rate_of

jax.config.update("jax_enable_x64", True)
update_one, update_all = jax.jit(rounds_jax.update_one), jax.jit(rounds_jax.update_all)


def net(data, agent, name):
    return [data[f"init.agent{agent}.{name}.{part}"] for part in PARTS]


def batch_of(data, number, me):
    """(x, next observations, reward, end) as the rounds want them."""
    at = f"r{number}.a{me}."
    obs, act, after = (np.concatenate(list(data[at + name]), axis=1) for name in ("obs", "act", "obs_next"))
    return np.concatenate((obs, act), axis=1), after, data[at + "rew"], data[at + "done"]


def begin(data):
    states = [rounds_jax.single(*(net(data, agent, name) for name in ("p", "q", "tq"))) for agent in range(AGENTS)]
    return states, rounds_jax.stacked([net(data, agent, "tp") for agent in range(AGENTS)])


def weights(states, targets):
    for agent, state in enumerate(states):
        target_actor = [stack[agent] for stack in targets]
        for name, tensors in zip(NETS, (state["actor"], target_actor, state["critic"], state["target_critic"])):
            for part, tensor in zip(PARTS, tensors):
                yield f"agent{agent}.{name}.{part}", tensor


def recorded_rounds(data):
    deviation = Deviation(data)
    states, targets = begin(data)
    for number in range(2):
        for me in range(AGENTS):
            at = f"r{number}.a{me}."
            noise = data[at + "u_target"], data[at + "u_policy"]
            states[me], targets, (y, _, _) = update_one(
                states[me], targets, me, batch_of(data, number, me), rate_of(number + 1), *noise
            )
            deviation.see(at + "y", y)
        for name, tensor in weights(states, targets):
            deviation.see(f"after{number}.{name}", tensor)
    return deviation


def all_against_alone(data):
    """Two rounds of all at once against agents that update alone, each from where all were."""
    states, targets = begin(data)
    flock = rounds_jax.flock(*([net(data, agent, name) for agent in range(AGENTS)] for name in ("p", "tp", "q", "tq")))
    for number in range(2):
        x, after, reward, done = batch_of(data, number, 0)
        uniforms, rate = data[f"r{number}.a0.u_target"], rate_of(number + 1)
        alone = [
            update_one(states[me], targets, me, (x, after, reward, done), rate, uniforms, uniforms[me]) for me in range(AGENTS)
        ]
        states = [found[0] for found in alone]
        targets = tuple(np.stack([found[1][i][me] for me, found in enumerate(alone)]) for i in range(len(PARTS)))
        outcomes = (np.tile(values[:, None], AGENTS) for values in (reward, done))
        flock = update_all(flock, (x, after, *outcomes), rate, uniforms, uniforms)
    deviation = Deviation(dict(weights(states, targets)))
    for agent in range(AGENTS):
        nets = (flock["actor"], flock["target_actor"], flock["critic"], flock["target_critic"])
        for name, tensors in zip(NETS, nets):
            for i, (part, tensor) in enumerate(zip(PARTS, tensors)):
                wide = name in ("q", "tq") and i < 2
                deviation.see(f"agent{agent}.{name}.{part}", tensor[:, agent] if wide else tensor[agent])
    return deviation


def check(folder):
    try:
        data = golden_data.read(folder)
    except (OSError, ValueError) as error:
        print(f"{folder}: cannot read the recorded update: {error}")
        return 2
    return golden_data.report(
        [("jax, recorded rounds", recorded_rounds(data)), ("jax-fused, against agents alone", all_against_alone(data))]
    )

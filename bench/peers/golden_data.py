"""Two recorded rounds of MADDPG in float64 (tests/data/marl/README.md), and how far a peer is from them."""
import gzip
import math
import os

import numpy as np

AGENTS, OBSERVED, ROWS, HIDDEN = 3, 16, 64, 64
NETS = ("p", "tp", "q", "tq")  # actor, target actor, critic, target critic
PARTS = ("W1", "b1", "W2", "b2", "W3", "b3")
BATCH = (("obs", (AGENTS, ROWS, OBSERVED)), ("act", (AGENTS, ROWS, 5)), ("rew", (ROWS,)), ("obs_next", (AGENTS, ROWS, OBSERVED)),
         ("done", (ROWS,)), ("u_target", (AGENTS, ROWS, 5)), ("u_policy", (ROWS, 5)), ("y", (ROWS,)))  # fmt: skip
WANTED = 1e-10


def weight_shapes():
    """(name, shape) of all weights in the order of the files."""
    for agent in range(AGENTS):
        for net in NETS:
            first, last = (OBSERVED, 5) if net in ("p", "tp") else (AGENTS * (OBSERVED + 5), 1)
            for part, shape in zip(PARTS, ((first, HIDDEN), (HIDDEN,), (HIDDEN, HIDDEN), (HIDDEN,), (HIDDEN, last), (last,))):
                yield f"agent{agent}.{net}.{part}", shape


def split(numbers, shapes):
    """name -> array of (name, shape) pairs that lie one behind the other."""
    named, at = {}, 0
    for name, shape in shapes:
        size = math.prod(shape)
        named[name] = numbers[at : at + size].reshape(shape)
        at += size
    if at != len(numbers):
        raise ValueError(f"{len(numbers)} numbers instead of {at}")
    return named


def read(folder):
    """name -> array: init.agentA.NET.PART, rR.aA.NAME of the batches, after1.agentA.NET.PART."""

    def doubles(name):
        with gzip.open(os.path.join(folder, name)) as file:
            return np.frombuffer(file.read(), "<f8")

    batches = [(f"r{number}.a{agent}.{name}", shape) for number in range(2) for agent in range(AGENTS) for name, shape in BATCH]
    named = split(doubles("init.f64.gz"), [("init." + name, shape) for name, shape in weight_shapes()])
    named.update(split(doubles("rounds.f64.gz"), batches))
    named.update(split(doubles("after.f64.gz"), [("after1." + name, shape) for name, shape in weight_shapes()]))
    return named


class Deviation:
    """Largest difference so far, relative where the wanted value is above 1. Values that nobody wants are skipped."""

    def __init__(self, data):
        self.data, self.worst, self.compared = data, 0.0, 0

    def see(self, name, value):
        if name in self.data:
            want = np.asarray(self.data[name])
            off = np.abs(np.asarray(value).reshape(want.shape) - want) / np.maximum(np.abs(want), 1)
            self.worst = max(self.worst, math.inf if np.isnan(off).any() else float(off.max()))
            self.compared += want.size


def report(found):
    """Print (name, Deviation) pairs. Exit code: 0 if all numbers agree to WANTED."""
    for name, deviation in found:
        print(f"{name}: largest deviation {deviation.worst:.3g} over {deviation.compared} numbers, at most {WANTED:.0e} wanted")
    return 0 if all(deviation.compared and deviation.worst <= WANTED for _, deviation in found) else 1

"""What all peers have in common: constants of the algorithm, sizes, timing of rounds, options, and the replay that batched ones use."""
import argparse
import json
import statistics
import sys
import time

import numpy as np

ACTIONS, HIDDEN, EPISODE = 5, 64, 25
RATE, BETA1, BETA2 = 0.01, 0.9, 0.999
GAMMA, TAU, CLIP = 0.95, 0.01, 0.5
REGULARISER, ENTROPY, NEIGHBORS = 1e-3, 0.05, 3
EPSILON = {"maddpg": 1e-8, "masac": 1e-7}

PHASES = ("sampling", "convert", "target_q", "q_loss", "p_loss", "soft", "update")
CLOCKS = {"wall": time.perf_counter, "cpu": time.process_time}


def observed(env, n):
    """How many numbers an agent sees: tag with max(1, n/3) prey and max(2, n/3) obstacles, spread with n landmarks."""
    if env == "spread":
        return 6 * n
    prey, obstacles = max(1, n // 3), max(2, n // 3)
    return 2 + 2 * obstacles + 2 * n + 4 * prey


def draw(rng, held, batch, sampling):
    """Row numbers: uniform with replacement, or the neighbours of random references until there are enough."""
    if sampling == "random":
        return rng.integers(held, size=batch)
    rows = []
    while len(rows) < batch:
        at = int(rng.integers(held))
        rows += [row for row in range(max(0, at - NEIGHBORS), min(held, at + NEIGHBORS + 1)) if row != at]
    return np.array(rows)


def episodes(rng, n, wide, fill):
    """Random numbers in the shape of play: observations (25 + 1, n, wide) and actions (25, n, 5), float64 as an env gives."""
    for begin in range(0, fill, EPISODE):
        length = min(EPISODE, fill - begin)
        acted = rng.random((length, n, ACTIONS))
        yield 2 * rng.random((length + 1, n, wide)) - 1, acted / acted.sum(axis=2, keepdims=True)


def joint_rows(rng, n, wide, fill):
    """Float32 rows of all agents: (observations, actions), next observations, (rewards, ends). Three arrays, since a slice of a wider
    row would be copied before every product."""
    x, after = np.zeros((fill, n * (wide + ACTIONS)), np.float32), np.zeros((fill, n * wide), np.float32)
    outcomes = np.zeros((fill, 2 * n), np.float32)
    outcomes[:, :n] = 0.1 * np.arange(n)
    at = 0
    for seen, acted in episodes(rng, n, wide, fill):
        rows = slice(at, at + len(acted))
        x[rows, : n * wide] = seen[:-1].reshape(len(acted), -1)
        x[rows, n * wide :] = acted.reshape(len(acted), -1)
        after[rows] = seen[1:].reshape(len(acted), -1)
        at += len(acted)
    return x, after, outcomes


def row_bytes(layout, n, wide):
    """Of one transition of all agents; an array object of numpy takes 112 bytes beside its numbers."""
    if layout == "list":
        return n * (2 * 112 + 8 * (wide + ACTIONS) + 120)
    return n * 4 * (2 * wide + ACTIONS + 2)


def rate_of(steps):
    """TensorFlow's form of Adam: the correction of both means in the rate."""
    return RATE * (1 - BETA2**steps) ** 0.5 / (1 - BETA1**steps)


def timed(learner, rounds, clock):
    """Milliseconds per phase of every round: {phase: [...], "total": [...]}."""
    spent = {phase: [] for phase in PHASES + ("total",)}
    for _ in range(rounds):
        ms = dict.fromkeys(PHASES, 0.0)
        last = clock()

        def lap(phase):
            nonlocal last
            now = clock()
            ms[phase] += 1e3 * (now - last)
            last = now

        learner.round(lap)
        for phase in PHASES:
            spent[phase].append(ms[phase])
        spent["total"].append(sum(ms.values()))
    return {phase: values for phase, values in spent.items() if any(values)}


def summary(options, about, fill, spent):
    return {
        **about,
        "env": options.env,
        "agents": options.agents,
        "observed": observed(options.env, options.agents),
        "algo": options.algo,
        "layout": options.layout,
        "sampling": options.sampling,
        "batch": options.batch,
        "fill": fill,
        "threads": options.threads,
        "clock": options.clock,
        "rounds": len(spent["total"]),
        "ms": {phase: round(statistics.median(values), 3) for phase, values in spent.items()},
        "best_ms": {phase: round(min(values), 3) for phase, values in spent.items()},
    }


def show(record):
    print(
        f"{record['env']} {record['agents']} agents, {record['algo']}, {record['layout']}/{record['sampling']}, "
        f"batch {record['batch']}, {record['fill']} rows, {record['threads']} thread(s), {record['rounds']} rounds; "
        f"{record['program']} {record['version']}, products by {record['blas']}"
    )
    for phase, ms in record["ms"].items():
        print(f"  {phase:9} {ms:10.2f} ms   best {record['best_ms'][phase]:10.2f}")


def serve(options, about, fill, learner):
    """A line with a number of rounds in, a line of JSON out, until the input ends."""
    print(json.dumps({"ready": True, "fill": fill, **about}), flush=True)
    for line in sys.stdin:
        print(json.dumps(summary(options, about, fill, timed(learner, int(line), CLOCKS[options.clock]))), flush=True)


def read_options(text, layouts, for_all):
    """Options of a peer; layouts that are not in `for_all` know MADDPG and random rows alone."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", metavar="DIR", help="compare with the rounds recorded there, time nothing")
    parser.add_argument("--agents", type=int, default=3)
    parser.add_argument("--env", choices=("tag", "spread"), default="tag", help="only its sizes matter")
    parser.add_argument("--algo", choices=("maddpg", "masac"), default="maddpg")
    parser.add_argument("--layout", choices=layouts, default=layouts[0])
    parser.add_argument("--sampling", choices=("random", "neighbor"), default="random")
    parser.add_argument("--batch", type=int, default=1024)
    parser.add_argument("--fill", type=int, default=200000, help="rows in the replay (200000)")
    parser.add_argument("--memory", type=float, default=6, help="GB the replay may take; fewer rows if more (6)")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--clock", choices=tuple(CLOCKS), default="wall", help="cpu: time of the process, for busy machines")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--serve", action="store_true", help="rounds on request, for compare.py")
    parser.add_argument("--any-blas", action="store_true", help="go on with a slow BLAS, which flatters Starling")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if min(options.agents, options.batch, options.rounds, options.threads) < 1 or options.fill < 2:
        parser.error("sizes must be positive, --fill at least 2")
    if options.layout not in for_all and (options.algo != "maddpg" or options.sampling != "random"):
        parser.error(f"--layout {options.layout} is for --algo maddpg --sampling random alone")
    return options


def fill_of(options):
    row = row_bytes(options.layout, options.agents, observed(options.env, options.agents))
    return max(2, min(options.fill, int(1e9 * options.memory / row)))


def run(options, about, learner, fill):
    """Warm up, then serve or measure and show. Returns the exit code."""
    timed(learner, 2, time.perf_counter)
    if options.serve:
        serve(options, about, fill, learner)
        return 0
    record = summary(options, about, fill, timed(learner, options.rounds, CLOCKS[options.clock]))
    if options.json:
        print(json.dumps(record))
    else:
        show(record)
    return 0

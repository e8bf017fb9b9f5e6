#!/usr/bin/python3
"""One MADDPG or MASAC round of all trainers in PyTorch, timed phase by phase: what Starling is compared with.

    maddpg_torch.py [--agents N] [--env tag|spread] [--algo maddpg|masac] [--layout list|array|fused] [--json] ...
    maddpg_torch.py --check DIR      agrees with the rounds recorded there (tests/data/marl) to 1e-10 in float64?

Layout `list` does what the first public MADDPG code does (README.md): a Python list of tuples per agent, rows of its own
for every agent, one agent after the other. `array` keeps float32 arrays instead. `fused` is another algorithm, the fastest
we could write: one draw of rows for all agents and all agents at once (fused_torch.py).
Exit code 77 without PyTorch.
"""
import argparse
import gc
import json
import os
import statistics
import sys
import time

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):  # read when the libraries are loaded
    os.environ.setdefault(_name, "1")
try:
    import torch

    import agents_torch
except ImportError as missing:
    print(f"maddpg_torch.py: skipped, it needs {missing.name} (Debian: apt-get install python3-torch)", file=sys.stderr)
    sys.exit(77)

PHASES = ("sampling", "convert", "target_q", "q_loss", "p_loss", "soft")
CLOCKS = {"wall": time.perf_counter, "cpu": time.process_time}


def observed(env, n):
    """How many numbers an agent sees: tag with max(1, n/3) prey and max(2, n/3) obstacles, spread with n landmarks."""
    if env == "spread":
        return 6 * n
    prey, obstacles = max(1, n // 3), max(2, n // 3)
    return 2 + 2 * obstacles + 2 * n + 4 * prey


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
    return spent


def summary(options, fill, spent):
    return {
        "program": "maddpg_torch",
        "torch": torch.__version__,
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
        f"batch {record['batch']}, {record['fill']} rows, {record['threads']} thread(s), {record['rounds']} rounds"
    )
    for phase in PHASES + ("total",):
        print(f"  {phase:9} {record['ms'][phase]:10.2f} ms   best {record['best_ms'][phase]:10.2f}")


def serve(options, fill, learner):
    """A line with a number of rounds in, a line of JSON out, until the input ends."""
    print(json.dumps({"ready": True, "fill": fill}), flush=True)
    for line in sys.stdin:
        print(json.dumps(summary(options, fill, timed(learner, int(line), CLOCKS[options.clock]))), flush=True)


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", metavar="DIR", help="compare with the rounds recorded there, time nothing")
    parser.add_argument("--agents", type=int, default=3)
    parser.add_argument("--env", choices=("tag", "spread"), default="tag", help="only its sizes matter")
    parser.add_argument("--algo", choices=("maddpg", "masac"), default="maddpg")
    parser.add_argument("--layout", choices=("list", "array", "fused"), default="list")
    parser.add_argument("--sampling", choices=("random", "neighbor"), default="random")
    parser.add_argument("--batch", type=int, default=1024)
    parser.add_argument("--fill", type=int, default=200000, help="rows in the replay (200000)")
    parser.add_argument("--memory", type=float, default=6, help="GB the replay may take; fewer rows if more (6)")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--clock", choices=tuple(CLOCKS), default="wall", help="cpu: time of the process, for busy machines")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--serve", action="store_true", help="rounds on request, for compare.py")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if min(options.agents, options.batch, options.rounds, options.threads) < 1 or options.fill < 2:
        parser.error("sizes must be positive, --fill at least 2")
    if options.layout == "fused" and (options.algo != "maddpg" or options.sampling != "random"):
        parser.error("--layout fused is for --algo maddpg --sampling random alone")
    return options


def main():
    options = read_options()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    if options.check:
        from golden_update import check

        return check(options.check)
    wide = observed(options.env, options.agents)
    fill = max(2, min(options.fill, int(1e9 * options.memory / agents_torch.row_bytes(options.layout, options.agents, wide))))
    gc.disable()  # the fill makes millions of tuples; there are no cycles to find
    if options.layout == "fused":
        from fused_torch import Fused

        learner = Fused(options, fill, wide)
    else:
        learner = agents_torch.AgentByAgent(options, fill, wide)
    timed(learner, 1, time.perf_counter)
    if options.serve:
        serve(options, fill, learner)
        return 0
    record = summary(options, fill, timed(learner, options.rounds, CLOCKS[options.clock]))
    if options.json:
        print(json.dumps(record))
    else:
        show(record)
    return 0


if __name__ == "__main__":
    sys.exit(main())

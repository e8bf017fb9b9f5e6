#!/usr/bin/env python3
"""Update of all trainers: PyTorch and Starling side by side, in turns, on equal numbers of threads.

    compare.py [--agents 3,6,12,24] [--starling PROGRAM] [--repeat 3] [--json]

A repeat is a few rounds of every peer, then of every configuration of Starling (`starling profile`). A time is the median of
its rounds; tables show the median over repeats, ratios also their least and greatest. A round of Starling is all of a unit
but acting and the env, the writes of 100 steps into the replay included. Where something is unequal it is so in favour of
the peers: on one thread theirs is the time of the processor, without waiting for it, and Starling's that of the clock.
Exit code 77 without PyTorch.
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
CONFIGURATIONS = (  # name, mode, layout
    ("separate", "faithful", "separate"),
    ("joint", "faithful", "joint"),
    ("shared", "shared", "joint"),
    ("folded-shared", "folded-shared", "state"),
)
OTHERS = ("action selection", "environment")  # phases that are no part of an update
SAMPLINGS = {"random": "uniform", "neighbor": "neighbor"}
STARLING_BYTES = 3e9  # of one replay of `starling profile`


class Failure(Exception):
    pass


def realtime():
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))


def find_python():
    """A Python that has PyTorch; None = there is none."""
    for python in dict.fromkeys((sys.executable, "/usr/bin/python3")):
        if os.path.exists(python) and subprocess.run([python, "-c", "import torch, numpy"], capture_output=True).returncode == 0:
            return python
    return None


def rows_for(options, agents):
    """Rows in every replay: as asked for, or what `starling profile` has room for in its widest layout, whole episodes."""
    wide = 6 * agents if options.env == "spread" else 2 + 2 * max(2, agents // 3) + 2 * agents + 4 * max(1, agents // 3)
    row = agents * 64 * math.ceil(4 * (2 * wide + 7) / 64)  # observations, action, reward, end of an agent in cache lines
    return max(25, int(min(options.fill, STARLING_BYTES / row)) // 25 * 25)


def rounds_for(options, agents):
    return options.rounds or (20 if agents <= 6 else 8 if agents <= 12 else 3)


class Peer:
    """maddpg_torch.py with its replay filled, waiting to be asked for rounds."""

    def __init__(self, python, layout, options, agents, rows):
        self.layout = layout
        words = [python, os.path.join(HERE, "maddpg_torch.py"), "--serve", "--layout", layout, "--env", options.env]
        words += ["--agents", str(agents), "--algo", options.algo, "--fill", str(rows), "--batch", str(options.batch)]
        words += ["--threads", str(options.threads), "--sampling", options.sampling]
        words += ["--clock", "cpu" if options.threads == 1 else "wall"]
        threads = {name: str(options.threads) for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")}
        self.process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, **threads},
            preexec_fn=realtime if options.realtime else None,
        )  # fmt: skip
        self.rows = self.answer()["fill"]

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise Failure(f"the {self.layout} peer stopped with code {self.process.wait()}")
        return json.loads(line)

    def measure(self, rounds):
        self.process.stdin.write(f"{rounds}\n")
        self.process.stdin.flush()
        found = self.answer()
        return {"ms": found["ms"]["total"], "phases": found["ms"]}

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def run_starling(options, agents, rows, mode, layout):
    words = [options.starling, "profile", "--json", "--env", options.env, "--agents", str(agents), "--algo", options.algo]
    words += ["--mode", mode, "--layouts", layout, "--samplings", SAMPLINGS[options.sampling], "--fill", str(rows)]
    words += ["--rounds", str(max(5, rounds_for(options, agents))), "--batch", str(options.batch)]
    words += ["--threads", str(options.threads)]
    try:
        done = subprocess.run(words, capture_output=True, text=True, preexec_fn=realtime if options.realtime else None)
    except OSError as error:
        raise Failure(f"cannot run {options.starling}: {error.strerror}") from error
    if done.returncode != 0:
        raise Failure(f"{' '.join(words)}: code {done.returncode}: {done.stderr.strip()}")
    case = json.loads(done.stdout)["cases"][0]
    phases = {name: phase["median_ms"] for name, phase in case["phases"].items()}
    return {"ms": case["all"]["median_ms"] - sum(phases[name] for name in OTHERS), "phases": phases, "rows": case["rows"]}


def expect_rows(name, has, rows):
    if has != rows:
        print(f"compare.py: {name} holds {has} rows instead of {rows}", file=sys.stderr)


def measure(options, python, agents):
    """All repeats at one number of agents: {"peers": {layout: [...]}, "starling": {name: [...]}}."""
    rows = rows_for(options, agents)
    found = {"agents": agents, "rows": rows, "peers": {}, "starling": {}}
    peers = []
    try:
        for layout in options.peers:
            peers.append(Peer(python, layout, options, agents, rows))
            expect_rows(f"PyTorch {layout}", peers[-1].rows, rows)
        for _ in range(options.repeat):
            for peer in peers:
                found["peers"].setdefault(peer.layout, []).append(peer.measure(rounds_for(options, agents)))
            for name, mode, layout in CONFIGURATIONS:
                found["starling"].setdefault(name, []).append(run_starling(options, agents, rows, mode, layout))
                expect_rows(name, found["starling"][name][-1]["rows"], rows)
    finally:
        for peer in peers:
            peer.close()
    return found


def sum_up(found):
    """Medians over repeats, and the ratios repeat by repeat: ratios[layout][name] = median, least, greatest."""
    both = {**found["peers"], **found["starling"]}
    found["ms"] = {name: statistics.median(one["ms"] for one in runs) for name, runs in both.items()}
    found["ratios"] = {}
    for layout, theirs in found["peers"].items():
        for name, ours in found["starling"].items():
            each = [a["ms"] / b["ms"] for a, b in zip(theirs, ours)]
            found["ratios"].setdefault(layout, {})[name] = [statistics.median(each), min(each), max(each)]


def print_row(cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def print_head(columns):
    print_row(columns)
    print("|" + "---|" * len(columns), flush=True)


def show(options, results):
    names = [name for name, _, _ in CONFIGURATIONS]
    print(f"\nMilliseconds per update of all trainers: {options.env}, {options.algo}, {options.sampling} rows, batch {options.batch}, "
          f"{options.threads} thread(s), median of {options.repeat} repeats\n")  # fmt: skip
    print_head(["N", "rows"] + [f"PyTorch {layout}" for layout in options.peers] + names)
    for found in results:
        print_row([str(found["agents"]), str(found["rows"])] + [f"{found['ms'][name]:.4g}" for name in options.peers + names])
    for layout in options.peers:
        print(f"\nTimes faster than PyTorch {layout} (least - greatest over repeats)\n")
        print_head(["N"] + names)
        for found in results:
            ratios = [found["ratios"][layout][name] for name in names]
            print_row([str(found["agents"])] + [f"{middle:.1f} ({least:.1f} - {most:.1f})" for middle, least, most in ratios])


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agents", default="3,6,12,24")
    parser.add_argument("--starling", default="build/release/starling", help="the program (build/release/starling)")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--peers", default="list", help="layouts of maddpg_torch.py: list, array, fused (list)")
    parser.add_argument("--env", choices=("tag", "spread"), default="tag")
    parser.add_argument("--algo", choices=("maddpg", "masac"), default="maddpg")
    parser.add_argument("--sampling", choices=tuple(SAMPLINGS), default="random")
    parser.add_argument("--fill", type=int, default=200000, help="rows in every replay; fewer where Starling's would pass 3 GB")
    parser.add_argument("--batch", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=0, help="per repeat (20 up to 6 agents, 8 up to 12, then 3)")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--realtime", action="store_true", help="SCHED_FIFO for both, for busy machines; needs the right to")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    try:
        options.agents = [int(word) for word in options.agents.split(",")]
    except ValueError:
        parser.error("--agents: expected numbers with commas between")
    options.peers = options.peers.split(",")
    if not set(options.peers) <= {"list", "array", "fused"}:
        parser.error("--peers: expected list, array or fused")
    if min(options.agents + [options.repeat, options.batch, options.threads]) < 1 or options.fill < 25:
        parser.error("sizes must be positive, --fill at least 25")
    return options


def main():
    options = read_options()
    python = find_python()
    if not python:
        print("compare.py: skipped, it needs PyTorch (Debian: apt-get install python3-torch)", file=sys.stderr)
        return 77
    results = []
    try:
        for agents in options.agents:
            found = measure(options, python, agents)
            sum_up(found)
            found["load"] = os.getloadavg()[0]
            results.append(found)
            print(f"compare.py: {agents} agents done, load {found['load']:.1f}", file=sys.stderr)
    except Failure as failure:
        print(f"compare.py: {failure}", file=sys.stderr)
        return 1
    if options.json:
        print(json.dumps({"options": vars(options), "results": results}, indent=1))
    else:
        show(options, results)
    return 0


if __name__ == "__main__":
    sys.exit(main())

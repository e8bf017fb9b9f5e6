#!/usr/bin/env python3
"""Update of all trainers: PyTorch, JAX and Starling side by side, in turns, on equal numbers of threads.

    compare.py [--agents 3,6,12,24] [--starling PROGRAM] [--peers all] [--python PROGRAM,...] [--repeat 3] [--json]

A repeat is a few rounds of every peer, then of every configuration of Starling (`starling profile`). A time is the median of
its rounds; tables show the median over repeats, ratios also their least and greatest. A round of Starling is all of a unit
but acting and the env, the writes of 100 steps into the replay included. Where something is unequal it is so in favour of
the peers: on one thread theirs is the time of the processor, without waiting for it, and Starling's that of the clock.

Peers that are not installed are left out with a sentence; a peer on the reference BLAS is refused. Exit code 77 without any peer.
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PEERS = {  # program, module, whether all agents share their rows
    "list": ("maddpg_torch.py", "torch", False),
    "array": ("maddpg_torch.py", "torch", False),
    "compiled": ("maddpg_torch.py", "torch", False),
    "jax": ("maddpg_jax.py", "jax", False),
    "fused": ("maddpg_torch.py", "torch", True),
    "fused-compiled": ("maddpg_torch.py", "torch", True),
    "jax-fused": ("maddpg_jax.py", "jax", True),
}
MADDPG_ONLY = ("compiled", "jax", "fused", "fused-compiled", "jax-fused")
CONFIGURATIONS = (  # name, mode, layout, whether all agents share their rows
    ("separate", "faithful", "separate", False),
    ("joint", "faithful", "joint", False),
    ("shared", "shared", "joint", True),
    ("folded-shared", "folded-shared", "state", True),
)
OTHERS = ("action selection", "environment")  # phases that are no part of an update
SAMPLINGS = {"random": "uniform", "neighbor": "neighbor"}
STARLING_BYTES = 3e9  # of one replay of `starling profile`


class Failure(Exception):
    pass


def realtime():
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))


def find_python(options, module):
    """The first Python that has the module; None = there is none."""
    for python in dict.fromkeys(options.python + [sys.executable, "/usr/bin/python3"]):
        if os.path.exists(python) and subprocess.run([python, "-c", f"import numpy, {module}"], capture_output=True).returncode == 0:
            return python
    return None


def rows_for(options, agents):
    """Rows in every replay: as asked for, or what there is room for in Starling's widest layout and in all peers, whole episodes."""
    wide = 6 * agents if options.env == "spread" else 2 + 2 * max(2, agents // 3) + 2 * agents + 4 * max(1, agents // 3)
    row = agents * 64 * math.ceil(4 * (2 * wide + 7) / 64)  # observations, action, reward, end of an agent in cache lines
    room = min(STARLING_BYTES, 1e9 * options.memory / max(1, len(options.peers)))
    return max(25, int(min(options.fill, room / row)) // 25 * 25)


def rounds_for(options, agents):
    return options.rounds or (20 if agents <= 6 else 8 if agents <= 12 else 3)


class Peer:
    """A peer with its replay filled, waiting to be asked for rounds. `missing` says why it cannot."""

    def __init__(self, python, name, options, agents, rows):
        self.name = name
        words = [python, os.path.join(HERE, PEERS[name][0]), "--serve", "--layout", name, "--env", options.env]
        words += ["--agents", str(agents), "--algo", options.algo, "--fill", str(rows), "--batch", str(options.batch)]
        words += ["--threads", str(options.threads), "--sampling", options.sampling]
        words += ["--clock", "cpu" if options.threads == 1 else "wall"] + ["--any-blas"] * options.any_blas
        threads = {name: str(options.threads) for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}
        self.process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **threads},
            preexec_fn=realtime if options.realtime else None,
        )  # fmt: skip
        self.missing, line = None, self.process.stdout.readline()
        if line:
            self.about = json.loads(line)
        else:
            code, said = self.process.wait(), self.process.stderr.read().strip().splitlines()
            self.missing = said[-1] if said else f"code {code}"

    def measure(self, rounds):
        self.process.stdin.write(f"{rounds}\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise Failure(f"the peer {self.name} stopped with code {self.process.wait()}")
        found = json.loads(line)
        return {"ms": found["ms"]["total"], "phases": found["ms"]}

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def start_peers(options, agents, rows):
    """Those that are there; the others are told."""
    peers = []
    for name in options.peers:
        python = options.pythons[PEERS[name][1]]
        peer = Peer(python, name, options, agents, rows)
        if peer.missing:
            print(f"compare.py: without {name}: {peer.missing}", file=sys.stderr)
        else:
            expect_rows(name, peer.about["fill"], rows)
            peers.append(peer)
    return peers


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


def measure(options, agents):
    """All repeats at one number of agents: {"peers": {name: [...]}, "starling": {name: [...]}}."""
    rows = rows_for(options, agents)
    found = {"agents": agents, "rows": rows, "about": {}, "peers": {}, "starling": {}}
    peers = start_peers(options, agents, rows)
    try:
        for _ in range(options.repeat):
            for peer in peers:
                found["about"][peer.name] = f"{peer.about['version']}, products by {peer.about['blas']}"
                found["peers"].setdefault(peer.name, []).append(peer.measure(rounds_for(options, agents)))
            for name, mode, layout, _ in CONFIGURATIONS:
                found["starling"].setdefault(name, []).append(run_starling(options, agents, rows, mode, layout))
                expect_rows(name, found["starling"][name][-1]["rows"], rows)
    finally:
        for peer in peers:
            peer.close()
    return found


def sum_up(found):
    """Medians over repeats; ratios repeat by repeat, ratios[peer][name] = median, least, greatest; and the best peer of every
    configuration, of those that share rows as it does."""
    both = {**found["peers"], **found["starling"]}
    found["ms"] = {name: statistics.median(one["ms"] for one in runs) for name, runs in both.items()}
    found["ratios"], found["best"] = {}, {}
    for peer, theirs in found["peers"].items():
        for name, ours in found["starling"].items():
            each = [a["ms"] / b["ms"] for a, b in zip(theirs, ours)]
            found["ratios"].setdefault(peer, {})[name] = [statistics.median(each), min(each), max(each)]
    for name, _, _, shared in CONFIGURATIONS:
        alike = [peer for peer in found["peers"] if PEERS[peer][2] == shared]
        found["best"][name] = min(alike, key=found["ms"].get, default=None)


def print_row(cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def print_head(columns):
    print_row(columns)
    print("|" + "---|" * len(columns), flush=True)


def ratio(found, peer, name):
    middle, least, most = found["ratios"][peer][name]
    return f"{middle:.2f} ({least:.2f} - {most:.2f})"


def show(options, results):
    names = [one[0] for one in CONFIGURATIONS]
    peers = [peer for peer in options.peers if any(peer in found["peers"] for found in results)]
    print(f"\nMilliseconds per update of all trainers: {options.env}, {options.algo}, {options.sampling} rows, batch {options.batch}, "
          f"{options.threads} thread(s), median of {options.repeat} repeats\n")  # fmt: skip
    for peer in peers:
        print(f"- {peer}: {next(found['about'][peer] for found in results if peer in found['about'])}")
    print()
    print_head(["N", "rows"] + peers + names)
    for found in results:
        print_row([str(found["agents"]), str(found["rows"])] + [f"{found['ms'].get(name, math.nan):.4g}" for name in peers + names])
    print("\nTimes faster than the best peer that draws rows as the configuration does (least - greatest over repeats)\n")
    print_head(["N"] + names)
    for found in results:
        best = [(found["best"][name], name) for name in names]
        print_row([str(found["agents"])] + [f"{ratio(found, peer, name)} {peer}" if peer else "-" for peer, name in best])
    for peer in peers if options.all_ratios else []:
        print(f"\nTimes faster than {peer}\n")
        print_head(["N"] + names)
        for found in results:
            if peer in found["peers"]:
                print_row([str(found["agents"])] + [ratio(found, peer, name) for name in names])


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agents", default="3,6,12,24")
    parser.add_argument("--starling", default="build/release/starling", help="the program (build/release/starling)")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--peers", default="all", help=f"{', '.join(PEERS)} or all (all)")
    parser.add_argument("--python", default="", help="programs that may have PyTorch or JAX, with commas between; before this one and /usr/bin/python3")
    parser.add_argument("--env", choices=("tag", "spread"), default="tag")
    parser.add_argument("--algo", choices=("maddpg", "masac"), default="maddpg")
    parser.add_argument("--sampling", choices=tuple(SAMPLINGS), default="random")
    parser.add_argument("--fill", type=int, default=200000, help="rows in every replay; fewer where Starling's would pass 3 GB")
    parser.add_argument("--memory", type=float, default=14, help="GB of the replays of all peers (14)")
    parser.add_argument("--batch", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=0, help="per repeat (20 up to 6 agents, 8 up to 12, then 3)")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--realtime", action="store_true", help="SCHED_FIFO for both, for busy machines; needs the right to")
    parser.add_argument("--any-blas", action="store_true", help="go on with a slow BLAS, which flatters Starling")
    parser.add_argument("--all-ratios", action="store_true", help="also the ratios to every single peer")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    try:
        options.agents = [int(word) for word in options.agents.split(",")]
    except ValueError:
        parser.error("--agents: expected numbers with commas between")
    options.python = [word for word in options.python.split(",") if word]
    options.peers = list(PEERS) if options.peers == "all" else options.peers.split(",")
    if not set(options.peers) <= set(PEERS):
        parser.error(f"--peers: expected {', '.join(PEERS)} or all")
    if options.algo != "maddpg" or options.sampling != "random":
        options.peers = [peer for peer in options.peers if peer not in MADDPG_ONLY]
    if min(options.agents + [options.repeat, options.batch, options.threads]) < 1 or options.fill < 25:
        parser.error("sizes must be positive, --fill at least 25")
    return options


def find_peers(options):
    """Pythons of PyTorch and JAX; peers without one are left out."""
    options.pythons = {module: find_python(options, module) for module in ("torch", "jax")}
    for module, python in options.pythons.items():
        missing = [peer for peer in options.peers if PEERS[peer][1] == module]
        if not python and missing:
            print(f"compare.py: without {', '.join(missing)}: no Python has {module} (README.md says how to install it)", file=sys.stderr)
    options.peers = [peer for peer in options.peers if options.pythons[PEERS[peer][1]]]


def main():
    options = read_options()
    find_peers(options)
    if not options.peers:
        print("compare.py: skipped, there is no peer", file=sys.stderr)
        return 77
    results = []
    try:
        for agents in options.agents:
            found = measure(options, agents)
            sum_up(found)
            found["load"] = os.getloadavg()[0]
            results.append(found)
            print(f"compare.py: {agents} agents done, load {found['load']:.1f}", file=sys.stderr)
    except Failure as failure:
        print(f"compare.py: {failure}", file=sys.stderr)
        return 1
    if not any(found["peers"] for found in results):
        print("compare.py: skipped, there is no peer", file=sys.stderr)
        return 77
    if options.json:
        print(json.dumps({"options": vars(options), "results": results}, indent=1))
    else:
        show(options, results)
    return 0


if __name__ == "__main__":
    sys.exit(main())

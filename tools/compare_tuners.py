#!/usr/bin/env python3
"""Compare tuners, or settings of one, on layers of ResNet-18 with a proven optimum (VTA, default core).

    compare_tuners.py TUNER[:SETTINGS] ... [--starling PROGRAM] [--seeds N] [--budget N] [--jobs N]

SETTINGS is what `starling tune --set` takes. A cell is the geometric mean over the layers of the
median over seeds of best-so-far over the optimum: 1.05 is five percent above it. The last column
counts failed measurements per run. Seeds start at 1000: the studies use
those from 1 on.

    tools/compare_tuners.py random autotvm-ga autotvm autotvm:check=true draft --seeds 15
"""
import argparse
import concurrent.futures
import json
import math
import statistics
import subprocess
import tempfile

# tuners are told apart by these: few points are near the optimum (all distinct shapes but C5, C6, C8, C11)
LAYERS = {
    "C2": "conv:K=64,C=64,P=56,Q=56,R=3,S=3",
    "C3": "conv:K=128,C=64,P=28,Q=28,R=3,S=3,stride=2",
    "C4": "conv:K=128,C=64,P=28,Q=28,stride=2",
    "C7": "conv:K=256,C=128,P=14,Q=14,stride=2",
    "C9": "conv:K=512,C=256,P=7,Q=7,R=3,S=3,stride=2",
    "C10": "conv:K=512,C=256,P=7,Q=7,stride=2",
}
CHECKPOINTS = [8, 16, 32, 64, 128, 256, 512, 1000]
FIRST_SEED = 1000


def tune(program, layer, tuner, budget, seed):
    name, _, settings = tuner.partition(":")
    command = [program, "tune", LAYERS[layer], "--method", name, "--budget", str(budget), "--seed", str(seed),
               "--optimum=on", "--threads", "1", "--json", "--quiet"]
    if settings:
        command += ["--set", settings]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def best_at(curve, measurements):
    values = [value for at, value in curve if at <= measurements]
    return values[-1] if values else math.inf


def row(runs, checkpoints):
    """Cells of one tuner: runs[layer] is a list of what `starling tune` printed, one per seed."""
    cells = []
    for measurements in checkpoints:
        logs = []
        for found in runs.values():
            ratios = [best_at(one["layers"][0]["curve"], measurements) / one["layers"][0]["optimum"]["cycles"]
                      for one in found]
            logs.append(math.log(statistics.median(ratios)))
        cells.append(math.exp(statistics.fmean(logs)))
    every = [one for found in runs.values() for one in found]
    failed = statistics.fmean(one["layers"][0]["failures"] for one in every)
    return cells, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tuners", nargs="+", metavar="TUNER[:SETTINGS]")
    parser.add_argument("--starling", default="build/release/starling")
    parser.add_argument("--seeds", type=int, default=15)
    parser.add_argument("--budget", type=int, default=128)
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    checkpoints = [n for n in CHECKPOINTS if n <= args.budget]
    print(f"| tuner | {' | '.join(map(str, checkpoints))} | failed |")
    print("|---" * (len(checkpoints) + 2) + "|")
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for tuner in args.tuners:
            jobs = {layer: [pool.submit(tune, args.starling, layer, tuner, args.budget, FIRST_SEED + seed)
                            for seed in range(args.seeds)] for layer in LAYERS}
            cells, failed = row({layer: [job.result() for job in found] for layer, found in jobs.items()}, checkpoints)
            print(f"| `{tuner}` | {' | '.join(f'{cell:.3f}' for cell in cells)} | {failed:.0f} |", flush=True)


if __name__ == "__main__":
    main()

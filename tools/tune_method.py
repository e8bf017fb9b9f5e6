#!/usr/bin/env python3
"""Compare settings of a method on the held-out layers, which no study uses.

    tune_method.py METHOD [SETTINGS ...] [--starling PROGRAM] [--seeds N] [--samples N] [--jobs N]

SETTINGS is what `starling map --set` takes; "" (the defaults) is always the first row. The score of
a row is the mean, over tasks, seeds and checkpoints (50, 100, ... up to the samples), of the logarithm of
best-so-far over the proven optimum: 0.05 is five percent above it. Seeds start at 1000: the
studies use those from 1 on. Beside the score stands its standard error over seeds.

    tools/tune_method.py ga "" population=40 "population=40,elite=4" --seeds 8
"""
import argparse
import concurrent.futures
import json
import math
import os
import statistics
import subprocess
import tempfile
import time

# layers of networks that are not in the studies (ResNet-50, ViT, EfficientNet, Inception shapes)
HELD_OUT = {
    "reduce": "conv:K=64,C=256,P=56,Q=56,R=1,S=1",
    "wide": "conv:K=1024,C=512,P=14,Q=14,R=1,S=1",
    "odd": "conv:K=96,C=80,P=35,Q=35,R=3,S=3",
    "dw5": "dw:G=240,P=28,Q=28,R=5,S=5",
    "vit": "gemm:M=197,N=768,K=768",
    "stem": "conv:K=32,C=3,P=149,Q=149,R=3,S=3,stride=2",
}
GOALS = ["latency", "edp"]
CHECKPOINTS = [50, 100, 250, 500, 1000, 2000, 5000, 10000, 20000]
FIRST_SEED = 1000


def starling(program, *arguments):
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([program, *arguments, "--json", "--quiet"], capture_output=True,
                              text=True, check=False, cwd=folder)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(arguments)}: {done.stderr.strip()}")
    return json.loads(done.stdout)["layers"][0]


def optimum(program, accel, layer, goal):
    found = starling(program, "map", HELD_OUT[layer], "--accel", accel, "--objective", goal,
                     "--samples", "500", "--prove", "--prove-time", "30")
    return found["lower_bound"]


def best_at(curve, samples):
    values = [value for sample, value in curve if sample <= samples]
    return values[-1] if values else curve[0][1]


def run(program, args, settings, layer, goal, seed):
    begun = time.monotonic()
    found = starling(program, "map", HELD_OUT[layer], "--accel", args.accel, "--objective", goal, "--method",
                     args.method, "--samples", str(args.samples), "--seed", str(seed), "--threads",
                     "1", "--start", "none", *(["--set", settings] if settings else []))
    return found["curve"], time.monotonic() - begun


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("method")
    parser.add_argument("settings", nargs="*")
    parser.add_argument("--starling", default="build/release/starling")
    parser.add_argument("--accel", default="eyeriss")
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--samples", type=int, default=5000)
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    program = os.path.abspath(args.starling)
    tasks = [(layer, goal) for layer in HELD_OUT for goal in GOALS]
    best = {task: optimum(program, args.accel, *task) for task in tasks}
    checkpoints = [n for n in CHECKPOINTS if n <= args.samples]
    print("score    +-    " + "  ".join(f"{n:>6}" for n in checkpoints) + "  s/run  settings")
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for settings in dict.fromkeys(["", *args.settings]):
            cells = [(task, seed) for seed in range(FIRST_SEED, FIRST_SEED + args.seeds) for task in tasks]
            curves = list(pool.map(lambda cell: run(program, args, settings, *cell[0], cell[1]), cells))
            logs = {n: [math.log(best_at(curve, n) / best[task]) for (task, _), (curve, _) in zip(cells, curves)]
                    for n in checkpoints}
            by_seed = [statistics.mean(logs[n][i] for n in checkpoints
                                       for i, (_, seed) in enumerate(cells) if seed == one)
                       for one in range(FIRST_SEED, FIRST_SEED + args.seeds)]
            error = statistics.stdev(by_seed) / math.sqrt(len(by_seed)) if len(by_seed) > 1 else math.nan
            means = "  ".join(f"{math.exp(statistics.mean(logs[n])):6.3f}" for n in checkpoints)
            seconds = statistics.mean(time for _, time in curves)
            print(f"{statistics.mean(by_seed):.4f} {error:.4f} {means}  {seconds:5.2f}  {settings or '(defaults)'}",
                  flush=True)


if __name__ == "__main__":
    main()

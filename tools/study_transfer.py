#!/usr/bin/env python3
"""Tables of the study `transfer` by held-out set, from its records.

    study_transfer.py [DIR ...]               folders of the studies; docs/studies/transfer if none is given
    study_transfer.py --distances             how far every task is from the nearest one that was taught

Sets: layers like the drawn ones and layers of networks, on gamma168; all of them on gamma1024. A number is the
geometric mean over tasks of the median over seeds of best so far / best known, the least value of all rows.
Break-even: tasks after which the evaluations before are paid, if every task is searched to the flock's value after
three evaluations. Needs nothing but Python 3 and the program.
"""
import argparse
import csv
import gzip
import io
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CHECKPOINTS = [1, 2, 3, 10, 30, 100]
BEFORE = 120000  # evaluations that the flocks were taught by
UNTAUGHT = ("marl", "marl, 5,000 samples", "marl without estimates", "estimates alone", "bo", "bo, estimates", "gamma",
            "ppo", "random")
DRAWN = ["odd channels", "stride 2", "depthwise 5x5", "product", "rectangular", "1x1"]
LAYERS = {
    "odd channels": "conv:K=83,C=45,P=29,Q=29,R=3,S=3",
    "stride 2": "conv:K=128,C=64,P=28,Q=28,R=3,S=3,stride=2",
    "depthwise 5x5": "dw:G=240,P=28,Q=28,R=5,S=5",
    "product": "gemm:M=197,N=386,K=1152",
    "rectangular": "conv:K=96,C=48,P=60,Q=20,R=3,S=3",
    "1x1": "conv:K=256,C=64,P=56,Q=56,R=1,S=1",
    "resnet18:conv2_1": "resnet18:conv2_1",
    "resnet18:conv5_2": "resnet18:conv5_2",
    "vgg16:conv3_2": "vgg16:conv3_2",
    "mobilenet_v2:10": "mobilenet_v2:10",
    "bert_base:1": "bert_base:1",
    "alexnet:conv2": "alexnet:conv2",
}


def export(starling, study):
    """(task, row, seed) -> [(sample, best)]; a store may be packed"""
    with tempfile.TemporaryDirectory() as folder:
        packed = os.path.join(study, "study.db.gz")
        if os.path.exists(packed):
            with gzip.open(packed) as f, open(os.path.join(folder, "study.db"), "wb") as out:
                shutil.copyfileobj(f, out)
            study = folder
        done = subprocess.run([starling, "study", "export", study, "--what", "curves"],
                              capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stderr.strip())
    curves = {}
    for cell in csv.DictReader(io.StringIO(done.stdout)):
        key = cell["task"], cell["row"], int(cell["seed"])
        curves.setdefault(key, []).append((int(cell["sample"]), float(cell["best"])))
    return curves


def value_at(curve, sample):
    return next((best for n, best in reversed(curve) if n <= sample), math.inf)


def geomean(values):
    return math.exp(statistics.fmean(math.log(v) for v in values))


def set_of(task):
    if task.endswith("gamma1024"):
        return "all layers on gamma1024"
    drawn = any(task.startswith(name + " ") for name in DRAWN)
    return "layers as drawn, gamma168" if drawn else "layers of networks, gamma168"


def medians(curves, best, row, tasks, sample):
    return [statistics.median(value_at(curve, sample) / best[task]
                              for (t, r, _), curve in curves.items() if (t, r) == (task, row))
            for task in tasks]


def print_sets(curves, best, rows):
    for name in dict.fromkeys(set_of(task) for task in sorted(best)):
        tasks = [task for task in best if set_of(task) == name]
        print(f"**{name}, {len(tasks)} tasks**\n")
        print("| row | " + " | ".join(map(str, CHECKPOINTS)) + " |")
        print("|---|" + "---:|" * len(CHECKPOINTS))
        for row in rows:
            numbers = (geomean(medians(curves, best, row, tasks, n)) for n in CHECKPOINTS)
            print(f"| {row} | " + " | ".join(f"{x:.3f}" if x < 100 else f"{x:.0f}" for x in numbers) + " |")
        print()


def print_break_even(curves, best, rows):
    """evaluations that a row needs, task by task, for what the flock has after three"""
    print("**Break-even**\n\n| row | evaluations to the flock's third value, mean over tasks | tasks to pay for 120,000 |")
    print("|---|---:|---:|")
    for row in rows:
        needs, seen, most = [], 0, 0
        for task in best:
            wanted = statistics.median(value_at(c, 3) for (t, r, _), c in curves.items()
                                       if (t, r) == (task, "flock")) * (1 + 1e-9)
            runs = [c for (t, r, _), c in curves.items() if (t, r) == (task, row)]
            most = max(most, *(c[-1][0] for c in runs))
            hits = [next((n for n, v in c if v <= wanted), math.inf) for c in runs]
            middle = statistics.median(hits)
            seen += middle < math.inf
            needs.append(middle)
        mean = statistics.fmean(min(n, most) for n in needs)
        sign = "" if seen == len(needs) else "≥ "
        saved = mean - 3
        print(f"| {row} | {sign}{mean:.0f} ({seen} of {len(needs)} tasks get there) | "
              + (f"{'≤ ' if sign else ''}{BEFORE / saved:,.0f} |" if saved > 0 else "- |"))
    print()


def print_distances(starling):
    print("| layer | machine | distance to the nearest taught task, deviations | taught tasks that are farther apart |")
    print("|---|---|---:|---:|")
    for name, workload in LAYERS.items():
        for accel in ("gamma168", "gamma1024"):
            command = [starling, "map", workload, "--evaluator", "maestro", "--accel", accel, "--objective", "edp",
                       "--samples", "1", "--json", "--quiet"]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            taught = json.loads(done.stdout)["layers"][0]["taught"]
            print(f"| {name} | {accel} | {taught['distance']:.2f} | {100 * taught['share']:.0f} % |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("studies", nargs="*", default=[os.path.join(ROOT, "docs/studies/transfer")])
    parser.add_argument("--starling", default=os.path.join(ROOT, "build/release/starling"))
    parser.add_argument("--distances", action="store_true")
    args = parser.parse_args()
    if args.distances:
        print_distances(args.starling)
        return
    for study in args.studies:
        curves = export(args.starling, study)
        best, rows = {}, []
        for (task, row, _), curve in curves.items():
            best[task] = min(best.get(task, math.inf), curve[-1][1])
            if row not in rows:
                rows.append(row)
        rows.sort(key=lambda row: geomean(medians(curves, best, row, best, 10)))
        print_sets(curves, best, rows)
        print_break_even(curves, best, [row for row in rows if row in UNTAUGHT])


if __name__ == "__main__":
    main()

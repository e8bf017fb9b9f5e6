#!/usr/bin/env python3
"""Rewards of the training engine: samplings and modes over several seeds.

    study_engine.py STARLING DIR [--seeds 6] [--episodes 5000] [--jobs 2]

Runs `starling train` for both worlds and algorithms with uniform and neighbor sampling in the faithful
mode, and for MADDPG in every mode, each with every seed; runs that are in DIR already are not run again.
Prints Markdown tables: the mean return of an agent in 1,000 new episodes after training, the paired
difference to the first column with a 95 % interval over seeds, and the time of a run.
"""
import argparse
import concurrent.futures
import json
import math
import os
import statistics
import subprocess

# two-sided 95 % points of Student's t by degrees of freedom
T95 = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262}
WORLDS = ("tag", "spread")


def train(job):
    starling, folder, args = job
    if not os.path.exists(os.path.join(folder, "train.json")) or not read(folder)["finished"]:
        command = [starling, "train", *args, "--out", folder, "--threads", "1", "--quiet"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    checkpoint = os.path.join(folder, "checkpoint")
    if os.path.exists(checkpoint):
        os.remove(checkpoint)  # as large as the replay
    return folder


def read(folder):
    with open(os.path.join(folder, "train.json"), encoding="utf-8") as file:
        return json.load(file)


def folder_of(root, world, algo, mode, sampling, seed):
    return os.path.join(root, f"{world}-{algo}-{mode}-{sampling}-{seed}")


def configurations():
    for world in WORLDS:
        for algo in ("maddpg", "masac"):
            for sampling in ("uniform", "neighbor"):
                yield world, algo, "faithful", sampling
        for mode in ("shared", "folded", "folded-shared"):
            yield world, "maddpg", mode, "uniform"


def value(root, key, seed, what="noisy"):
    return read(folder_of(root, *key, seed))["evaluation"][what]["mean"]


def difference(root, key, other, seeds):
    """Mean of the paired differences over seeds, and half of its 95 % interval."""
    deltas = [value(root, key, s) - value(root, other, s) for s in seeds]
    half = T95[len(deltas) - 1] * statistics.stdev(deltas) / math.sqrt(len(deltas))
    return statistics.mean(deltas), half


def show(root, key, base, seeds):
    values = [value(root, key, s) for s in seeds]
    chance = statistics.mean(value(root, key, s, "random") for s in seeds)
    seconds = statistics.median(read(folder_of(root, *key, s))["speed"]["seconds"] for s in seeds)
    text = f"{statistics.mean(values):.1f} ({min(values):.1f} to {max(values):.1f})"
    delta = "" if key == base else "{:+.1f} ± {:.1f}".format(*difference(root, key, base, seeds))
    return f"| {' | '.join(key)} | {text} | {chance:.1f} | {delta} | {seconds:.0f} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("starling")
    parser.add_argument("dir")
    parser.add_argument("--seeds", type=int, default=6)
    parser.add_argument("--episodes", type=int, default=5000)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    os.makedirs(args.dir, exist_ok=True)
    seeds = range(1, args.seeds + 1)
    jobs = []
    for seed in seeds:
        for world, algo, mode, sampling in configurations():
            options = ["--env", world, "--algo", algo, "--mode", mode, "--sampling", sampling, "--prey", "random"]
            options += ["--episodes", str(args.episodes), "--capacity", "200000", "--seed", str(seed)]
            jobs.append((args.starling, folder_of(args.dir, world, algo, mode, sampling, seed), options))
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for folder in pool.map(train, jobs):
            print("done", folder, flush=True)
    print("\n| world | algorithm | mode | sampling | return, mean over seeds (range) | by chance | against the first row | seconds |")
    print("|---|---|---|---|---|---|---|---|")
    for key in configurations():
        base = (key[0], key[1], "faithful", "uniform")
        print(show(args.dir, key, base, seeds))


if __name__ == "__main__":
    main()

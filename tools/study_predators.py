#!/usr/bin/env python3
"""Reward curves of predators after prey that get out of their way: uniform and neighbor sampling.

    study_predators.py STARLING DIR [--quick] [--jobs 2] [--write docs/studies/predators]

Runs `starling train` in DIR for 3, 6 and 12 predators with every seed, both samplings one after the
other, so that pairs are complete early; then shorter runs that show which prey and which shaping can
be learnt. Runs that DIR or the written results hold already are not run again; the same command goes
on from checkpoints.
"""
import argparse
import concurrent.futures
import json
import os
import subprocess

PREY = "dodge"
SHAPING = 1
SAMPLINGS = ("uniform", "neighbor")


# ---- which runs ----


def pairs():
    """Numbers of agents and seeds: three agents first, then twelve and six in turn."""
    order = [(3, seed) for seed in range(1, 6)]
    for seed in range(1, 6):
        order += [(12, seed)] if seed <= 3 else []
        order += [(6, seed)]
    return order


def main_runs(episodes):
    for agents, seed in pairs():
        for sampling in SAMPLINGS:
            yield {"agents": agents, "prey": PREY, "shaping": SHAPING, "sampling": sampling, "seed": seed, "episodes": episodes}


def setup_runs(episodes):
    """Three agents, uniform sampling: what can be learnt from what."""
    for seed in range(1, 4):
        for prey in ("flee", "dodge", "random"):
            for shaping in (0, 0.1, 1):
                yield {"agents": 3, "prey": prey, "shaping": shaping, "sampling": "uniform", "seed": seed, "episodes": episodes}


def all_runs(quick):
    if quick:
        yield from ({**run, "seed": seed} for seed in (1, 2) for run in main_runs(3000) if (run["agents"], run["seed"]) == (3, 1))
    else:
        yield from main_runs(60000)
        yield from setup_runs(20000)


def name_of(run):
    return "{agents}-{prey}-{shaping}-{sampling}-{episodes}-{seed}".format(**run)


# ---- running ----


def read(folder):
    try:
        with open(os.path.join(folder, "train.json"), encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return None


def command_of(starling, folder, run):
    options = ["--env", "tag", "--mode", "folded", "--threads", "1", "--trials", "10000", "--checkpoint", "300s"]
    for key, value in run.items():
        options += ["--" + key, str(value)]
    return [starling, "train", *options, "--out", folder, "--quiet"]


def train(job):
    starling, root, run = job
    folder = os.path.join(root, name_of(run))
    found = read(folder)
    if not found or not found["finished"]:
        subprocess.run(command_of(starling, folder, run), check=True, stdout=subprocess.DEVNULL)
    checkpoint = os.path.join(folder, "checkpoint")
    if os.path.exists(checkpoint):
        os.remove(checkpoint)  # as large as the replay
    return folder


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("starling")
    parser.add_argument("dir")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    jobs = [(args.starling, args.dir, run) for run in all_runs(args.quick)]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for folder in pool.map(train, jobs):
            print("done", folder, flush=True)


if __name__ == "__main__":
    main()

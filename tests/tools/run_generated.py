#!/usr/bin/env python3
"""Drives generated networks and accelerators through the commands of the program, and checks what comes back.

    run_generated.py --program P --first N --count M [--jobs J] [--only SCENARIO] [--keep]

Every seed is one network and one accelerator (generate_world.py) and two scenarios (generated_scenarios.py), all
drawn from the seed. Failing seeds are printed with the command to run by hand; --keep leaves their folders.
Exit code 1 if there is one.
"""
import argparse
import collections
import concurrent.futures
import os
import random
import shutil
import sys
import tempfile

from generate_world import write_world
from generated_checks import Case, Failure
from generated_scenarios import SCENARIOS, draw_scenarios


def run_seed(program, seed, only, keep):
    """(seed, sentence or None, how often every exit code was seen)"""
    folder = tempfile.mkdtemp(prefix=f"generated-{seed}-")
    rng = random.Random(f"commands {seed}")
    network, accel = write_world(seed, folder)
    case = Case(program, folder, os.path.basename(network), os.path.basename(accel))
    failure = None
    try:
        for name in [only] if only else draw_scenarios(rng):
            SCENARIOS[name](case, random.Random(f"{name} {seed}"))
            case.clear()
    except Failure as found:
        failure = f"seed {seed}: {found}"
    if failure and keep:
        failure += f"\n  in {folder}"
    else:
        shutil.rmtree(folder)
    return seed, failure, case.codes


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", choices=sorted(SCENARIOS))
    parser.add_argument("--keep", action="store_true")
    return parser.parse_args()


def main():
    given = parse_arguments()
    program, codes, n_failed = os.path.abspath(given.program), collections.Counter(), 0
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        runs = [pool.submit(run_seed, program, seed, given.only, given.keep)
                for seed in range(given.first, given.first + given.count)]
        for run in concurrent.futures.as_completed(runs):
            _, failure, seen = run.result()
            codes.update(seen)
            if failure:
                n_failed += 1
                print(failure, flush=True)
    counts = ", ".join(f"{n} x {code}" for code, n in sorted(codes.items()))
    print(f"{given.count} seeds, {sum(codes.values())} commands (exit codes: {counts}), {n_failed} seeds failed")
    return 1 if n_failed else 0


if __name__ == "__main__":
    sys.exit(main())

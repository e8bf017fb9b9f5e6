#!/usr/bin/env python3
"""What assignments of one layer have in common, seed by seed.

    tools/assign_seeds.py LAYER [--seeds 5] [--pair 'L2 K,L2 C'] [--starling PROGRAM] [-- OPTIONS of starling assign]

Runs `starling assign LAYER --seed S --json` for S = 1, 2, ... and prints the correlation of a pair of parameters, the largest one, the height of
the last merge, the largest number of agents with which the pair shares one, and how far the groups of the seeds agree (adjusted Rand index).
"""

import argparse
import itertools
import json
import subprocess
import sys


def assign(options, seed):
    command = [options.starling, "assign", options.layer, "--seed", str(seed), "--json", *options.words]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode != 0:
        sys.exit(made.stderr.strip())
    return json.loads(made.stdout)


def pairs(n):
    return itertools.combinations(range(n), 2)


def agreement(a, b):
    """The adjusted Rand index of two partitions (Hubert & Arabie 1985)."""
    both = sum(a[i] == a[j] and b[i] == b[j] for i, j in pairs(len(a)))
    in_a, in_b = (sum(g[i] == g[j] for i, j in pairs(len(g))) for g in (a, b))
    expected, most = in_a * in_b / (len(a) * (len(a) - 1) / 2), (in_a + in_b) / 2
    return 1 if most == expected else (both - expected) / (most - expected)


def agents_together(found, one, two):
    """The largest number of agents with which two parameters share one."""
    n = len(found["parameters"])
    groups = {i: {i} for i in range(n)}
    for i, (left, right, _, _) in enumerate(found["merges"]):
        groups[n + i] = groups.pop(int(left)) | groups.pop(int(right))
        if {one, two} <= groups[n + i]:
            return n - 1 - i
    return 1


def show(name, values, form="{:.2f}"):
    print(f"{name:24}", "  ".join(form.format(value) for value in values))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("layer")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--pair", default="L2 K,L2 C")
    parser.add_argument("--starling", default="starling")
    parser.add_argument("words", nargs="*", help="options of starling assign, behind --")
    options = parser.parse_args()
    found = [assign(options, seed) for seed in range(1, options.seeds + 1)]
    names = [p["name"] for p in found[0]["parameters"]]
    one, two = (names.index(name.strip()) for name in options.pair.split(","))
    show("seed", range(1, options.seeds + 1), "{:>5}")
    show(f"r of {options.pair}", [d["correlation"][one][two] for d in found], "{:5.2f}")
    show("largest |r|", [max(abs(d["correlation"][i][j]) for i, j in pairs(len(names))) for d in found], "{:5.2f}")
    show("last merge at", [d["top"] for d in found], "{:5.2f}")
    show("share an agent up to", [agents_together(d, one, two) for d in found], "{:>5}")
    groups = [[p["agent"] for p in d["parameters"]] for d in found]
    if options.seeds > 1:
        alike = [agreement(a, b) for a, b in itertools.combinations(groups, 2)]
        print(f"groups of {found[0]['agents']} agents agree between seeds: {sum(alike) / len(alike):.2f} (adjusted Rand index, 1 = equal)")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Tuned and default kernels of Starling beside im2col + OpenBLAS, in turns.

    kernels.py [--starling PROGRAM] [--trials N] [--rounds N] [--json] [LAYER...]

Each layer is searched once by `starling bench kernel`; then the peer, the best schedule and the default
are measured in turns, one thread each, processor time. Layers are convolutions of one group and one image
as `starling` names them; resnet18's conv2 to conv5 without an argument. Leaves with code 77 and a sentence
where OpenBLAS or a compiler is missing.
"""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
USUAL = ["conv2_1", "conv3_1", "conv3_2", "conv4_1", "conv4_2", "conv5_1", "conv5_2"]


def skip(why):
    print(f"kernels.py: {why}", file=sys.stderr)
    sys.exit(77)


def build_peer(folder):
    compiler = shutil.which("cc") or skip("there is no C compiler")
    program = os.path.join(folder, "im2col_blas")
    subprocess.run([compiler, "-O3", "-march=native", os.path.join(HERE, "im2col_blas.c"), "-o", program, "-ldl", "-lm"],
                   check=True)
    return program


def layer_numbers(starling, layer):
    """K C P Q R S stride pad of a layer."""
    out = subprocess.run([starling, "eval", layer, "--json"], capture_output=True, text=True)
    if out.returncode not in (0, 1):
        sys.exit(out.stderr.strip())
    shape = json.loads(out.stdout)["layers"][0]
    dims = shape["dims"]
    if dims["N"] != 1 or dims["G"] != 1 or shape["stride"][0] != shape["stride"][1] or shape["dilation"] != [1, 1]:
        sys.exit(f"{layer}: only one image, one group, equal strides and no dilation")
    return [dims[d] for d in "KCPQRS"] + [shape["stride"][0], shape["pad"][0]]


def run_peer(peer, numbers):
    out = subprocess.run([peer] + [str(n) for n in numbers], capture_output=True, text=True)
    if out.returncode == 77:
        skip(out.stderr.strip())
    if not out.stdout.startswith("ok "):
        sys.exit(f"im2col_blas: {out.stdout}{out.stderr}")
    return statistics.median(float(t) for t in out.stdout.split()[1:])


def run_ours(starling, layer, options):
    out = subprocess.run([starling, "bench", "kernel", layer, "--json"] + options, capture_output=True, text=True)
    if out.returncode:
        sys.exit(out.stderr.strip())
    document = json.loads(out.stdout)
    return document["layers"][0], document["peak_gops"]


def measure(options, peer, layer):
    numbers = layer_numbers(options.starling, layer)
    found, peak = run_ours(options.starling, layer, ["--trials", str(options.trials), "--repeats", "1"])
    best = found["best"]["schedule"]
    times = {"openblas": [], "default": [], "best": []}
    for _ in range(options.rounds):
        times["openblas"].append(run_peer(peer, numbers))
        ours, top = run_ours(options.starling, layer, ["--schedule", best, "--repeats", "1"])
        peak = max(peak, top)
        for name in ("default", "best"):
            times[name].append(ours[name]["median_s"])
    row = {"layer": layer, "schedule": best, "peak_gops": peak, "measured": found["measured"], "failed": found["failed"]}
    for name, values in times.items():
        median = statistics.median(values)
        row[name] = {"median_s": median, "least_s": min(values), "greatest_s": max(values),
                     "gops": 2 * found["macs"] / median / 1e9, "peak_share": 2 * found["macs"] / median / 1e9 / peak}
    return row


def show(row):
    cells = [f"{row[n]['median_s'] * 1e3:8.3f} {100 * row[n]['peak_share']:3.0f} %" for n in ("openblas", "default", "best")]
    ratios = [f"{row[n]['median_s'] / row['best']['median_s']:8.2f}" for n in ("openblas", "default")]
    print(f"{row['layer']:20} " + "  ".join(cells) + "  " + " ".join(ratios), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("layers", nargs="*", default=[f"resnet18:{name}" for name in USUAL])
    parser.add_argument("--starling", default=os.path.join(HERE, "../../build/release/starling"))
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        peer = build_peer(folder)
        run_peer(peer, [8, 8, 8, 8, 3, 3, 1, 1])
        if not options.json:
            print(f"{'milliseconds':20} {'im2col+OpenBLAS':>14}  {'default':>14}  {'best':>14}  {'best is ... times faster':>18}")
        for layer in options.layers:
            rows.append(measure(options, peer, layer))
            if not options.json:
                show(rows[-1])
    if options.json:
        print(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()

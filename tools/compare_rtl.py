#!/usr/bin/env python3
"""How far the latency of the model is from RTL cycles: the measured mappings of tests/data/gemmini.

    compare_rtl.py [--starling PROGRAM]

The model has a roofline: the longest of computing, ports and links, and the first tiles. Nothing is fitted. A factor is
RTL over model or model over RTL, whichever is above 1; typical is the geometric mean, and the median stands beside it.
"""
import argparse
import csv
import gzip
import math
import os
import statistics
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def model_rows(program, nests):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "nests.csv")
        with open(path, "w", encoding="utf-8") as file:
            file.write(nests)
        accel = os.path.join(ROOT, "examples/accels/gemmini_rtl.yaml")
        done = subprocess.run([program, "eval", "--nests", path, "--csv", "--accel", accel], check=True,
                              capture_output=True, text=True)
    return list(csv.DictReader(done.stdout.splitlines()))


def line(name, pairs):
    logs = [abs(math.log(rtl / model)) for rtl, model in pairs]
    slower = sum(rtl > model for rtl, model in pairs) / len(pairs)
    print(f"| {name} | {len(pairs):,} | {math.exp(statistics.mean(logs)):.2f} | {math.exp(statistics.median(logs)):.2f} "
          f"| {100 * slower:.0f} % |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--starling", default=os.path.join(ROOT, "build/release/starling"), help="the program")
    options = parser.parse_args()
    with gzip.open(os.path.join(ROOT, "tests/data/gemmini/rtl.csv.gz"), "rt", encoding="utf-8") as file:
        nests = file.read()
    layers = {}
    for rtl, model in zip(csv.DictReader(nests.splitlines()), model_rows(options.starling, nests)):
        layers.setdefault((rtl["ext"], rtl["conv"]), []).append((float(rtl["rtl_cycles"]), float(model["latency"])))
    print("| mappings | rows | typical factor | median factor | slower in RTL |\n|---|---:|---:|---:|---:|")
    line("all, random", [pair for rows in layers.values() for pair in rows])
    for n, name in ((3, "the 3 fastest of each layer"), (1, "the fastest of each layer")):
        line(name, [pair for rows in layers.values() for pair in sorted(rows)[:n]])


if __name__ == "__main__":
    main()

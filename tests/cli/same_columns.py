#!/usr/bin/env python3
"""Check that two CSV files agree in every column of the second.

    same_columns.py GOLDEN OUTPUT [COLUMN...]    exit code 1 and the first differences if they do not

Counts must be the same text; energies and areas the same to 1e-9. COLUMN names must be in OUTPUT.
"""
import csv
import sys

INEXACT = {"energy_pJ", "area_given", "area_min"}


def rows(path):
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def same(name, a, b):
    return a == b or name in INEXACT and abs(float(a) - float(b)) <= 1e-9 * abs(float(a))


def main():
    golden, output = rows(sys.argv[1]), rows(sys.argv[2])
    if not output or len(golden) != len(output):
        sys.exit(f"{len(golden)} rows expected, got {len(output)}")
    missing = [name for name in [*output[0], *sys.argv[3:]] if name not in golden[0] or name not in output[0]]
    if missing:
        sys.exit(f"columns not in both: {' '.join(missing)}")
    faults = [f"id {a['id']} {name}: expected {a[name]}, got {b[name]}"
              for a, b in zip(golden, output) for name in b if not same(name, a[name], b[name])]
    if faults:
        sys.exit("\n".join(faults[:10]))
    print(f"{len(output)} rows, {len(output[0])} columns equal")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""What a fixed dataflow costs: bundled networks on machines with free arrays, as the table docs/dataflows.md.

    dataflow_table.py STARLING --work DIR               run what DIR does not have yet, then print the table
    dataflow_table.py STARLING --work DIR --out PAGE    and write it into the page, between its two marks
    dataflow_table.py --work DIR --out PAGE --text      from what DIR has, nothing is run

One run per network and machine: `starling map NET --accel MACHINE --samples 300 --prove=2 --prove-time 5 --compare`.
DIR keeps the documents, NET.MACHINE.json, so that an interrupted table goes on; remove them to measure again.
"""
import argparse
import json
import os
import subprocess
import sys
import time

MACHINES = ["eyeriss", "flex256", "flex1024"]
STYLES = ["nvdla-style", "shidiannao-style", "eyeriss-style"]
SETTINGS = ["--samples", "300", "--prove=2", "--prove-time", "5", "--compare"]
BEGIN, END = "<!-- table: tools/dataflow_table.py -->", "<!-- end of table -->"


def networks(program):
    done = subprocess.run([program, "list", "networks", "--json"], check=True, stdout=subprocess.PIPE)
    return [row["name"] for row in json.loads(done.stdout)["networks"]]


def measure(program, work, net, machine):
    """The document of a run, and the seconds it took when it was made."""
    path = os.path.join(work, f"{net}.{machine}.json")
    if not os.path.exists(path):
        began = time.monotonic()
        done = subprocess.run([program, "map", net, "--accel", machine, *SETTINGS, "--json", "--quiet"],
                              check=True, stdout=subprocess.PIPE)
        document = {"seconds": time.monotonic() - began, "map": json.loads(done.stdout)}
        with open(path + ".new", "w", encoding="utf-8") as file:
            json.dump(document, file)
        os.replace(path + ".new", path)
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def ratio(value, differs):
    """A factor as reports show it."""
    if not differs:
        return "no difference"
    return f"{value:.2f} ×" if value < 9.995 else f"{value:.1f} ×" if value < 99.95 else f"{value:.0f} ×"


def edp(pj_cycles, mhz):
    value, prefixes = pj_cycles * 1e-18 / mhz, ["", "m", "µ", "n", "p"]
    while value < 0.9995 and len(prefixes) > 1:
        value, prefixes = value * 1000, prefixes[1:]
    return f"{value:.2f} {prefixes[0]}J·s" if value < 9.995 else f"{value:.1f} {prefixes[0]}J·s" if value < 99.95 \
        else f"{value:.0f} {prefixes[0]}J·s"


def cells(net, machine, run):
    document = run["map"]
    compare, totals = document["compare"], document["totals"]
    tolerance = compare["tolerance"]
    default = totals["default"]["edp"] / totals["edp"]
    row = [f"`{net}`", f"`{machine}`", edp(totals["edp"], document["accel"]["clock_mhz"]),
           ratio(default, abs(default - 1) > tolerance)]
    found = {style["constraints"]: style for style in compare["dataflows"]}
    for name in STYLES:
        style = found[name]
        row.append(ratio(style["ratio"], style["differs"]) if style["ratio"] is not None else "not possible")
    return row + [f"{100 * tolerance:.2g} %"]


def table(runs):
    heads = ["network", "machine", "EDP found", "default mapping", *STYLES, "differences count from"]
    lines = [heads, ["---"] * len(heads)] + [cells(*run) for run in runs]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def put(page, text):
    with open(page, encoding="utf-8") as file:
        old = file.read()
    if BEGIN not in old or END not in old:
        sys.exit(f"dataflow_table.py: {page}: expected the marks '{BEGIN}' and '{END}'")
    before, rest = old.split(BEGIN)
    with open(page, "w", encoding="utf-8") as file:
        file.write(before + BEGIN + "\n" + text + "\n" + END + rest.split(END)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", nargs="?", default="starling")
    parser.add_argument("--work", required=True)
    parser.add_argument("--out")
    parser.add_argument("--text", action="store_true")
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    runs = []
    if options.text:
        pairs = sorted(name.split(".")[:2] for name in os.listdir(options.work) if name.endswith(".json"))
        pairs.sort(key=lambda pair: (pair[0], MACHINES.index(pair[1])))
    else:
        pairs = [(net, machine) for net in networks(options.program) for machine in MACHINES]
    for net, machine in pairs:
        runs.append((net, machine, measure(options.program, options.work, net, machine)))
        print(f"{net} on {machine}: {runs[-1][2]['seconds']:.0f} s", file=sys.stderr)
    text = table(runs)
    print(text)
    if options.out:
        put(options.out, text)


if __name__ == "__main__":
    main()

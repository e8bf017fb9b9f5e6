#!/usr/bin/env python3
"""Compare the speed of two builds of starling: every command in turns (A B, B A, ...), and the ratios of the pairs.

    bench_pairs.py BEFORE AFTER [--pairs N] [--bench NAME ...] [--command "WORDS" ...] [--rows] [--json]

BEFORE and AFTER are programs. A line is the median over the pairs of after/before with a 95 % bootstrap interval:
0.9 is a tenth less time. `cpu` is user and system time of the process, `wall` the time until it ended. The other lines
are numbers that the command prints as JSON: the geometric mean over its rows (--rows: every one), of rates
1/rate. Without --bench and --command, all benches. The same program given twice shows what the machine's noise is worth.

    tools/bench_pairs.py old/starling build/release/starling --bench cost prove
    tools/bench_pairs.py old/starling build/release/starling --command "map resnet18 --threads 1 --quiet"
"""
import argparse
import json
import math
import os
import random
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

# one to four seconds each, one thread: what other programs do disturbs it least
BENCHES = {
    "cost": "bench cost --repeats 10 --threads 1 --json",
    "map": "bench map --repeats 1 --samples 200 --threads 1 --json",
    "prove": "bench prove conv:name=vgg14,K=512,C=512,P=14,Q=14,R=3,S=3 conv:name=res18,K=64,C=64,P=56,Q=56,R=3,S=3 "
             "dw:name=dw96,G=96,P=56,Q=56,R=3,S=3 --threads 1 --time 0 --json",
    "vta": "bench vta --repeats 2 --json",
}
TIME = re.compile(r"(^|\.)(\w+_(ns|us|ms|s)(_\w+)?|seconds(_to\.[\d.]+)?)$")
RATE = re.compile(r"(^|\.)(\w+_per_second|gflops|peak_gflops)$")
NOT_WORK = {"schema", "version"}  # of a document: not what the command did
RESAMPLES = 10_000


# ---- running ----

def run(program, words, folder):
    """{cpu, wall} in seconds and the document that it printed, or None."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as out, tempfile.TemporaryFile("w+", encoding="utf-8") as err:
        begun = time.perf_counter()
        process = subprocess.Popen([program, *words], stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=folder)
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0), err.seek(0)
        if process.returncode != 0:
            raise SystemExit(f"{program} {shlex.join(words)}: exit code {process.returncode}: {err.read().strip()}")
        text = out.read()
    return {"cpu": used.ru_utime + used.ru_stime, "wall": wall}, json.loads(text) if text.startswith("{") else None


def run_in_fresh_folder(program, words):
    with tempfile.TemporaryDirectory() as folder:
        return run(program, words, folder)


def run_pairs(programs, words, n_pairs):
    """[(before, after)], which of the two is first alternates; both are read from disk once before."""
    for program in programs:
        run_in_fresh_folder(program, ["--version"])
    pairs = []
    for i in range(n_pairs):
        pair = {}
        for side in (0, 1) if i % 2 == 0 else (1, 0):
            pair[side] = run_in_fresh_folder(programs[side], words)
        pairs.append((pair[0], pair[1]))
    return pairs


# ---- numbers of a document ----

def label(row):
    """What tells a row of a list from the others: its words and truths."""
    return "/".join(str(value) for key, value in row.items() if isinstance(value, (str, bool)) and key != "status")


def leaves(value, row="", key=""):
    """{(row, key): value} of everything in a document that is neither a list nor an object."""
    if isinstance(value, dict):
        return {place: leaf for name, inner in value.items()
                for place, leaf in leaves(inner, row, f"{key}.{name}" if key else name).items()}
    if isinstance(value, list):
        return {place: leaf for i, inner in enumerate(value)
                for place, leaf in leaves(inner, f"{row} {label(inner) if isinstance(inner, dict) else i}".strip(),
                                          key).items()}
    return {(row, key): value}


def times(document):
    """{(row, key): time}; of a rate "1/key". Those that are 0 are left out."""
    out = {}
    for (row, key), value in leaves(document).items():
        if isinstance(value, (int, float)) and value > 0:
            if RATE.search(key):
                out[row, f"1/{key}"] = 1 / value
            elif TIME.search(key):
                out[row, key] = value
    return out


def work(document):
    """{(row, key): value} of what must be the same for times to be comparable."""
    return {(row, key): value for (row, key), value in leaves(document).items()
            if not TIME.search(key) and not RATE.search(key) and key not in NOT_WORK}


def other_work(before, after):
    """Sentences: what the two did not do alike."""
    one, two = work(before), work(after)
    out = [f"only {side}: {row} {key}".strip() for side, a, b in (("before", one, two), ("after", two, one))
           for row, key in a if (row, key) not in b]
    return out + [f"{row} {key}: {one[row, key]} before, {two[row, key]} after".strip()
                  for row, key in one if (row, key) in two and one[row, key] != two[row, key]]


# ---- ratios ----

def geometric_mean(values):
    return math.exp(statistics.fmean(math.log(value) for value in values))


def ratios_of_pair(pair, by_row):
    """{name: after/before} of one pair; printed numbers that both have by column, or one by one."""
    (before, printed_before), (after, printed_after) = pair
    out = {key: after[key] / before[key] for key in before if before[key] > 0}
    if printed_before and printed_after:
        one, two, columns = times(printed_before), times(printed_after), {}
        for row, key in [place for place in one if place in two]:
            columns.setdefault(f"{row} {key}".strip() if by_row else key, []).append(two[row, key] / one[row, key])
        out.update({key: geometric_mean(values) for key, values in columns.items()})
    return out


def interval(values, rng):
    """95 % bootstrap interval of the median."""
    medians = sorted(statistics.median(rng.choices(values, k=len(values))) for _ in range(RESAMPLES))
    return medians[round(0.025 * (RESAMPLES - 1))], medians[round(0.975 * (RESAMPLES - 1))]


def summarise(pairs, by_row, seed):
    """What is said of one command: a line per number, and what was not the same work."""
    every, lines = [ratios_of_pair(pair, by_row) for pair in pairs], []
    for name in every[0]:
        values = [ratios[name] for ratios in every if name in ratios]
        low, high = interval(values, random.Random(f"{name} {seed}"))
        lines.append({"name": name, "ratio": statistics.median(values), "low": low, "high": high, "pairs": len(values)})
    (_, document), (_, other) = pairs[0]
    differs = other_work(document, other) if document and other else []
    return {"before_cpu_s": statistics.median(pair[0][0]["cpu"] for pair in pairs),
            "after_cpu_s": statistics.median(pair[1][0]["cpu"] for pair in pairs),
            "ratios": lines, "other_work": differs}


# ---- showing ----

def show(command, found):
    print(f"\nstarling {command}")
    print(f"  {found['before_cpu_s']:.2f} s of processor time before, {found['after_cpu_s']:.2f} s after")
    width = max(len(line["name"]) for line in found["ratios"])
    for line in found["ratios"]:
        sure = "" if line["low"] <= 1 <= line["high"] else "  faster" if line["high"] < 1 else "  slower"
        print(f"  {line['name']:{width}}  {line['ratio']:.3f}  ({line['low']:.3f} to {line['high']:.3f}){sure}")
    for sentence in found["other_work"][:5]:
        print(f"  not the same work: {sentence}")
    if len(found["other_work"]) > 5:
        print(f"  and {len(found['other_work']) - 5} more")


def parse_arguments(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--pairs", type=int, default=21)
    parser.add_argument("--bench", nargs="+", choices=sorted(BENCHES), default=[])
    parser.add_argument("--command", action="append", default=[], metavar="WORDS", help="of starling, without its name")
    parser.add_argument("--rows", action="store_true", help="every printed number alone, not means of columns")
    parser.add_argument("--seed", type=int, default=1, help="of the bootstrap")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(words)
    if given.pairs < 1:
        parser.error("--pairs: at least 1")
    return given


def main(words=None):
    given = parse_arguments(words)
    programs = [os.path.abspath(program) for program in (given.before, given.after)]
    benches = given.bench or ([] if given.command else list(BENCHES))
    found = {}
    for command in [BENCHES[name] for name in benches] + given.command:
        found[command] = summarise(run_pairs(programs, shlex.split(command), given.pairs), given.rows, given.seed)
        if not given.json:
            show(command, found[command])
            sys.stdout.flush()
    if given.json:
        print(json.dumps({"schema": "starling.bench-pairs/1", "pairs": given.pairs, "seed": given.seed,
                          "before": given.before, "after": given.after,
                          "commands": [{"command": command, **one} for command, one in found.items()]}, indent=2))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""The study of docs/studies/marl.md: run `starling map` many times, then make the tables.

    study_marl.py run    [--starling PROGRAM] [--data FILE] [--rows A,B] [--seeds N] [--jobs N] [--minutes N]
    study_marl.py best   the same options: long runs that only serve to know the best values (use --seeds 3)
    study_marl.py report [--data FILE]      Markdown tables on standard output

Every cell (row, task, seed) is one run of the program; cells that the data file has are not run
again, so an interrupted study goes on where it stopped. Needs nothing but Python 3.
"""
import argparse
import concurrent.futures
import gzip
import json
import math
import os
import statistics
import subprocess
import sys
import time

# name -> workload; the first seven are those of the recipe, on eyeriss and flex1024
RECIPE = {
    "mbv2": "conv:K=16,C=32,P=112,Q=112,R=1,S=1",
    "vgg2": "conv:K=128,C=64,P=112,Q=112,R=3,S=3",
    "vgg14": "conv:K=512,C=512,P=14,Q=14,R=3,S=3",
    "res18": "conv:K=64,C=64,P=56,Q=56,R=3,S=3",
    "alex2": "conv:K=256,C=48,P=27,Q=27,R=5,S=5",
    "dw96": "dw:G=96,P=112,Q=112,R=3,S=3",
    "gemm": "gemm:M=512,N=768,K=768",
}
OTHERS = {
    "7x7 s2": "conv:K=64,C=3,P=112,Q=112,R=7,S=7,stride=2",
    "3x3 s2": "conv:K=128,C=64,P=28,Q=28,R=3,S=3,stride=2",
    "dw s2": "dw:G=144,P=28,Q=28,R=3,S=3,stride=2",
    "attention": "bmm:B=12,M=384,N=384,K=64",
    "fc": "linear:K=4096,C=9216",
    "1x1": "conv:K=2048,C=512,P=7,Q=7,R=1,S=1",
    "expand": "conv:K=96,C=24,P=56,Q=56,R=1,S=1",
}
GOALS = ["latency", "edp"]

# row -> options of `starling map`, and samples on the recipe's tasks on eyeriss. The main rows also run
# on the other tasks and on flex1024, with SHORT samples.
SHORT = 5000
NONE = ["--start", "none"]


def marl(settings="", *options):
    return ["--method", "marl", *(["--set", settings] if settings else []), *options, *NONE]


MAIN = {
    "marl": (marl(), 20000),
    "marl, reuse": (marl("sight=reuse"), 20000),
    "marl, no critic": (marl("", "--critic", "off"), 20000),
    "local": (["--method", "local", *NONE], 20000),
    "random": (["--method", "random", *NONE], 20000),
    "ppo": (["--method", "ppo", *NONE], 20000),
    "marl-paper": (["--method", "marl-paper", *NONE], 20000),
}
# the defaults on which ideas and numbers of agents were compared: few rounds, eight samples unscreened
FEW = "rounds=12,rounds-samples=1000,blind=8"
BEFORE = {
    "marl, few rounds": (marl(FEW), 20000),
    "marl, reuse, few rounds": (marl(f"{FEW},sight=reuse"), 20000),
}
RECIPE_SETTINGS = "near=0,rounds=1,candidates=32,blind=32"  # the recipe before our additions
IDEAS = {
    "recipe": (marl("sight=plain," + RECIPE_SETTINGS), 5000),
    "recipe + reuse": (marl("sight=reuse," + RECIPE_SETTINGS), 5000),
    "recipe + estimates": (marl(RECIPE_SETTINGS), 5000),
    "recipe + near": (marl("sight=plain,rounds=1,candidates=32,blind=32"), 5000),
    "recipe + rounds": (marl("sight=plain,near=0,rounds=12,rounds-samples=1000,blind=32"), 5000),
    "marl, plain": (marl(f"{FEW},sight=plain"), 5000),
    "marl, reuse, agents do not learn": (marl(f"{FEW},sight=reuse,rate=0"), 5000),
    "marl, agents do not learn": (marl(f"{FEW},rate=0"), 5000),
    "estimates alone": (marl(f"{FEW},critic-steps=0,rate=0"), 5000),
    "marl, default start": (["--method", "marl", "--set", FEW], 2000),
    "local, default start": (["--method", "local"], 2000),
}
AGENTS = {
    **{f"{n} agents": (marl(FEW, "--agents", str(n)), 2000) for n in (1, 2, 3, 6, 9)},
    **{f"no critic, {n} agents": (marl("", "--critic", "off", "--agents", str(n)), 2000)
       for n in (1, 2, 3, 6, 9)},
}
ROWS = {**MAIN, **BEFORE, **IDEAS, **AGENTS}
LONG = {  # only for the best known values
    "long local": (["--method", "local", *NONE], 400000),
    "long marl": (marl("", "--critic", "off"), 200000),
}
CHECKPOINTS = [10, 50, 100, 250, 500, 1000, 2000, 5000, 10000, 20000]
FIRST_SEED = 1  # tuning used seeds from 1000


def tasks(row):
    """(accelerator, layer, goal, workload, samples) of a row"""
    samples = {**ROWS, **LONG}[row][1]
    everywhere = row in {**MAIN, **BEFORE, **LONG}
    short = samples if row in LONG else min(samples, SHORT)
    for accel in ("eyeriss", "flex1024") if everywhere else ("eyeriss",):
        for layer, workload in RECIPE.items():
            for goal in GOALS:
                yield accel, layer, goal, workload, samples if accel == "eyeriss" else short
    if everywhere:
        for layer, workload in OTHERS.items():
            for goal in GOALS:
                yield "eyeriss", layer, goal, workload, short


def load(path):
    if not os.path.exists(path):
        return {}
    with gzip.open(path, "rt") as f:
        return json.load(f)


def save(path, data):
    with gzip.open(path + ".new", "wt", compresslevel=9) as f:
        json.dump(data, f, separators=(",", ":"), sort_keys=True)
    os.replace(path + ".new", path)


def run_cell(program, options, task, seed):
    accel, _, goal, workload, samples = task
    command = [program, "map", workload, "--accel", accel, "--objective", goal, "--samples",
               str(samples), "--seed", str(seed), "--threads", "1", "--json", "--quiet", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
    result = json.loads(done.stdout)["layers"][0]
    curve = [[n, float(f"{value:.6g}")] for n, value in result["curve"]]
    return {"curve": curve, "floor": result["floor_multiple"]}


def run(args, rows):
    data = load(args.data)
    chosen = args.rows.split(";") if args.rows else list(rows)
    cells = []
    for seed in range(FIRST_SEED, FIRST_SEED + args.seeds):
        for row in chosen:
            for task in tasks(row):
                key = "|".join((row, *task[:3], str(seed)))
                if key not in data:
                    cells.append((key, rows[row][0], task, seed))
    end = time.monotonic() + 60 * args.minutes

    def work(cell):
        key, options, task, seed = cell
        late = time.monotonic() > end
        return key, None if late else run_cell(args.starling, options, task, seed)

    done = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for key, result in pool.map(work, cells):
            if result is None:
                continue
            data[key] = result
            done += 1
            if done % 100 == 0:
                save(args.data, data)
                print(f"{done} of {len(cells)} cells", file=sys.stderr)
    save(args.data, data)
    print(f"{done} of {len(cells)} cells run, {len(data)} known", file=sys.stderr)


def best_values(data):
    """lowest value per task; the default mapping may lie outside the space, so runs from it do not count"""
    best = {}
    for key, cell in data.items():
        row, *task, _ = key.split("|")
        task = tuple(task)
        if cell["curve"] and "default start" not in row:
            best[task] = min(best.get(task, math.inf), cell["curve"][-1][1])
    return best


def value_at(curve, samples):
    value = math.inf
    for n, v in curve:
        if n > samples:
            break
        value = v
    return value


def first_within(curve, limit, censored):
    for n, v in curve:
        if v <= limit * (1 + 1e-9):
            return n
    return censored


def geomean(values):
    return math.exp(sum(math.log(v) for v in values) / len(values))


def cells_of(data, row, accel, layers, goals=GOALS):
    """task -> curves of all seeds"""
    found = {}
    for key, cell in data.items():
        r, a, layer, goal, _ = key.split("|")
        if r == row and a == accel and layer in layers and goal in goals:
            found.setdefault((a, layer, goal), []).append(cell["curve"])
    return found


def ratios(data, best, row, accel, layers, samples, goals=GOALS):
    found = cells_of(data, row, accel, layers, goals)
    if not found:
        return None
    return [statistics.median(value_at(c, samples) / best[task] for c in curves)
            for task, curves in found.items()]


def table(data, best, rows, accel, layers, checkpoints, goals=GOALS):
    print("| row | " + " | ".join(f"{c:,}" for c in checkpoints) + " |")
    print("|---|" + "---|" * len(checkpoints))
    for row in rows:
        limit = min(t[4] for t in tasks(row) if t[0] == accel and t[1] in layers)
        line = []
        for c in checkpoints:
            r = ratios(data, best, row, accel, layers, c, goals) if c <= limit else None
            line.append(f"{geomean(r):.3f}" if r and max(r) < math.inf else "-")
        if any(x != "-" for x in line):
            print(f"| {row} | " + " | ".join(line) + " |")
    print()


def target_table(data, best, rows, accel, layers, censored):
    print("| row | within 10 %: runs, median | 5 % | 1 % | factor to marl 10 / 5 / 1 % |")
    print("|---|---|---|---|---|")
    medians = {}
    for row in rows:
        found = cells_of(data, row, accel, layers)
        if not found:
            continue
        texts = []
        for limit in (1.10, 1.05, 1.01):
            hits = {t: [first_within(c, limit * best[t], censored) for c in curves]
                    for t, curves in found.items()}
            every = [h for hs in hits.values() for h in hs]
            share = sum(h < censored for h in every) / len(every)
            middle = statistics.median(every)
            texts.append(f"{share:.0%}, {middle:,.0f}" if middle < censored
                         else f"{share:.0%}, >{censored:,}")
            medians[row, limit] = {t: statistics.median(hs) for t, hs in hits.items()}
        factors = [geomean([medians[row, limit][t] / medians["marl", limit][t]
                            for t in medians[row, limit]]) for limit in (1.10, 1.05, 1.01)]
        print(f"| {row} | " + " | ".join(texts) + " | " +
              " / ".join(f"{f:.1f}" for f in factors) + " |")
    print()


def spread_table(data, best, rows, accel, layers, checkpoints):
    print("| row | " + " | ".join(f"{c:,}" for c in checkpoints) + " |")
    print("|---|" + "---|" * len(checkpoints))
    for row in rows:
        found = cells_of(data, row, accel, layers)
        if not found:
            continue
        line = []
        for c in checkpoints:
            every = sorted(value_at(curve, c) / best[t] for t, cs in found.items() for curve in cs)
            q = statistics.quantiles(every, n=4)
            line.append(f"{q[1]:.3f} [{q[0]:.3f}-{q[2]:.3f}]")
        print(f"| {row} | " + " | ".join(line) + " |")
    print()


def paired(data, a, b, accel, layers, checkpoints):
    """wins, ties, losses of row a against row b over task medians"""
    for c in checkpoints:
        fa, fb = (cells_of(data, r, accel, layers) for r in (a, b))
        wins = ties = losses = 0
        for t in fa:
            if t not in fb:
                continue
            x, y = (statistics.median(value_at(k, c) for k in f[t]) for f in (fa, fb))
            if abs(x / y - 1) < 5e-4:
                ties += 1
            elif x < y:
                wins += 1
            else:
                losses += 1
        yield c, wins, ties, losses


SETS = [("eyeriss", RECIPE, "the 14 tasks of the recipe on eyeriss", 20000),
        ("eyeriss", OTHERS, "14 others on eyeriss (strided, depthwise, attention, FC, 7x7, 1x1)", SHORT),
        ("flex1024", RECIPE, "the 14 tasks of the recipe on flex1024", SHORT)]


def report_main(data, best):
    for accel, layers, title, limit in SETS:
        checkpoints = [c for c in CHECKPOINTS if c <= limit]
        print(f"**Best so far / best known, {title}**\n")
        table(data, best, MAIN, accel, layers, checkpoints)
        print(f"**Samples to a target, {title}**\n")
        target_table(data, best, MAIN, accel, layers, limit)
    print("**All runs pooled, recipe's tasks on eyeriss: median [quartiles]**\n")
    spread_table(data, best, MAIN, "eyeriss", RECIPE, [100, 500, 1000, 5000, 20000])
    for goal in GOALS:
        print(f"**{goal} alone, recipe's tasks on eyeriss**\n")
        table(data, best, MAIN, "eyeriss", RECIPE, [100, 1000, 20000], [goal])


def report_ideas(data, best):
    print("**What each idea brings, recipe's tasks on eyeriss**\n")
    order = ["recipe", "recipe + reuse", "recipe + estimates", "recipe + near", "recipe + rounds",
             "marl, plain", *BEFORE, "marl, reuse, agents do not learn",
             "marl, agents do not learn", "estimates alone", "marl"]
    table(data, best, order, "eyeriss", RECIPE, CHECKPOINTS[:8])
    print("**Starting at the default mapping, recipe's tasks on eyeriss**\n")
    table(data, best, ["marl, default start", "marl, few rounds", "local, default start", "local"],
          "eyeriss", RECIPE, [1, *CHECKPOINTS[:7]])
    print("**Number of agents, recipe's tasks on eyeriss** (the samples of the assignment not counted)\n")
    table(data, best, [*(f"{n} agents" for n in (1, 2, 3, 6, 9)), "marl, few rounds",
                       *(f"no critic, {n} agents" for n in (1, 2, 3, 6, 9)), "marl, no critic"],
          "eyeriss", RECIPE, CHECKPOINTS[:7])
    print("**Against local, task by task (medians): wins / ties / losses**\n")
    for accel, layers, title, limit in SETS:
        for row in ("marl", "marl, reuse"):
            line = ", ".join(f"{c:,}: {w}/{t}/{l}" for c, w, t, l in
                             paired(data, row, "local", accel, layers, CHECKPOINTS) if c <= limit)
            print(f"- {row}, {title}: {line}")


def report(args):
    data = load(args.data)
    best = best_values(data)
    report_main(data, best)
    report_ideas(data, best)
    print("\n**Best known values**\n")
    print("| accelerator | layer | latency, cycles | EDP, pJ x cycles |")
    print("|---|---|---|---|")
    for accel in ("eyeriss", "flex1024"):
        for layer in {**RECIPE, **OTHERS}:
            if (accel, layer, "edp") in best:
                print(f"| {accel} | {layer} | {best[accel, layer, 'latency']:.7g} | "
                      f"{best[accel, layer, 'edp']:.7g} |")
    lowest = min((c["floor"] for c in data.values() if c["floor"]), default=math.nan)
    print(f"\n{len(data)} runs; the lowest multiple of a physical floor is {lowest:.6f}.")


def main():
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["run", "best", "report"])
    parser.add_argument("--starling", default=os.path.join(here, "build/release/starling"))
    parser.add_argument("--data", default=os.path.join(here, "docs/studies/marl.json.gz"))
    parser.add_argument("--rows", help="rows to run, divided by ';'")
    parser.add_argument("--seeds", type=int, default=12)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--minutes", type=float, default=1e9)
    args = parser.parse_args()
    if args.what == "report":
        report(args)
    else:
        run(args, ROWS if args.what == "run" else LONG)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Kernels measured on this processor: methods at equal measurements, finalists measured again in turns.

    study_kernels.py STARLING DIR [--flock FLOCK] [--seeds 3] [--quick] [--write docs/studies/kernels]
    study_kernels.py --write docs/studies/kernels          # tables of what is there

For every layer, seed and method `starling tune --evaluator cpu` runs in DIR with 1, 4, 16 and 64
measurements. Runs of a layer share one log, so a schedule is measured once whoever asks for it. What
they found (finalists) is then measured in 15 rounds by `starling bench schedules`, each round in
another order; only these times are compared. One program runs at a time: leave the machine alone.
What DIR or the written results hold is not run again. Prints tables as Markdown; --write keeps the
results (runs.json.gz) and replaces the tables in the page beside the folder.
"""
import argparse
import gzip
import json
import math
import os
import random
import re
import statistics
import subprocess

# not among drawn layers of a flock; chosen before anything was measured
LAYERS = {
    "stem 7x7": "resnet50:conv1",
    "3x3, 56": "resnet18:conv2_1",
    "3x3 stride 2": "resnet18:conv3_1",
    "3x3, 14": "resnet18:conv4_2",
    "3x3, 7": "resnet18:conv5_2",
    "3x3, 13": "alexnet:conv5",
    "1x1, 56": "resnet50:conv2_3",
    "1x1 stride 2": "resnet50:conv3_down",
    "1x1 narrow": "mobilenet_v2:block3_project",
    "depthwise": "mobilenet_v2:block3_dw",
    "depthwise stride 2": "mobilenet_v2:block4_dw",
    "product": "gemm:M=197,N=768,K=768",
}
BUDGETS = (1, 4, 16, 64)
ROUNDS = 15
BOOTSTRAP = 2000


def methods(flock):
    """Rows of the tables: options of `starling tune`."""
    rows = {
        "draft": ["--method", "draft"],
        "dcoc": ["--method", "dcoc"],
        "autotvm": ["--method", "autotvm"],
        "chameleon": ["--method", "chameleon"],
        "random": ["--method", "random", "--set", "check=true"],
    }
    if flock:
        rows = {
            "flock": ["--flock", flock],
            "flock, processes": ["--flock", flock, "--set", "belief=process"],
            "portfolio": ["--flock", flock, "--set", "belief=none,dreams=portfolio"],
            **rows,
        }
    return rows


# ---- running ----


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def tune(starling, folder, workload, options, budget, seed):
    """The knobs of the best schedule of one run, as `bench schedules` takes them; None without one."""
    command = [starling, "tune", workload, "--evaluator", "cpu", *options, "--budget", str(budget), "--seed", str(seed)]
    command += ["--log", os.path.join(folder, "log.jsonl"), "--json", "--quiet"]
    layer = run(command)["layers"][0]
    if layer["best_measured"] is None:
        return None, layer
    return " ".join(f"{name}={value}" for name, value in layer["knobs"].items()), layer


def measure_layer(starling, folder, workload, rows, seeds, budgets):
    """Finalists of every row, budget and seed, and their times in turns."""
    os.makedirs(folder, exist_ok=True)
    found, bad = {}, {}
    for seed in seeds:
        for name, options in rows.items():
            for budget in budgets:
                schedule, layer = tune(starling, folder, workload, options, budget, seed)
                found[f"{name}/{budget}/{seed}"] = schedule
                bad[f"{name}/{budget}/{seed}"] = layer["failures"]
    schedules = sorted({s for s in found.values() if s})
    path = os.path.join(folder, "finalists.txt")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(schedules) + "\n")
    doc = run([starling, "bench", "schedules", workload, path, "--repeats", str(ROUNDS), "--json", "--quiet"])
    times = [s["median_s"] if not s["error"] else None for s in doc["schedules"]]
    spread = statistics.median(s["spread"] for s in doc["schedules"] if not s["error"])
    return {"found": found, "bad": bad, "schedules": schedules, "seconds": times, "spread": spread, "version": doc["version"]}


# ---- results ----


def results_path(folder):
    return os.path.join(folder, "runs.json.gz")


def load(folder):
    if not folder or not os.path.exists(results_path(folder)):
        return {}
    with gzip.open(results_path(folder), "rt", encoding="utf-8") as file:
        return json.load(file)


def store(folder, results):
    os.makedirs(folder, exist_ok=True)
    with open(results_path(folder), "wb") as file:
        with gzip.GzipFile(fileobj=file, mode="wb", mtime=0, filename="") as packed:
            packed.write(json.dumps(results, sort_keys=True, separators=(",", ":")).encode())


def value(layer, row, budget, seed):
    """Time of what a run found over that of the layer's best finalist; inf where it found nothing."""
    schedule = layer["found"].get(f"{row}/{budget}/{seed}")
    seconds = dict(zip(layer["schedules"], layer["seconds"])).get(schedule)
    best = min(s for s in layer["seconds"] if s)
    return seconds / best if seconds else math.inf


def names(results):
    keys = [key.split("/") for layer in results["layers"].values() for key in layer["found"]]
    rows = list(dict.fromkeys(key[0] for key in keys))
    return rows, sorted({int(key[1]) for key in keys}), sorted({int(key[2]) for key in keys})


def mean_over(results, row, budget, seeds):
    """Geometric mean over layers of the median over seeds."""
    logs = [math.log(statistics.median(value(layer, row, budget, s) for s in seeds)) for layer in results["layers"].values()]
    return math.exp(statistics.mean(logs))


def interval(results, row, budget, seeds):
    """95 % of that mean with layers drawn again."""
    rng = random.Random(1)
    layers = list(results["layers"].values())
    logs = [math.log(statistics.median(value(layer, row, budget, s) for s in seeds)) for layer in layers]
    means = sorted(math.exp(statistics.mean(rng.choices(logs, k=len(logs)))) for _ in range(BOOTSTRAP))
    return means[int(0.025 * BOOTSTRAP)], means[int(0.975 * BOOTSTRAP)]


def main_table(results):
    rows, budgets, seeds = names(results)
    lines = ["| method | " + " | ".join(f"{b}" for b in budgets) + " |", "|---|" + "---|" * len(budgets)]
    for row in rows:
        cells = []
        for budget in budgets:
            low, high = interval(results, row, budget, seeds)
            cells.append(f"{mean_over(results, row, budget, seeds):.3f} ({low:.3f}-{high:.3f})")
        lines.append(f"| {row} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def layer_table(results, budget):
    rows, _, seeds = names(results)
    lines = ["| layer | best | " + " | ".join(rows) + " |", "|---|---|" + "---|" * len(rows)]
    for name, layer in results["layers"].items():
        cells = [f"{statistics.median(value(layer, row, budget, s) for s in seeds):.3f}" for row in rows]
        best = min(s for s in layer["seconds"] if s)
        lines.append(f"| {name} | {1e3 * best:.3g} ms | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def duel_table(results, one, others):
    """Layers on which a row is ahead of another one at equal measurements: by more than the spread of times, or behind."""
    _, budgets, seeds = names(results)
    lines = [f"| {one} against | " + " | ".join(f"{b}" for b in budgets) + " |", "|---|" + "---|" * len(budgets)]
    for other in others:
        cells = []
        for budget in budgets:
            ahead = even = behind = 0
            for layer in results["layers"].values():
                mine, its = (statistics.median(value(layer, row, budget, s) for s in seeds) for row in (one, other))
                ahead += mine < its * 0.99
                behind += mine * 0.99 > its
                even += its * 0.99 <= mine <= its / 0.99
            cells.append(f"{ahead} / {even} / {behind}")
        lines.append(f"| {other} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def tables_of(results):
    rows, _, _ = names(results)
    tables = {"means": main_table(results), "layers 4": layer_table(results, 4), "layers 64": layer_table(results, 64)}
    first = rows[0]
    tables["ahead"] = duel_table(results, first, [row for row in rows if row != first])
    return tables


def fill_page(path, tables):
    """Replace what stands between <!-- NAME --> and <!-- end -->."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for name, table in tables.items():
        text = re.sub(rf"(<!-- {name} -->\n).*?(<!-- end -->)", lambda m, t=table: m[1] + "\n" + t + "\n\n" + m[2], text, flags=re.S)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def run_all(args, results):
    layers = dict(list(LAYERS.items())[-4:]) if args.quick else LAYERS
    seeds = range(1, (1 if args.quick else args.seeds) + 1)
    budgets = BUDGETS[:3] if args.quick else BUDGETS
    rows = methods(args.flock)
    for name, workload in layers.items():
        if name in results["layers"]:
            continue
        folder = os.path.join(args.dir, re.sub(r"\W+", "-", name))
        results["layers"][name] = measure_layer(args.starling, folder, workload, rows, seeds, budgets)
        store(args.dir, results)
        print("done", name, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("starling", nargs="?")
    parser.add_argument("dir", nargs="?")
    parser.add_argument("--flock", metavar="FLOCK", help="taught by 'starling learn --evaluator cpu --critic rivals=true'")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="four layers, one seed, up to 16 measurements")
    parser.add_argument("--write", metavar="FOLDER")
    args = parser.parse_args()
    results = load(args.dir) or load(args.write) or {"layers": {}}
    if args.starling:
        run_all(args, results)
    if not results["layers"]:
        raise SystemExit("nothing measured: expected STARLING and DIR")
    tables = tables_of(results)
    for name, table in tables.items():
        print(f"\n{name}\n\n{table}")
    if args.write and not args.quick:
        store(args.write, results)
        page = args.write.rstrip("/") + ".md"
        if os.path.exists(page):
            fill_page(page, tables)


if __name__ == "__main__":
    main()

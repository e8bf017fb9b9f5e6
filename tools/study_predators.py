#!/usr/bin/env python3
"""Reward curves of predators after prey that get out of their way: uniform and neighbor sampling.

    study_predators.py STARLING DIR [--quick] [--jobs 2] [--write docs/studies/predators]
    study_predators.py --write docs/studies/predators          # tables and figure of what is there

Runs `starling train` in DIR for 3, 6 and 12 predators with every seed, both samplings one after the
other, so that pairs are complete early; then shorter runs that show which prey and which shaping can
be learnt. Runs that DIR or the written results hold are not run again; the same command goes on from
checkpoints. Prints tables as Markdown. --write keeps results (runs.json.gz) and the figure, and
replaces the tables in the page beside the folder. --quick: 3 predators, 3,000 episodes, 2 seeds.
"""
import argparse
import concurrent.futures
import gzip
import json
import math
import os
import re
import statistics
import subprocess

PREY = "dodge"
SHAPING = 1
SAMPLINGS = ("uniform", "neighbor")
FULL, SHORT, QUICK = 60000, 20000, 3000  # episodes
MOST_POINTS = 200  # of a curve that is kept
# two-sided 95 % points of Student's t by degrees of freedom
T95 = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262}


# ---- which runs ----


def pairs():
    """Numbers of agents and seeds: three agents first, then twelve and six in turn."""
    order = [(3, seed) for seed in range(1, 6)]
    for seed in range(1, 6):
        order += [(12, seed)] if seed <= 3 else []
        order += [(6, seed)]
    return order


def run_of(agents, seed, sampling="uniform", prey=PREY, shaping=SHAPING, episodes=FULL):
    return {"agents": agents, "prey": prey, "shaping": shaping, "sampling": sampling, "seed": seed, "episodes": episodes}


def all_runs(quick):
    if quick:
        return [run_of(3, seed, sampling, episodes=QUICK) for seed in (1, 2) for sampling in SAMPLINGS]
    runs = [run_of(agents, seed, sampling) for agents, seed in pairs() for sampling in SAMPLINGS]
    for seed in (1, 2, 3):
        for prey in ("flee", "dodge", "random"):
            runs += [run_of(3, seed, prey=prey, shaping=shaping, episodes=SHORT) for shaping in (0, 0.1, 1)]
    return runs


def name_of(run):
    return "{agents}-{prey}-{shaping}-{sampling}-{episodes}-{seed}".format(**run)


# ---- running ----


def read(folder):
    try:
        with open(os.path.join(folder, "train.json"), encoding="utf-8") as file:
            found = json.load(file)
    except FileNotFoundError:
        return None
    return found if found["finished"] else None


def command_of(starling, folder, run):
    options = ["--env", "tag", "--mode", "folded", "--threads", "1", "--trials", "10000", "--checkpoint", "300s"]
    for key, value in run.items():
        options += ["--" + key, str(value)]
    return [starling, "train", *options, "--out", folder, "--quiet"]


def train(job):
    starling, root, run = job
    folder = os.path.join(root, name_of(run))
    if not read(folder):
        subprocess.run(command_of(starling, folder, run), check=True, stdout=subprocess.DEVNULL)
    checkpoint = os.path.join(folder, "checkpoint")
    if os.path.exists(checkpoint):
        os.remove(checkpoint)  # as large as the replay
    return folder


# ---- results ----


def thin(returns, most):
    """Means of so many neighbours that at most `most` points are left."""
    width = -(-len(returns) // most)
    parts = [returns[i : i + width] for i in range(0, len(returns), width)]
    return width, [round(statistics.mean(part), 3) for part in parts]


def result_of(run, doc):
    width, curve = thin(doc["returns"], MOST_POINTS)
    scores = {k: [round(doc["evaluation"][k][v], 4) for v in ("mean", "error")] for k in ("noisy", "greedy", "random")}
    return {**run, **scores, "block": doc["block"] * width, "curve": curve, "trials": doc["evaluation"]["episodes"],
            "weights_digest": doc["weights_digest"], "version": doc["version"]}  # fmt: skip


def results_path(folder):
    return os.path.join(folder, "runs.json.gz")


def load(folder):
    if not folder or not os.path.exists(results_path(folder)):
        return {}
    with gzip.open(results_path(folder), "rt", encoding="utf-8") as file:
        return {name_of(result): result for result in json.load(file)}


def collect(runs, root, kept):
    """Results by name: those kept before, and those of finished runs in a folder."""
    results = dict(kept)
    for run in runs:
        doc = read(os.path.join(root, name_of(run))) if root else None
        if doc:
            results[name_of(run)] = result_of(run, doc)
    return results


def store(folder, results):
    os.makedirs(folder, exist_ok=True)
    text = json.dumps([results[name] for name in sorted(results)], separators=(",", ":"))
    with open(results_path(folder), "wb") as file:
        with gzip.GzipFile(fileobj=file, mode="wb", mtime=0, filename="") as packed:
            packed.write(text.encode())


def chosen(results, **wanted):
    found = [r for r in results.values() if all(r[k] == v for k, v in wanted.items())]
    return sorted(found, key=lambda r: r["seed"])


# ---- tables ----


def interval(values):
    """Mean, and half of its 95 % interval; NAN of a single value."""
    if len(values) < 2:
        return statistics.mean(values), math.nan
    half = T95[len(values) - 1] * statistics.stdev(values) / math.sqrt(len(values))
    return statistics.mean(values), half


def show(pair, digits=1):
    mean, half = pair
    return f"{mean:.{digits}f}" if math.isnan(half) else f"{mean:.{digits}f} ± {half:.{digits}f}"


def chance_of(found):
    """What random actions return, and half of its 95 % interval; samplings of a seed see the same worlds."""
    by_seed = {r["seed"]: r["random"] for r in found}
    mean = statistics.mean(m for m, _ in by_seed.values())
    return mean, 1.96 * math.sqrt(sum(e * e for _, e in by_seed.values())) / len(by_seed)


def multiple(score, chance):
    """Of chance, and what it is at least and at most where both are at the end of their intervals."""
    low, high = (score[0] - score[1]) / (chance[0] + chance[1]), (score[0] + score[1]) / max(chance[0] - chance[1], 1e-9)
    middle = f"{score[0] / chance[0]:.3g}"
    return middle if math.isnan(low) else f"{middle} ({low:.3g} to {high:.3g})"


def final_table(results, episodes):
    lines = ["| predators | sampling | seeds | new episodes | likeliest actions | last tenth of training | by chance | times chance |"]
    lines += ["|---|---|---|---|---|---|---|---|"]
    for agents in (3, 6, 12):
        group = chosen(results, agents=agents, prey=PREY, shaping=SHAPING, episodes=episodes)
        for sampling in SAMPLINGS:
            found = [r for r in group if r["sampling"] == sampling]
            if not found:
                continue
            score, chance = interval([r["noisy"][0] for r in found]), chance_of(group)
            last = interval([statistics.mean(r["curve"][-max(1, len(r["curve"]) // 10) :]) for r in found])
            cells = [agents, sampling, len(found), show(score), show(interval([r["greedy"][0] for r in found])), show(last)]
            lines.append("| " + " | ".join(map(str, [*cells, show(chance, 3), multiple(score, chance)])) + " |")
    return "\n".join(lines)


def pair_table(results, episodes):
    lines = ["| predators | pairs | new episodes after training | mean over the training | first third | last tenth |"]
    lines += ["|---|---|---|---|---|---|"]
    parts = [lambda c: c, lambda c: c[: max(1, len(c) // 3)], lambda c: c[-max(1, len(c) // 10) :]]
    for agents in (3, 6, 12):
        group = chosen(results, agents=agents, prey=PREY, shaping=SHAPING, episodes=episodes)
        uniform, neighbor = ({r["seed"]: r for r in group if r["sampling"] == s} for s in SAMPLINGS)
        seeds = sorted(set(uniform) & set(neighbor))
        if not seeds:
            continue
        deltas = [[neighbor[s]["noisy"][0] - uniform[s]["noisy"][0] for s in seeds]]
        for part in parts:
            means = [{s: statistics.mean(part(of[s]["curve"])) for s in seeds} for of in (uniform, neighbor)]
            deltas.append([means[1][s] - means[0][s] for s in seeds])
        cells = [("+" if statistics.mean(d) >= 0 else "") + show(interval(d)) for d in deltas]
        lines.append(f"| {agents} | {len(seeds)} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def setup_table(results):
    lines = ["| prey | shaping 0 | 0.1 | 1 | by chance |", "|---|---|---|---|---|"]
    for prey in ("flee", "dodge", "random"):
        rows = [chosen(results, agents=3, prey=prey, shaping=s, episodes=SHORT, sampling="uniform") for s in (0, 0.1, 1)]
        if any(rows):
            cells = [show(interval([r["noisy"][0] for r in row]), 2) + f" ({len(row)})" if row else "" for row in rows]
            lines.append(f"| {prey} | " + " | ".join(cells) + f" | {show(chance_of(sum(rows, [])), 3)} |")
    return "\n".join(lines)


# ---- the figure ----

WIDE, HIGH, LEFT, TOP, RIGHT = 300, 200, 44, 34, 30
COLORS = {"uniform": "#0072b2", "neighbor": "#d55e00"}


def nice_top(value):
    unit = 10 ** math.floor(math.log10(value))
    return next(unit * k for k in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if unit * k >= value)


def smooth(curve, width=5):
    return [statistics.mean(curve[max(0, i - width + 1) : i + 1]) for i in range(len(curve))]


def path_of(points):
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def panel(results, agents, episodes, left):
    """One panel: means over seeds as lines, least to greatest as bands, chance dashed."""
    group = chosen(results, agents=agents, prey=PREY, shaping=SHAPING, episodes=episodes)
    curves = {s: [smooth(r["curve"]) for r in group if r["sampling"] == s] for s in SAMPLINGS}
    top = nice_top(max(v for of in curves.values() for c in of for v in c))
    x_at = lambda i, n: left + LEFT + (i + 1) / n * WIDE  # noqa: E731
    y_at = lambda v: TOP + HIGH * (1 - v / top)  # noqa: E731
    seeds = max(len(of) for of in curves.values())
    parts = [f'<text x="{left + LEFT + WIDE / 2:.0f}" y="20" text-anchor="middle" font-weight="bold">{agents} predators, {seeds} seeds</text>']
    for i in range(5):
        y, value = y_at(top * i / 4), top * i / 4
        parts.append(f'<line x1="{left + LEFT}" x2="{left + LEFT + WIDE}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{left + LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>')
    for i in range(4):
        x = left + LEFT + WIDE * i / 3
        parts.append(f'<text x="{x:.0f}" y="{TOP + HIGH + 16}" text-anchor="middle">{episodes * i // 3:,}</text>')
    for sampling, of in curves.items():
        columns = list(zip(*of))
        low = [(x_at(i, len(columns)), y_at(min(c))) for i, c in enumerate(columns)]
        high = [(x_at(i, len(columns)), y_at(max(c))) for i, c in enumerate(columns)]
        mean = [(x_at(i, len(columns)), y_at(statistics.mean(c))) for i, c in enumerate(columns)]
        if columns:
            parts.append(f'<polygon points="{path_of(low + high[::-1])}" fill="{COLORS[sampling]}" fill-opacity="0.2"/>')
            parts.append(f'<polyline points="{path_of(mean)}" fill="none" stroke="{COLORS[sampling]}" stroke-width="1.8"/>')
    y = y_at(chance_of(group)[0])
    parts.append(f'<line x1="{left + LEFT}" x2="{left + LEFT + WIDE}" y1="{y:.1f}" y2="{y:.1f}" stroke="#555" stroke-dasharray="5 4"/>')
    return parts


def figure(results, episodes):
    shown = [n for n in (3, 6, 12) if chosen(results, agents=n, prey=PREY, shaping=SHAPING, episodes=episodes)]
    wide, high = max(2, len(shown)) * (WIDE + LEFT + RIGHT), TOP + HIGH + 60
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" font-family="sans-serif" font-size="12">']
    parts.append(f'<rect width="{wide}" height="{high}" fill="white"/>')
    for i, agents in enumerate(shown):
        parts += panel(results, agents, episodes, i * (WIDE + LEFT + RIGHT))
    legend = [("uniform", COLORS["uniform"], ""), ("neighbor", COLORS["neighbor"], ""), ("random actions", "#555", ' stroke-dasharray="5 4"')]
    for i, (name, color, dash) in enumerate(legend):
        x = LEFT + 130 * i
        parts.append(f'<line x1="{x}" x2="{x + 24}" y1="{high - 14}" y2="{high - 14}" stroke="{color}" stroke-width="2"{dash}/>')
        parts.append(f'<text x="{x + 30}" y="{high - 10}">{name}</text>')
    parts.append(f'<text x="{wide - RIGHT}" y="{high - 10}" text-anchor="end">return of a predator over episodes of training</text>')
    return "\n".join([*parts, "</svg>", ""])


# ---- the page ----


def fill_page(path, tables):
    """Replace what stands between <!-- NAME --> and <!-- end -->."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for name, table in tables.items():
        text = re.sub(rf"(<!-- {name} -->\n).*?(<!-- end -->)", lambda m, t=table: m[1] + "\n" + t + "\n\n" + m[2], text, flags=re.S)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def write(folder, results, tables):
    store(folder, results)
    with open(os.path.join(folder, "curves.svg"), "w", encoding="utf-8") as file:
        file.write(figure(results, FULL))
    page = folder.rstrip("/") + ".md"
    if os.path.exists(page):
        fill_page(page, tables)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("starling", nargs="?")
    parser.add_argument("dir", nargs="?")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--write", metavar="FOLDER")
    parser.add_argument("--no-run", action="store_true", help="take what DIR holds")
    args = parser.parse_args()
    runs, kept = all_runs(args.quick), load(args.write)
    if args.starling and not args.no_run:
        jobs = [(args.starling, args.dir, run) for run in runs if name_of(run) not in kept]
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for folder in pool.map(train, jobs):
                print("done", folder, flush=True)
    results = collect(runs, args.dir, kept)
    episodes = QUICK if args.quick else FULL
    tables = {"final": final_table(results, episodes), "pairs": pair_table(results, episodes), "setups": setup_table(results)}
    for name, table in tables.items():
        print(f"\n{name}\n\n{table}")
    if args.write and not args.quick:
        write(args.write, results, tables)


if __name__ == "__main__":
    main()

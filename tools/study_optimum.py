#!/usr/bin/env python3
"""The study of docs/studies/optimum.md: prove the layers of the zoo, check the certificates, make the tables.

    study_optimum.py run     [--starling PROGRAM] [--data FILE] [--time SECONDS] [--minutes N]
    study_optimum.py certify [--starling PROGRAM] [--data FILE] [--jobs N] [--minutes N]
    study_optimum.py report  [--data FILE]      Markdown tables on standard output
    study_optimum.py figure  [--data FILE]      the regret curves as SVG on standard output

`run` proves every distinct layer of the networks on every machine with one thread, one after another.
`certify` lets `starling map --method exact` write certificates of all of them to 0.5 %, then runs
`starling verify` and tools/check_certificate.py on each. Cells that the data file has are not run
again, so an interrupted study goes on where it stopped.
"""
import argparse
import concurrent.futures
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time

from study_marl import RECIPE, load, save, value_at  # its tasks, measured here against the proven optimum

HERE = os.path.dirname(os.path.abspath(__file__))
NETWORKS = ["alexnet", "vgg16", "resnet18", "resnet50", "mobilenet_v2", "bert_base", "gpt2", "vit_b16"]
ACCELS = ["eyeriss", "flex256", "flex1024"]
GOALS = ["edp", "latency"]
GAPS = ["5", "2", "1", "0.5", "0"]
NODES = 50000000  # of proofs over all sizes, which end by nodes and so with the same gap on every machine
CHECKPOINTS = [20, 50, 100, 250, 500, 1000, 2000, 5000]


def call(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(words)}: {done.stderr.strip()}")
    return done


def distinct_layers(starling):
    """[(name, inline layer)] of all networks, each shape once."""
    layers = {}
    for net in NETWORKS:
        document = json.loads(call(starling, "list", "networks", net, "--json").stdout)
        for layer in document["layers"]:
            layers.setdefault(layer["inline"], f"{net}:{layer['name']}")
    return [(name, inline) for inline, name in layers.items()]


def tasks(starling):
    """(key, layer, accel, goal, space) of every proof of the study, the small sets first."""
    for accel in ("eyeriss", "flex1024"):
        for goal in GOALS:
            for name, layer in RECIPE.items():
                yield f"recipe|{accel}|{goal}|native|{name}", layer, accel, goal, "native"
    layers = distinct_layers(starling)
    for accel in ACCELS:
        for goal in GOALS:
            for name, layer in layers:
                yield f"zoo|{accel}|{goal}|native|{name}", layer, accel, goal, "native"
    for accel in ("eyeriss", "flex1024"):
        for name, layer in RECIPE.items():
            yield f"all|{accel}|edp|all|{name}", layer, accel, "edp", "all"


def run(options):
    data, begun = load(options.data), time.time()
    for key, layer, accel, goal, space in tasks(options.starling):
        if key in data:
            continue
        if time.time() - begun > 60 * options.minutes:
            break
        limit = ["--time", "0", "--nodes", str(NODES)] if space == "all" else ["--time", str(options.time)]
        out = call(options.starling, "bench", "prove", layer, "--accel", accel, "--objective", goal, "--space", space,
                   *limit, "--threads", "1", "--quiet", "--json")
        row = json.loads(out.stdout)["layers"][0]
        data[key] = {x: row[x] for x in ("status", "value", "start", "lower_bound", "gap", "nodes", "branches",
                                         "seconds", "seconds_to")}
        data[key]["layer"] = layer
        save(options.data, data)
        print(f"{key}: {row['status']}, gap {100 * row['gap']:.3f} %, {row['seconds']:.2f} s", file=sys.stderr)


def certify_one(starling, net, accel):
    """Certificates of a network to 0.5 %, and what both checkers say."""
    with tempfile.TemporaryDirectory() as folder:
        call(starling, "map", net, "--accel", accel, "--objective", "edp", "--method", "exact", "--prove=0.5",
             "--prove-time", "60", "--threads", "1", "--quiet", "--out", folder)
        rows = {}
        certificates = os.path.join(folder, "certificates")
        for name in sorted(os.listdir(certificates)):
            path = os.path.join(certificates, name)
            row = {"bytes": os.path.getsize(path)}
            for key, words in (("verify", [starling, "verify", path]),
                               ("checker", [os.path.join(HERE, "check_certificate.py"), path])):
                begun = time.time()
                done = subprocess.run(words, capture_output=True, text=True)
                row[key] = {"code": done.returncode, "seconds": round(time.time() - begun, 3)}
            rows[name.removesuffix(".cert")] = row
        return rows


def certify(options):
    data, begun = load(options.data), time.time()
    wanted = [(net, accel) for accel in ACCELS for net in NETWORKS
              if f"certificates|{accel}|{net}" not in data]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        waiting = {}
        for net, accel in wanted:
            waiting[pool.submit(certify_one, options.starling, net, accel)] = (net, accel)
        for done in concurrent.futures.as_completed(waiting):
            net, accel = waiting[done]
            data = load(options.data)
            data[f"certificates|{accel}|{net}"] = done.result()
            save(options.data, data)
            bad = [k for k, v in done.result().items() if v["verify"]["code"] or v["checker"]["code"]]
            print(f"{net} on {accel}: {len(done.result())} certificates, not confirmed: {bad}", file=sys.stderr)
            if time.time() - begun > 60 * options.minutes:
                for other in waiting:
                    other.cancel()


# ---- the tables ----

def table(title, heads, rows):
    print(f"**{title}**\n")
    print("| " + " | ".join(heads) + " |")
    print("|" + "---|" * len(heads))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def show_seconds(x):
    return "-" if x is None else f"{x:.2f}" if x < 100 else f"{x:.0f}"


def show_tasks(data, kind, accel, goal, title):
    rows = []
    for key, cell in data.items():
        if not key.startswith(f"{kind}|{accel}|{goal}|"):
            continue
        rows.append([key.split("|")[-1], f"{cell['value']:.6g}", f"{100 * (cell['start'] / cell['value'] - 1):.2f} %",
                     *[show_seconds(cell["seconds_to"][g]) for g in GAPS], f"{100 * cell['gap']:.3f} %",
                     f"{cell['nodes']:,}"])
    if rows:
        table(title, ["layer", "value", "start", *[f"{g} %" for g in GAPS], "gap", "nodes"], rows)


def quantile(values, q):
    values = sorted(values)
    return values[min(len(values) - 1, int(q * len(values)))]


def show_zoo(data):
    rows = []
    for accel in ACCELS:
        for goal in GOALS:
            cells = [c for k, c in data.items() if k.startswith(f"zoo|{accel}|{goal}|")]
            if not cells:
                continue
            row = [accel, goal, str(len(cells))]
            for gap in GAPS:
                times = [c["seconds_to"][gap] for c in cells if c["seconds_to"][gap] is not None]
                if times:
                    row.append(f"{len(times)}: {statistics.median(times):.2f}, {quantile(times, .9):.2f}, {max(times):.1f}")
                else:
                    row.append("0")
            row.append(f"{100 * max(c['gap'] for c in cells):.2f} %")
            row.append(f"{100 * statistics.median(c['start'] / c['value'] - 1 for c in cells):.2f} %, "
                       f"{100 * max(c['start'] / c['value'] - 1 for c in cells):.1f} %")
            rows.append(row)
    table("Zoo: layers proven, and seconds: median, 90 %, most",
          ["machine", "goal", "layers", *[f"{g} %" for g in GAPS], "largest gap left", "local search above: median, most"], rows)


def show_open(data):
    rows = []
    for key, cell in sorted(data.items(), key=lambda kc: -kc[1].get("gap", 0) if "gap" in kc[1] else 0):
        if key.split("|")[0] in ("zoo", "all", "recipe") and cell["gap"] > 1.1e-7:
            kind, accel, goal, space, name = key.split("|")
            rows.append([name, accel, goal, space, f"{100 * cell['gap']:.3f} %", f"{cell['nodes']:,}", f"{cell['seconds']:.0f} s"])
    if rows:
        table("Still open", ["layer", "machine", "goal", "sizes", "gap", "nodes", "time"], rows)


METHODS = ["marl", "marl, reuse", "local", "random"]


def regret(data, runs, accel, method, sample):
    """Geometric mean over the tasks of the median over the seeds of best so far / optimum, minus 1."""
    logs = []
    for goal in GOALS:
        for name in RECIPE:
            optimum = data.get(f"recipe|{accel}|{goal}|native|{name}")
            ratios = [max(1, value_at(cell["curve"], sample) / optimum["value"])
                      for cell in runs.get(f"{method}|{accel}|{name}|{goal}", []) if optimum]
            if ratios:
                logs.append(math.log(statistics.median(ratios)))
    return math.exp(statistics.mean(logs)) - 1 if logs else math.nan


def load_runs():
    """The runs of docs/studies/marl.md by method, machine, task and goal."""
    runs = {}
    for key, cell in load(os.path.join(HERE, "..", "docs", "studies", "marl.json.gz")).items():
        runs.setdefault(key.rsplit("|", 1)[0], []).append(cell)
    return runs


def show_regret(data):
    runs = load_runs()
    for accel in ("eyeriss", "flex1024"):
        rows = [[method, *[f"{100 * regret(data, runs, accel, method, s):.2f} %" for s in CHECKPOINTS]]
                for method in METHODS]
        table(f"Regret to the proven optimum, 14 tasks on {accel}: geometric mean of the median of 12 seeds",
              ["method", *[f"{s:,}" for s in CHECKPOINTS]], rows)


def figure(options):
    """Two panels, both axes logarithmic: samples 10 to 5,000, regret 0.01 % to 1,000 %."""
    data, runs = load(options.data), load_runs()
    wide, high, left, top, gap = 340, 260, 62, 46, 90
    colours = ["#0b6fa4", "#d1622b", "#3f8f4f", "#7b7f87"]
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * wide + left + gap + 70} {high + 100}" '
           'font-family="sans-serif" font-size="12" role="img" aria-label="regret over samples">',
           '<rect width="100%" height="100%" fill="#ffffff"/>']

    def x_of(panel, sample):
        return left + panel * (wide + gap) + wide * math.log10(sample / 10) / math.log10(500)

    def y_of(share):
        return top + high * (1 - (math.log10(max(share, 1e-4)) + 4) / 5)

    for panel, accel in enumerate(("eyeriss", "flex1024")):
        x0, x1 = x_of(panel, 10), x_of(panel, 5000)
        out.append(f'<text x="{x0}" y="{top - 20}" font-weight="bold" fill="#1c2027">{accel}: '
                   'regret to the proven optimum</text>')
        for power in range(-4, 2):
            y = y_of(10 ** power)
            out.append(f'<path d="M{x0:.1f} {y:.1f}H{x1:.1f}" stroke="#e3e5e8"/>'
                       f'<text x="{x0 - 6:.1f}" y="{y + 4:.1f}" text-anchor="end" fill="#5a606b">{100 * 10.0 ** power:g} %</text>')
        for sample in (10, 100, 1000, 5000):
            out.append(f'<text x="{x_of(panel, sample):.1f}" y="{top + high + 18}" text-anchor="middle" '
                       f'fill="#5a606b">{sample:,}</text>')
        out.append(f'<text x="{(x0 + x1) / 2:.1f}" y="{top + high + 38}" text-anchor="middle" fill="#5a606b">samples</text>')
        for method, colour in zip(METHODS, colours):
            points = [10 * 500 ** (i / 60) for i in range(61)]
            values = [regret(data, runs, accel, method, sample * (1 + 1e-9)) for sample in points]
            path = " ".join(f"{x_of(panel, s):.1f},{y_of(v):.1f}" for s, v in zip(points, values) if v == v)
            out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
                       f'<text x="{x1 + 5:.1f}" y="{y_of(values[-1]) + 4:.1f}" fill="{colour}">{method}</text>')
    print("\n".join(out + ["</svg>"]))


def show_certificates(data):
    rows = []
    for accel in ACCELS:
        cells = [c for k, v in data.items() if k.startswith(f"certificates|{accel}|") for c in v.values()]
        if not cells:
            continue
        row = [accel, str(len(cells)), f"{max(c['bytes'] for c in cells) / 1024:.0f} KiB"]
        for who in ("verify", "checker"):
            times = [c[who]["seconds"] for c in cells]
            agree = sum(c[who]["code"] == 0 for c in cells)
            row.append(f"{agree} agree: {statistics.median(times):.1f}, {quantile(times, .9):.1f}, {max(times):.1f} s")
        rows.append(row)
    if rows:
        table("Certificates of the networks, EDP, 0.5 %: time per certificate, median, 90 %, most",
              ["machine", "certificates", "largest", "starling verify", "check_certificate.py"], rows)


def report(options):
    data = load(options.data)
    for accel in ("eyeriss", "flex1024"):
        for goal in reversed(GOALS):
            show_tasks(data, "recipe", accel, goal, f"{goal} on {accel}: seconds to a proven gap, one thread")
    show_zoo(data)
    for accel in ("eyeriss", "flex1024"):
        show_tasks(data, "all", accel, "edp", f"All tile sizes and cluster sizes, EDP on {accel}")
    show_open(data)
    show_regret(data)
    show_certificates(data)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["run", "certify", "report", "figure"])
    parser.add_argument("--starling", default=os.path.join(HERE, "..", "build", "release", "starling"))
    parser.add_argument("--data", default=os.path.join(HERE, "..", "docs", "studies", "optimum.json.gz"))
    parser.add_argument("--time", type=float, default=60, help="seconds per proof")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=1e9)
    options = parser.parse_args()
    {"run": run, "certify": certify, "report": report, "figure": figure}[options.what](options)


if __name__ == "__main__":
    main()

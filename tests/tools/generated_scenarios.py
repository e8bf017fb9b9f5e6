"""What is done with a generated world: a few commands each, and what must hold between them."""
import time

OBJECTIVES = ("latency", "energy", "edp", "area", "power")
CONSTRAINTS = ("eyeriss-style", "input-stationary", "maestro", "nvdla-style", "output-stationary", "row-stationary",
               "shidiannao-style", "tpu-style", "weight-stationary")
METHODS = ("random", "local", "anneal", "ga", "grid", "gamma", "cmaes", "tpe", "gradient", "bo", "marl", "ppo",
           "marl-paper")
TUNERS = ("random", "grid", "ga", "autotvm", "draft", "oracle", "dcoc", "dcoc-paper", "chameleon")
PROVE_SECONDS = 0.5  # of one proof
COSTS = ("latency_cycles", "energy_pj", "edp", "power_mw", "utilisation")


def world(case, rng):
    words = [case.network, "--accel", case.accel, "--quiet"]
    if rng.random() < 0.2:
        words += ["--batch", rng.choice((2, 3, 64, 1 << 20))]
    if rng.random() < 0.5:
        words += ["-j", rng.choice((1, 2))]
    return words


# ---- list, eval ----

def lists(case, rng):
    """Both files are described, as text and as JSON."""
    for what, file, schema in (("networks", case.network, "network"), ("accels", case.accel, "accels")):
        out = case.run("list", what, file)
        if out:
            case.table(out)
        out = case.run("list", what, file, "--json")
        if out:
            case.json(out, f"starling.{schema}/1")


def check_eval_layer(case, layer):
    for name, multiple in layer["floor_multiples"].items():
        case.require(multiple is None or multiple >= 1, f"{layer['name']}: {name} is {multiple} of its floor")
    parts = layer["mac_energy_pj"] + sum(sum(level[key].values()) for level in layer["levels"]
                                         for key in ("energy_pj", "link_energy_pj"))
    case.close(layer["energy_pj"], parts, f"{layer['name']}: energy and its parts", 1e-9)
    case.require(layer["utilisation"] is None or 0 < layer["utilisation"] <= 1 + 1e-12,
                 f"{layer['name']}: utilisation {layer['utilisation']}")


def evaluate(case, rng):
    """Every form of eval gives the same numbers."""
    words = ["eval", *world(case, rng)]
    if rng.random() < 0.5:
        words += ["--objective", rng.choice(OBJECTIVES)]
    text, out = case.run(*words), case.run(*words, "--json", "--out", "report")
    case.require((text is None) == (out is None), "text and JSON end differently")
    if out is None:
        return
    case.table(text)
    for layer in case.json(out, "starling.eval/1")["layers"]:
        check_eval_layer(case, layer)
    case.require(case.read("report", "report.json") == out, "report.json is not what was printed")
    case.require(case.read("report", "report.txt") == text, "report.txt is not what was printed")
    case.page("report", "report.html")
    table = case.run(*words, "--csv")
    case.require(case.read("report", "layers.csv") == table, "layers.csv is not what was printed")
    case.csv(table)


def nests(case, rng):
    """What eval --csv prints, eval --nests reads to the same numbers."""
    table = case.run("eval", *world(case, rng), "--csv")
    if table is None:
        return
    with open(case.path("nests.csv"), "w", encoding="utf-8") as file:
        file.write(table)
    words = ["--accel", case.accel] if rng.random() < 0.7 else []
    again = case.run("eval", "--nests", "nests.csv", "--csv", *words)
    case.require(again is not None, "the CSV of eval is refused")
    widths = "bytes" in case.read(case.network)  # of layers, which have no column
    for old, new in zip(case.csv(table), case.csv(again)):
        case.require(all(old[k] == v for k, v in new.items() if not (widths and k.startswith(("need", "area_")))),
                     f"other numbers: {[k for k, v in new.items() if old[k] != v]}")


def exports(case, rng):
    """The mapping of one layer in every form; our own reads back to the same numbers."""
    words = [case.network + ":1", "--accel", case.accel, "--quiet"]
    out = case.run("eval", *words, "--json", "--out", "one")
    for form in ("maestro", "timeloop"):
        case.run("eval", *words, "--export", form)
    if out is None:
        return
    layer = case.json(out, "starling.eval/1")["layers"][0]
    (file,) = case.files("one", "mappings")
    for mapping in (layer["mapping"], "one/mappings/" + file):
        again = case.run("eval", *words, "--json", "--mapping", mapping, *rng.choice(([], ["--repair"])))
        case.require(again is not None, "a mapping of eval is refused")
        read = case.json(again, "starling.eval/1")["layers"][0]
        case.require(read["mapping"] == layer["mapping"], "the mapping reads back as another one")
        case.require(all(read[k] == layer[k] for k in COSTS), "the mapping reads back with other numbers")
    inline = case.run("eval", layer["inline"], *words[1:], "--json", "--mapping", layer["mapping"])
    case.require(inline is not None, "the inline text of a layer is refused")
    read = case.json(inline, "starling.eval/1")["layers"][0]
    case.require(read["dims"] == layer["dims"] and read["inline"] == layer["inline"], "the inline text is another layer")


def witness(case, rng):
    """The counts are those of executing the nest."""
    case.run("eval", case.network + ":1", "--accel", case.accel, "--quiet",
             *rng.choice((["--witness"], ["--witness-source", "w.c"])))


def maestro(case, rng):
    """MAESTRO's model: of eval, of map, of the .m files that we write."""
    words = world(case, rng)
    out = case.run("eval", "--model", "maestro", *words, "--json", "--out", "report")
    if out:
        case.json(out, "starling.maestro/1")
    text = case.run("eval", "--model", "maestro", *words)
    if text:
        case.table(text)
    out = case.run("map", *words, "--model", "maestro", "-m", rng.choice(METHODS), "-n", rng.randint(1, 40),
                   "--objective", rng.choice(OBJECTIVES), "--json", "--out", "run")
    if out is None:
        return
    case.json(out, "starling.map/1")
    case.page("run", "map.html")
    case.csv(case.read("run", "layers.csv"))
    case.require(case.run("eval", "run", "--json") is not None, "the run is refused")


# ---- map ----

def map_words(rng):
    """Options of map, besides proofs."""
    words = ["-m", rng.choice(METHODS), "-n", rng.choice((1, 2, 7, 25, 60)), "-s", rng.choice((0, 1, 2, 9 * 10**15))]
    objective = rng.choice(OBJECTIVES + ("latency=2,energy=1", "energy=0.5,area=1"))
    for share, more in ((0.8, ["--objective", objective]),
                        (0.3, ["--space", rng.choice(("all", "paper", "paper10"))]),
                        (0.2, ["--open", rng.choice(("RS", "N", "G", "NGRS", "R"))]),
                        (0.2, ["--constraints", rng.choice(CONSTRAINTS)]),
                        (0.2, ["--illegal", "penalty"]), (0.2, ["--start", "none"]),
                        (0.1, ["--target", rng.choice((0, 5, 1000))]), (0.1, ["--warm", 5]),
                        (0.1, ["--agents", rng.choice((1, 2, 5)), "--dataset", 40])):
        words += more if rng.random() < share else []
    return words


def check_map_layer(case, layer):
    name = layer["name"]
    case.require(layer["floor_multiple"] is None or layer["floor_multiple"] >= 1, f"{name}: below its floor")
    values = [value for _, value in layer["curve"]]
    case.require(values == sorted(values, reverse=True), f"{name}: the curve rises")
    if layer["lower_bound"] is not None and layer["proof"]["status"] != "outside":
        case.require(layer["lower_bound"] <= layer["objective_value"] * (1 + 1e-9), f"{name}: below its lower bound")
        case.require(layer["gap"] >= 0, f"{name}: the gap is {layer['gap']}")


def check_run(case, out):
    """The files of a run; the document."""
    document = case.json(out, "starling.map/1")
    for layer in document["layers"]:
        check_map_layer(case, layer)
    case.require(case.read("run", "map.json") == out, "map.json is not what was printed")
    case.table(case.read("run", "map.txt"))
    case.page("run", "map.html")
    case.csv(case.read("run", "layers.csv"))
    return document


def check_read_back(case, document):
    """eval of the run gives the numbers of the run."""
    out = case.run("eval", "run", "--json")
    case.require(out is not None, "the run is refused")
    priced = {layer["name"]: layer for layer in case.json(out, "starling.eval/1")["layers"]}
    for layer in document["layers"]:
        for instance in layer["instances"]:
            read = priced[instance["name"]]
            case.require(all(read[k] == layer[k] for k in COSTS), f"{instance['name']} reads back with other numbers")


def depends_on_time(document):
    return any(layer["proof"] and layer["proof"]["status"] == "stopped" for layer in document["layers"])


def search(case, rng, more=()):
    """A run, the same run again, and the run read back. The document, or None where it was refused."""
    words = ["map", *world(case, rng), *map_words(rng), *more]
    begun = time.monotonic()
    out = case.run(*words, "--json", "--out", "run")
    if out is None:
        return None
    # a proof that reached its gap when its time was over has a bound that depends on the clock
    hurried = "--prove-time" in words and time.monotonic() - begun >= PROVE_SECONDS
    document = check_run(case, out)
    if not depends_on_time(document) and not hurried:
        case.require(case.run(*words, "--json", "--out", "run") == out, "taken up again, the run is another one")
        twin = case.run(*words, "-j", 1, "--json", "--out", "twin")
        if not depends_on_time(case.json(twin, "starling.map/1")):
            case.same_files("run", "twin")
    check_read_back(case, document)
    return document


def prove(case, rng):
    """What map --prove claims, verify finds true."""
    percent = rng.choice(("", "=0", "=5", "=100"))
    if rng.random() < 0.3:
        more = ["--objective", rng.choice(OBJECTIVES), "-m", "exact"]
        more += rng.choice(([], ["--space", "all"], ["--constraints", rng.choice(CONSTRAINTS)]))
        out = case.run("map", *world(case, rng), *more, "--prove-time", PROVE_SECONDS, "--json", "--out", "run")
        document = check_run(case, out) if out else None
    else:
        document = search(case, rng, ["--prove" + percent, "--prove-time", PROVE_SECONDS])
    if document is None or all(layer["lower_bound"] is None for layer in document["layers"]):
        return
    out = case.run("verify", "run", "--json")
    case.require(out is not None, "the certificates are refused")
    verdict = case.json(out, "starling.verify/2")
    case.require(verdict["n_false"] == verdict["n_unread"] == 0, "a certificate is false")
    bounds = {layer["name"]: layer["lower_bound"] for layer in document["layers"]}
    case.require(verdict["n_true"] == sum(bound is not None for bound in bounds.values()), "certificates are missing")


# ---- tune ----

def check_tune(case, out):
    document = case.json(out, "starling.tune/1")
    case.table(case.read("tuned", "tune.txt"))
    case.page("tuned", "tune.html")
    for layer in document["layers"]:
        if layer["left_out"] is None and layer.get("regret") is not None:
            case.require(layer["regret"] >= 0, f"{layer['name']}: better than its optimum")
    return document


def tune(case, rng):
    """Schedules of the VTA core: the same command gives the same result."""
    method = rng.choice(TUNERS)
    words = ["tune", case.network, "--quiet", "-m", method, "--budget", rng.choice((1, 2, 9, 30)),
             "--optimum=" + rng.choice(("off", "off", "auto"))]
    if method in ("dcoc", "dcoc-paper", "chameleon"):
        words += ["--set", "walkers=4,steps=4,hidden=8"]
    for share, more in ((0.3, ["--core", rng.choice(("1x16x16", "1x32x32", "2x8x16", "1x4x4", "8x64x64"))]),
                        (0.2, ["--hw", "search", "--cores", 2]), (0.2, ["--resources", rng.choice(("z7020", "zu3eg"))]),
                        (0.2, ["--bus", rng.choice((128, 512))]), (0.2, ["--profile", "pynq"]), (0.2, ["--bias"]),
                        (0.2, ["--batch", rng.choice((2, 8))]), (0.1, ["--skip-first"])):
        words += more if rng.random() < share else []
    out = case.run(*words, "--json", "--out", "tuned")
    if out is None:
        return
    document = check_tune(case, out)
    case.require(document["finished"], "it did not finish")
    again = case.json(case.run(*words, "--json", "--out", "twin"), "starling.tune/1")
    document.pop("speed"), again.pop("speed")
    case.require(document == again, "the same command gives another result")


def tune_cpu(case, rng):
    """C programs for this processor: refused, or measured."""
    words = ["tune", case.network + ":1", "--target", "cpu", "--quiet", "-m", rng.choice(("random", "draft")),
             "--budget", 1, "--type", rng.choice(("fp32", "int8"))]
    out = case.run("list", "networks", case.network, "--json")
    if out and case.json(out, "starling.network/1")["layers"][0]["macs"] < 1e6:
        out = case.run(*words, "--json", "--out", "tuned")
        if out:
            check_tune(case, out)


SCENARIOS = {f.__name__: f for f in (lists, evaluate, nests, exports, witness, maestro, search, prove, tune, tune_cpu)}
WEIGHTS = {"lists": 4, "evaluate": 12, "nests": 8, "exports": 10, "witness": 1, "maestro": 8, "search": 30, "prove": 16,
           "tune": 10, "tune_cpu": 1}


def draw_scenarios(rng):
    """Two different ones."""
    names, out = list(WEIGHTS), []
    while len(out) < 2:
        (name,) = rng.choices(names, weights=[WEIGHTS[n] for n in names])
        out += [] if name in out else [name]
    return out

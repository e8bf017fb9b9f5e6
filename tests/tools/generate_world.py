#!/usr/bin/env python3
"""Random valid networks and accelerators: what the readers accept and people rarely write.

    generate_world.py SEED [DIR]     writes network.yaml (or .json, .csv) and accel.yaml into DIR (default: .)

The same seed gives the same files. Formats: docs/formats/network.md, docs/formats/accelerator.md.
"""
import json
import math
import os
import random
import re
import sys

DIMS = "NGKCPQRS"
INSTANCES_LIMIT = 1 << 40  # all fan-outs together
PRIMES = (2, 3, 5, 7, 11, 13, 31, 61, 127, 251, 509, 1021)
# names that take up room, need escaping, look like numbers, options or paths, or are not ASCII
NAMES = ("1", "0", "conv", "layer2", "-q", "--json", "%s%n", "a/b", "..", ".", "a\\b", "it's", '"', "<b>&amp;", "#x",
         "{k}", "[0]", "*", "~", "null", "true", "1e3", "=", "é", "слой", "層一", "🐦", "e\u0301\u0301", "x" * 63,
         "é" * 31, "層" * 21, "a|b", "$HOME", "`id`", "CON", "a.b", "NaN", "\u00a0", "?", "@7", "K*4")


def chance(rng, share):
    return rng.random() < share


# ---- networks ----

def extent(rng, most):
    """A dim from 1 to `most`: often 1, small, a prime, a power of two, and now and then anything."""
    kind = rng.randrange(6)
    if kind == 0:
        return 1
    if kind == 1:
        return rng.randint(1, min(most, 9))
    if kind == 2:
        return min(most, rng.choice(PRIMES))
    if kind == 3:
        return 1 << rng.randrange(most.bit_length())
    return max(1, min(most, round(2 ** rng.uniform(0, math.log2(most)))))


def extents(rng, keys, large):
    """Extents for `keys` whose product leaves room for a batch; `large` lets one of them be huge."""
    order, room = rng.sample(keys, len(keys)), 1 << rng.choice((8, 16, 24, 30))
    out = {order[0]: extent(rng, 1 << rng.choice((16, 20, 33, 45)))} if large else {}
    if large:
        room = min(room, (1 << 50) // out[order[0]])
    for key in order[len(out):]:
        most = 7 if key in "RS" else 1 << rng.choice((2, 4, 7, 10))
        out[key] = extent(rng, max(1, min(most, room)))
        room //= out[key]
    return {key: value for key, value in out.items() if value > 1 or chance(rng, 0.3)}


def pair(rng, least, most):
    """A number for both directions, or a pair."""
    first, second = (rng.choice((least, 1, 2, 3, most)) for _ in range(2))
    return first if chance(rng, 0.5) else f"{first}x{second}"


def rows(value):
    return int(str(value).split("x", maxsplit=1)[0]), int(str(value).split("x")[-1])


def window(rng, layer):
    """Strides, dilations, pads; input sizes instead of output sizes in some layers."""
    for key, least, most in (("stride", 1, 17), ("dilation", 1, 5), ("pad", 0, 9)):
        if chance(rng, 0.4):
            layer[key] = pair(rng, least, most)
    if not chance(rng, 0.4):
        return
    for axis, (out, size, filter_dim) in enumerate((("P", "H", "R"), ("Q", "W", "S"))):
        stride, dilation, pad = (rows(layer.get(key, default))[axis]
                                 for key, default in (("stride", 1), ("dilation", 1), ("pad", 0)))
        span = dilation * (layer.get(filter_dim, 1) - 1) + 1
        layer[size] = max(1, (layer.pop(out, 1) - 1) * stride + span - 2 * pad + rng.randrange(stride))


def layer_of(rng):
    large = chance(rng, 0.1)
    kind = rng.choice(("conv", "conv", "conv", "grouped", "dw", "dw", "linear", "gemm", "bmm"))
    keys = {"conv": "NKCPQRS", "grouped": "NGKCPQRS", "dw": "NGPQRS", "linear": "NKC", "gemm": "MNK", "bmm": "BMNK"}
    layer = {"type": "conv" if kind == "grouped" else kind, **extents(rng, list(keys[kind]), large)}
    for key in {"linear": "KC", "gemm": "MNK", "bmm": "MNK"}.get(kind, ""):
        layer.setdefault(key, 1)  # the readers want these even where they are 1
    if kind in ("conv", "grouped", "dw"):
        window(rng, layer)
    if kind == "gemm" and chance(rng, 0.3):
        layer["batch"] = rng.randint(1, 5)
    if chance(rng, 0.1):
        layer["bytes"] = rng.choice((0, 1, 2, 4, 1, "1x1x4", "8x2x1", 64))
    return layer


def network(rng):
    """A list of 1 to 4 layers; names are unique where they are given."""
    layers = [layer_of(rng) for _ in range(rng.choice((1, 1, 2, 3, 4)))]
    if len(layers) > 1 and chance(rng, 0.2):
        layers[-1] = dict(layers[0])  # the same layer twice
    names = rng.sample(NAMES, len(layers))
    for i, layer in enumerate(layers):
        if chance(rng, 0.5):
            layer["name"] = names[i] if chance(rng, 0.7) else f"n{i}"
    return layers


def scalar(value):
    return json.dumps(value, ensure_ascii=False)


def network_yaml(rng, layers):
    lines = [] if chance(rng, 0.2) else [f"network: {scalar(rng.choice(NAMES + ('net', 'mine')))}"]
    if lines and chance(rng, 0.3):
        lines.append(f"title: {scalar('A title, ' + rng.choice(NAMES))}")
    repeat = chance(rng, 0.15)
    lines += ["layers:"] + (["  - repeat: 2", "    layers:"] if repeat else [])
    indent = "      - " if repeat else "  - "
    lines += [indent + "{" + ", ".join(f"{k}: {scalar(v)}" for k, v in layer.items()) + "}" for layer in layers]
    return "\n".join(lines) + "\n"


def network_csv(layers):
    keys = sorted({key for layer in layers for key in layer})
    return "\n".join([",".join(keys)] + [",".join(str(layer.get(key, "")) for key in keys) for layer in layers]) + "\n"


def network_file(rng):
    """The name of the file and its text."""
    layers, form = network(rng), rng.random()
    if form < 0.1 and not any(c in layer.get("name", "") for layer in layers for c in "\"#'"):
        return "network.csv", network_csv(layers)
    if form < 0.2:
        return "network.json", json.dumps({"network": "mine", "layers": layers}, ensure_ascii=False, indent=1) + "\n"
    return rng.choice(("network.yaml", "network.yaml", "net wörk.yaml", "层.yml")), network_yaml(rng, layers)


# ---- accelerators ----

def rate(rng):
    return rng.choice(("inf", 1, 2, 4, 16, 64, 0.5, 0.3, 1e-3, 1e6, 7))


def energies(rng):
    if chance(rng, 0.3):
        return {"read": rng.choice((0, 0.1, 6)), "write": rng.choice((0, 0.25, 200))}
    return {"energy": rng.choice((0, 0.03, 1, 2, 6, 200, 1e6))}


def dims(rng):
    return sorted(rng.sample(DIMS, rng.randint(1, 8)))


def spread_of(rng):
    return {"spread": dims(rng)} if chance(rng, 0.5) else {}


def fanout(rng, room):
    """A fan-out of at most `room` instances, and how many it has."""
    flags = {key: chance(rng, 0.5) for key in ("multicast", "reduction") if chance(rng, 0.8)}
    if chance(rng, 0.5):
        most = min(room, rng.choice((1, 4, 17, 256, 1024, 1 << 20)))
        size = rng.randint(1, most) if chance(rng, 0.7) else most
        return {"clusters": size, **spread_of(rng), **flags}, size
    grid, total = {}, 1
    for name in rng.sample(("rows", "columns", "x", "lanes", "a-b", "q_1"), rng.randint(1, 4)):
        size = rng.randint(1, max(1, min(room // total, rng.choice((1, 3, 16, 64)))))
        grid[name] = {"size": size, **spread_of(rng)}
        total *= size
    return {"grid": grid, **flags}, total


def keep_of(rng):
    return sorted(rng.sample("WIO", rng.choice((1, 2, 2, 3)))) if chance(rng, 0.35) else None


def level(rng, name, capacity):
    out = {"name": name, "capacity": capacity, **energies(rng)}
    keep = keep_of(rng)
    if keep:
        out["keep"] = keep
    if chance(rng, 0.6):
        out["buffering"] = rng.choice(("single", "double", "overlapped"))
    if chance(rng, 0.6):
        out["port"] = rate(rng)
    if chance(rng, 0.6):
        out["link"] = {"words": rate(rng), "energy": rng.choice((0, 0.1, 2))}
    if chance(rng, 0.5):
        out["area_um2_per_byte"] = rng.choice((0, 4, 0.5, 40))
    return out


def capacities(rng, n, word):
    """Of `n` levels on chip, outermost first: mostly growing outwards, some tiny, some huge."""
    smallest = max(1, math.ceil(word * rng.choice((6, 8, 16, 64, 512))))
    out = [smallest << rng.choice((0, 2, 4, 6)) * (n - 1 - i) for i in range(n)]
    if chance(rng, 0.05):
        out[rng.randrange(n)] = rng.choice((1, 2, 3))
    if chance(rng, 0.1):
        out[rng.randrange(n)] = rng.choice((1 << 40, "4 MiB", "1 GiB"))
    return out


def levels_of(rng, word):
    n = rng.choice((1, 2, 2, 2, 3, 3, 4, 5, 6))
    out = [{"name": rng.choice(("DRAM", "mem", "L0")), **({"port": rate(rng)} if chance(rng, 0.8) else {}),
            **energies(rng)}]
    out += [level(rng, f"{rng.choice(('L', 'buf-', 'a_', 'x.'))}{n - i}", c)
            for i, c in enumerate(capacities(rng, n, word))]
    room = INSTANCES_LIMIT
    for i, one in enumerate(out):
        if chance(rng, 0.05 if i == 0 else 0.55):
            one["fanout"], used = fanout(rng, room)
            room //= used
    return out


def plain_machine(rng):
    """Two levels on chip and a flexible array: what the paper's spaces and MAESTRO's model take."""
    return [{"name": "DRAM", "port": rate(rng), "energy": 200},
            {"name": "L2", "capacity": 1 << rng.randint(9, 20), "link": {"words": rate(rng)}, "energy": 6,
             "fanout": {"clusters": rng.choice((1, 7, 16, 168, 1024)), "multicast": True, "reduction": True}},
            {"name": "L1", "capacity": 1 << rng.randint(6, 12), "energy": 1, "buffering": "double"}]


def accel_file(rng):
    """The text of an accelerator file."""
    word = rng.choice((1, 2, 1, 4, 8, 0.5, 3))
    machine = {"accel": rng.choice(("mine", "a-b", "x.1", "_", "A" * 40)),
               "clock_mhz": rng.choice((1, 200, 1000, 0.5, 1e5)),
               "word_bytes": word if chance(rng, 0.7) else {"W": word, "I": rng.choice((1, 0.25)), "O": word},
               "mac": {"energy": rng.choice((0, 0.3, 1)), "area_um2": rng.choice((0, 419))},
               "levels": plain_machine(rng) if chance(rng, 0.3) else levels_of(rng, word)}
    if chance(rng, 0.2):
        machine["energy_unit_pj"] = rng.choice((0.5, 1e-3, 20))
    if chance(rng, 0.3):
        machine["title"] = "Title " + rng.choice(NAMES)
    text = json.dumps(machine, ensure_ascii=False, indent=1) + "\n"
    return re.sub(r'"(inf|\d+ [KMG]iB)"', r"\1", text)  # these are numbers, which have no quotes


def write_world(seed, folder):
    """Writes both files into `folder`; gives the path of the network and that of the accelerator."""
    rng = random.Random(f"world {seed}")
    name, text = network_file(rng)
    files = {name: text, "accel.yaml": accel_file(rng)}
    for file, content in files.items():
        with open(os.path.join(folder, file), "w", encoding="utf-8") as out:
            out.write(content)
    return [os.path.join(folder, file) for file in files]


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    print("\n".join(write_world(int(sys.argv[1]), sys.argv[2] if len(sys.argv) == 3 else ".")))

"""Tiny layers and machines whose whole space can be listed: certificates that are true by enumeration.

Everything is written down from docs/formats/certificate.md, word for word and without regard to speed;
prices come from `starling eval`.
"""
import csv
import io
import itertools
import math
import subprocess
import tempfile

DIMS, TENSORS = "NGKCPQRS", "WIO"


def up(a, b):
    return -(-a // b)


def place(part):
    """Clusters before axes, then dims from N to S."""
    where, d, _ = part
    return where[0], where[1] != "c", where, DIMS.index(d)


class Tiny:
    """A layer, a machine and a space, all small. `only` narrows the sizes of some (level, dim), `orders` the
    orders of some levels to (before, free, after)."""

    def __init__(self, extent, levels, fanouts, goal="edp", stride=(1, 1), dilation=(1, 1), every=False, only=None,
                 orders=None):
        self.extent = {d: extent.get(d, 1) for d in DIMS}
        self.stride, self.dilation, self.goal, self.every = stride, dilation, goal, every
        self.levels = [{"capacity": 0, "keep": "WIO", "buffering": "overlapped", "port": math.inf, "link": math.inf,
                        "read": 1, "write": 1, "link_pj": 0, **level} for level in levels]
        self.L = len(levels) - 1
        self.only, self.orders = only or {}, orders or {}
        self.fanouts = fanouts  # {level: {"multicast", "reduction", "axes": [(size, dims or "" for all)]}}
        e = self.extent
        channel = "G" if e["K"] == e["C"] == 1 < e["G"] else "K"
        row = "N" if e["P"] == 1 < e["N"] else "P"
        self.tiled = [d for d in DIMS if e[d] > 1 and d in {channel, "C", row, "Q", "R", "S"}]
        self.outermost = [d for d in DIMS if e[d] > 1 and d not in self.tiled]

    def listed(self, l):
        return [d for d in self.tiled if d not in "RS" or l == self.L]

    def sizes(self, l, d):
        n = self.extent[d]
        if (l, d) in self.only:
            return self.only[l, d]
        return list(range(1, n + 1)) if self.every else sorted({up(n, k) for k in range(1, n + 1)})

    def takers(self, l, a):
        """Dims that an axis may spread: filters only where the axis names its dims."""
        dims = self.fanouts[l]["axes"][a][1]
        return [d for d in self.tiled if (d in dims if dims else d not in "RS")]

    def is_clusters(self, l):
        return len(self.fanouts[l]["axes"]) == 1 and 1 <= l < self.L

    def cluster_sizes(self, l):
        p = self.fanouts[l]["axes"][0][0]
        return list(range(1, p + 1)) if self.every else sorted({p // (p // c) for c in range(1, p + 1)})

    def axis_sets(self, l, a):
        dims, most = self.takers(l, a), 2 if len(self.fanouts[l]["axes"]) == 1 else 3
        masks = [m for m in range(1, 256) if all(not m >> i & 1 or DIMS[i] in dims for i in range(8))]
        return ["".join(DIMS[i] for i in range(8) if m >> i & 1) for m in masks if bin(m).count("1") <= most] or ["-"]

    # the spreads

    def need(self, l, extent):
        words = {"W": "GKCRS", "O": "NGKPQ"}
        total = 0
        for t in self.levels[l]["keep"]:
            if t == "I":
                rows, columns = ({p * self.stride[i] + r * self.dilation[i] for p in range(extent["PQ"[i]])
                                  for r in range(extent["RS"[i]])} for i in (0, 1))
                total += extent["N"] * extent["G"] * extent["C"] * len(rows) * len(columns)
            else:
                total += math.prod(extent[d] for d in words[t])
        return total * (2 if self.levels[l]["buffering"] == "double" else 1)

    def fits(self, l, extent):
        return not self.levels[l]["capacity"] or self.need(l, extent) <= self.levels[l]["capacity"]

    def choices(self, l):
        if self.is_clusters(l):
            dims, p = self.takers(l, 0), self.fanouts[l]["axes"][0][0]
            smallest = {d: 1 if d in self.listed(l) or d in self.outermost else self.extent[d] for d in DIMS}
            for c in self.cluster_sizes(l):
                numbers = {}
                for d in dims:
                    numbers[d] = n = p // c
                    while n > 1 and not self.fits(l, {**smallest, d: min(n, self.extent[d])}):
                        numbers[d] = n = n - 1
                for over in (dims[:1] if p // c == 1 else dims) or [None]:
                    for inside in (dims[:1] if c == 1 else dims) or [None]:
                        clusters = [(f"{l}c", over, numbers[over])] if over else []
                        yield clusters + ([(f"{l}a0", inside, c)] if inside else [])
            return

        def deal(dims, room):
            if len(dims) == 1:
                yield [(dims[0], room)]
            else:
                for m in range(1, room + 1):
                    if m == room // (room // m):
                        for rest in deal(dims[1:], room // m):
                            yield [(dims[0], m)] + rest

        def one_axis(a):
            for s in self.axis_sets(l, a):
                for dealt in deal(s[::-1], self.fanouts[l]["axes"][a][0]) if s != "-" else [[]]:
                    yield [(f"{l}a{a}", d, m) for d, m in dealt]

        for parts in itertools.product(*[list(one_axis(a)) for a in range(len(self.fanouts[l]["axes"]))]):
            yield [x for part in parts for x in part]

    def spreads(self):
        for parts in itertools.product(*[list(self.choices(l)) for l in sorted(self.fanouts)]):
            yield [x for part in parts for x in part]

    # the mappings of a spread

    def tilings(self, spread, d):
        """All (T_0 .. T_L) of a dim."""
        n = {int(w[0]): k for w, e, k in spread if e == d and w[1] == "c"}
        most = {}
        for w, e, k in spread:
            if e == d and w[1] == "a":
                most.setdefault(int(w[0]), {})[int(w[2:])] = k
        lists = {}
        for l in range(self.L, 0, -1):
            if d not in self.listed(l):
                continue
            lists[l] = set(self.sizes(l, d))
            if l in most and not self.every:
                for b in self.sizes(l, d):
                    for t in [1] if l == self.L else lists.get(l + 1, []):
                        x = t * n.get(l + 1, 1)
                        w = x * math.prod(self.shares(most[l], up(b, x)).values())
                        if up(b, w) * w <= self.sizes(l, d)[-1]:
                            lists[l].add(up(b, w) * w)
        found = [(1 if d in self.outermost else self.extent[d],)]
        for l in range(1, self.L + 1):
            grown = []
            for tiles in found:
                outer = tiles[-1]
                smaller = [s for s in sorted(lists[l]) if s < outer] if l in lists else []
                same = [outer] if l not in lists or max(lists[l]) >= outer else []
                grown += [tiles + (s,) for s in smaller + same]
            found = grown
        return found, n, most

    @staticmethod
    def shares(most, left):
        taken = {}
        for a in sorted(most):
            taken[a] = min(most[a], left)
            left = up(left, taken[a])
        return taken

    def nests(self, spread):
        dims = [d for d in DIMS if self.extent[d] > 1]
        ways = [self.tilings(spread, d) for d in dims]
        seen = set()
        for tiles in itertools.product(*[w[0] for w in ways]):
            T = dict(zip(dims, tiles))
            info = {d: w[1:] for d, w in zip(dims, ways)}

            def X(l, d):
                n = info[d][0].get(l, 1)
                return T[d][l - 1] if T[d][l] >= up(T[d][l - 1], n) else T[d][l] * n

            if all(self.fits(l, {d: X(l, d) if d in T else 1 for d in DIMS}) for l in range(1, self.L + 1)):
                for text in self.ordered(T, info, X, dims):
                    seen.add(text)
        return sorted(seen)

    def ordered(self, T, info, X, dims):
        """The nest of tiles, in every order of the loops that iterate."""
        extent, segments = dict(self.extent), []

        def put(out, d, kind, tile):
            if tile < extent[d]:
                out.append(f"{d}{kind}{tile}")
                extent[d] = tile

        head = []
        for d in self.outermost:
            put(head, d, ":", 1)
        for l in range(1, self.L + 2):
            above, steps, below = [], [], []
            unit = {d: 1 if l > self.L else X(l, d) for d in dims}
            shares = {d: self.shares(info[d][1].get(l - 1, {}), up(T[d][l - 1], unit[d])) for d in dims}
            for d in dims:
                if info[d][0].get(l - 1, 1) > 1:
                    put(above, d, "*", T[d][l - 1])
            for d in dims:
                put(steps, d, ":", unit[d] * math.prod(shares[d].values()))
            for a in range(4):
                for d in dims:
                    if a in shares[d]:
                        put(below, d, "*", unit[d] * math.prod(s for b, s in shares[d].items() if b > a))
            orders = [o for o in itertools.permutations(steps) if self.may_stand(l, o)] if l <= self.L else [steps]
            mark = [f"@{sum(1 << TENSORS.index(t) for t in self.levels[l]['keep'])}"] if l <= self.L else []
            segments.append([above + list(o) + below + mark for o in orders])
        for parts in itertools.product(*segments):
            yield " ".join(head + [w for part in parts for w in part])

    def may_stand(self, l, steps):
        """Dims before, in the order given, then free ones, then those after."""
        before, _, after = self.orders.get(l, ("", "", ""))
        places = [before.find(w[0]) if w[0] in before else 100 + after.find(w[0]) if w[0] in after else 50
                  for w in steps]
        return places == sorted(places)

    # as texts

    def layer_text(self):
        e = ",".join(f"{d}={n}" for d, n in self.extent.items() if n > 1 or d == "K")
        return f"conv:{e},stride={self.stride[0]}x{self.stride[1]},dilation={self.dilation[0]}x{self.dilation[1]}"

    def accel_yaml(self):
        lines = ["accel: tiny", "clock_mhz: 200", "word_bytes: 1", "mac: {energy: 1}", "levels:"]
        for l, level in enumerate(self.levels):
            parts = [f"name: L{l}", f"read: {level['read']}", f"write: {level['write']}", f"port: {level['port']}"]
            if l:
                parts += [f"capacity: {level['capacity']}", f"buffering: {level['buffering']}",
                          f"keep: [{', '.join(level['keep'])}]",
                          f"link: {{words: {level['link']}, energy: {level['link_pj']}}}"]
            if l in self.fanouts:
                fanout = self.fanouts[l]
                flags = ", ".join(f"{key}: {str(fanout[key]).lower()}" for key in ("multicast", "reduction"))
                axes = [f"size: {n}" + (f", spread: [{', '.join(d)}]" if d else "") for n, d in fanout["axes"]]
                grid = ", ".join(f"x{a}: {{{axis}}}" for a, axis in enumerate(axes))
                shape = axes[0].replace("size", "clusters") if len(axes) == 1 else f"grid: {{{grid}}}"
                parts.append(f"fanout: {{{shape}, {flags}}}")
            lines.append("  - {" + ", ".join(parts) + "}")
        return "\n".join(lines) + "\n"

    def header(self):
        out = ["starling-certificate 1", f"layer {self.layer_text()}", "words W=1 I=1 O=1", "accel tiny", "mac-pj 1",
               "clock-mhz 200"]
        for l, v in enumerate(self.levels):
            out.append(f"level {l} L{l} capacity={v['capacity']} keep={v['keep']} buffering={v['buffering']} "
                       f"port={v['port']} link={v['link']} read-pj={v['read']} write-pj={v['write']} "
                       f"link-pj={v['link_pj']}")
        for l, fanout in sorted(self.fanouts.items()):
            axes = fanout["axes"]
            out.append(f"fanout {l} {'flexible' if len(axes) == 1 else 'grid'} multicast={int(fanout['multicast'])} "
                       f"reduction={int(fanout['reduction'])} sizes={','.join(str(n) for n, _ in axes)} "
                       f"spread={','.join(''.join(sorted(d, key=DIMS.index)) or DIMS for _, d in axes)}")
        out += [f"goal {self.goal}", f"space {'all' if self.every else 'native'} "
                f"constrained={int(bool(self.only or self.orders))} waves={int(not self.every)} "
                f"open=- outermost={''.join(self.outermost) or '-'}"]
        for l in range(1, self.L + 1):
            before, free, after = self.orders.get(l, ("", "".join(self.listed(l)), ""))
            out.append(f"order {l} before={before or '-'} free={free or '-'} after={after or '-'}")
            out += [f"sizes {l} {d} {' '.join(map(str, self.sizes(l, d)))}" for d in self.listed(l)]
        for l in sorted(self.fanouts):
            if self.is_clusters(l):
                dims = "".join(self.takers(l, 0)) or "-"
                out.append(f"clusters {l} over={dims} inside={dims} sizes={','.join(map(str, self.cluster_sizes(l)))}")
            for a in range(0 if self.is_clusters(l) else len(self.fanouts[l]["axes"])):
                out.append(f"axis {l} {a} sets={','.join(self.axis_sets(l, a))}")
        return out

    def goal_value(self, latency, energy):
        if self.goal in ("latency", "energy", "edp"):
            return {"latency": latency, "energy": energy, "edp": latency * energy}[self.goal]
        weights = dict(part.split("=") for part in self.goal.split(","))
        return latency ** float(weights.get("latency", 0)) * energy ** float(weights.get("energy", 0))

    def price(self, nests, program):
        """[(value, counts line, latency, energy)] of the nests, by `starling eval`."""
        ext = ".".join(str(self.extent[d]) for d in DIMS)
        conv = ".".join(str(n) for n in (*self.stride, *self.dilation))
        net = ".".join("".join(str(int(self.fanouts[l][key])) if l in self.fanouts else "1" for l in range(self.L + 1))
                       for key in ("multicast", "reduction"))
        rows = ["id,ext,conv,net,nest"] + [f"{i},{ext},{conv},{net},{nest}" for i, nest in enumerate(nests)]
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(self.accel_yaml())
            file.flush()
            command = [program, "eval", "--nests", "-", "--csv", "--accel", file.name]
            run = subprocess.run(command, input="\n".join(rows) + "\n", capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr
        found = []
        for row in csv.DictReader(io.StringIO(run.stdout)):
            latency, energy = float(row["latency"]), float(row["energy_pJ"])
            counts = [f"cycles={row['cycles']}"]
            for l in range(1, self.L + 1):
                counts += [f"{kind}-{l}-{t}={row[f'l{l}_{kind}_{t}']}"
                           for kind in ("fill", "pread") for t in self.levels[l]["keep"]]
                counts.append(f"upd-{l}={row[f'l{l}_upd']}")
            found.append((self.goal_value(latency, energy), " ".join(counts), latency, energy))
        return found

    def enumerate(self, program):
        """All spreads with their nests and prices; the space in full."""
        spreads = [(spread, self.nests(spread)) for spread in self.spreads()]
        every = sorted({nest for _, nests in spreads for nest in nests})
        prices = dict(zip(every, self.price(every, program)))
        return spreads, prices

    def certificate(self, spreads, prices, nest, least=0.0):
        """True as it stands: the bound of every branch is its least value, or `least` if that is more."""
        value, counts, latency, energy = prices[nest]
        bounds = [max(least, min((prices[n][0] for n in nests), default=math.inf)) for _, nests in spreads]
        out = self.header() + [f"mapping {nest}", f"counts {counts}", f"latency {latency!r}", f"energy {energy!r}",
                               f"value {value!r}", f"bound {min(bounds)!r}", "epsilon 0", f"branches {len(spreads)}"]
        for i, (spread, _) in enumerate(spreads):
            words = " ".join(f"{w}:{d}*{n}" for w, d, n in sorted(spread, key=place) if n > 1)
            out.append(f"branch {i} {words} bound={bounds[i]!r} nodes=0".replace("  ", " "))
        return "\n".join(out + ["end", ""])

"""What a certificate says: docs/formats/certificate.md, read strictly."""
import math
import re

DIMS, TENSORS = "NGKCPQRS", "WIO"
WINDOWS = (("P", "R"), ("Q", "S"))  # (outputs, taps) of the input's rows and columns
LEVEL_KEYS = ("capacity", "keep", "buffering", "port", "link", "read-pj", "write-pj", "link-pj")
GOALS = {"latency": (1.0, 0.0), "energy": (0.0, 1.0), "edp": (1.0, 1.0)}  # powers of latency and energy


class Unreadable(Exception):
    """The file is not a certificate."""


class Uncovered(Exception):
    """A certificate this checker does not cover."""


class Untrue(Exception):
    """A claim that does not hold."""


class Reader:
    """Lines `key words...` in a fixed order; complaints name the line and what was expected."""

    def __init__(self, text):
        lines = ((number, line.split()) for number, line in enumerate(text.split("\n"), 1))
        self.lines = [(number, words) for number, words in lines if words and words[0][0] != "#"]
        self.number = 0

    def fail(self, expected):
        raise Unreadable(f"line {self.number}: expected {expected}")

    def peek(self):
        return self.lines[0][1][0] if self.lines else None

    def take(self, key, n=None):
        """The words after `key`, which must come next: n of them, or any number."""
        self.number = self.lines[0][0] if self.lines else self.number + 1
        if self.peek() != key:
            self.fail(f"'{key}'")
        words = self.lines.pop(0)[1][1:]
        if n is not None and len(words) != n:
            self.fail(f"'{key}' and {n} words")
        return words

    def real(self, text, positive=False):
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not value >= 0 or positive and value == 0:
            self.fail(f"a number {'above' if positive else 'of at least'} 0, not '{text}'")
        return value

    def whole(self, text, least=0):
        if not text.isdigit() or not least <= int(text) < 2**53:
            self.fail(f"a whole number of at least {least}, not '{text}'")
        return int(text)

    def sizes(self, words):
        found = [self.whole(word, 1) for word in words]
        if not found or found != sorted(set(found)):
            self.fail("sizes in ascending order")
        return found

    def letters(self, text, alphabet=DIMS):
        text = "" if text == "-" else text
        if set(text) - set(alphabet) or len(set(text)) < len(text):
            self.fail(f"some of {alphabet}, each once, or -, not '{text}'")
        return text

    def facts(self, words, keys):
        """Words `key=value` as a dict; exactly these keys."""
        found = dict(word.partition("=")[::2] for word in words)
        if len(words) != len(keys) or set(found) != set(keys):
            self.fail(" ".join(f"{key}=..." for key in keys))
        return found


class Fanout:
    """What lies below a level: per axis its instances and the dims it takes; whether one access of the
    level serves all instances that share a word."""

    def __init__(self, sizes=(), takes=(), multicast=False, reduction=False):
        self.sizes, self.takes = list(sizes), list(takes)
        self.merges = {"W": multicast, "I": multicast, "O": reduction}


class Level:
    """Storage: room in bytes, rates in words per cycle, energies in pJ per word."""

    def __init__(self, reader, index):
        words = reader.take("level", 2 + len(LEVEL_KEYS))
        if words[0] != str(index):
            reader.fail(f"level {index}")
        facts = reader.facts(words[2:], LEVEL_KEYS)
        self.capacity = reader.real(facts["capacity"])  # 0 = unlimited
        self.keep = reader.letters(facts["keep"], TENSORS)
        self.buffering = facts["buffering"]
        if self.buffering not in ("single", "double", "overlapped"):
            reader.fail("buffering=single, double or overlapped")
        self.port, self.link = (reader.real(facts[key], positive=True) for key in ("port", "link"))
        self.read_pj, self.write_pj, self.link_pj = (reader.real(facts[key]) for key in LEVEL_KEYS[5:])


class Certificate:
    """Levels 0 (DRAM) to L; fan-out l below level l; order l and sizes l above level l."""

    def __init__(self, text):
        reader = Reader(text)
        if reader.take("starling-certificate", 1) != ["1"]:
            reader.fail("version 1")
        self.read_machine(reader)
        self.read_space(reader)
        self.read_claims(reader)
        if reader.lines:
            reader.number = reader.lines[0][0]
            reader.fail("nothing after 'end'")

    def read_layer(self, text, reader):
        """`extent` by dim; `steps`: stride and dilation of the windows, without common divisor."""
        kind, _, rest = text.partition(":")
        keys = dict(part.partition("=")[::2] for part in rest.split(",") if part)
        pair = {}
        for name, least in (("stride", 1), ("dilation", 1), ("pad", 0)):
            pair[name] = [reader.whole(word, least) for word in (keys.pop(name, str(least)).split("x") * 2)[:2]]
        value = {key: reader.whole(word, 1) for key, word in keys.items() if key not in ("bytes", "name")}
        if kind in ("gemm", "bmm"):
            names = {"M": "P", "N": "K", "K": "C", "B": "G", "batch": "N"}
            value = {names.get(key, key): n for key, n in value.items()}
        for i, (out, tap) in enumerate(WINDOWS):
            if "HW"[i] in value:
                room = value.pop("HW"[i]) + 2 * pair["pad"][i] - pair["dilation"][i] * (value.get(tap, 1) - 1) - 1
                value[out] = room // pair["stride"][i] + 1
        self.extent = {d: value.pop(d, 1) for d in DIMS}
        self.n_macs = math.prod(self.extent.values())
        if kind not in ("conv", "dw", "linear", "gemm", "bmm") or value or not 0 < self.n_macs < 2**53:
            reader.fail(f"a layer such as conv:K=64,C=64,P=56,Q=56,R=3,S=3 below 2^53 MACs, not '{text}'")
        self.steps = {}
        for pair_of, stride, dilation in zip(WINDOWS, pair["stride"], pair["dilation"]):
            divisor = math.gcd(stride, dilation)
            self.steps[pair_of] = stride // divisor, dilation // divisor

    def read_machine(self, reader):
        self.read_layer(reader.take("layer", 1)[0], reader)
        words = reader.facts(reader.take("words"), TENSORS)
        self.word_bytes = {t: reader.real(words[t], positive=True) for t in TENSORS}
        reader.take("accel", 1)
        self.mac_pj = reader.real(reader.take("mac-pj", 1)[0])
        reader.real(reader.take("clock-mhz", 1)[0])
        self.levels = []
        while reader.peek() == "level":
            self.levels.append(Level(reader, len(self.levels)))
        self.L = len(self.levels) - 1
        if self.L < 1 or self.levels[0].keep != TENSORS:
            reader.fail("level 0 that keeps WIO, and levels on chip")
        self.fanouts = [Fanout() for _ in self.levels]
        while reader.peek() == "fanout":
            words = reader.take("fanout", 6)
            facts = reader.facts(words[2:], ("multicast", "reduction", "sizes", "spread"))
            sizes = [reader.whole(word, 1) for word in facts["sizes"].split(",")]
            takes = [reader.letters(word) for word in facts["spread"].split(",")]
            kind = "flexible" if len(sizes) == 1 else "grid"
            if reader.whole(words[0]) > self.L or words[1] != kind or len(takes) != len(sizes):
                reader.fail(f"fanout 0..{self.L}, flexible with one size or grid with several, a spread for each")
            self.fanouts[int(words[0])] = Fanout(sizes, takes, facts["multicast"] == "1", facts["reduction"] == "1")

    def read_goal(self, text, reader):
        if "=" not in text:
            weights = {text: 1.0}
        else:
            parts = (part.partition("=")[::2] for part in text.split(","))
            weights = {name: reader.real(weight) for name, weight in parts}
        if set(weights) - set(GOALS):
            raise Uncovered(f"goal {text}: only latency, energy and their products are covered")
        self.powers = [sum(weight * GOALS[name][i] for name, weight in weights.items()) for i in (0, 1)]

    def read_space(self, reader):
        self.read_goal(reader.take("goal", 1)[0], reader)
        words = reader.take("space", 5)
        facts = reader.facts(words[1:], ("constrained", "waves", "open", "outermost"))
        self.preset, self.constrained, self.waves = words[0], facts["constrained"] != "0", facts["waves"] == "1"
        self.open, self.outermost = reader.letters(facts["open"]), reader.letters(facts["outermost"])
        self.orders, self.sizes = {0: (self.outermost, "", "")}, {}
        for l in range(1, self.L + 1):
            words = reader.take("order", 4)
            facts = reader.facts(words[1:], ("before", "free", "after"))
            self.orders[l] = tuple(reader.letters(facts[key]) for key in ("before", "free", "after"))
            inside = reader.letters("".join(self.orders[l]) or "-")
            if words[0] != str(l):
                reader.fail(f"order {l}")
            while reader.peek() == "sizes":
                words = reader.take("sizes")
                if len(words) < 3 or words[0] != str(l) or words[1] not in self.extent:
                    reader.fail(f"sizes {l} of a dim")
                if self.extent[words[1]] > 1 and words[1] not in inside:
                    reader.fail(f"sizes of dims that order {l} has, {words[1]} is not")
                self.sizes[l, words[1]] = reader.sizes(words[2:])
        self.clusters, self.axes = {}, {}
        for l, fanout in enumerate(self.fanouts):
            if len(fanout.sizes) == 1 and 1 <= l < self.L:
                words = reader.take("clusters", 4)
                facts = reader.facts(words[1:], ("over", "inside", "sizes"))
                self.clusters[l] = (reader.letters(facts["over"]), reader.letters(facts["inside"]),
                                    reader.sizes(facts["sizes"].split(",")))
                if words[0] != str(l):
                    reader.fail(f"clusters {l}")
                continue
            for a in range(len(fanout.sizes)):
                words = reader.take("axis", 3)
                sets = reader.facts(words[2:], ("sets",))["sets"].split(",")
                self.axes[l, a] = [reader.letters(s) for s in sets]
                if words[:2] != [str(l), str(a)]:
                    reader.fail(f"axis {l} {a}")

    def read_claims(self, reader):
        self.mapping = " ".join(reader.take("mapping"))
        counts = (word.partition("=")[::2] for word in reader.take("counts"))
        self.counts = {name: reader.real(number) for name, number in counts}
        for name in ("latency", "energy", "value", "bound", "epsilon"):
            setattr(self, name, reader.real(reader.take(name, 1)[0], positive=name != "epsilon"))
        self.branches = []
        for i in range(reader.whole(reader.take("branches", 1)[0], 1)):
            words = reader.take("branch")
            facts = reader.facts(words[-2:], ("bound", "nodes"))
            reader.whole(facts["nodes"])
            if words[0] != str(i):
                reader.fail(f"branch {i}")
            self.branches.append((self.read_spread(words[1:-2], reader), reader.real(facts["bound"])))
        reader.take("end", 0)

    @staticmethod
    def read_spread(words, reader):
        """`1c:K*3 1a0:P*56` as a set of (fan-out, clusters or axis, dim, number)."""
        found = [re.fullmatch(rf"(\d)(c|a\d):([{DIMS}])\*(\d+)", word) for word in words]
        if None in found:
            reader.fail("spreads such as 1c:K*3 1a0:P*56")
        return frozenset((int(f), where, d, int(n)) for f, where, d, n in (match.groups() for match in found))

    def keep(self, level):
        return self.levels[level].keep if level <= self.L else TENSORS  # L + 1: the MACs

    def parent(self, level, tensor):
        return max(l for l in range(level) if tensor in self.keep(l))

    def goal_value(self, latency, energy):
        """The product of the powers, also of arrays."""
        return math.prod(base if power == 1 else base**power
                         for base, power in zip((latency, energy), self.powers) if power > 0)

"""What a certificate says: docs/formats/certificate.md, read strictly."""
import math
import re

DIMS, TENSORS = "NGKCPQRS", "WIO"
WINDOWS = (("P", "R"), ("Q", "S"))  # (outputs, taps) of the input's rows and columns
OBJECTIVES = ("latency", "energy", "edp", "area", "power")
LEVEL_KEYS = ("capacity", "keep", "buffering", "port", "link", "read-pj", "write-pj", "link-pj")
LINE = re.compile(r'[!"$-~]+( [!"$-~]+)*')  # words of printable ASCII without '#', one blank between them
WHOLE, REAL = re.compile(r"[0-9]+"), re.compile(r"[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?|inf")
NAME = re.compile(r"[A-Za-z0-9_.-]+")
LOOP = re.compile(rf"[{DIMS}][:*][0-9]*[1-9][0-9]*|@[0-7]")
LAYER = re.compile(rf"conv:(([{DIMS}]=[0-9]+|(stride|dilation)=[0-9]+(x[0-9]+)?)(,(?!$)|$))+")
PRESETS = ("native", "all", "paper")
MOST_BRANCHES, MOST_INSTANCES, MOST_WEIGHT = 2**20, 2**40, 3
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
        self.lines, self.number = [], 0
        for number, line in enumerate(text.split("\n"), 1):
            if line and line[0] != "#":
                self.lines.append((number, line))

    def fail(self, expected):
        raise Unreadable(f"line {self.number}: expected {expected}")

    def peek(self):
        return self.lines[0][1].partition(" ")[0] if self.lines else None

    def take(self, key, n=None):
        """The words after `key`, which must come next: n of them, or any number."""
        self.number = self.lines[0][0] if self.lines else self.number + 1
        if self.peek() != key:
            self.fail(f"'{key}'")
        line = self.lines.pop(0)[1]
        if not LINE.fullmatch(line):
            self.fail("words of printable ASCII without '#', one blank between them")
        words = line.split(" ")[1:]
        if n is not None and len(words) != n:
            self.fail(f"'{key}' and {n} words")
        return words

    def real(self, text, positive=False):
        value = float(text) if len(text) < 128 and REAL.fullmatch(text) else math.nan
        if not value >= 0 or positive and value == 0 or value == math.inf and text != "inf":
            self.fail(f"a number {'above' if positive else 'of at least'} 0, not '{text}'")
        return value

    def whole(self, text, least=0, most=2**63 - 1):
        if not WHOLE.fullmatch(text) or not least <= int(text) <= most:
            self.fail(f"a whole number of at least {least}, not '{text}'")
        return int(text)

    def flag(self, text):
        if text not in ("0", "1"):
            self.fail(f"0 or 1, not '{text}'")
        return text == "1"

    def name(self, text):
        if not NAME.fullmatch(text):
            self.fail(f"a name of letters, digits, '_', '-', '.', not '{text}'")
        return text

    def sizes(self, words, most):
        found = [self.whole(word, 1, most) for word in words]
        if not found or found != sorted(set(found)):
            self.fail("sizes in ascending order")
        return found

    def letters(self, text, alphabet=DIMS):
        """In the order given; '-' = none."""
        if text == "-":
            return ""
        if not text or set(text) - set(alphabet) or len(set(text)) < len(text):
            self.fail(f"some of {alphabet}, each once, or -, not '{text}'")
        return text

    def facts(self, words, keys):
        """Words `key=value` as a dict; exactly these keys in this order."""
        found = [word.partition("=") for word in words]
        if [(key, equals) for key, equals, _ in found] != [(key, "=") for key in keys]:
            self.fail(" ".join(f"{key}=..." for key in keys))
        return {key: value for key, _, value in found}


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
        self.name = reader.name(words[1])
        facts = reader.facts(words[2:], LEVEL_KEYS)
        self.capacity = reader.whole(facts["capacity"])  # 0 = unlimited
        keep = reader.letters(facts["keep"], TENSORS)  # a set: any order means the same
        self.keep = "".join(t for t in TENSORS if t in keep)
        self.buffering = facts["buffering"]
        if self.buffering not in ("single", "double", "overlapped"):
            reader.fail("buffering=single, double or overlapped")
        self.port, self.link = (reader.real(facts[key], positive=True) for key in ("port", "link"))
        self.read_pj, self.write_pj, self.link_pj = (reader.real(facts[key]) for key in LEVEL_KEYS[5:])


def shortest(value):
    """A number in as few digits as read back."""
    return next(text for digits in range(1, 18) if float(text := f"{value:.{digits}g}") == value)


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
        if not LAYER.fullmatch(text):
            reader.fail(f"a layer such as conv:K=64,C=64,P=56,stride=2x1, not '{text}'")
        items = [part.split("=") for part in text.partition(":")[2].split(",")]
        value = dict(items)
        pair = {name: [reader.whole(word, 1) for word in (value.pop(name, "1").split("x") * 2)[:2]]
                for name in ("stride", "dilation")}
        self.extent = {d: reader.whole(value.get(d, "1"), 1) for d in DIMS}
        self.n_macs = math.prod(self.extent.values())
        if len(items) != len(dict(items)) or not self.n_macs < 2**53:
            reader.fail(f"every key once and below 2^53 MACs, not '{text}'")
        self.stride, self.dilation = pair["stride"], pair["dilation"]
        self.steps = {}
        for pair_of, stride, dilation in zip(WINDOWS, pair["stride"], pair["dilation"]):
            divisor = math.gcd(stride, dilation)
            self.steps[pair_of] = stride // divisor, dilation // divisor

    def read_machine(self, reader):
        self.layer = reader.take("layer", 1)[0]
        self.read_layer(self.layer, reader)
        words = reader.facts(reader.take("words"), TENSORS)
        self.word_bytes = {t: reader.real(words[t], positive=True) for t in TENSORS}
        self.accel = reader.name(reader.take("accel", 1)[0])
        self.mac_pj = reader.real(reader.take("mac-pj", 1)[0])
        self.clock_mhz = reader.real(reader.take("clock-mhz", 1)[0])
        self.levels = []
        while reader.peek() == "level":
            self.levels.append(Level(reader, len(self.levels)))
        self.L = len(self.levels) - 1
        if self.L < 1 or self.levels[0].keep != TENSORS or self.levels[0].capacity:
            reader.fail("level 0 of capacity 0 that keeps W, I and O, and levels on chip")
        if not all(level.capacity and level.keep for level in self.levels[1:]):
            reader.fail("levels on chip with a capacity, that keep something")
        self.fanouts, last = [Fanout() for _ in self.levels], -1
        while reader.peek() == "fanout":
            words = reader.take("fanout", 6)
            facts = reader.facts(words[2:], ("multicast", "reduction", "sizes", "spread"))
            sizes = [reader.whole(word, 1, MOST_INSTANCES) for word in facts["sizes"].split(",")]
            takes = [reader.letters(word) for word in facts["spread"].split(",")]
            kind = "flexible" if len(sizes) == 1 else "grid"
            last = reader.whole(words[0], last + 1, self.L)
            if words[1] != kind or len(takes) != len(sizes) or len(sizes) > 4 or "" in takes:
                reader.fail("flexible with one size or grid with up to four, a spread for each")
            flags = reader.flag(facts["multicast"]), reader.flag(facts["reduction"])
            self.fanouts[last] = Fanout(sizes, takes, *flags)

    def read_goal(self, text, reader):
        """A name, or two and more of name=weight in the order of OBJECTIVES, digits as few as can be."""
        weights = {text: 1.0}
        if "=" in text:
            parts = [part.partition("=")[::2] for part in text.split(",")]
            weights = {name: reader.real(weight, positive=True) for name, weight in parts}
        order = [name for name in OBJECTIVES if name in weights]
        written = ",".join(f"{name}={shortest(weights[name])}" for name in order) if len(order) > 1 else "".join(order)
        if written != text or max(weights.values()) > MOST_WEIGHT:
            reader.fail(f"a goal such as edp, or latency=2,energy=1, not '{text}'")
        self.goal = text
        if set(weights) - set(GOALS):
            raise Uncovered(f"goal {text}: only latency, energy and their products are covered")
        self.powers = [sum(weight * GOALS[name][i] for name, weight in weights.items()) for i in (0, 1)]

    def read_space(self, reader):
        self.read_goal(reader.take("goal", 1)[0], reader)
        words = reader.take("space", 5)
        facts = reader.facts(words[1:], ("constrained", "waves", "open", "outermost"))
        self.preset, self.constrained, self.waves = words[0], reader.flag(facts["constrained"]), reader.flag(facts["waves"])
        if self.preset not in PRESETS or self.waves != (self.preset == "native"):
            reader.fail(f"a preset of {', '.join(PRESETS)}, and waves=1 for native alone")
        self.open, self.outermost = reader.letters(facts["open"]), reader.letters(facts["outermost"])
        self.lists = [line for _, line in reader.lines]  # cut below to what the space takes of them
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
                if any((l, d) in self.sizes for d in DIMS[DIMS.index(words[1]):]):
                    reader.fail(f"sizes {l} of dims from N to S, each once")
                if self.extent[words[1]] > 1 and words[1] not in inside:
                    reader.fail(f"sizes of dims that order {l} has, {words[1]} is not")
                self.sizes[l, words[1]] = reader.sizes(words[2:], self.extent[words[1]])
        self.clusters, self.axes = {}, {}
        for l, fanout in enumerate(self.fanouts):
            if len(fanout.sizes) == 1 and 1 <= l < self.L:
                words = reader.take("clusters", 4)
                facts = reader.facts(words[1:], ("over", "inside", "sizes"))
                self.clusters[l] = (reader.letters(facts["over"]), reader.letters(facts["inside"]),
                                    reader.sizes(facts["sizes"].split(","), fanout.sizes[0]))
                if words[0] != str(l):
                    reader.fail(f"clusters {l}")
                continue
            for a in range(len(fanout.sizes)):
                words = reader.take("axis", 3)
                sets = reader.facts(words[2:], ("sets",))["sets"].split(",")
                self.axes[l, a] = [reader.letters(s) for s in sets]
                if words[:2] != [str(l), str(a)]:
                    reader.fail(f"axis {l} {a}")
        self.lists = self.lists[:len(self.lists) - len(reader.lines)]

    def read_claims(self, reader):
        words = reader.take("mapping")
        if not words or not all(LOOP.fullmatch(word) for word in words):
            reader.fail("loops DIM:TILE, DIM*TILE and boundaries @0 to @7")
        self.mapping = " ".join(words)
        self.counts = " ".join(reader.take("counts"))
        for name in ("latency", "energy", "value", "bound", "epsilon"):
            setattr(self, name, reader.real(reader.take(name, 1)[0]))
        self.branches = []
        for i in range(reader.whole(reader.take("branches", 1)[0], 1, MOST_BRANCHES)):
            words = reader.take("branch")
            facts = reader.facts(words[-2:], ("bound", "nodes"))
            reader.whole(facts["nodes"])
            if words[0] != str(i):
                reader.fail(f"branch {i}")
            self.branches.append((" ".join(words[1:-2]), reader.real(facts["bound"])))
        reader.take("end", 0)

    def keep(self, level):
        return self.levels[level].keep if level <= self.L else TENSORS  # L + 1: the MACs

    def parent(self, level, tensor):
        return max(l for l in range(level) if tensor in self.keep(l))

    def goal_value(self, latency, energy):
        """The product of the powers, also of arrays."""
        return math.prod(base if power == 1 else base**power
                         for base, power in zip((latency, energy), self.powers) if power > 0)

#!/usr/bin/python3
"""tools/check_certificate.py must believe certificates of tiny layers that full enumeration has shown to be
true, and find every claim that is not. STARLING is the program, which prices the enumerated mappings."""
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
TOOLS = os.path.join(HERE, "../../tools")
PROGRAM = os.environ.get("STARLING", os.path.join(HERE, "../../build/dev/starling"))
sys.dont_write_bytecode = True
sys.path[:0] = [TOOLS, HERE]

import check_certificate  # noqa: E402
import numpy as np  # noqa: E402
from certificate.bounds import LevelBound, gather, make_form  # noqa: E402
from certificate.model import Nest  # noqa: E402
from certificate.reader import Uncovered, Unreadable, Untrue  # noqa: E402
from tiny_space import Tiny  # noqa: E402

DRAM = {"port": 2, "read": 200, "write": 200}
BUFFER = {"capacity": 40, "link": 2, "read": 6, "write": 6}
SMALL = {"capacity": 12, "link": 4, "link_pj": 2}
ARRAY = {"multicast": True, "reduction": True, "axes": [(4, "")]}


def two_axes(first="CK", second="", multicast=True):
    return {"multicast": multicast, "reduction": True, "axes": [(2, first), (3, second)]}


# name: a space of every kind
SPACES = {
    "prime extents on clusters": Tiny({"K": 5, "C": 2, "P": 3}, [DRAM, BUFFER, SMALL], {1: ARRAY}),
    "strided windows": Tiny({"P": 5, "R": 3, "C": 2}, [DRAM, BUFFER, SMALL], {1: ARRAY}, stride=(2, 1)),
    "dilated windows": Tiny({"Q": 5, "S": 3, "K": 2}, [DRAM, BUFFER, SMALL], {1: ARRAY}, "energy", dilation=(1, 2)),
    "windows both ways": Tiny({"P": 4, "R": 2, "Q": 2, "S": 2}, [DRAM, BUFFER], {}),
    "depthwise": Tiny({"G": 5, "P": 3, "Q": 2, "R": 2}, [DRAM, {**BUFFER, "capacity": 24}, SMALL], {}),
    "a grid with two axes": Tiny(
        {"K": 4, "C": 3, "P": 2}, [DRAM, BUFFER, SMALL], {1: two_axes()}, "latency=2,energy=1"),
    "double buffers and narrow ports": Tiny(
        {"K": 3, "C": 3, "P": 3},
        [DRAM, {**BUFFER, "buffering": "double", "port": 2},
         {**SMALL, "buffering": "double", "port": 1, "capacity": 16}],
        {1: ARRAY}, "latency"),
    "single buffers without multicast": Tiny(
        {"K": 3, "P": 4, "R": 2}, [DRAM, {**BUFFER, "buffering": "single"}, {**SMALL, "buffering": "single"}],
        {1: two_axes(multicast=False), 2: {"multicast": False, "reduction": False, "axes": [(2, "")]}}),
    "levels that keep less, and lanes": Tiny(
        {"K": 3, "C": 2, "P": 3},
        [DRAM, {**BUFFER, "keep": "WI"}, {**SMALL, "keep": "O"}, {**SMALL, "keep": "W", "capacity": 2}],
        {2: {"multicast": True, "reduction": True, "axes": [(2, "C"), (2, "K")]}}),
    "batch and groups outside": Tiny({"N": 2, "G": 2, "K": 3, "C": 2, "P": 2}, [DRAM, BUFFER, SMALL], {2: ARRAY}),
    "tiles of whole waves": Tiny(
        {"P": 5, "R": 3, "C": 2}, [{**DRAM, "read": 20}, {**BUFFER, "capacity": 30, "buffering": "double", "port": 1},
                                   {**SMALL, "capacity": 40, "buffering": "single", "link": 2}],
        {1: {"multicast": False, "reduction": True, "axes": [(3, "K"), (3, "PQR")]}}, "latency=2,energy=1",
        dilation=(2, 1)),
    "fewer clusters than there are": Tiny(
        {"C": 2, "P": 5, "R": 3},
        [DRAM, {**BUFFER, "capacity": 16, "buffering": "double", "keep": "WI"}, {**SMALL, "capacity": 64}],
        {1: {**ARRAY, "axes": [(2, "")]}}),
    "every size": Tiny({"K": 5, "C": 3, "P": 2}, [DRAM, BUFFER, SMALL], {1: {**ARRAY, "axes": [(3, "")]}}, every=True),
    "orders that are fixed in part": Tiny(
        {"K": 3, "C": 3, "P": 3}, [DRAM, BUFFER, SMALL], {1: ARRAY}, orders={1: ("", "KP", "C"), 2: ("P", "KC", "")}),
}


class Checker(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.known = {}

    def space(self, name):
        """(space, its spreads with their nests, prices by nest, nests from the best on)"""
        if name not in self.known:
            tiny = SPACES[name]
            spreads, prices = tiny.enumerate(PROGRAM)
            self.known[name] = tiny, spreads, prices, sorted(prices, key=lambda nest: prices[nest][0])
        return self.known[name]

    def true_certificate(self, name="prime extents on clusters"):
        tiny, spreads, prices, nests = self.space(name)
        return tiny.certificate(spreads, prices, nests[0])

    def finds(self, reason, text, quick=True):
        with self.assertRaises(Untrue) as caught:
            check_certificate.check(text, quick)
        self.assertIn(reason, str(caught.exception))

    def replace(self, text, old, new):
        changed = re.sub(old, new, text, count=1, flags=re.M)
        self.assertNotEqual(text, changed)
        return changed

    def test_true_certificates_of_every_kind_of_space_hold(self):
        for name in SPACES:
            with self.subTest(name):
                cert, _ = check_certificate.check(self.true_certificate(name))
                self.assertEqual(cert.value, cert.bound)

    def test_a_layer_of_one_mac_has_one_mapping(self):
        tiny = Tiny({}, [DRAM, BUFFER, SMALL], {1: ARRAY})
        spreads, prices = tiny.enumerate(PROGRAM)
        self.assertEqual(list(prices), ["@7 @7"])
        text = tiny.certificate(spreads, prices, "@7 @7")
        self.assertEqual(check_certificate.check(text)[0].value, prices["@7 @7"][0])
        raised = tiny.certificate(spreads, prices, "@7 @7", least=prices["@7 @7"][0] * 1.001)
        self.finds("a mapping is below the bound", raised, quick=False)

    def test_only_the_walk_can_find_a_bound_just_above_the_optimum(self):
        for name in SPACES:
            with self.subTest(name):
                tiny, spreads, prices, nests = self.space(name)
                best = prices[nests[0]][0]
                second = next(nest for nest in nests if prices[nest][0] > best * (1 + 1e-6))
                bound = min(best * 1.001, (best + prices[second][0]) / 2)
                text = tiny.certificate(spreads, prices, second, least=bound)
                check_certificate.check(text, quick=True)
                self.finds("a mapping is below the bound: ", text, quick=False)

    def test_every_branch_is_walked(self):
        # raise the bound of all, then make all but one branch too expensive to matter: only that one can tell
        tiny, spreads, prices, nests = self.space("prime extents on clusters")
        best = prices[nests[0]][0]
        holders = [i for i, (_, mine) in enumerate(spreads) if nests[0] in mine]
        self.assertLess(len(holders), len(spreads))
        cert = check_certificate.Certificate(tiny.certificate(spreads, prices, nests[0]))
        cert.bound = best * 1.0001
        for i, spread in enumerate(check_certificate.branches_of(cert)):
            branch = check_certificate.Branch(cert, spread, check_certificate.Quantities(cert), {})
            least = min((prices[nest][0] for nest in spreads[i][1]), default=math.inf)
            if least < cert.bound * (1 - 1e-9):
                self.assertRaises(Untrue, branch.close)
            else:
                branch.close()

    def test_no_count_of_a_mapping_is_below_its_bounds(self):
        # what the walk does node by node, against the plain recursion, on tiles with many edges
        rng, checks = random.Random(1), 0
        for extent, stride in (({"K": 5, "C": 3, "P": 7, "R": 3}, 1), ({"G": 3, "Q": 7, "S": 4, "K": 3}, 2),
                               ({"C": 7, "P": 5, "R": 5}, 1), ({"N": 3, "P": 8, "R": 5, "K": 4}, 3)):
            tiny = Tiny(extent, [DRAM, {**BUFFER, "capacity": 10**9, "port": 2}, {**SMALL, "capacity": 10**9, "port": 2}],
                        {1: ARRAY, 2: two_axes("CR", "KP")}, every=True, stride=(stride, stride))
            numbers = [f"{name} 1" for name in ("latency", "energy", "value", "bound", "epsilon", "branches")]
            text = tiny.header() + ["mapping @7 @7", "counts"] + numbers + ["branch 0 bound=1 nodes=0", "end"]
            cert = check_certificate.Certificate("\n".join(text))
            branches, quantities = list(check_certificate.branches_of(cert)), check_certificate.Quantities(cert)
            for _ in range(10):
                branch = check_certificate.Branch(cert, rng.choice(branches), quantities, {})
                branch.bounds = {l: LevelBound(branch, l) for l in (1, 2)}
                all_slots = {l: bound.slots() for l, bound in branch.bounds.items()}
                for _ in range(6):
                    checks += self.compare_counts(branch, all_slots, rng)
        self.assertGreater(checks, 6000)

    def compare_counts(self, branch, all_slots, rng):
        """One random mapping of a branch: all counts, bounds of its classes, slots, the sum over its orders."""
        checks, node = 0, {}
        for d, chain in branch.chains.items():
            node[2, d] = np.array([rng.randrange(chain.tiles[2].shape[1])])
        node.update({(1, d): branch.chains[d].parent[2][node[2, d]] for d in branch.dims})
        node["q"] = np.zeros((branch.quantities.n, 1))
        orders = [rng.choice(list(branch.orders_of(s))) for s in range(3)]
        nest = Nest(branch.cert, branch.nest_text({d: node[2, d][0] for d in branch.dims}, orders))
        for l in (1, 2):
            idx, slots = {d: node[l, d] for d in branch.dims}, all_slots[l]
            place = {d: slots.slot[d][idx[d]] for d in branch.dims}
            inner = next((d for d in orders[l] if branch.bounds[l].active[d][idx[d]][0]), None)
            for t, kind, p, coefficients in branch.quantities.moving[l]:
                form = make_form(branch, l, t, branch.wholes(t, kind, p), coefficients)
                exact, bounds = nest.count(t, l, kind), [gather(form.floor, idx)[0]]
                if inner in form.classes:
                    g, group, values = form.classes[inner]
                    others = gather(form.base, idx) / gather([form.base[g]], idx)
                    bounds.append((others * gather([(group, values)], idx))[0])
                self.assertLessEqual(max(bounds), exact * (1 + 1e-12), (str(nest.loops), l, t, kind))
                checks += len(bounds)
            by_row, by_slot = branch.bounds[l].evaluate(idx, 1), slots.evaluate(place, 1)
            opened = slots.evaluate({d: np.array([len(slots.room[d]) - 1]) for d in branch.dims}, 1)
            for row, slot, open_one in zip(by_row, by_slot, opened):
                self.assertTrue((slot <= row * (1 + 1e-12)).all() and (open_one <= slot * (1 + 1e-12)).all())
        total = sum(branch.bounds[l].total({d: node[l, d] for d in branch.dims}) for l in (1, 2))
        for s, order in enumerate(orders):
            gains = branch.gains(s, 2, node)
            total = total - sum((gains.get((j, frozenset(order[:i])), 0) for i, j in enumerate(order)), 0)
        value = branch.quantities.value(total, branch.cycles(2, node))[0]
        self.assertAlmostEqual(value / branch.cert.goal_value(*nest.price()[2:]), 1, 9)
        self.assertTrue((branch.least_quantities(2, node) <= total * (1 + 1e-12)).all())
        return checks + 2

    def test_a_mapping_outside_the_space_may_be_below_the_bound(self):
        narrow = Tiny({"K": 5, "C": 2, "P": 3}, [DRAM, BUFFER, SMALL], {1: ARRAY},
                      only={(l, d): [1] for l in (1, 2) for d in "CP"})
        spreads, prices = narrow.enumerate(PROGRAM)
        _, _, all_prices, nests = self.space("prime extents on clusters")
        self.assertLess(all_prices[nests[0]][0], min(price[0] for price in prices.values()))
        text = narrow.certificate(spreads, {**prices, nests[0]: all_prices[nests[0]]}, nests[0])
        cert, _ = check_certificate.check(text)
        self.assertLess(cert.value, cert.bound)
        self.assertRaises(Uncovered, check_certificate.check, text, True)

    def test_a_bound_must_be_the_least_of_the_branches(self):
        text = self.true_certificate()
        bound = float(re.search(r"^bound (\S+)", text, re.M).group(1))
        self.finds("the least bound of the branches", self.replace(text, r"^bound \S+", f"bound {bound * 1.001!r}"))

    def test_branches_must_be_all_there_and_unchanged(self):
        text = self.true_certificate()
        lines = text.split("\n")
        first = next(i for i, line in enumerate(lines) if line.startswith("branch "))
        fewer = lines[:first] + [re.sub(r"\d+", lambda m: str(int(m.group()) - 1), line, count=1)
                                 if line.startswith("branch ") else line for line in lines[first + 1:]]
        number = int(lines[first - 1].split()[1])
        fewer[first - 1] = f"branches {number - 1}"
        self.finds("branch 0 is missing or changed", "\n".join(fewer))
        more = lines[:-2] + [f"branch {number} 1c:K*2 bound=inf nodes=0"] + lines[-2:]
        more[first - 1] = f"branches {number + 1}"
        self.finds(f"branch {number} is none of the space", "\n".join(more))
        self.finds("is missing or changed", self.replace(text, r"(1c:\w)\*4", r"\1*3"))

    def test_lists_must_be_those_of_the_space(self):
        text = self.true_certificate()
        self.finds("'sizes 1 K' is not that", self.replace(text, r"^sizes 1 K .*", "sizes 1 K 1 2 5"))
        self.finds("'sizes 2 P' is not that", self.replace(text, r"^sizes 2 P .*\n", ""))
        self.finds("'clusters 1' is not that", self.replace(text, r"sizes=1,2,4", "sizes=1,4"))
        self.finds("'clusters 1' is not that", self.replace(text, r"over=KCP", "over=KC"))
        self.finds("'order 2' is not that", self.replace(text, r"^order 2 .*", "order 2 before=K free=CP after=-"))
        self.assertRaises(Unreadable, check_certificate.check, self.replace(text, "waves=1", "waves=0"))
        grid = self.true_certificate("a grid with two axes")
        self.finds("'axis 1 0' is not that", self.replace(grid, r"^axis 1 0 .*", "axis 1 0 sets=K,C"))

    def test_the_mapping_must_fit_and_cost_what_is_said(self):
        text = self.true_certificate()
        for name in ("cycles", "fill-1-W", "pread-2-I", "fill-2-O", "upd-1"):
            self.finds(f"{name} of the mapping is", self.replace(text, rf"{name}=(\d+)", lambda m: f"{m.group()}1"))
        for name in ("latency", "energy", "value"):
            self.finds(f"{name} of the mapping is", self.replace(text, rf"^{name} (\d)", rf"{name} 1\1"))
        self.finds("the counts are not those", self.replace(text, r" upd-1=\d+", ""))
        tiny, spreads, prices, nests = self.space("prime extents on clusters")
        other = next(nest for nest in nests if prices[nest][1] != prices[nests[0]][1])
        self.finds("of the mapping is", self.replace(text, r"^mapping .*", f"mapping {other}"))
        self.finds("does not fit", self.replace(text, r"^mapping .*", "mapping @7 @7 K:1 C:1 P:1"))
        self.finds("does not fit", self.replace(text, r"^mapping .*", "mapping C:1 @7 K*1 P*1 @7"))
        self.finds("tiles of 1 at its end", self.replace(text, r"^mapping .*", "mapping K:1 @7 C:1 @7"))

    def test_what_cannot_be_read_is_named_by_its_line(self):
        text = self.true_certificate()
        for old, new, complaint in (
                ("^level 1.*\n", "", "line 8: expected level 1"),
                ("capacity=40", "capacity=x", "line 8: expected a whole number of at least 0, not 'x'"),
                ("^goal edp", "gaol edp", "line 11: expected 'goal'"),
                ("^sizes 1 K 1 2", "sizes 1 K 2 1", "line 14: expected sizes in ascending order"),
                ("^branch 1 ", "branch 7 ", "expected branch 1"),
                ("^end", "", "expected 'end'"),
                ("^end", "end\nend", "expected nothing after 'end'")):
            with self.assertRaises(Unreadable) as caught:
                check_certificate.check(self.replace(text, old, new))
            self.assertIn(complaint, str(caught.exception))

    def test_other_goals_are_refused(self):
        text = self.replace(self.true_certificate(), "^goal edp", "goal area")
        self.assertRaises(Uncovered, check_certificate.check, text)

    def test_the_program_prints_a_line_per_file_and_tells_by_its_exit_code(self):
        text = self.true_certificate()
        files = {"true": text, "false": self.replace(text, r"cycles=", "cycles=1"), "broken": "nothing\n",
                 "other": self.replace(text, "^goal edp", "goal power")}
        with tempfile.TemporaryDirectory() as folder:
            for name, content in files.items():
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(content)
            for names, code, lines, complaint in (
                    (["true"], 0, ["ok "], ""), (["true", "false"], 1, ["ok ", "FALSE "], ""),
                    (["broken"], 2, [], "line 1: expected"), (["other"], 3, ["not covered "], "")):
                command = [sys.executable, os.path.join(TOOLS, "check_certificate.py"), *names, "--quick"]
                run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
                self.assertEqual(run.returncode, code, run)
                self.assertEqual([line[:len(start)] for line, start in zip(run.stdout.splitlines(), lines)], lines)
                self.assertIn(complaint, run.stderr)


# text to replace, its replacement; the same word whether a reader takes it: docs/formats/certificate.md
GRAMMAR = (
    ("keep=WIO", "keep=OIW", True), ("keep=WIO", "keep=WI", False), ("keep=WIO", "keep=WIOW", False),
    ("keep=WIO", "keep=", False), ("^end", "# a comment\n\nend", True), ("^goal edp", "goal  edp", False),
    ("^goal edp", " goal edp", False), ("^goal edp", "goal edp ", False), ("^goal edp", "goal\tedp", False),
    ("^goal edp", "goal edp # best", False), ("^goal edp", "goal speed", False), ("^goal edp", "goal edp=2", False),
    ("^goal edp", "goal energy=1,latency=2", False), ("^goal edp", "goal latency=1.0,energy=1", False),
    ("^mac-pj 1", "mac-pj 1.0", True), ("^mac-pj 1", "mac-pj 1e0", True), ("^mac-pj 1", "mac-pj +1", False),
    ("^mac-pj 1", "mac-pj 1_0", False), ("^mac-pj 1", "mac-pj 1.", False), ("^mac-pj 1", "mac-pj .5", False),
    ("^mac-pj 1", "mac-pj nan", False), ("^mac-pj 1", "mac-pj 1E0", False), ("link=inf", "link=infinity", False),
    ("port=inf", "port=.inf", False), ("capacity=40", "capacity=4e1", False), ("capacity=40", "capacity=040", True),
    ("capacity=40", "capacity=0", False), ("capacity=40", "capacity=+40", False), ("multicast=1", "multicast=yes", False),
    ("multicast=1 reduction=1", "reduction=1 multicast=1", False), ("W=1 I=1 O=1", "I=1 W=1 O=1", False),
    ("^accel ", "accel a/", False), ("^layer conv:K=5,C=2", "layer conv:C=2,K=5", True),
    ("^layer conv:K=5", "layer conv:K=5,K=5", False), ("^layer conv:K=5", "layer conv:pad=1,K=5", False),
    ("^layer conv:K=5", "layer conv:K=5,bytes=1", False), ("^layer conv:K=5", "layer gemm:K=5", False),
    ("stride=1x1", "stride=1", True), ("^layer conv:K=5", "layer conv:K=5,", False),
    ("constrained=0", "constrained=2", False), ("space native", "space paper10", False),
    ("space native", "space naive", False), ("waves=1", "waves=0", False), ("open=-", "open=", False),
    ("^sizes 1 K 1 2", "sizes 1 K 1 1 2", False), ("^(sizes 1 K.*) 5$", "\\1 6", False),
    ("^(sizes 1 K.*\n)", "\\1\\1", False), ("sizes=1,2,4", "sizes=1,2,5", False), ("^mapping ", "mapping x", False),
    ("^mapping ", "mapping K:0 ", False), ("^branches ", "branches 0", True), ("^branches .*", "branches 0", False),
    ("^starling-certificate 1", "starling-certificate 2", False),
)


class Grammar(unittest.TestCase):
    """Both readers must take the same files; whether what they say is true is another question."""

    def test_both_readers_take_the_same(self):
        tiny = SPACES["prime extents on clusters"]
        spreads, prices = tiny.enumerate(PROGRAM)
        text = tiny.certificate(spreads, prices, min(prices, key=lambda nest: prices[nest][0]))
        with tempfile.TemporaryDirectory() as folder:
            for number, (old, new, taken) in enumerate(GRAMMAR):
                changed = re.sub(old, new, text, count=1, flags=re.M)
                self.assertNotEqual(text, changed, old)
                file = os.path.join(folder, f"{number}.cert")
                with open(file, "w", encoding="utf-8", newline="\n") as out:
                    out.write(changed)
                program = subprocess.run([PROGRAM, "verify", file], capture_output=True, text=True, check=False)
                with self.subTest(f"{old} -> {new}"):
                    self.assertEqual(program.returncode != 2, taken, program.stdout + program.stderr)
                    self.assertEqual(self.is_read(changed), taken)

    @staticmethod
    def is_read(text):
        try:
            check_certificate.check(text, quick=True)
        except Unreadable:
            return False
        except (Untrue, Uncovered):
            pass
        return True


SMALL_ACCEL = """accel: small
clock_mhz: 200
word_bytes: 1
energy_unit_pj: 1
mac: {energy: 1}
levels:
  - {name: DRAM, port: 16, energy: 200}
  - {name: L2, capacity: 4096, link: {words: 16, energy: 0}, energy: 6,
     fanout: {clusters: 6, multicast: true, reduction: true}}
  - {name: L1, capacity: 64, link: {words: 16, energy: 2}, energy: 1}
"""
PAIR = """network: pair
layers:
  - {name: first, type: conv, K: 4, C: 3, P: 5, R: 2}
  - {name: second, type: conv, K: 6, C: 2, Q: 4}
"""


class Runs(unittest.TestCase):
    """Certificates must belong to the results of their run."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.make("run")

    def path(self, *names):
        return os.path.join(self.folder.name, *names)

    def make(self, name, *options, accel=SMALL_ACCEL):
        for file, text in (("small.yaml", accel), ("net.yaml", PAIR)):
            with open(self.path(file), "w", encoding="utf-8") as out:
                out.write(text)
        command = [PROGRAM, "map", "net.yaml", "--accel", "./small.yaml", "--objective", "edp", "--method", "exact",
                   "--prove-time", "0", "--out", name, "--quiet", *options]
        subprocess.run(command, cwd=self.folder.name, stdout=subprocess.DEVNULL, check=True)

    def check(self, code, *sentences, words=("run",)):
        command = [sys.executable, os.path.join(TOOLS, "check_certificate.py"), *words, "--quick"]
        done = subprocess.run(command, cwd=self.folder.name, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, code, done)
        for sentence in sentences:
            self.assertIn(sentence, done.stdout + done.stderr)

    def falsify(self, change):
        with open(self.path("run/map.json"), encoding="utf-8") as file:
            document = json.load(file)
        good = json.dumps(document)
        change(document)
        with open(self.path("run/map.json"), "w", encoding="utf-8") as file:
            json.dump(document, file)
        return good

    def take(self, other):
        for name in ("first.cert", "second.cert"):
            shutil.copy(self.path(other, "certificates", name), self.path("run/certificates", name))

    def test_a_run_and_its_certificates_agree(self):
        self.check(0, "ok run/certificates/first.cert: layer first: ", "in the space native\n")
        self.make("opened", "--open", "RS")
        self.check(0, "in the space native with R and S open", words=["opened"])

    def test_swapped_missing_and_foreign_certificates_are_found(self):
        first, second = self.path("run/certificates/first.cert"), self.path("run/certificates/second.cert")
        os.rename(first, self.path("third"))
        os.rename(second, first)
        self.check(1, "FALSE run/certificates/first.cert: layer first: the layer of the certificate is",
                   "FALSE run: layer second: its certificate is missing: certificates/second.cert")
        os.rename(self.path("third"), second)
        self.check(1, "FALSE run/certificates/second.cert: layer second: the layer of the certificate is")
        os.rename(first, self.path("run/certificates/third.cert"))
        self.check(1, "FALSE run/certificates/third.cert: no layer of the run has it as its proof")

    def test_what_the_results_say_otherwise_is_found(self):
        for key, sentence in (("objective_value", "the value of"), ("lower_bound", "the bound of"),
                              ("latency_cycles", "the latency of"), ("energy_pj", "the energy of")):
            good = self.falsify(lambda d, key=key: d["layers"][0].update({key: d["layers"][0][key] * 1.0001}))
            self.check(1, f"FALSE run/certificates/first.cert: layer first: {sentence}")
            self.falsify(lambda d, good=good: d.update(json.loads(good)))
        for change, sentence in (({"mapping": "@7 @7"}, "the mapping of"), ({"gap": 0.1}, "says a gap of 0.1"),
                                 ({"stride": [2, 1]}, "the stride of"), ({"lower_bound": None}, "without a lower bound")):
            good = self.falsify(lambda d, change=change: d["layers"][0].update(change))
            self.check(1, sentence)
            self.falsify(lambda d, good=good: d.update(json.loads(good)))
        self.falsify(lambda d: d.pop("layers"))
        self.check(2, "map.json is not as 'starling map' writes it")

    def test_another_machine_goal_or_space_is_found(self):
        self.make("machine", accel=SMALL_ACCEL.replace("capacity: 64", "capacity: 65"))
        self.make("goal", "--objective", "energy")
        self.make("narrow", "--constraints", "weight-stationary")
        self.check(0, "in a space narrowed by constraints weight-stationary (native but for order 1, order 2): holds for",
                   words=["narrow"])
        self.check(0, "in a space narrowed by constraints (native but for order 1, order 2): holds for",
                   words=["narrow/certificates/first.cert"])
        for other, sentence in (("machine", "layer first: the level 2 of the certificate is"),
                                ("goal", "layer first: the goal of the certificate is energy"),
                                ("narrow", "layer first: the narrowed lists of the certificate is ['order 1', 'order 2']")):
            self.take(other)
            self.check(1, sentence)
        shutil.rmtree(self.path("run"))
        self.make("run", "--constraints", "output-stationary")
        self.take("narrow")
        self.check(1, "layer first: the space of the certificate is")

    def test_a_run_of_version_0_1_0_is_refused_with_what_to_do(self):
        old = os.path.join(HERE, "../data/verify/run-0.1.0")
        self.check(2, "'starling verify' reads it", words=[old])
        self.check(0, "ok ", words=[os.path.join(old, "certificates/first.cert")])


if __name__ == "__main__":
    unittest.main()

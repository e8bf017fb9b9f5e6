#!/usr/bin/env python3
"""bench_pairs.py on programs that print what they are told to."""
import contextlib
import io
import json
import os
import random
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools"))

import bench_pairs  # noqa: E402

ROWS = {"schema": "x/1", "version": "1", "seed": 1, "cases": [
    {"layer": "a", "perfect": True, "any_nest_ns": 100.0, "nodes": 5, "seconds_to": {"0.5": 2.0, "0": None}},
    {"layer": "b", "perfect": False, "any_nest_ns": 400.0, "nodes": 6, "samples_per_second": 50.0}]}


def changed(factor, nodes=5):
    """ROWS as a program would print them that takes `factor` times as long."""
    out = json.loads(json.dumps(ROWS))
    out["version"] = "2"
    first, second = out["cases"]
    first["any_nest_ns"] *= factor
    second["any_nest_ns"] *= factor
    first["seconds_to"]["0.5"] *= factor
    second["samples_per_second"] /= factor
    first["nodes"] = nodes
    return out


class Numbers(unittest.TestCase):
    def test_times_and_rates_become_time_per_item(self):
        found = bench_pairs.times(ROWS)
        self.assertEqual(found, {("a/True", "cases.any_nest_ns"): 100, ("b/False", "cases.any_nest_ns"): 400,
                                 ("a/True", "cases.seconds_to.0.5"): 2, ("b/False", "1/cases.samples_per_second"): 0.02})

    def test_a_pair_gives_one_ratio_per_column(self):
        seconds = {"cpu": 1.0, "wall": 4.0}
        pair = (seconds, ROWS), ({"cpu": 2.0, "wall": 1.0}, changed(0.5))
        found = bench_pairs.ratios_of_pair(pair, by_row=False)
        want = {"cpu": 2, "wall": 0.25, "cases.any_nest_ns": 0.5, "cases.seconds_to.0.5": 0.5,
                "1/cases.samples_per_second": 0.5}
        self.assertEqual(list(found), list(want))
        for name, ratio in want.items():
            self.assertAlmostEqual(found[name], ratio)
        self.assertEqual(len(bench_pairs.ratios_of_pair(pair, by_row=True)), 6)

    def test_other_work_is_told(self):
        self.assertEqual(bench_pairs.other_work(ROWS, changed(3)), [])
        self.assertEqual(bench_pairs.other_work(ROWS, changed(3, nodes=7)), ["a/True cases.nodes: 5 before, 7 after"])
        fewer = changed(1)
        fewer["cases"].pop()
        self.assertIn("only before: b/False cases.nodes", bench_pairs.other_work(ROWS, fewer))

    def test_the_interval_holds_the_median_and_repeats(self):
        values = [random.Random(7).gauss(0.9, 0.05) for _ in range(21)]
        low, high = bench_pairs.interval(values, random.Random(1))
        self.assertTrue(min(values) <= low <= sorted(values)[10] <= high <= max(values))
        self.assertEqual((low, high), bench_pairs.interval(values, random.Random(1)))


class Programs(unittest.TestCase):
    def program(self, folder, name, document):
        """A program that appends its name to a file and prints a document."""
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\necho {name} \"$@\" >>{folder}/order\n[ \"$1\" = fail ] && echo no >&2 && exit 2\n"
                       f"cat <<'END'\n{json.dumps(document)}\nEND\n")
        os.chmod(path, 0o755)
        return path

    def compare(self, folder, *words):
        out = io.StringIO()
        programs = [self.program(folder, "A", ROWS), self.program(folder, "B", changed(0.5))]
        with contextlib.redirect_stdout(out):
            bench_pairs.main([*programs, *words])
        with open(os.path.join(folder, "order"), encoding="utf-8") as file:
            return out.getvalue(), file.read().splitlines()

    def test_who_is_first_alternates(self):
        with tempfile.TemporaryDirectory() as folder:
            out, order = self.compare(folder, "--command", "map x", "--pairs", "3", "--json")
        self.assertEqual(order, ["A --version", "B --version"] + [f"{name} map x" for name in "ABBAAB"])
        document = json.loads(out)
        self.assertEqual(document["schema"], "starling.bench-pairs/1")
        lines = {line["name"]: line for line in document["commands"][0]["ratios"]}
        self.assertAlmostEqual(lines["cases.any_nest_ns"]["ratio"], 0.5)
        self.assertEqual(lines["cpu"]["pairs"], 3)

    def test_text_says_what_is_faster(self):
        with tempfile.TemporaryDirectory() as folder:
            out, order = self.compare(folder, "--bench", "cost", "--pairs", "2")
        self.assertRegex(out, r"cases.any_nest_ns +0\.500  \(0\.500 to 0\.500\)  faster")
        self.assertEqual(len(order), 6)

    def test_a_command_that_fails_ends_it(self):
        with tempfile.TemporaryDirectory() as folder, self.assertRaisesRegex(SystemExit, "A fail: exit code 2: no"):
            self.compare(folder, "--command", "fail")


if __name__ == "__main__":
    unittest.main()

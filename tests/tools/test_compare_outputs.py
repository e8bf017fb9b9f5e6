#!/usr/bin/env python3
"""compare_outputs.py on outputs and programs that are made up."""
import contextlib
import io
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools"))

import compare_outputs  # noqa: E402
import forms  # noqa: E402
from forms import ADDED, LOST, MOVED, WORDS  # noqa: E402

PAGE = "<html><style>9px</style><p>Runs: <b>12</b></p><svg><text>{}</text></svg><table><tr><th>row</th><th>ms</th>" \
       "</tr>\n<tr><td>fast</td><td>{}</td></tr></table></html>"


def differ(name, before, after, **masks):
    """[(kind, text)] of an output of that name."""
    one, two = (forms.read(name, (side if isinstance(side, str) else json.dumps(side)).encode()) for side in (before, after))
    return [tuple(d) for d in forms.compare(one, two, forms.Masks(**masks).of(name))]


class Documents(unittest.TestCase):
    BEFORE = {"version": "1", "layers": [{"name": "a", "pj": 1.5, "seconds": 2.0}, {"name": "b", "pj": 2.5, "seconds": 3.0}]}

    def changed(self, **fields):
        out = json.loads(json.dumps(self.BEFORE))
        out["layers"][1].update(fields)
        return out

    def test_a_changed_value_is_lost_with_its_path(self):
        self.assertEqual(differ("output", self.BEFORE, self.changed(pj=2.5000000001)),
                         [(LOST, "layers[1].pj: 2.5 before, 2.5000000001 after")])

    def test_keys_are_lost_and_new(self):
        after = self.changed()
        for layer in after["layers"]:
            layer["energy_pj"] = layer.pop("pj")
        self.assertEqual(differ("output", self.BEFORE, after),
                         [(LOST, "layers[0].pj: not there (and 1 more of layers[].pj)"),
                          (ADDED, "layers[0].energy_pj (and 1 more of layers[].energy_pj)")])

    def test_masked_values_may_differ_but_must_be_there(self):
        names = [r"[ .]seconds$"]
        self.assertEqual(differ("output", self.BEFORE, self.changed(seconds=9), names=names), [])
        self.assertEqual(differ("output", self.BEFORE, self.changed(seconds=9)),
                         [(LOST, "layers[1].seconds: 3.0 before, 9 after")])
        without = {"version": "1", "layers": [{"name": layer["name"], "pj": layer["pj"]} for layer in self.BEFORE["layers"]]}
        self.assertEqual([kind for kind, _ in differ("output", self.BEFORE, without, names=names)], [LOST])

    def test_another_order_of_keys_has_moved(self):
        after = dict(reversed(self.BEFORE.items()))
        self.assertEqual([kind for kind, _ in differ("output", self.BEFORE, after)], [MOVED])

    def test_of_noisy_documents_only_keys_and_labels_count(self):
        fewer = {"version": "1", "layers": [{"name": "a", "pj": 7, "seconds": 1}]}
        self.assertEqual(differ("output", self.BEFORE, fewer, numbers=True), [(LOST, "layers[].name = 'b': not there")])
        self.assertEqual(differ("output", self.BEFORE, self.changed(pj=7), numbers=True), [])

    def test_lines_of_documents(self):
        self.assertEqual(differ("log.jsonl", '{"v": 1}\n{"v": 2}\n', '{"v": 1}\n{"v": 3}\n'),
                         [(LOST, "[1].v: 2 before, 3 after")])


class Tables(unittest.TestCase):
    BEFORE = 'name,cycles,pJ\n"a,b",10,1.5\nc,20,2.5\n'

    def test_columns_may_move_and_come(self):
        self.assertEqual([kind for kind, _ in differ("t.csv", self.BEFORE, 'cycles,name,pJ\n10,"a,b",1.50\n20,c,2.5\n')], [MOVED])
        self.assertEqual(differ("t.csv", self.BEFORE, 'name,cycles,pJ,new\n"a,b",10,1.5,1\nc,20,2.5,1\n'), [(ADDED, "column new")])

    def test_lost_columns_rows_and_values(self):
        self.assertEqual(differ("t.csv", self.BEFORE, 'name,cycles\n"a,b",10\nc,20\n'), [(LOST, "column pJ: not there")])
        self.assertEqual(differ("t.csv", self.BEFORE, 'name,cycles,pJ\n"a,b",10,1.5\n'), [(LOST, "2 rows before, 1 after")])
        after = self.BEFORE.replace("20", "21")
        self.assertEqual(differ("t.csv", self.BEFORE, after), [(LOST, "column cycles, row 2: '20' before, '21' after")])
        self.assertEqual(differ("t.csv", self.BEFORE, after, names=["csv: cycles$"]), [])

    def test_columns_of_the_same_name_are_told_apart(self):
        self.assertEqual(differ("t.csv", "row,95 %,95 %\na,1,2\n", "row,95 %,95 %\na,1,3\n"),
                         [(LOST, "column 95 % (2), row 1: '2' before, '3' after")])

    def test_stores_are_compared_row_by_row(self):
        def store(value):
            with tempfile.NamedTemporaryFile(suffix=".db", delete=False) as file:
                self.addCleanup(os.remove, file.name)
            with contextlib.closing(sqlite3.connect(file.name)) as base:
                base.execute("CREATE TABLE cells (key TEXT, value REAL)")
                base.execute("INSERT INTO cells VALUES ('a', ?)", [value])
                base.commit()
            with open(file.name, "rb") as file:
                return forms.read("records.db", file.read(), file.name)
        self.assertEqual([tuple(d) for d in forms.compare(store(1.0), store(2.0), forms.Masks())],
                         [(LOST, "cells[0].value: 1.0 before, 2.0 after")])


class Texts(unittest.TestCase):
    def test_numbers_are_compared_by_value_and_may_move(self):
        self.assertEqual([kind for kind, _ in differ("output", "cycles 1,234\nenergy 5.0\n", "energy  5\ncycles 1234\n")], [MOVED])

    def test_a_lost_number_is_shown_with_its_line(self):
        self.assertEqual(differ("output", "cycles  10  10\nwords", "cycles 10 words"), [(LOST, "10 of 'cycles 10 10'")])
        self.assertEqual(differ("output", "core 1x16x16", "core"), [(LOST, "1x16x16 of 'core 1x16x16'")])

    def test_words_are_told_apart_from_numbers(self):
        self.assertEqual(differ("output", "cycles 10", "latency 10"), [(WORDS, "no more: cycles"), (ADDED, "new: latency")])

    def test_masked_pieces_and_tables(self):
        self.assertEqual(differ("output", "done in 3.5 ms\n", "done\nin 12 s\n", texts=[r"in [\d.]+ (ms|s)\b"]), [])
        before, after = (f"row      median  all runs\nfast        {n}  0.1 s\n\nkept {n}\n" for n in (10, 20))
        self.assertEqual(differ("output", before, after, tables=["all runs$"]),
                         [(LOST, "10 of 'kept 10'"), (ADDED, "new: 20")])

    def test_of_pages_the_text_counts_not_the_style(self):
        self.assertEqual(differ("r.html", PAGE.format("a", 1), PAGE.replace("9px", "8px").format("a", 1)), [])
        self.assertEqual(differ("r.html", PAGE.format("a 4", 1), PAGE.format("a 5", 1)), [])
        self.assertEqual(differ("r.html", PAGE.format("a", 1), PAGE.format("b", 2)),
                         [(LOST, "1 of 'fast 1'"), (ADDED, "new: 2"), (WORDS, "in pictures: no more: a"),
                          (ADDED, "in pictures: new: b")])
        self.assertEqual(differ("r.html", PAGE.format("a", 1), PAGE.format("a", 2), tables=["^row ms$"]), [])

    def test_another_form_is_lost_unless_there_was_nothing(self):
        self.assertEqual(differ("output", "text", {"a": 1}), [(LOST, "is text before, json after")])
        self.assertEqual(differ("output", "", {"a": 1}), [(ADDED, "8 bytes of json")])


# prints where it is, its first argument and a value, and leaves a folder
PROGRAM = """#!/bin/sh
[ "$1" = wrong ] && echo "starling: wrong" >&2 && exit CODE
mkdir -p out
echo '{"time": '$$', "value": VALUE}' >out/r.json
echo "$PWD $1 VALUE"
"""
LIST = """~name : time$
~numbers ^noisy
show
noisy
wrong
!cp net.yaml mine.yaml && second step && third
"""


class Programs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o755)
        return path

    def compare(self, value, code, *words, rules=""):
        """(exit code, lines) of a comparison of value 1, code 2 with these."""
        programs = [self.write(name, PROGRAM.replace("VALUE", str(v)).replace("CODE", str(c)))
                    for name, v, c in (("before", 1, 2), ("after", value, code))]
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            ended = compare_outputs.main([*programs, "--commands", self.write("list", LIST + rules), *words])
        return ended, out.getvalue().splitlines()

    def test_a_program_is_identical_with_itself(self):
        ended, lines = self.compare(1, 2)
        self.assertEqual((ended, lines[-1]), (0, "4 commands: 4 identical, 0 moved, 0 added, 0 words, 0 LOST"))

    def test_what_is_lost_is_told_and_fails(self):
        ended, lines = self.compare(3, 2, "--only", "^show")
        self.assertEqual(ended, 1)
        self.assertEqual(lines[0], "LOST       show")
        self.assertIn("    LOST   out/r.json: value: 1 before, 3 after", lines)
        self.assertIn("    LOST   output: 1 of '. show 1'", lines)

    def test_noise_exit_codes_and_steps(self):
        self.assertEqual(self.compare(3, 2, "--only", "noisy")[0], 0)
        ended, lines = self.compare(1, 3, "--only", "wrong")
        self.assertEqual((ended, lines[1]), (1, "    LOST   exit code: 2 of '2'"))
        ended, lines = self.compare(3, 2, "--only", "^third")
        self.assertTrue(any("output of step 3" in line for line in lines), lines)
        self.assertTrue(lines[-1].startswith("1 commands: "), lines)

    def test_intended_differences_do_not_fail(self):
        ended, lines = self.compare(3, 2, "--only", "^show", rules="~intended value: 1 before, 3\n~intended (1 of|new: 3)\n")
        self.assertEqual(ended, 0)
        self.assertTrue(lines[-1].endswith("; 3 intended differences"), lines)

    def test_outputs_can_be_kept_and_nothing_to_compare_fails(self):
        kept = os.path.join(self.folder, "kept")
        self.compare(1, 2, "--only", "show", "--keep", kept)
        self.assertTrue(os.path.exists(os.path.join(kept, "before", "000", "out", "r.json")))
        self.assertEqual(self.compare(1, 2, "--only", "no command")[0], 1)

    def test_an_unknown_rule_is_refused(self):
        with self.assertRaisesRegex(SystemExit, "unknown rule ~nmae"):
            self.compare(1, 2, rules="~nmae x\n")


class List(unittest.TestCase):
    def test_every_command_is_compared_in_every_form(self):
        commands, _ = compare_outputs.read_commands(compare_outputs.COMMANDS)
        steps = [step for command in commands for step in command.steps]
        program = os.environ.get("STARLING")
        if not program or not os.path.exists(program):
            self.skipTest("no program")
        text = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
        names = re.findall(r"^  (\w+) ", text.split("Commands:")[1].split("\n\n")[0], re.MULTILINE)
        self.assertGreater(len(names), 11)
        for name in names:
            mine = [step for step in steps if step.startswith(name + " ") or step == name]
            if name != "completion":  # its output is a script for a shell
                self.assertTrue(any("--json" in step for step in mine), f"{name} --json is not compared")
                self.assertTrue(any("--out" in step for step in mine), f"{name} --out is not compared")
            self.assertTrue(any("--json" not in step for step in mine), f"the text of {name} is not compared")
            self.assertIn(f"{name} --help", steps)


if __name__ == "__main__":
    unittest.main()

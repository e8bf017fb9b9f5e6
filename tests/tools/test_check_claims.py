#!/usr/bin/env python3
"""tools/check_claims.py: what holds passes, a doctored page or a changed program is found."""
import os
import subprocess
import sys
import tempfile
import unittest

TOOL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools/check_claims.py")

# a program that prints what the page below says
STARLING = """#!/bin/sh
case "$1" in
    size) echo '{"points": 6400, "share": 0.04981, "nodes": 18340112}' ;;
    table) printf 'head\\n\\n| a | 1 |\\n| b | 2 |\\nlast\\n' ;;
    fail) echo "no such layer" >&2; exit 2 ;;
esac
"""
PAGE = """# Sizes

The space has 6,400 points in
all, 5.0 % of them valid, and 18.3 M nodes.

    $ starling table
    head
    ...
    last

| a | 1 |
| b | 2 |

Try `starling size`.
"""
CLAIMS = """[docs/size.md] commands
# a comment
run: starling size
says: The space has {6,400} points in all, {5.0} % of them valid, and {18.3 M} nodes
find: [d["points"], 100 * d["share"],
    d["nodes"]]

run: starling table
block: head
rows: | a |

run: starling fail
code: 2

run: starling size --long
dear: 12
says: 6,400 points
find: d["points"] == 1
"""


class Claims(unittest.TestCase):
    def run_tool(self, *options, page=PAGE, claims=CLAIMS, program=STARLING):
        with tempfile.TemporaryDirectory() as root:
            os.mkdir(os.path.join(root, "docs"))
            for path, text in {"docs/size.md": page, "docs/claims.txt": claims, "starling": program}.items():
                with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                    file.write(text)
            os.chmod(os.path.join(root, "starling"), 0o755)
            run = subprocess.run([sys.executable, TOOL, "--root", root, "--starling", os.path.join(root, "starling"),
                                  *options], capture_output=True, text=True, check=False)
            return run.returncode, run.stdout + run.stderr

    def expect(self, complaint, *options, **changed):
        code, output = self.run_tool(*options, **changed)
        self.assertEqual(code, 1, output)
        self.assertIn(complaint, output)
        self.assertIn(" 1 faults", output)

    def test_what_holds_passes(self):
        code, output = self.run_tool()
        self.assertEqual(code, 0, output)
        self.assertIn("4 claims on 1 pages (3 cheap, 1 dear; 3 numbers in sentences): 3 commands run", output)

    def test_a_doctored_number_is_found_with_its_line(self):
        changed = {"page": PAGE.replace("18.3 M", "12.0 M"), "claims": CLAIMS.replace("18.3 M", "12.0 M")}
        self.expect("docs/size.md:3: says 12.0 M, the command finds 18340112", **changed)
        self.expect("    starling size", **changed)

    def test_a_sentence_that_is_gone_is_found_without_running(self):
        self.expect("docs/size.md:1: the page does not say 'The space has 6,400 points in all",
                    "--text", page=PAGE.replace("5.0 % of them", "4.9 % of them"))

    def test_a_program_that_changed_is_found(self):
        self.expect("says 6,400, the command finds 400", program=STARLING.replace("6400", "400"))
        self.expect("exit code 0, expected 2", program=STARLING.replace("exit 2", "exit 0"))

    def test_blocks_and_tables_are_compared_line_by_line(self):
        self.expect("shows '| b | 2 |', which is not printed", program=STARLING.replace("| b | 2 |", "| b | 3 |"))
        self.expect("shows 'last', which is not printed there", program=STARLING.replace("nlast", "nlater"))

    def test_a_command_without_claim_is_found(self):
        self.expect("docs/size.md:14: no claim runs 'starling size --json'",
                    page=PAGE.replace("`starling size`", "`starling size --json`"))

    def test_a_whole_page_is_compared(self):
        claims = "[docs/size.md]\nrun: cat docs/size.md\nwhole: yes\n"
        self.assertEqual(self.run_tool(claims=claims)[0], 0)
        self.expect("docs/size.md:1: says '# Sizes', the command prints '# Widths'",
                    claims=claims.replace("cat", "sed s/Sizes/Widths/"))

    def test_digits_that_are_not_shown_do_not_count(self):
        for shown, holds in (("4.98 %", True), ("5 %", True), ("4.99 %", False), ("0.0498", True), ("0.05", True),
                             ("0.06", False)):
            claims = f"[docs/size.md]\nrun: starling size\nsays: {{{shown}}} of them\nfind: d['share']\n"
            code, output = self.run_tool(page=f"{shown} of them\n", claims=claims)
            self.assertEqual(code, 0 if holds else 1, shown + output)

    def test_dear_claims_are_listed_and_run_when_asked_for(self):
        code, output = self.run_tool("--list")
        self.assertEqual(code, 0)
        self.assertIn("docs/size.md: 12 min: 6,400 points\n    starling size --long\n1 dear claims, 12 minutes", output)
        self.expect("'6,400 points' does not hold", "--dear", "--only=--long")

    def test_a_file_that_is_wrong_is_one_sentence(self):
        for claims, sentence in (("run: x\n", "no [page] before it"), ("[docs/size.md]\nsays: x\n", "without run"),
                                 ("[docs/size.md]\nrun: x\nsay: y\n", "unknown key 'say'"),
                                 ("[docs/other.md]\nrun: true\n", "there is no page docs/other.md")):
            code, output = self.run_tool(claims=claims)
            self.assertEqual(code, 1)
            self.assertIn(sentence, output)
            self.assertNotIn("Traceback", output)

    def test_an_expression_that_fails_names_its_claim(self):
        self.expect("KeyError: 'size' (docs/claims.txt:3)", claims=CLAIMS.replace('d["points"], 100', 'd["size"], 100'))


if __name__ == "__main__":
    unittest.main()

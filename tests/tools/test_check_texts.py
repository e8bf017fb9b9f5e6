#!/usr/bin/env python3
"""tools/check_texts.py must find every kind of relapse that is planted, and nothing in a good tree."""
import os
import subprocess
import sys
import tempfile
import unittest

TOOLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools")

COMMAND = """static const SlOption options_table[] = {
    SL_OPT_WHOLE(Options, "batch", batch, "1", 1, 1 << 30, "N", "batch size", .letter = 'b'),
    SL_OPT_TEXT(Options, "accel", accel, NULL, "FILE",
                "accelerator: bundled name or "
                "YAML file (default: " DEFAULT ")"),
    {0},
};
const Command cmd_map = {
    .summary = "find good mappings",
    .about = "Searches for mappings of a layer.\\n"
             "Files of --out: a.txt, b.txt.",
};
"""
METHOD = 'static const SlOption options[] = {SL_OPT_REAL(Options, "rate", rate, "0.1", 0, 1, "X", "learning rate"), {0}};\n'
PAGE = "# local\n\nLocal search.\n\n| option | default | range | what |\n|---|---|---|---|\n| `rate` | 0.1 | 0 to 1 | learning rate |\n"
GOOD = {"programs/cmd_map.c": COMMAND, "src/search/local.c": METHOD, "docs/methods/local.md": PAGE, "README.md": "# Starling\n"}


class Texts(unittest.TestCase):
    def run_tool(self, planted):
        with tempfile.TemporaryDirectory() as root:
            for path, text in {**GOOD, **planted}.items():
                path = os.path.join(root, path)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            run = subprocess.run([sys.executable, os.path.join(TOOLS, "check_texts.py"), root],
                                 capture_output=True, text=True, check=False)
            self.assertEqual(run.stderr, "")
            return run.returncode, run.stdout

    def expect(self, path, old, new, complaint):
        code, output = self.run_tool({path: GOOD[path].replace(old, new)})
        self.assertEqual(code, 1, output)
        self.assertIn(complaint, output)
        self.assertEqual(output.count("\n"), 1, output)  # and nothing else

    def help(self, text, complaint):
        self.expect("programs/cmd_map.c", "batch size", text, complaint)

    def test_a_good_tree_passes(self):
        self.assertEqual(self.run_tool({}), (0, ""))

    def test_help_that_does_not_stand_alone(self):
        self.help("of the batch", "programs/cmd_map.c:2: help of --batch begins with 'of'")
        self.help("what is batched", "begins with 'what'")

    def test_help_in_the_third_person(self):
        self.help("prints the batch", "expected a noun or an order")

    def test_help_with_a_full_stop_or_a_capital(self):
        self.help("batch size.", "ends with a full stop")
        self.help("Batch size", "begins with a capital")

    def test_help_that_is_too_long(self):
        self.help("batch size " * 15, "characters, expected at most 160")

    def test_a_summary_that_is_a_sentence(self):
        self.expect("programs/cmd_map.c", "find good mappings", "Finds good mappings.", "expected an order or a phrase")
        self.expect("programs/cmd_map.c", "find good mappings", "finds good mappings", "expected an order or a phrase")

    def test_a_sentence_and_a_line_that_are_too_long(self):
        self.expect("programs/cmd_map.c", "Searches for mappings of a layer.", "Searches " + "a b c d\\n" * 7 + ".", "a sentence of 30 words")
        self.expect("programs/cmd_map.c", "Searches for mappings of a layer.", "Searches " + "x" * 100 + ".", "a line of 110 columns")

    def test_a_page_that_says_something_else_of_an_option(self):
        self.expect("docs/methods/local.md", "learning rate", "of learning", "docs/methods/local.md:7: option rate is 'of learning'")

    def test_riddles_and_rooms(self):
        self.expect("README.md", "# Starling", "Kill it, say it again", "README.md:1: 'Kill it, say it again'")
        self.expect("README.md", "# Starling", "A room may include rooms to its left", "README.md:1: 'room'")
        self.expect("README.md", "# Starling", "It computes an exact cost", "'an exact cost'")
        self.assertEqual(self.run_tool({"README.md": "Exact counts are not an exact cost.\n"})[0], 0)
        code, output = self.run_tool({"src/search/a.c": '// a room\nstatic const char *word = "the one who searches";\n'})
        self.assertEqual((code, output), (1, "src/search/a.c:2: 'who searches' is none of our words: the one who searches\n"))
        self.assertIn("a file named after a room", self.run_tool({"tools/check_rooms.py": ""})[1])


if __name__ == "__main__":
    unittest.main()

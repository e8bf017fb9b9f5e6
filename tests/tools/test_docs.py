#!/usr/bin/env python3
"""tools/make_docs.py and tools/check_docs.py: what holds passes, every kind of fault is found."""
import os
import subprocess
import sys
import tempfile
import unittest

TOOLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools")

# a program with two commands, one of which depends on a file
STARLING = """#!/bin/sh
case "$*" in
    --help) printf 'Usage: starling COMMAND\\n\\nCommands:\\n  map   maps\\n  list  lists\\n\\nOptions:\\n  -h, --help   help\\n' ;;
    "map --help") printf 'Options:\\n  -n, --samples N   samples\\n      --[no-]resume   go on\\n      --prove[=PERCENT]   prove\\n' ;;
    "list --help") printf 'Commands:\\n  list nets   networks\\n\\nOptions:\\n      --json   JSON\\n' ;;
    "list nets --help") printf 'Options:\\n      --json   JSON\\n      --wide   wide\\n' ;;
    "map net --samples 10") printf 'head\\nsamples 10\\ntook 1.5 s\\nlast\\n' ;;
    "map net --samples 10 --samples 1") echo "samples 1" ;;
    "map file") cat cost.py ;;
    "map odd") echo "starling: no odd" >&2; exit 2 ;;
    *) echo "starling: what?" >&2; exit 2 ;;
esac
"""
README = """# Title

See [guide](docs/guides/first.md#the-end-of-it), `--samples` and `starling map NET --prove`.

```console
$ starling map net --samples 10
head
...
took 1.5 s
last
```
"""
GUIDE = """# First

```python cost.py
print(1)
```

```console
$ starling map file
print(1)
$ starling map odd
starling: no odd
```

## The end of it

```sh
starling map net \\
    --samples 10   # ten
```

| command |
|---|
| `starling list nets --json \\| cat` |
"""
HOWS = """# how
quick: --samples 1
    starling map net --samples 10
fails: 2
    starling map odd
skip: only here
    starling list nets --json | cat
"""
README_HOWS = HOWS.replace("quick: --samples 1\n    starling map net --samples 10\n", "")


class Docs(unittest.TestCase):
    def make(self, root, readme=README, guide=GUIDE, hows=README_HOWS, program=STARLING):
        os.makedirs(os.path.join(root, "docs/guides"))
        files = {"README.md": readme, "docs/guides/first.md": guide, "docs/commands.txt": hows, "starling": program}
        for path, text in files.items():
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(text)
        os.chmod(os.path.join(root, "starling"), 0o755)

    def tool(self, name, *options, **files):
        """(code, output, README afterwards) of a tool on a small tree."""
        with tempfile.TemporaryDirectory() as root:
            self.make(root, **files)
            done = subprocess.run([sys.executable, os.path.join(TOOLS, name), "--root", root, "--starling",
                                   os.path.join(root, "starling"), *options], capture_output=True, text=True, check=False)
            with open(os.path.join(root, "README.md"), encoding="utf-8") as file:
                return done.returncode, done.stdout + done.stderr, file.read()

    def fails(self, name, sentence, **files):
        code, out, _ = self.tool(name, *(["--check"] if name == "make_docs.py" else []), **files)
        self.assertIn(sentence, out)
        self.assertEqual(code, 1, out)

    def test_what_holds_passes(self):
        for name, options in (("make_docs.py", ["--check"]), ("check_docs.py", [])):
            code, out, _ = self.tool(name, *options)
            self.assertEqual((code, "0 faults" in out), (0, True), out)

    def test_an_output_that_differs_is_found_and_written_anew(self):
        old = README.replace("took 1.5 s\nlast", "took 1.4 s\nlast")
        self.fails("make_docs.py", "README.md:6: line 9 shows 'took 1.4 s', now it is 'took 1.5 s'", readme=old)
        code, out, made = self.tool("make_docs.py", readme=old)
        self.assertEqual((code, made), (0, README), out)

    def test_numbers_that_vary_are_not_compared_but_words_are(self):
        hows = README_HOWS + "varies: it is a time\n    starling map net --samples 10\n"
        old = README.replace("took 1.5 s", "took 99 s")
        code, out, _ = self.tool("make_docs.py", "--check", readme=old, hows=hows)
        self.assertEqual(code, 0, out)
        self.fails("make_docs.py", "shows 'taking 1.5 s'", readme=README.replace("took", "taking"), hows=hows)

    def test_a_command_that_fails_is_found(self):
        self.fails("make_docs.py", "exit code 2, expected 0: starling: no odd", hows=README_HOWS.replace("fails: 2", "skip: no")
                   .replace("map odd", "map none"), guide=GUIDE)
        self.fails("make_docs.py", "exit code 0, expected 2", hows=README_HOWS + "fails: 2\n    starling map net --samples 10\n")

    def test_a_reduced_form_is_the_same_command_on_a_smaller_budget(self):
        readme = "# Title\n"
        code, out, _ = self.tool("make_docs.py", "--check", "--times", readme=readme, hows=HOWS)
        self.assertEqual(code, 0, out)
        self.assertIn("docs/guides/first.md: starling map net --samples 10 --samples 1\n", out)
        self.fails("make_docs.py", "reduced by --accel, which is no budget", readme=readme,
                   hows=HOWS.replace("--samples 1\n", "--accel tiny\n", 1))
        self.fails("make_docs.py", "its output is shown, so it cannot be reduced", hows=HOWS)

    def test_files_of_blocks_must_be_those_of_the_tree(self):
        guide = GUIDE.replace("cost.py\n", "docs/commands.txt\n", 1)
        self.fails("make_docs.py", "now it is '", guide=guide)

    def test_a_row_without_a_command_is_found(self):
        self.fails("make_docs.py", "no page has the command 'starling map none'", hows=README_HOWS + "skip: x\n    starling map none\n")

    def test_links_and_anchors(self):
        self.fails("check_docs.py", "README.md:3: docs/guides/first.md has no heading for #the-start",
                   readme=README.replace("#the-end-of-it", "#the-start"))
        self.fails("check_docs.py", "README.md:3: docs/guides/none.md does not exist", readme=README.replace("first.md", "none.md"))
        self.fails("check_docs.py", "README.md:3: docs/images/no.png does not exist",
                   readme=README.replace("See", '<img src="docs/images/no.png"> See'))

    def test_options_and_commands_that_do_not_exist(self):
        self.fails("check_docs.py", "README.md:3: no command has an option --sample", readme=README.replace("`--samples`", "`--sample`"))
        self.fails("check_docs.py", "README.md:3: starling map has no option --proof", readme=README.replace("NET --prove", "NET --proof"))
        self.fails("check_docs.py", "README.md:3: there is no command 'starling maps'", readme=README.replace("map NET --prove", "maps"))
        self.fails("check_docs.py", "docs/guides/first.md:23: starling list has no option --samples",
                   guide=GUIDE.replace("nets --json", "nets --samples 3"))
        code, out, _ = self.tool("check_docs.py", guide=GUIDE + "\n`starling list nets --wide`, `--no-resume`, `--prove=0`\n")
        self.assertEqual(code, 0, out)


if __name__ == "__main__":
    unittest.main()

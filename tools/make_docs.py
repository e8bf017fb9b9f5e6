#!/usr/bin/env python3
"""Run the commands of README and guides; write what they print into the pages, or compare.

    make_docs.py [PAGE...]            run and write; README.md and docs/guides/*.md unless pages are named
    make_docs.py --check [PAGE...]    run and compare; exit code 1 if a command fails or an output differs
    make_docs.py --list               the commands and how they run; runs nothing

What is a command of a page: tools/doc_pages.py. The commands of a page run one after the other in a folder of their own,
in which the folders of the tree are found as in a clone. Proofs have time limits, so outputs are written on a machine
that has nothing else to do. docs/commands.txt says how some commands run: a line "HOW: WORDS" and below it, indented,
the commands it is for.

    quick: OPTIONS    runs with these options added; they may only change a budget (BUDGET below), so that it is the
                      same command on less work. Not for commands with an output
    skip: REASON      does not run here
    varies: WHY       numbers of the output are not compared, the words around them are; lines of run times (NOISE
                      below) never are
    fails: CODE       ends with this exit code instead of 0
"""
import argparse
import concurrent.futures
import glob
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

import doc_pages

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SHARED = ["docs", "tools", "tests", "data", "examples", "bench", "include", "scripts"]
BUDGET = {"--samples", "--time", "--prove-time", "--nodes", "--episodes", "--budget", "--seeds", "--repeats", "--trials",
          "--rounds", "--fill", "--nests", "--rows", "--quick"}
HOWS = ("quick", "skip", "varies", "fails")
SECONDS = 600  # of a command at most
NOISE = re.compile(r"of run time together|^speed +[\d,]+ steps/s")  # lines that say how long it took, never compared


class Fault(Exception):
    """What is wrong with a page or with docs/commands.txt."""


def read_hows(path):
    """{command: {how: words}} of docs/commands.txt."""
    hows, how = {}, None
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip()
            if not line or line.startswith("#"):
                continue
            if not line.startswith(" "):
                key, _, words = line.partition(": ")
                if key not in HOWS or not words:
                    raise Fault(f"{path}:{number}: expected one of {', '.join(HOWS)} and words, got '{line}'")
                how = (key, words)
            elif how is None:
                raise Fault(f"{path}:{number}: a command before the first 'HOW: WORDS'")
            else:
                hows.setdefault(" ".join(line.split()), {})[how[0]] = how[1]
    for command, row in hows.items():
        for option in shlex.split(row.get("quick", "")):
            if option.startswith("-") and option.split("=")[0] not in BUDGET:
                raise Fault(f"{path}: '{command}' is reduced by {option}, which is no budget")
    return hows


def reduced(command, options):
    """The command with budget options of its own replaced by those given."""
    if "|" in command or ";" in command or "&&" in command:
        raise Fault(f"'{command}' is more than one command and cannot be reduced")
    return f"{command} {options}"  # the last of two equal options counts


# ---- running ----

def enter(folder, root, program):
    """Fill a folder with links to the tree and to the program; the environment of its commands."""
    for name in SHARED:
        if os.path.isdir(os.path.join(root, name)):
            os.symlink(os.path.abspath(os.path.join(root, name)), os.path.join(folder, name))
    os.mkdir(os.path.join(folder, ".bin"))
    os.symlink(os.path.abspath(program), os.path.join(folder, ".bin", "starling"))
    with open(os.path.join(folder, ".bin", "python3"), "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\nexec {sys.executable} "$@"\n')  # the one that has what tools need
    os.chmod(os.path.join(folder, ".bin", "python3"), 0o755)
    path = os.pathsep.join([os.path.join(folder, ".bin"), os.environ["PATH"]])
    return {**os.environ, "PATH": path, "LC_ALL": "C.UTF-8", "COLUMNS": "100", "NO_COLOR": "1",
            "XDG_CACHE_HOME": folder, "PYTHONDONTWRITEBYTECODE": "1"}


def run(command, folder, environment, code):
    """The lines that a command prints; its errors too if it is to fail."""
    try:
        done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=folder, env=environment, check=False,
                              capture_output=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        raise Fault(f"took more than {SECONDS} s") from None
    if done.returncode != code:
        end = (done.stdout + done.stderr).decode(errors="replace").strip()[-400:]
        raise Fault(f"exit code {done.returncode}, expected {code}: {end}")
    return (done.stdout + (done.stderr if code else b"")).decode().replace(folder + "/", "").splitlines()


# ---- comparing ----

def masked(line):
    """A line without its numbers, units and bars, which is what stays when times differ."""
    return re.sub(r"[#█▉▊▋▌▍▎▏▁▂▃▄▅▆▇─.\s]+", " ", re.sub(r"[\d.,]+ ?(ns|us|µs|ms|s|k|M|G|%|×)?(?![\w])", "#", line)).strip()


def pieces(shown):
    """The runs of lines between the '...' of an example."""
    runs = [[]]
    for line in shown:
        if line.strip() == "...":
            runs.append([])
        else:
            runs[-1].append(line)
    return runs


def cut(lines, shown):
    """As many lines of an output as the example shows, at the same places."""
    runs = pieces(shown)
    if len(runs) == 1:
        return lines
    head, tail = len(runs[0]), len(runs[-1])
    made, at = lines[:head], head
    for piece in runs[1:-1]:
        wanted = masked(piece[0]) if piece else ""
        at = next((n for n in range(at, len(lines)) if masked(lines[n]) == wanted), None)
        if at is None:
            raise Fault(f"'{piece[0] if piece else '...'}' is shown between two '...', and nothing like it is printed")
        made += ["...", *lines[at:at + len(piece)]]
        at += len(piece)
    return [*made, "...", *lines[max(at, len(lines) - tail):]] if tail else [*made, "..."]


def equal(now, shown, varies):
    if varies:
        now, shown = [masked(x) for x in now], [masked(x) for x in shown]
    return [x for x in now if not NOISE.search(x)] == [x for x in shown if not NOISE.search(x)]


# ---- pages ----

class Page:
    """A page, its commands run in order; `text` becomes what it should be, `faults` what is wrong."""

    def __init__(self, path, hows, options):
        self.path, self.hows, self.check, self.root = path, hows, options.check, options.root
        self.program = options.starling
        with open(os.path.join(options.root, path), encoding="utf-8") as file:
            self.text = file.read()
        self.edits, self.faults, self.times = [], [], []  # edits: (begin, end, text)

    def run(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = enter(folder, self.root, self.program)
            for kind, what in doc_pages.steps(self.text):
                try:
                    if kind == "file":
                        self.put_file(what, folder)
                    else:
                        self.do(what, folder, environment)
                except Fault as fault:
                    line = what.line if kind == "run" else doc_pages.line_of(self.text, what.at)
                    self.faults.append(f"{self.path}:{line}: {fault}\n    {getattr(what, 'text', '').splitlines()[0]}")
        for begin, end, text in sorted(self.edits, reverse=True):
            self.text = self.text[:begin] + text + self.text[end:]
        if self.edits:
            with open(os.path.join(self.root, self.path), "w", encoding="utf-8") as file:
                file.write(self.text)
            print(f"{self.path}: {len(self.edits)} outputs written", flush=True)
        return self

    def put_file(self, block, folder):
        """A file of the tree must look like the block; any other is made in the folder."""
        of_tree = os.path.join(self.root, block.name)
        if os.path.exists(of_tree):
            with open(of_tree, encoding="utf-8") as file:
                self.settle(block.text, file.read(), (block.at, block.at + len(block.text)), False)
            return
        with open(os.path.join(folder, block.name), "w", encoding="utf-8") as file:
            file.write(block.text)
        os.chmod(os.path.join(folder, block.name), 0o755)

    def do(self, command, folder, environment):
        how = self.hows.get(command.text, {})
        if "skip" in how:
            return
        if "quick" in how and command.shown is not None:
            raise Fault("its output is shown, so it cannot be reduced")
        text = reduced(command.text, how["quick"]) if "quick" in how else command.text
        begun = time.time()
        lines = run(text, folder, environment, int(how.get("fails", 0)))
        self.times.append((time.time() - begun, self.path, text))
        if command.shown is not None:
            lines = cut([line.rstrip() for line in lines], command.shown)
            self.settle(command.shown, lines, command.span, "varies" in how)

    def settle(self, shown, now, span, varies):
        """Compare what a page shows with what there is; remember the edit."""
        as_lines = [x.splitlines() if isinstance(x, str) else x for x in (shown, now)]
        if equal(as_lines[1], as_lines[0], varies):
            return
        if self.check:
            at = next((n for n, (a, b) in enumerate(zip(*as_lines)) if a != b), min(map(len, as_lines)))
            old, new = (x[at] if at < len(x) else "(nothing)" for x in as_lines)
            line = doc_pages.line_of(self.text, span[0]) + at
            raise Fault(f"line {line} shows '{old}', now it is '{new}'; make docs writes it anew")
        self.edits.append((*span, "".join(line + "\n" for line in as_lines[1])))


def own_pages(root):
    return ["README.md"] + sorted(os.path.relpath(x, root) for x in glob.glob(os.path.join(root, "docs/guides/*.md")))


def unused(root, hows, pages):
    """Commands of docs/commands.txt that no page has."""
    said = set()
    for path in pages:
        with open(os.path.join(root, path), encoding="utf-8") as file:
            said |= {what.text for kind, what in doc_pages.steps(file.read()) if kind == "run"}
    return [f"docs/commands.txt: no page has the command '{command}'" for command in hows if command not in said]


def show_commands(root, pages, hows):
    for path in pages:
        with open(os.path.join(root, path), encoding="utf-8") as file:
            for kind, what in doc_pages.steps(file.read()):
                if kind == "run":
                    how = "; ".join(f"{k}: {v}" for k, v in hows.get(what.text, {}).items())
                    print(f"{path}:{what.line}: {what.text}" + (f"   [{how}]" if how else ""))


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", help="pages, seen from the root")
    parser.add_argument("--root", default=ROOT, help="the tree")
    parser.add_argument("--starling", default=os.path.join(ROOT, "build/release/starling"), help="the program")
    parser.add_argument("--jobs", type=int, default=1, help="pages side by side")
    for name in ("check", "list", "times"):
        parser.add_argument(f"--{name}", action="store_true")
    return parser.parse_args()


def main():
    options = parse_options()
    try:
        hows = read_hows(os.path.join(options.root, "docs/commands.txt"))
    except Fault as fault:
        sys.exit(str(fault))
    paths = options.pages or own_pages(options.root)
    if options.list:
        return show_commands(options.root, paths, hows)
    if not shutil.which(options.starling):
        sys.exit(f"there is no program {options.starling}; give --starling")
    pages = [Page(path, hows, options) for path in paths]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(Page.run, pages))
    faults = [fault for page in pages for fault in page.faults] + ([] if options.pages else unused(options.root, hows, paths))
    times = sorted((row for page in pages for row in page.times), reverse=True)
    for seconds, path, command in times if options.times else []:
        print(f"{seconds:8.2f} s  {path}: {command}")
    print("\n".join([*faults, f"{len(pages)} pages, {len(times)} commands run, {len(faults)} faults"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Compare everything that two builds of starling print and write, field by field: is anything lost?

    compare_outputs.py BEFORE AFTER [--only PATTERN] [--keep DIR] [--details N] [--jobs N] [--list]

BEFORE and AFTER are programs. Both run every command of tools/outputs/commands.txt (--only: those that match a
regular expression), each in a fresh folder with the files of tools/outputs/inputs. Exit code, standard output and
error, and every file that is left are compared: JSON by path, CSV by column and row, texts and pages by their
numbers and words, SQLite stores by table, column and row, pictures by presence and labels. A line per command says

    identical   the same bytes, but for what the list masks (times, noise)
    moved       the same content in another order or layout
    added       something is new, nothing is gone
    words       words are gone (labels, sentences), no number is
    LOST        a path, a column, a number, a file is gone, or has another value

and what, for all but the first. Exit code 1 if anything is lost. --keep leaves all outputs in DIR/before and DIR/after.

    tools/compare_outputs.py old/starling build/release/starling --only '^map'
"""
import argparse
import collections
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "outputs"))

import forms  # noqa: E402

TREE = os.path.dirname(HERE)
INPUTS = os.path.join(HERE, "outputs", "inputs")
COMMANDS = os.path.join(HERE, "outputs", "commands.txt")
SECONDS = 300  # at most per command
SHOWN = {None: "identical", forms.MOVED: "moved", forms.ADDED: "added", forms.WORDS: "words", forms.LOST: "LOST"}

# one line of the list: its steps, and what is masked in their outputs
Command = collections.namedtuple("Command", "line steps masks")


# ---- the list ----

def read_commands(path):
    """([Command], [intended]) of a list; its first lines say how it is written."""
    with open(path, encoding="utf-8") as file:
        lines = [line.strip() for line in file]
    rules = {"~name": [], "~text": [], "~table": [], "~numbers": [], "~intended": []}
    found = []
    for number, line in enumerate(lines, 1):
        word, _, rest = line.partition(" ")
        if word in rules:
            rules[word].append(rest.strip())
        elif word.startswith("~"):
            raise SystemExit(f"{path}:{number}: unknown rule {word}; there are {', '.join(rules)}")
        elif line and not line.startswith("#"):
            found.append(line)
    noisy = [re.compile(pattern) for pattern in rules["~numbers"]]
    commands = [Command(line, [step.strip() for step in line.split(" && ")],
                        forms.Masks(rules["~name"], rules["~text"], rules["~table"],
                                    any(p.search(line) for p in noisy)))
                for line in found]
    return commands, [re.compile(pattern) for pattern in rules["~intended"]]


def chosen(commands, pattern):
    """Those of which a step matches; a step that starts with '!' prepares and does not count."""
    return [command for command in commands
            if any(re.search(pattern, step) for step in command.steps if not step.startswith("!"))]


# ---- running ----

def run_step(program, step, folder, environment):
    """{name: bytes} of exit code and what is printed; preparations print nothing that is compared."""
    script = step[1:] if step.startswith("!") else f'"$STARLING" {step}'
    done = subprocess.run(["sh", "-c", script], cwd=folder, env={**environment, "STARLING": program}, timeout=SECONDS,
                          stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if step.startswith("!"):
        if done.returncode != 0:
            raise SystemExit(f"{script}: {done.stderr.decode()}")
        return {}
    return {"exit code": str(done.returncode).encode(), "output": done.stdout, "errors": done.stderr}


def left_files(folder):
    """{name: path} of the files in a folder, but for the inputs as they were."""
    out = {}
    for path, _, names in os.walk(folder):
        for name in names:
            full = os.path.join(path, name)
            relative = os.path.relpath(full, folder)
            given = os.path.join(INPUTS, relative)
            if not (os.path.exists(given) and same_bytes(full, given)):
                out[relative] = full
    return out


def same_bytes(one, two):
    with open(one, "rb") as a, open(two, "rb") as b:
        return a.read() == b.read()


def run_command(program, command, folder, home):
    """{name: Output} of everything that a command prints and leaves."""
    shutil.copytree(INPUTS, folder)
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "TREE": TREE, "HOME": home, "XDG_CACHE_HOME": home}
    raw = {}
    for i, step in enumerate(command.steps):
        for name, data in run_step(program, step, folder, environment).items():
            raw[f"{name} of step {i + 1}" if len(command.steps) > 1 else name] = data, None
    for name, path in left_files(folder).items():
        with open(path, "rb") as file:
            raw[name] = file.read(), path
    # the folder itself, and where the program lies, are no part of what it says
    own = [(os.path.abspath(folder).encode(), b"."), (program.encode(), b"starling")]
    out = {}
    for name, (data, path) in raw.items():
        for found, word in own:
            data = data.replace(found, word)
        out[name] = forms.read(name, data, path)
    return out


def compare_command(programs, command, scratch, number):
    """[(output, Difference)] of a command."""
    sides = []
    for side, program in zip(("before", "after"), programs):
        home = os.path.join(scratch, side, "home")
        os.makedirs(home, exist_ok=True)
        sides.append(run_command(program, command, os.path.join(scratch, side, f"{number:03d}"), home))
    before, after = sides
    found = [(name, forms.Difference(forms.LOST, "is not there")) for name in before if name not in after]
    found += [(name, forms.Difference(forms.ADDED, "is new")) for name in after if name not in before]
    for name in before:
        if name in after:
            found += [(name, difference) for difference in forms.compare(before[name], after[name], command.masks.of(name))]
    return found


# ---- telling ----

def gravest(found):
    return max((difference.kind for _, difference in found), key=forms.KINDS.index, default=None)


def tell(command, found, n_details):
    print(f"{SHOWN[gravest(found)]:<10} {command.line}")
    found = sorted(found, key=lambda pair: -forms.KINDS.index(pair[1].kind))
    for name, difference in found[:n_details]:
        print(f"    {SHOWN[difference.kind]:<6} {name}: {difference.text[:400]}")
    if len(found) > n_details:
        print(f"    ... {len(found) - n_details} more (--details)")
    sys.stdout.flush()


def split_intended(found, intended):
    """(what counts, what is meant to be so)."""
    meant = [(name, d) for name, d in found if any(p.search(f"{name}: {d.text}") for p in intended)]
    return [pair for pair in found if pair not in meant], meant


def compare_all(programs, commands, intended, scratch, options):
    """Tell of every command; returns {kind: number of commands} and how many differences were intended."""
    counts, n_meant = collections.Counter(), 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        jobs = [pool.submit(compare_command, programs, command, scratch, i) for i, command in enumerate(commands)]
        for command, job in zip(commands, jobs):
            found, meant = split_intended(job.result(), intended)
            n_meant += len(meant)
            counts[gravest(found)] += 1
            tell(command, found, options.details)
    return counts, n_meant


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", metavar="BEFORE AFTER")
    parser.add_argument("--only", default="", metavar="PATTERN", help="commands of which a step matches this")
    parser.add_argument("--keep", metavar="DIR", help="leave all outputs there")
    parser.add_argument("--details", type=int, default=8, metavar="N", help="differences to show per command")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="commands side by side")
    parser.add_argument("--commands", default=COMMANDS, metavar="FILE", help="another list")
    parser.add_argument("--list", action="store_true", help="show the commands")
    options = parser.parse_args(arguments)
    if not options.list and len(options.programs) != 2:
        parser.error("expected two programs")
    return options


def main(arguments=None):
    options = parse(arguments)
    commands, intended = read_commands(options.commands)
    commands = chosen(commands, options.only)
    if options.list:
        print("\n".join(command.line for command in commands))
        return 0
    programs = [shutil.which(program) or program for program in options.programs]
    programs = [os.path.abspath(program) for program in programs]
    scratch = options.keep or tempfile.mkdtemp(prefix="compare-outputs-")
    for side in ("before", "after"):
        if os.path.exists(os.path.join(scratch, side)):
            raise SystemExit(f"{scratch}/{side} is there already")
    try:
        counts, n_meant = compare_all(programs, commands, intended, scratch, options)
    finally:
        if not options.keep:
            shutil.rmtree(scratch)
    print(f"{len(commands)} commands: " + ", ".join(f"{counts[kind]} {name}" for kind, name in SHOWN.items())
          + (f"; {n_meant} intended differences" if n_meant else ""))
    return 1 if counts[forms.LOST] or not commands else 0


if __name__ == "__main__":
    sys.exit(main())

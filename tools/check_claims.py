#!/usr/bin/env python3
"""Run the commands behind the numbers of the documentation, and compare.

    check_claims.py                    all cheap claims; exit code 1 if one does not hold
    check_claims.py --text             the pages alone: does every claimed sentence stand there? Runs nothing
    check_claims.py --list             the dear claims with their minutes and commands; runs nothing
    check_claims.py --dear [--only X]  run the dear ones, of pages or commands that contain X
    check_claims.py --coverage         numbers with a claim on every page; runs nothing

Claims are in docs/claims.txt: blocks of lines "key: value", an indented line goes on, an empty one ends a claim.

    [docs/vta.md]        the page of the claims that follow; [docs/papers.md] commands: every command of
                         the page that stands in backquotes must be the `run` of some claim
    run: COMMAND         for the shell, in a folder with docs, tools, tests, data, examples and bench; `starling`
                         is on the path. It must end with exit code 0 (code: N: with another one)
    says: TEXT           a piece of the page, however its lines are broken; the numbers in {braces} are the claim
    find: EXPRESSION     Python, of the numbers in the braces before it: a number, a list of them, or True. d is the JSON
                         that the command printed, docs all of them, out the text; numbers(REGEX) the groups of
                         its first match; option(NAME) what a table of options shows, same(SHOWN, VALUE)
    block: TEXT          the code block with TEXT in it shows what the command prints; "..." stands for any lines
    rows: TEXT           the rows of the table with TEXT in it are printed by the command
    whole: yes           the command prints the whole page
    dear: MINUTES        runs with --dear alone
    within: PERCENT      numbers may be off by so much, not only by the digits that are not shown (times, for one)

A claim may have several says, each with its find. Numbers agree if they round to the digits shown: 12.0 M, 3,171, 0.5 %.
"""
import argparse
import concurrent.futures
import json
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
SHARED = ["docs", "tools", "tests", "data", "examples", "bench"]  # of the tree, seen by commands
SECONDS = 500  # of a cheap command at most, on a busy machine
SCALES = {"": 1, "%": 0.01, "k": 1e3, "M": 1e6, "G": 1e9, "×": 1, "x": 1}
WORDS = {w: str(i) for i, w in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())}
NUMBER = re.compile(r"(-?[\d,]*\.?\d+(?:e[+-]?\d+)?) ?([%kMG×x]?)$")
COMMAND = re.compile(r"`((?:starling|tools/|bench/|ctest|make) ?[^`]*)`")


class Fault(Exception):
    """A claim that does not hold, or cannot be read."""


class Claim:
    def __init__(self, page, line):
        self.page, self.line = page, line
        self.command, self.code, self.minutes, self.slack, self.whole = None, 0, 0, 0, False
        self.says, self.blocks, self.rows = [], [], []  # says: [text, expression or None]


# ---- reading ----

def read_claims(path):
    """The claims of a file, and the pages all of whose commands need one."""
    claims, strict, page, claim, key = [], [], None, None, None
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            head = re.match(r"\[(.+)\](?: (commands))?$", line)
            if line.startswith("#"):
                continue
            if head:
                page, claim = head.group(1), None
                strict += [page] if head.group(2) else []
            elif not line.strip():
                claim = None
            elif line.startswith(" ") and claim:
                extend(claim, key, line.strip())
            else:
                if page is None:
                    raise Fault(f"{path}:{number}: no [page] before it")
                if claim is None:
                    claim = Claim(page, number)
                    claims.append(claim)
                key, _, value = line.partition(": ")
                if not set_key(claim, key, value):
                    raise Fault(f"{path}:{number}: unknown key '{key}'")
    for claim in claims:
        if claim.command is None:
            raise Fault(f"{path}:{claim.line}: a claim without run")
    return claims, strict


def set_key(claim, key, value):
    if key == "run":
        claim.command = value
    elif key == "says":
        claim.says.append([value, None])
    elif key == "find" and claim.says:
        claim.says[-1][1] = value
    elif key == "block":
        claim.blocks.append(value)
    elif key == "rows":
        claim.rows.append(value)
    elif key == "whole":
        claim.whole = True
    elif key == "code":
        claim.code = int(value)
    elif key == "dear":
        claim.minutes = float(value)
    elif key == "within":
        claim.slack = float(value) / 100
    else:
        return False
    return True


def extend(claim, key, more):
    if key == "run":
        claim.command += "\n" + more
    elif key == "says":
        claim.says[-1][0] += " " + more
    elif key == "find":
        claim.says[-1][1] += " " + more


class Page:
    """The text of a page, and where a piece of it stands whatever the line breaks."""

    def __init__(self, root, path):
        self.path = path
        with open(os.path.join(root, path), encoding="utf-8") as file:
            self.text = file.read()
        self.flat, self.at = [], []  # characters with white space as one blank, and their places
        for match in re.finditer(r"\s+|\S", self.text):
            self.flat.append(" " if match.group().isspace() else match.group())
            self.at.append(match.start())
        self.flat = "".join(self.flat)

    def line_of(self, piece):
        """The line of a piece of the text, 0 if it is not there."""
        found = self.flat.find(" ".join(piece.split()))
        return 0 if found < 0 else self.text.count("\n", 0, self.at[found]) + 1

    def block(self, piece):
        """Lines of the code block (fenced or indented by four) with the piece in it, without its commands."""
        blocks = re.findall(r"^```.*\n((?:.*\n)*?)```$", self.text, re.MULTILINE)
        blocks += [re.sub("^    ", "", b, flags=re.MULTILINE)
                   for b in re.findall(r"(?:^    .*\n(?:\n(?=    ))*)+", self.text, re.MULTILINE)]
        for text in blocks:
            if piece in text:
                text = re.sub(r"^\$ (?:.*[|\\]\n)*.*\n", "", text, flags=re.MULTILINE)  # the command
                return [x.rstrip() for x in text.rstrip("\n").split("\n")]
        raise Fault(f"{self.path}:1: no code block has '{piece}'")

    def table(self, piece):
        """Rows of the table with the piece in it."""
        lines = self.text.split("\n")
        for i, line in enumerate(lines):
            if piece in line:
                if not line.startswith("|"):  # its title
                    i = next(j for j in range(i, len(lines)) if lines[j].startswith("|"))
                first = i
                while lines[first - 1].startswith("|"):
                    first -= 1
                last = first
                while lines[last].startswith("|"):
                    last += 1
                return lines[first:last]
        raise Fault(f"{self.path}:1: no table has '{piece}'")


# ---- comparing ----

def read_number(text):
    """(value, half a unit of the last digit) of a number as a page shows it."""
    match = NUMBER.match(WORDS.get(text, text))
    if not match:
        raise Fault(f"'{text}' is no number")
    digits, scale = match.group(1).replace(",", ""), SCALES[match.group(2)]
    mantissa, _, power = digits.partition("e")
    unit = 10.0 ** (int(power or 0) - len(mantissa.partition(".")[2])) * scale
    return float(digits) * scale, unit / 2


def agrees(shown, found, slack):
    value, half = read_number(shown)
    if not isinstance(found, (int, float)) or math.isnan(found):
        return False
    return abs(found - value) <= max(half * (1 + 1e-6), slack * abs(value)) + 1e-12 * abs(value)


def parse_documents(text):
    documents, decoder, at = [], json.JSONDecoder(), 0
    while True:
        at = next((i for i in range(at, len(text)) if not text[i].isspace()), len(text))
        if at == len(text):
            return documents
        document, at = decoder.raw_decode(text, at)
        documents.append(document)


def evaluate(expression, page, out):
    """What an expression of a claim finds in the output of its command."""
    def numbers(pattern):
        match = re.search(pattern, out, re.MULTILINE)
        if not match:
            raise Fault(f"nothing in the output is like '{pattern}'")
        return [read_number(x.strip())[0] for x in match.groups()]

    def option(name):
        """The default that a table of options shows; rows may have several: `a`, `b` | 1, 2 |."""
        for line in page.text.split("\n"):
            cells = [x.strip() for x in line.strip("|").split("|")]
            if f"`{name}`" in cells[0] and len(cells) > 2:
                group = cells[0].split(", ")
                return (cells[1].split(", ") if len(group) > 1 else cells[1:])[group.index(f"`{name}`")]
        raise Fault(f"no table has an option '{name}'")

    def same(shown, value):
        if isinstance(value, (bool, str)):
            return shown.lower() in (str(value).lower(), *({True: ("yes", "on"), False: ("no", "off")}.get(value, ())))
        return agrees(shown, value, 0)

    names = {"out": out, "re": re, "math": math, "statistics": statistics, "numbers": numbers, "option": option, "same": same}
    try:
        names["docs"] = parse_documents(out)
        names["d"] = names["docs"][0]
    except (ValueError, IndexError):
        pass  # no JSON; the expression looks at the text
    try:
        return eval(expression, names)  # our own file, as trusted as a test
    except Fault:
        raise
    except Exception as error:
        raise Fault(f"{expression}: {type(error).__name__}: {error}") from error


def check_says(claim, page, text, expression, out):
    """Sentences about what is wrong with one sentence of a claim."""
    shown = re.findall(r"\{([^{}]*)\}", text)
    line = page.line_of(re.sub(r"[{}]", "", text))
    if not line:
        yield f"{page.path}:1: the page does not say '{re.sub(r'[{}]', '', text)}' (docs/claims.txt:{claim.line})"
        return
    if out is None or expression is None:
        return
    found = evaluate(expression, page, out)
    if isinstance(found, bool):
        if not found:
            yield f"{page.path}:{line}: '{text}' does not hold: {expression}"
        return
    found = list(found) if isinstance(found, (list, tuple)) else [found]
    if len(found) != len(shown):
        yield f"{page.path}:{line}: {len(shown)} numbers are claimed, {len(found)} are found: {found}"
    for says, is_now in zip(shown, found):
        if not agrees(says, is_now, claim.slack):
            yield f"{page.path}:{line}: says {says}, the command finds {is_now:.12g}"


def missing_lines(wanted, printed):
    """The first line of a block that the output does not have at its place, or None."""
    at, free = 0, True
    for line in wanted:
        if line.strip() == "...":
            free = True
            continue
        places = range(at, len(printed)) if free else range(at, min(at + 1, len(printed)))
        at = next((i for i in places if printed[i] == line), -1) + 1
        if at == 0:
            return line
        free = False
    return None


def check_shown(claim, page, out):
    printed = [x.rstrip() for x in out.rstrip("\n").split("\n")]
    for piece in claim.blocks:
        line = missing_lines(page.block(piece), printed)
        if line is not None:
            yield f"{page.path}:{page.line_of(line)}: shows '{line}', which is not printed there"
    for piece in claim.rows:
        for line in page.table(piece):
            if line not in printed and not re.fullmatch(r"[|: -]+", line):
                yield f"{page.path}:{page.line_of(line)}: shows '{line}', which is not printed"
    if claim.whole and out != page.text:
        lines = page.text.split("\n")
        new = out.split("\n")
        at = next((i for i, (a, b) in enumerate(zip(lines, new)) if a != b), min(len(lines), len(new)) - 1)
        yield f"{page.path}:{at + 1}: says '{lines[at]}', the command prints '{new[at]}'"


def check_claim(claim, page, done):
    """Sentences about what is wrong with a claim; `done` is (code, output, errors), None = not run."""
    try:
        if done and done[0] != claim.code:
            yield f"{page.path}:1: exit code {done[0]}, expected {claim.code}: {done[2].strip()[-300:]}"
            return
        for text, expression in claim.says:
            yield from check_says(claim, page, text, expression, done[1] if done else None)
        if done:
            yield from check_shown(claim, page, done[1])
        else:
            for piece in claim.blocks:
                page.block(piece)
            for piece in claim.rows:
                page.table(piece)
    except Fault as fault:
        yield f"{page.path}:1: {fault} (docs/claims.txt:{claim.line})"


def commands_without_claim(page, claims):
    """Commands in backquotes on a page that no claim runs, cheap or dear."""
    known = {" ".join(claim.command.split()) for claim in claims}
    for number, line in enumerate(page.text.split("\n"), 1):
        for command in COMMAND.findall(line):
            if " ".join(command.replace("\\|", "|").split()) not in known:
                yield f"{page.path}:{number}: no claim runs '{command}'"


# ---- running ----

def run_command(command, options):
    """(code, output, errors, seconds) of a command in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        for name in SHARED:
            if os.path.isdir(os.path.join(options.root, name)):
                os.symlink(os.path.abspath(os.path.join(options.root, name)), os.path.join(folder, name))
        program = os.path.abspath(options.starling)
        os.mkdir(os.path.join(folder, "bin"))
        os.symlink(program, os.path.join(folder, "bin", "starling"))
        path = os.pathsep.join([os.path.join(folder, "bin"), os.environ["PATH"]])
        begun = time.time()
        try:
            done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", command], cwd=folder, capture_output=True,
                                  env={**os.environ, "PATH": path, "STARLING": program, "LC_ALL": "C.UTF-8",
                                       "XDG_CACHE_HOME": folder, "PYTHONDONTWRITEBYTECODE": "1"},
                                  timeout=None if options.dear else SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return 124, "", f"took more than {SECONDS} s; is it dear?", SECONDS
        return done.returncode, done.stdout.decode(), done.stderr.decode(), time.time() - begun


def run_all(claims, options):
    """What every command gave, each run once."""
    wanted = list(dict.fromkeys(c.command for c in claims if bool(c.minutes) == options.dear))
    wanted = [c for c in wanted if options.only in c or any(options.only in k.page for k in claims if k.command == c)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        return dict(zip(wanted, pool.map(lambda command: run_command(command, options), wanted)))


def show_dear(claims):
    dear = [c for c in claims if c.minutes]
    for claim in dear:
        said = "; ".join(re.sub(r"[{}]", "", text) for text, _ in claim.says)
        print(f"{claim.page}: {claim.minutes:g} min" + (f": {said}" if said else ""))
        print("    " + claim.command.replace("\n", "\n    "))
    print(f"{len(dear)} dear claims, {sum({c.command: c.minutes for c in dear}.values()):,.0f} minutes in all")


def show_coverage(claims, pages):
    """How many numbers outside code blocks stand in a claimed sentence, table or page."""
    print(f"{'page':44}{'numbers':>9}{'claimed':>9}")
    total = [0, 0]
    for path, page in sorted(pages.items()):
        prose = re.sub(r"^```.*\n(?:.*\n)*?```$|^    .*$|`[^`]*`|\]\([^)]*\)", "", page.text, flags=re.MULTILINE)
        n = len(re.findall(r"\d[\d,.]*", prose))
        mine = [c for c in claims if c.page == path]
        held = sum(len(re.findall(r"\{[^{}]*\}", text)) for c in mine for text, _ in c.says)
        held += sum(len(re.findall(r"\d[\d,.]*", "\n".join(page.table(piece)))) for c in mine for piece in c.rows)
        held = n if any(c.whole for c in mine) else min(held, n)
        total = [total[0] + n, total[1] + held]
        print(f"{path:44}{n:9,}{held:9,}")
    print(f"{'all':44}{total[0]:9,}{total[1]:9,}")


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", default=ROOT, help="the tree")
    parser.add_argument("--starling", default=os.path.join(ROOT, "build/release/starling"), help="the program")
    for name in ("text", "list", "dear", "coverage", "times"):
        parser.add_argument(f"--{name}", action="store_true")
    parser.add_argument("--only", default="", help="pages or commands that contain this")
    parser.add_argument("--jobs", type=int, default=1, help="commands side by side")
    return parser.parse_args()


def all_pages(root, claims):
    """Pages by path: README.md, all of docs/, and whatever has a claim."""
    paths = {"README.md"} | {c.page for c in claims}
    for folder, _, names in os.walk(os.path.join(root, "docs")):
        paths |= {os.path.relpath(os.path.join(folder, x), root) for x in names if x.endswith(".md")}
    return {path: Page(root, path) for path in paths if os.path.isfile(os.path.join(root, path))}


def main():
    options = parse_options()
    try:
        claims, strict = read_claims(os.path.join(options.root, "docs/claims.txt"))
    except Fault as fault:
        sys.exit(str(fault))
    pages = all_pages(options.root, claims)
    if options.list:
        return show_dear(claims)
    if options.coverage:
        return show_coverage(claims, pages)
    if not options.text and not shutil.which(options.starling):
        sys.exit(f"there is no program {options.starling}; give --starling")
    results = {} if options.text else run_all(claims, options)
    faults = []
    for claim in claims:
        if claim.page not in pages:
            faults.append(f"docs/claims.txt:{claim.line}: there is no page {claim.page}")
            continue
        if claim.command not in results and not options.text and options.only:
            continue
        for fault in check_claim(claim, pages[claim.page], results.get(claim.command)):
            faults.append(fault + "\n    " + claim.command.replace("\n", "\n    "))
    for path in strict:
        faults += commands_without_claim(pages[path], claims) if path in pages else []
    for seconds, command in sorted(((r[3], c) for c, r in results.items()), reverse=True) if options.times else []:
        print(f"{seconds:8.2f} s  {command}")
    print("\n".join(faults + [summary(claims, results, len(faults))]))
    return 1 if faults else 0


def summary(claims, results, n_faults):
    numbers = sum(len(re.findall(r"\{[^{}]*\}", text)) for c in claims for text, _ in c.says)
    dear = sum(bool(c.minutes) for c in claims)
    used = os.times()
    return (f"{len(claims)} claims on {len({c.page for c in claims})} pages ({len(claims) - dear} cheap, {dear} dear; "
            f"{numbers} numbers in sentences): {len(results)} commands run, "
            f"{used.children_user + used.children_system:.0f} s of processor time, {n_faults} faults")


if __name__ == "__main__":
    sys.exit(main())

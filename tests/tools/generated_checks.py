"""What must hold of every run of the program, whatever it was given."""
import collections
import csv
import html.parser
import json
import math
import os
import shlex
import shutil
import sqlite3
import subprocess

SECONDS = 120  # of one command, checked build, busy machine
# a leak is a defect as well; an allocation that fails is not: it has an exit code
ENVIRONMENT = {"ASAN_OPTIONS": "allocator_may_return_null=1:strict_string_checks=1:detect_leaks=1",
               "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1", "LC_ALL": "C.UTF-8"}
VOID_TAGS = {"meta", "br", "hr", "img", "link", "input", "col"}


def records(path):
    """All rows of a store of records, times apart."""
    store = sqlite3.connect(path)
    try:
        return store.execute("SELECT * FROM cells ORDER BY key").fetchall()
    finally:
        store.close()


class Failure(Exception):
    """What went wrong, with the command."""


class Case:
    """A folder with a network and an accelerator, in which commands are run."""

    def __init__(self, program, folder, network, accel):
        self.program, self.folder = program, folder
        self.network, self.accel = "./" + network, "./" + accel
        self.codes, self.words = collections.Counter(), []

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def clear(self):
        """Takes away the folders that commands have left."""
        for name in os.listdir(self.folder):
            if os.path.isdir(self.path(name)):
                shutil.rmtree(self.path(name))

    def fail(self, what):
        raise Failure(f"{what}\n  starling {shlex.join(self.words)}")

    def require(self, truth, what):
        if not truth:
            self.fail(what)

    def run(self, *words):
        """Standard output if the exit code is 0, None if what was given is wrong; anything else fails."""
        self.words = [str(word) for word in words]
        try:
            done = subprocess.run([self.program, *self.words], cwd=self.folder, env={**os.environ, **ENVIRONMENT},
                                  stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            self.fail(f"took more than {SECONDS} s")
        self.codes[done.returncode] += 1
        out, err = self.text(done.stdout, "output"), self.text(done.stderr, "errors")
        self.check_end(done.returncode, out, err)
        return out if done.returncode == 0 else None

    def text(self, stream, what):
        try:
            return stream.decode("utf-8")
        except UnicodeDecodeError:
            self.fail(f"{what} that are not UTF-8")

    def check_end(self, code, out, err):
        self.require("Sanitizer" not in err and "runtime error" not in err, f"a sanitizer speaks:\n{err[:3000]}")
        self.require(code in (0, 2), f"exit code {code}:\n{err[:3000]}")
        if code == 0:
            self.require("--quiet" not in self.words or err == "", f"errors of a run that is quiet:\n{err[:500]}")
            return
        if "--json" in self.words:
            self.require(self.json(out, "starling.error/1")["error"]["code"] == code, "the error has another code")
        else:
            self.require(out == "", f"output beside exit code {code}:\n{out[:500]}")
        self.require(err.startswith("starling: ") and err.count("\n") == 1 and err.endswith("\n"),
                     f"expected one sentence, got:\n{err[:500]}")

    # ---- forms ----

    def json(self, text, schema):
        """The document; it has no numbers that JSON has not, and carries its schema."""
        def refuse(word):
            self.fail(f"the JSON has {word}")

        def number(word):
            self.require(math.isfinite(float(word)), f"the JSON has {word}")
            return float(word)
        try:
            document = json.loads(text, parse_constant=refuse, parse_float=number)
        except ValueError as wrong:
            self.fail(f"no JSON: {wrong}")
        self.require(document["schema"] == schema, f"expected {schema}, got {document['schema']}")
        return document

    def csv(self, text):
        """The rows by column; all are as long as the header, and no two columns have one name."""
        table = list(csv.reader(line for line in text.splitlines() if not line.startswith("#")))
        self.require(len(table) >= 2, "a CSV without rows")
        self.require(len(set(table[0])) == len(table[0]), "two columns of the CSV have the same name")
        for row in table[1:]:
            self.require(len(row) == len(table[0]), f"{len(row)} cells below {len(table[0])} columns")
        return [dict(zip(table[0], row)) for row in table[1:]]

    def table(self, text):
        """Text for people: within 100 columns where no name takes up half of them, no numbers that are none."""
        for line in text.split("\n"):
            named = any(len(word) > 39 for word in line.split() if word.strip("█▁▂▃▄▅▆▇─"))
            self.require(len(line) <= 100 or named, f"wider than 100 columns: {line}")
        self.require(not {"nan", "-nan", "inf", "-inf"} & set(text.replace(",", " ").split()), "a nan or inf in the text")

    def page(self, *names):
        """An HTML file: every tag is closed."""
        stack, case = [], self

        class Page(html.parser.HTMLParser):
            def handle_starttag(self, tag, attrs):
                if tag not in VOID_TAGS:
                    stack.append(tag)

            def handle_endtag(self, tag):
                case.require(stack and stack.pop() == tag, f"{names[-1]}: </{tag}> closes nothing")

        Page().feed(self.read(*names))
        self.require(not stack, f"{names[-1]}: not closed: {stack}")

    def read(self, *names):
        try:
            with open(self.path(*names), encoding="utf-8", newline="") as file:
                return file.read()
        except (OSError, UnicodeDecodeError) as wrong:
            return self.fail(f"a file is missing or unreadable: {wrong}")

    def files(self, *names):
        """{path below the folder: bytes} of all files in a folder."""
        top, out = self.path(*names), {}
        for place, _, found in os.walk(top):
            for name in found:
                path = os.path.join(place, name)
                with open(path, "rb") as file:
                    out[os.path.relpath(path, top)] = records(path) if name == "records.db" else file.read()
        return out

    def same_files(self, one, other, but=()):
        """Two folders hold the same bytes under the same names, besides those in `but`."""
        a, b = ({k: v for k, v in self.files(folder).items() if k not in but} for folder in (one, other))
        self.require(a.keys() == b.keys(), f"{one} and {other}: other files: {sorted(a.keys() ^ b.keys())}")
        wrong = [name for name in a if a[name] != b[name]]
        self.require(not wrong, f"{one} and {other} differ in {wrong}")

    def close(self, a, b, what, tolerance=1e-12):
        both = a is None and b is None
        self.require(both or (a is not None and b is not None and math.isclose(a, b, rel_tol=tolerance, abs_tol=0)),
                     f"{what}: {a} and {b}")

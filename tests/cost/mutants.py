#!/usr/bin/env python3
"""Break every bound a little and see that the checks of the bounds notice.

    mutants.py BUILD [NAME ...]    BUILD: a release build tree; NAME: only mutants whose name has it

Each mutant is a copy of one file src/cost/bound*.c with one piece of text replaced. It is compiled with the flags of
the library (but quickly) and linked before it with long_bound, which compares bounds with the list of all mappings of tiny layers
and with mappings of real ones. Without a mutation nothing may be wrong; with one something must be. A piece of text
that is not there exactly once is an error, so the list cannot fall behind the code.
"""
import glob
import json
import os
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CHECKS = [["tiny", "120", "51", "1500"], ["path", "40", "2", "1500"]]  # of long_bound, in turn
SECONDS = 60  # a mutant that takes longer is one that was not caught

MUTANTS = [
    # branches and sizes
    ("one dim less inside a cluster", "                if (c == 1) break;", "                if (k == 1) break;"),
    ("a branch of an axis is dropped", "m = rest ? 1 : room; m <= room", "m = rest ? 2 : room; m <= room"),
    ("no whole waves", "preset == SL_SPACE_NATIVE && on_axes", "preset == SL_SPACE_PAPER && on_axes"),
    ("first bound: steps rounded up", "double steps = ceil(extent / sl_role_instances(bounds, role, 1, bounds->n_chip));",
     "double steps = 1 + floor(extent / sl_role_instances(bounds, role, 1, bounds->n_chip));"),
    ("first bound: traffic counted twice", "load.of[LOAD_PORT] += bounds->words[t];",
     "load.of[LOAD_PORT] += 2 * bounds->words[t];"),
    ("constraints on orders forgotten", "inner[param->after[k]] = after;", "inner[param->after[k]] = 0;"),
    ("a dim fixed innermost is free", "inner[param->items[k]] = after;", "inner[param->items[k]] = 0;"),
    # capacity
    ("capacity bound too tight", "stage->cap[d] = low;", "stage->cap[d] = low > 0 ? low - 1 : 0;"),
    ("capacity of whole levels too tight", "volume.of[SL_W] + volume.of[SL_I] + volume.of[SL_O] > room",
     "volume.of[SL_W] + volume.of[SL_I] + volume.of[SL_O] >= room * (1 - 1e-9)"),
    # traffic of a level: the class of the innermost loop
    ("edge term of a dim ignored", "moving *= d == c && relevant ? f->near[t] : f->plain[t];",
     "moving *= f->plain[t];"),
    ("edge term of a channel of I ignored", "seen *= d == c ? f->near[SL_I] : f->plain[SL_I];",
     "seen *= f->plain[SL_I];"),
    ("class that does not index the tensor", "if (seen) raise(&count, moving);", "raise(&count, moving);"),
    ("loops above that move: ratio ignored", "raise(&count, passing * node->ratio[t]);", "raise(&count, passing);"),
    ("loops above that move: ratio of I ignored", "k_near * whole * node->ratio[SL_I]", "k_near * whole"),
    ("loops above that move: K not wrapped", "k_near * whole * node->ratio[SL_I]", "k * whole * node->ratio[SL_I]"),
    ("all coordinates in instance 0", "{words, words, split ? 0 : words, split ? 0 : words};\n    }\n    Lanes count",
     "{words, words, words, words};\n    }\n    Lanes count"),
    ("class without loops forgotten", "if (c == NO_CLASS) return may_rest(bounds, level, stage);",
     "if (c == NO_CLASS) return false;"),
    ("class without loops not walked", "    for (int k = 0; k <= bounds->n_live; k++) {\n        work->class_now = k <",
     "    for (int k = 0; k < bounds->n_live; k++) {\n        work->class_now = k <"),
    # dominance, and what is left at once
    ("a tile is dropped that others need", "bool good = !relevant ? x == y :", "bool good = !relevant ? true :"),
    ("smaller tiles left without a look", "if (bound < work->threshold) return false;\n    close_at(work, bound);\n    return true;",
     "close_at(work, bound);\n    return true;"),
    # windows
    ("window: own advance dropped", "*AT(0, 0) - *AT(ADVANCED(own), 0)", "*AT(0, 0)"),
    ("window: the other dim's advance dropped", "        subtract_most(&left, 2, other);\n", ""),
    ("window: outer advance dropped", "if (s < own) subtract_most(&left, 2, outer);", ""),
    ("window: loops outside the group dropped", "    left -= stays;\n", ""),
    ("window: plain volume where rows move", "rows->near[c == SL_R] * columns->plain", "rows->plain * columns->plain"),
    ("window: plain volume where columns move", "rows->plain * columns->near[c == SL_S]",
     "rows->plain * columns->plain"),
    ("window: prefix minimum is the last value", "if (i > 0) pair->least[i] = pair->least[i - 1];", ""),
    # partial sums and ports
    ("partial sums: one too many", "count[LANE_PREAD] - bounds->words[SL_O] * instances",
     "count[LANE_PREAD] - (bounds->words[SL_O] - 1) * instances"),
    ("partial sums: instances forgotten", "count[LANE_PREAD] - bounds->words[SL_O] * instances;",
     "count[LANE_PREAD] - bounds->words[SL_O];"),
    ("partial sums: instances forgotten, plain MACs", "sums = bounds->macs - bounds->words[SL_O] * instances;",
     "sums = bounds->macs - bounds->words[SL_O];"),
    ("partial sums: the first ones of a port", "load->of[LOAD_PORT + level] -= reach[LANE_OWN0];", ""),
    ("partial sums: the first ones of the parent", "-= reach[LANE_SRV0];", "-= 0 * reach[LANE_SRV0];"),
    # open tiles
    ("prefix minimum is the last value", "block->least[i] = all;", "block->least[i] = option->own;"),
    ("prefix minimum of a class is the last value", "block->least_class[i] = of_class;",
     "block->least_class[i] = option->own;"),
    ("what stays when the innermost loop wraps is forgotten", "for (int w = 1; w <= n; w++) {",
     "for (int w = 2; w <= n; w++) {"),
    ("loops that wrap count as standing", "own->near[tensor] = option->state[level - 1][tensor];",
     "own->near[tensor] = option->state[level][tensor];"),
    ("outer loops that wrap count as standing", "own->still[tensor] = option->state[0][tensor];",
     "own->still[tensor] = option->state[level][tensor];"),
    ("MACs: fan-outs below forgotten", "contexts.extent[i]) / below);", "contexts.extent[i]));"),
    ("MACs: sharing forgotten", "is_relevant(d, t) ? extent : ceil(extent / sharing)", "extent"),
    ("open levels: instances forgotten", "first = ceil(extent / (reach * above))", "first = ceil(extent / reach)"),
    ("open levels: multicast forgotten", "shared ? first : all, first, first", "all, first, first"),
    ("open levels: windows do not overlap", "double words = e[0] * e[1] - most_excess", "double words = e[0] * e[1] - 0 * most_excess"),
    # time
    ("a bound 1 % too high", "value = bounds->factor;", "value = 1.01 * bounds->factor;"),
    ("ramp: the wrong sign of shared rows", "a * b - of[p]->first_more", "a * b + of[p]->first_more"),
    ("ramp: open windows do not overlap", "words[SL_I] *= a > b ? a : b;", "words[SL_I] *= a * b;"),
    ("ramp twice", "longest + stalls + ramp", "longest + stalls + 2 * ramp"),
    ("stalls of every level", "if (timed->adds)", "if (true)"),
    # orders
    ("the order that saves least", "if (!known[set] || gain.of[r] > best[set].of[r]) best",
     "if (!known[set] || gain.of[r] < best[set].of[r]) best"),
    ("orders: inner loops stand still", "stay *= *state_of(stage, d, has(inside, d) ? s : s + 1, t);",
     "stay *= *state_of(stage, d, has(inside, d) ? s + 1 : s, t);"),
    ("orders: windows do not wrap", "has(inside, d) ? 2 * (level - s)", "has(inside, d) ? 2 * (level - s) - 2"),
    ("orders: ports do not decide", "/ level->port_words > leaf->cycles)", "/ level->port_words > INFINITY)"),
    ("orders: one load decides", "for (int i = 0; i < deciding->n; i++)", "for (int i = 0; i < 1; i++)"),
    ("orders: partial sums come back at no cost", "of[LOAD_ENERGY] += bounds->psum_pj[level] * stay[LANE_PREAD];",
     "(void)0;"),
    ("orders: any order is allowed", "return !(bounds->inner[s + 1][x] & all & ~inside);",
     "return bounds != NULL || s + x + (int)all + (int)inside != 0;"),
    # the walk
    ("smallest tiles not walked", "for (int i = stage->cap[d]; i >= 0 && !work->stopped; i--)",
     "for (int i = stage->cap[d]; i >= 1 && !work->stopped; i--)"),
    ("open level: smallest tiles not walked", "for (int i = stage->cap[d]; i >= 0; i--)",
     "for (int i = stage->cap[d]; i >= 1; i--)"),
    ("the last closed node counts", "if (bound < work->bound) work->bound = bound;", "work->bound = bound;"),
    ("what a stopped walk left is forgotten", "if (work->stopped) close_at(work, bound); // what was left below", ""),
    ("the threshold follows too far", "value * (1 - 1e-7)", "value * (1 - 1e-2)"),
    ("the threshold with a gap follows too far", "value / (1 + work->epsilon)", "value / (1 + 2 * work->epsilon)"),
]


def compile_commands(build):
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        return {entry["file"]: entry for entry in json.load(file) if "starling_objects" in entry["command"]}


def sources():
    return {path: open(path, encoding="utf-8").read()
            for path in sorted(glob.glob(os.path.join(ROOT, "src", "cost", "bound*.c")))}


def find(files, old):
    """The file that has the text; it must be there once."""
    places = [(path, text.count(old)) for path, text in files.items() if old in text]
    if len(places) != 1 or places[0][1] != 1:
        raise ValueError(f"the text is there {sum(n for _, n in places)} times: {old!r}")
    return places[0][0]


class Judge:
    """Builds and runs long_bound with one file replaced."""

    def __init__(self, build, folder):
        self.build, self.folder = build, folder
        self.files = sources()
        self.commands = compile_commands(build)
        self.driver = os.path.join(build, "tests", "CMakeFiles", "long_bound.dir", "cost", "long_bound.c.o")
        self.archives = [os.path.join(build, name) for name in ("libcost_helpers.a", "libstarling.a")]

    def compile(self, path, text, name):
        source, out = os.path.join(self.folder, name + ".c"), os.path.join(self.folder, name + ".o")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        words = shlex.split(self.commands[path]["command"])
        words = [word for word in words if word not in ("-MD", path)]
        for option in ("-o", "-MF", "-MT"):
            while option in words:
                at = words.index(option)
                del words[at:at + 2]
        words += ["-I", os.path.dirname(path), "-w", "-O1", source, "-o", out]
        subprocess.run(words, check=True, cwd=self.commands[path]["directory"])
        return out

    def link(self, objects, name):
        program = os.path.join(self.folder, name)
        compiler = next(word for word in shlex.split(next(iter(self.commands.values()))["command"])
                        if not word.endswith("ccache"))
        subprocess.run([compiler, *objects, self.driver, *self.archives, "-ljansson", "-lyaml", "-lm", "-lpthread",
                        "-o", program], check=True)
        return program

    def run(self, program):
        """What long_bound says: '' if nothing is wrong, else the first line of what is."""
        for check in CHECKS:
            try:
                done = subprocess.run([program, *check], capture_output=True, text=True, timeout=SECONDS, check=False)
            except subprocess.TimeoutExpired:
                return ""
            lines = [line for line in done.stdout.splitlines() if line.startswith("WRONG")]
            if done.returncode != 0:
                return lines[0] if lines else f"exit code {done.returncode}"
        return ""

    def mutant(self, number):
        name, old, new = MUTANTS[number]
        try:
            path = find(self.files, old)
            built = self.compile(path, self.files[path].replace(old, new), f"mutant{number}")
            return name, self.run(self.link([built], f"mutant{number}.out"))
        except (ValueError, KeyError, subprocess.CalledProcessError) as error:
            return name, error


def main():
    build, chosen = os.path.abspath(sys.argv[1]), sys.argv[2:]
    subprocess.run(["cmake", "--build", build, "--target", "long_bound"], check=True, stdout=subprocess.DEVNULL)
    numbers = [i for i, row in enumerate(MUTANTS) if not chosen or any(word in row[0] for word in chosen)]
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        judge = Judge(build, folder)
        wrong = judge.run(judge.link([], "plain"))
        if wrong:
            print(f"without a mutation: {wrong}")
            return 1
        with ThreadPoolExecutor(2) as pool:
            for name, said in pool.map(judge.mutant, numbers):
                caught = isinstance(said, str) and said != ""
                bad += not caught
                word = "caught" if caught else "SURVIVED" if said == "" else "NOT MADE"
                print(f"{word:9} {name}: {str(said)[:160]}")
    print(f"{len(numbers)} mutants, {bad} not caught")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())

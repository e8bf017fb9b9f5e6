#!/usr/bin/env python3
"""Check that no vector wider than 16 bytes is passed to, or returned by, a function that is called.

    check_vectors.py [ROOT] [GCC]      prints file:line: what is wrong; exit code 1 if anything is

How such a vector is passed depends on the instruction set: in a register with AVX, in memory
without. A function compiled for AVX2 and a plain one then disagree, unless one is inlined into the
other. So every source with vectors is compiled without optimisation, where only always_inline
functions are inlined, and what its debug information says is still there to call is checked.
"""
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

WIDEST = 16  # bytes of a vector that every x86-64 passes in the same register
FLAGS = "-std=c11 -D_XOPEN_SOURCE=700 -O0 -g -w -Wno-psabi -c -Iinclude -Isrc -Iprograms".split()
DECLARED = re.compile(r"vector_size\((?!16\))|__m(?:256|512)")  # not what is plainly narrow
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)
ENTRY = re.compile(r"^ <(\d+)><([0-9a-f]+)>: Abbrev Number: \d+ \(DW_TAG_(\w+)\)")
VALUE = re.compile(r"^\s+<[0-9a-f]+>\s+DW_AT_(\w+)\s*: (?:\(indirect.*?\): )?(.*)")


def mentions_vectors(path, known):
    """Does the file, or what it includes from beside it or from src/, declare wide vectors?"""
    if path not in known:
        known[path] = False  # for files that include each other
        with open(path, encoding="utf-8") as file:
            text = file.read()
        near = [os.path.join(folder, name) for name in INCLUDE.findall(text)
                for folder in (os.path.dirname(path), "src")]
        known[path] = bool(DECLARED.search(text)) or any(
            os.path.exists(other) and mentions_vectors(other, known) for other in near)
    return known[path]


def sources():
    known = {}
    for folder in ("src", "programs"):
        for path, _, names in sorted(os.walk(folder)):
            for name in sorted(names):
                file = os.path.join(path, name)
                if name.endswith(".c") and mentions_vectors(file, known):
                    yield file


def read_entries(listing):
    """The entries of readelf's listing by offset; each knows its tag, values and children."""
    entries, open_ones, entry = {}, [], None
    for line in listing.splitlines():
        if found := ENTRY.match(line):
            depth, offset, tag = int(found[1]), int(found[2], 16), found[3]
            entry = {"tag": tag, "children": []}
            entries[offset] = entry
            del open_ones[depth:]
            if open_ones:
                open_ones[-1]["children"].append(entry)
            open_ones.append(entry)
        elif entry is not None and (found := VALUE.match(line)):
            entry[found[1]] = found[2].strip()
    return entries


def number(text):
    return int(text.strip("<>").split()[0], 0)


def refer(entries, entry, key):
    return entries.get(number(entry[key])) if key in entry else None


def size_of(entries, entry):
    """Bytes of a type; of a vector, its lanes times their type."""
    while entry and "byte_size" not in entry and entry["tag"] != "array_type":
        entry = refer(entries, entry, "type")
    if not entry or "byte_size" in entry:
        return number(entry["byte_size"]) if entry else 0
    lanes = [number(child["upper_bound"]) + 1 for child in entry["children"] if "upper_bound" in child]
    return (lanes[0] if lanes else 0) * size_of(entries, refer(entries, entry, "type"))


def is_wide(entries, entry):
    """A wide vector, or a struct of nothing else: it is passed like one."""
    while entry and entry["tag"] in ("typedef", "const_type", "volatile_type"):
        entry = refer(entries, entry, "type")
    if not entry:
        return False
    if entry["tag"] in ("structure_type", "union_type"):
        members = [refer(entries, child, "type") for child in entry["children"] if child["tag"] == "member"]
        return any(is_wide(entries, m) and size_of(entries, m) == size_of(entries, entry) for m in members)
    return "GNU_vector" in entry and size_of(entries, entry) > WIDEST


def wide_functions(listing):
    """(line, name) of every function that has code of its own and passes a wide vector."""
    entries = read_entries(listing)
    for entry in entries.values():
        if entry["tag"] != "subprogram" or "low_pc" not in entry:
            continue
        origin = refer(entries, entry, "abstract_origin") or entry
        passed = [origin] + [child for child in origin["children"] if child["tag"] == "formal_parameter"]
        if any(is_wide(entries, refer(entries, one, "type")) for one in passed):
            yield number(origin["decl_line"]), origin["name"]


def check(gcc, source):
    with tempfile.TemporaryDirectory() as folder:
        made = os.path.join(folder, "made.o")
        subprocess.run([gcc, *FLAGS, "-o", made, source], check=True)
        shown = subprocess.run(["readelf", "--debug-dump=info", made], check=True, capture_output=True, text=True)
    return [f"{source}:{line}: {name} passes a vector wider than {WIDEST} bytes and is not always_inline"
            for line, name in sorted(set(wide_functions(shown.stdout)))]


def main():
    os.chdir(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    gcc = sys.argv[2] if len(sys.argv) > 2 else "gcc"
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        complaints = sum(pool.map(lambda source: check(gcc, source), sources()), [])
    print("\n".join(complaints) if complaints else "vectors: none is passed by a call")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())

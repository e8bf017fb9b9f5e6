#!/usr/bin/env python3
"""Check the public headers, include/starling/**.h, and what the shared library exports.

    check_api.py [ROOT]                      headers alone: names, wrapping, callers
    check_api.py [ROOT] --library LIBRARY    that libstarling.so exports what they declare, nothing else
    check_api.py [ROOT] --count              how many functions, variables, types there are

Prints file:line: what is wrong; exit code 1 if anything is. The rules are those of
docs/architecture.md, "The public interface".
"""
import argparse
import collections
import os
import re
import subprocess
import sys

import public_headers

# types of libraries that we build on must not reach who builds on us
THIRD_PARTY = re.compile(r"\b(json_t|yaml_\w+|sqlite3\w*|z_stream\w*|gzFile)\b")
# what a header for C++ too cannot say, and what to write instead
NOT_CPP = {
    re.compile(r"\[\s*static\b"): "[static N]: write [SL_AT_LEAST(N)]",
    re.compile(r"\brestrict\b"): "restrict: C++ does not have it",
    re.compile(r"\b\w+\[\];\s*(//.*)?\n\s*}"): "a flexible array member: C++ does not have it",
}
PREFIX = {
    "function": "sl_", "inline": "sl_", "variable": "sl_", "type": "Sl", "constants": "SL_", "macro": "SL_",
}
FUNCTION = re.compile(r"^(?!static)[A-Za-z][^;{}()#]*?\b(sl_\w+)\s*\([^;{}]*\)\s*\{", re.MULTILINE)
DEFINE = re.compile(r"^#\s*define(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
WORD = re.compile(r"\bsl_\w+")


def c_files(root, folders):
    for folder in folders:
        for path, inner, names in os.walk(os.path.join(root, folder)):
            inner.sort()
            for name in sorted(names):
                if name.endswith((".c", ".h", ".cc")):
                    yield os.path.relpath(os.path.join(path, name), root)


def stripped(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return public_headers.strip_code(file.read())


def check_text(header):
    """Third-party types, constructs that C++ refuses, and the wrapping of declarations."""
    code = public_headers.COMMENT.sub("", header.source)
    for number, line in enumerate(header.source.split("\n"), 1):
        found = THIRD_PARTY.search(public_headers.strip_code(line))
        if found:
            yield f"{header.path}:{number}: {found.group()} is a type of another library"
    for pattern, reason in NOT_CPP.items():
        for found in pattern.finditer(header.source):
            if not header.path.endswith("core/api.h"):
                yield f"{header.path}:{header.source[:found.start()].count(chr(10)) + 1}: {reason}"
    begins, ends = (re.findall(rf"^{word}$", code, re.MULTILINE) for word in ("SL_API_BEGIN", "SL_API_END"))
    declares = any(item.kind in ("function", "variable", "type", "inline") for item in header.items)
    if declares and (len(begins) != 1 or len(ends) != 1):
        yield f"{header.path}:1: declarations stand between one SL_API_BEGIN and one SL_API_END"
    if re.search(r"^#include.*", code[code.find("\nSL_API_BEGIN"):] if begins else "", re.MULTILINE):
        yield f"{header.path}:1: an include stands behind SL_API_BEGIN"
    if declares and not header.title:
        yield f"{header.path}:1: the first line says what the header is: // name.h - ..."


def check_names(headers):
    """Every name has the prefix of its kind and one home; everything was understood."""
    homes = {}
    for header in headers:
        for item in header.items:
            if item.kind == "unknown":
                yield f"{header.path}:{item.line}: neither a function nor a variable nor a type"
            for at, name in enumerate(item.names):
                prefix = PREFIX[item.kind]
                if item.kind == "type" and name.startswith("SL_") and "enum" in item.code():
                    prefix = "SL_"  # an enumerator
                if not name.startswith(prefix):
                    yield f"{header.path}:{item.line}: {name} does not begin with {prefix}"
                forward = item.kind == "type" and "{" not in item.code() and at == 0
                first = homes.setdefault(name, (header.path, item.line))
                own = first[0] == header.path and (item.kind in ("macro", "type"))  # #if, #else; typedef, struct
                if first != (header.path, item.line) and not forward and not own:
                    yield f"{header.path}:{item.line}: {name} is defined in {first[0]}:{first[1]} too"


def users(root, headers):
    """Who uses a name: paths of src, programs and examples, public macros and inline functions."""
    uses = collections.defaultdict(set)
    for path in c_files(root, ("src", "programs", "examples")):
        for name in set(WORD.findall(stripped(root, path))):
            uses[name].add(path)
    for header in headers:
        for item in header.items:
            if item.kind in ("macro", "inline"):
                for name in set(WORD.findall(item.code())) - set(item.names):
                    uses[name].add(header.path)
    return uses


def check_callers(root, headers):
    """Every public function is called from another file than its own, tests apart, or it goes."""
    uses, homes = users(root, headers), {}
    for path in c_files(root, ("src",)):
        for name in FUNCTION.findall(stripped(root, path)):
            homes[name] = path
    for header in headers:
        for item in header.items:
            if item.kind in ("function", "inline") and not uses[item.names[0]] - {homes.get(item.names[0])}:
                yield (f"{header.path}:{item.line}: nothing but tests and its own file calls {item.names[0]}: "
                       "remove it, or declare it inside its module")


def check_mentions(headers):
    """Functions that comments speak of exist."""
    known = {name for header in headers for item in header.items for name in item.names}
    for header in headers:
        for number, line in enumerate(header.source.split("\n"), 1):
            if "//" not in line:
                continue
            for found in re.finditer(r"\bsl_\w+\*?", line[line.index("//"):]):
                name = found.group()
                if name not in known and not (name.endswith(("_", "*")) and
                                              any(other.startswith(name.rstrip("*")) for other in known)):
                    yield f"{header.path}:{number}: there is no {name} in a public header"


def check_library(headers, library):
    """The dynamic symbols of the library are the functions and variables of the headers."""
    run = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True)
    symbols = (line.split() for line in run.stdout.split("\n"))
    # A is the name of the version itself
    exported = {words[-1].split("@")[0] for words in symbols if len(words) > 1 and words[-2] != "A"}
    places = {name: f"{header.path}:{item.line}" for header in headers for item in header.items
              if item.kind in ("function", "variable") for name in item.names}
    for name in sorted(exported - set(places)):
        yield f"{os.path.basename(library)}: exports {name}, which no public header declares"
    for name in sorted(set(places) - exported):
        yield f"{places[name]}: {os.path.basename(library)} does not export {name}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", default=os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser.add_argument("--library")
    parser.add_argument("--count", action="store_true")
    arguments = parser.parse_args()
    headers = public_headers.read_all(arguments.root)
    counts = collections.Counter(item.kind for header in headers for item in header.items)
    said = (f"api: {counts['function'] + counts['inline']} functions, {counts['variable']} variables, "
            f"{counts['type']} types in {len(headers)} headers")
    faults = []
    if arguments.library:
        faults = [*check_library(headers, arguments.library)]
    elif not arguments.count:
        faults = [fault for header in headers for fault in check_text(header)]
        faults += [*check_names(headers), *check_callers(arguments.root, headers), *check_mentions(headers)]
    print("\n".join(faults) if faults else said)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

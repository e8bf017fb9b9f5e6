#!/usr/bin/env python3
"""Check what clang-format does not see: sizes, names, and documents that are spoken of but not there.

    check_style.py [ROOT]      prints file:line: what is wrong; exit code 1 if anything is
"""
import os
import re
import sys

MAX_FILE_LINES = 800
MAX_FUNCTION_LINES = 90
MAX_EXAMPLE_LINES = 60
LITERAL = re.compile(r"'(\\.|[^'\\])'|\"(\\.|[^\"\\])*\"|//.*")

LINK = re.compile(r"\]\((?![a-z]+:)([^)#]+)")
PAGE = re.compile(r"\bdocs/[\w/-]+\.md\b")


def c_files(root):
    for folder in ("include", "src", "programs", "tests", "examples"):
        for path, folders, names in os.walk(os.path.join(root, folder)):
            folders.sort()
            for name in sorted(names):
                if name.endswith((".c", ".h")):
                    yield os.path.relpath(os.path.join(path, name), root)


def long_blocks(lines):
    """(first line, length) of top-level braced blocks of more than MAX_FUNCTION_LINES lines."""
    depth = start = 0
    for number, line in enumerate(lines, 1):
        code = LITERAL.sub("", line)
        if depth == 0 and "{" in code:
            start = number
            table = "=" in code  # a table of data may be as long as it needs
        was = depth
        depth += code.count("{") - code.count("}")
        if was > 0 and depth == 0 and not table and number - start > MAX_FUNCTION_LINES:
            yield start, number - start


def check_file(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        lines = file.read().split("\n")[:-1]
    limit = MAX_EXAMPLE_LINES if path.startswith("examples/") else MAX_FILE_LINES
    if len(lines) > limit:
        yield f"{path}:{limit}: {len(lines)} lines, split it (at most {limit})"
    for number, line in enumerate(lines, 1):
        if "\t" in line:
            yield f"{path}:{number}: tab"
    if path.endswith(".c"):
        for start, length in long_blocks(lines):
            yield f"{path}:{start}: function of {length} lines (at most {MAX_FUNCTION_LINES})"


def check_documents(root, paths):
    """Relative links of Markdown files, and pages named docs/...md anywhere, must exist."""
    pages = ["README.md", "CONTRIBUTING.md"]
    for path, _, names in os.walk(os.path.join(root, "docs")):
        pages += [os.path.relpath(os.path.join(path, name), root) for name in names if name.endswith(".md")]
    for path in sorted(pages) + paths:
        if not os.path.isfile(os.path.join(root, path)):
            continue
        with open(os.path.join(root, path), encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                wanted = [PAGE.search(line).group()] if PAGE.search(line) else []
                if path in pages:
                    wanted = [os.path.join(os.path.dirname(path), link) for link in LINK.findall(line)]
                for target in wanted:
                    if not os.path.exists(os.path.join(root, target)):
                        yield f"{path}:{number}: {os.path.normpath(target)} does not exist"


def check_names(paths):
    homes = {}
    for path in paths:
        if path.startswith(("src/", "programs/")) and path.endswith(".c"):
            first = homes.setdefault(os.path.basename(path), path)
            if first != path:
                yield f"{path}:1: {first} has the same base name"


def main():
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    root = sys.argv[1] if len(sys.argv) > 1 else here
    paths = list(c_files(root))
    faults = [fault for path in paths for fault in check_file(root, path)]
    faults += [*check_names(paths), *check_documents(root, paths)]
    print("\n".join(faults) if faults else f"style: {len(paths)} files checked")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Check how the texts of the program and the documentation read; exit code 1 and one line per fault.

    check_texts.py [ROOT]

- Help of an option: a phrase that stands alone, or an order ("print errors only"). It begins with none of
  the words in NO_START and with no verb in the third person, has no full stop at its end, and at most HELP_MOST
  characters. Tables of docs/methods give an option the same words.
- Text of a command: the summary is an order or a phrase without a full stop, sentences have at most WORDS_MOST words, lines at
  most COLUMNS_MOST columns.
- Everywhere: none of the phrases in RIDDLES, which nobody outside understood; "module", "space" or "capacity" where
  "room" stood.
"""
import argparse
import glob
import os
import re
import sys

import option_tables

HELP_MOST, WORDS_MOST, COLUMNS_MOST = 160, 25, 100
NO_START = set("of who whose what which whether where when at how".split())
THIRD_PERSON = re.compile(r"(prints|writes|shows|gives|makes|takes|sets|uses|lets|says|tells|puts|keeps|holds|reads|stops|proves"
                          r"|leaves|learns|trains|selects|checks|chooses|maps|searches|finds|adds|returns|does|is|has)\b")
RIDDLES = """
who searches|who prices|who measures|who steers|who collects|of all random numbers|what to make small|what is to be small
make the objective small|unfit or untrue|something given is wrong|is what they claim true|who needs how many
kill it, say it again|say it again|it goes on\\b|point left only|the floor we stand on|a fifth of one
code of another make|code that code|because it is there|the same command again
what the next step counts|longest gradient|then the oldest go|worlds that step together|from one round of updates
whose lessons|counted apart|taught before|teach a flock before|side by side, 0|has no room|what becomes of
(?<!not )an exact cost\\b|exact cost model|exact model of
""".replace("\n", "|").strip("|").split("|")
RIDDLE = re.compile("|".join(RIDDLES), re.I)
ROOM = re.compile(r"\brooms?\b", re.I)
# records of one day, what other tools write, and pages about flocks, which have words of their own
SKIPPED = re.compile(r"^(CHANGELOG\.md|docs/claims\.txt|docs/api\.md|docs/studies/[^/]+/)")
PUBLISHED = re.compile(r" \((published|code): [^)]*\)$")  # has a column of its own on some pages
PAGES = ("README.md", "CONTRIBUTING.md", "docs/**/*.md", "docs/man/*.scd", "data/plans/*.yaml", "examples/**/*.md", "bench/**/*.md")
SOURCES = ("programs/*.[ch]", "src/**/*.[ch]")


def find(root, patterns):
    for pattern in patterns:
        for path in sorted(glob.glob(os.path.join(root, pattern), recursive=True)):
            name = os.path.relpath(path, root)
            if not SKIPPED.match(name):
                with open(path, encoding="utf-8", errors="replace") as file:
                    yield name, file.read()


def literals(text):
    """Runs of string literals as (position, text)."""
    run = re.compile(r'"(?:[^"\\\n]|\\.)*"(?:[\s\\]*"(?:[^"\\\n]|\\.)*")*')
    for match in run.finditer(re.sub(r"//.*", lambda m: " " * len(m[0]), text)):
        yield match.start(), option_tables.words(match[0])


def check_help(row):
    first = row.help.split(" ")[0].rstrip(",:;")
    if row.help in ("", "X"):  # what another macro gives
        return
    if first in NO_START and not row.help.startswith("how to"):
        yield f"help of --{row.name} begins with '{first}', expected a phrase that stands alone"
    if THIRD_PERSON.match(row.help):
        yield f"help of --{row.name} begins with '{first}', expected a noun or an order"
    if row.help.endswith("."):
        yield f"help of --{row.name} ends with a full stop"
    if len(row.help) > HELP_MOST:
        yield f"help of --{row.name} has {len(row.help)} characters, expected at most {HELP_MOST}"
    if row.help[:1].isupper() and re.match(r"[A-Z][a-z]", row.help):
        yield f"help of --{row.name} begins with a capital"


def sentences(text):
    """Sentences of running text, without what lists files or options in braces and brackets."""
    text = re.sub(r"\([^()]*\)", "", text)
    for block in re.split(r"\n\s*\n|\n(?=[A-Z]+ is |Files of |Exit code)", text):
        if not block.startswith("Files of "):
            yield from re.split(r"(?<=[.:;?!])\s+", " ".join(block.split()))


def check_about(name, text):
    for field, at in ((m[1], m.end()) for m in re.finditer(r"\.(summary|about) =\s*(?=\")", text)):
        _, words = next(literals(text[at:]), (0, ""))
        line = text.count("\n", 0, at) + 1
        if field == "summary" and (words.endswith(".") or THIRD_PERSON.match(words) or words.split(" ")[0] in NO_START):
            yield f"{name}:{line}: summary '{words}', expected an order or a phrase that stands alone"
        for shown in words.split("\n"):
            if len(shown) > COLUMNS_MOST:
                yield f"{name}:{line}: a line of {len(shown)} columns, expected at most {COLUMNS_MOST}: {shown}"
        for sentence in sentences(words):
            if len(sentence.split()) > WORDS_MOST:
                yield f"{name}:{line}: a sentence of {len(sentence.split())} words, expected at most {WORDS_MOST}: {sentence}"


def check_tables(root, rows):
    """Tables of options on the pages of methods."""
    texts = {}
    for row in rows:
        if row.command == "":
            texts.setdefault(row.name, set()).update((row.help, PUBLISHED.sub("", row.help)))
    for name, text in find(root, ("docs/methods/*.md",)):
        for at, line in enumerate(text.split("\n"), 1):
            match = re.match(r"\| `([\w-]+)` \|.* \| ([^|]+) \|$", line.replace("\\|", "/"))
            if match and match[1] in texts and re.search(r"\| option \|", text[:text.find(line)]):
                if not re.match(r"[\d.]", match[2]) and match[2] not in texts[match[1]]:
                    yield f"{name}:{at}: option {match[1]} is '{match[2]}', the program says '{sorted(texts[match[1]])[0]}'"


def check_phrases(root):
    for name, text in find(root, PAGES):
        # code may call a capacity room
        text = re.sub(r"^```c\n.*?^```$", lambda m: "\n" * m[0].count("\n"), text, flags=re.M | re.S)
        for at, line in enumerate(text.split("\n"), 1):
            if match := RIDDLE.search(line) or ROOM.search(line):
                yield f"{name}:{at}: '{match[0]}' is none of our words: {line.strip()[:90]}"
    for name, text in find(root, SOURCES):
        for at, words in literals(text):
            if " " in words and (match := RIDDLE.search(words) or ROOM.search(words)):
                yield f"{name}:{text.count(chr(10), 0, at) + 1}: '{match[0]}' is none of our words: {words[:90]}"
    for folder in ("docs", "tools", "programs", "scripts", "tests"):
        for path in glob.glob(os.path.join(root, folder, "**"), recursive=True):
            if re.search(r"(^|[_-])rooms?([_.-]|$)", os.path.basename(path)):
                yield f"{os.path.relpath(path, root)}: a file named after a room, expected module"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    root = parser.parse_args().root
    rows = option_tables.rows(root)
    faults = [f"{row.file}:{row.line}: {fault}" for row in rows for fault in check_help(row)]
    for name, text in find(root, ("programs/*.c",)):
        faults += check_about(name, text)
    faults += check_tables(root, rows)
    faults += check_phrases(root)
    print("".join(fault + "\n" for fault in faults), end="")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

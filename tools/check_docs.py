#!/usr/bin/env python3
"""Check what the documents name: links, anchors, and with --starling PROGRAM commands and options.

    check_docs.py                        links and anchors of every page
    check_docs.py --starling PROGRAM     also: does every command and option that a text names exist?

A command is checked against the help of that command, an option that stands alone against the help of all. CHANGELOG.md
may name options that are gone, commands that docs/commands.txt says to fail may be wrong. OTHERS below are options of
other programs.
"""
import argparse
import os
import re
import subprocess
import sys

import doc_pages
import make_docs

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# scripts of the tree (tools/, bench/peers, examples/evaluators)
OTHERS = {"--any-blas", "--realtime", "--only", "--layer", "--starling", "--check"}
LONG = re.compile(r"--\[no-\]([a-z][a-z0-9-]*)|(--[a-z][a-z0-9-]*)")


def own_pages(root):
    pages = [x for x in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md") if os.path.isfile(os.path.join(root, x))]
    for folder in ("docs", "examples", "programs", "bench"):
        for path, _, names in os.walk(os.path.join(root, folder)):
            pages += [os.path.relpath(os.path.join(path, name), root) for name in names if name.endswith(".md")]
    return sorted(pages)


def check_links(root, path, texts):
    for line, target in doc_pages.links(texts[path]):
        name, _, anchor = target.partition("#")
        there = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
        if not os.path.exists(os.path.join(root, there)):
            yield f"{path}:{line}: {there} does not exist"
        elif anchor and there in texts and anchor not in doc_pages.anchors(texts[there]):
            yield f"{path}:{line}: {there} has no heading for #{anchor}"


class Help:
    """What `starling COMMAND --help` names: options, short and long, of commands and their parts."""

    def __init__(self, program):
        self.program, self.known = program, {}
        self.commands = {words.split()[0] for words in self.listed("")}
        self.all = set().union(*(self.options([c]) for c in self.commands), self.options([]))
        for command in self.commands:
            for words in self.listed(command):
                self.all |= self.options(words.split())

    def text(self, words):
        done = subprocess.run([self.program, *words, "--help"], capture_output=True, text=True, check=False)
        return done.stdout if done.returncode == 0 else ""

    def listed(self, command):
        """The commands, or the parts of one, that its help lists."""
        block = re.search(r"^Commands:\n((?:  .*\n)+)", self.text(command.split()), re.MULTILINE)
        rows = re.findall(r"^  ([a-z]+(?: [a-z]+)?)  ", block.group(1), re.MULTILINE) if block else []
        return rows

    def options(self, words):
        key = " ".join(words)
        if key not in self.known:
            found = set()
            for row in re.findall(r"^ {2,8}(-[^\n]*)", self.text(words), re.MULTILINE):
                head = re.split(r" {2,}", row)[0]
                found |= set(re.findall(r"(?<!\S)-[a-zA-Z]\b", head))
                for negated, plain in LONG.findall(head):
                    found |= {f"--{negated}", f"--no-{negated}"} if negated else {plain}
            self.known[key] = found
        return self.known[key]

    def of(self, command, part):
        """Options of a command, and of its part if the next word is one."""
        parts = [words for words in self.listed(command) if words == f"{command} {part}"]
        return self.options([command]) | (self.options(parts[0].split()) if parts else set())


def check_command(help_, words):
    """Sentences about a command: words after `starling`. A workload may stand in place of a command."""
    plain = [w for w in words if not w.startswith("-")]
    if not plain or not re.fullmatch(r"[a-z]+", plain[0]) or plain[0] == "help":
        return
    known = help_.all
    if plain[0] in help_.commands:
        known = help_.of(plain[0], plain[1] if len(plain) > 1 else "")
    elif len(plain) == 1:
        yield f"there is no command 'starling {plain[0]}'"
    for word in words:
        option = re.match(r"--?[A-Za-z][A-Za-z0-9-]*", word)
        if option and option.group() not in known | {"--help", "--version", "-h"}:
            yield f"starling {plain[0]} has no option {option.group()}"


def named_commands(text):
    """(line, words) of every `starling ...` that a page names, in blocks and in running text."""
    for block in doc_pages.blocks(text):
        if block.language not in ("", "sh", "console"):
            continue
        for number, _, row in doc_pages.joined(block.text.splitlines()):
            if block.language == "console" and not row.startswith("$ "):
                continue
            for piece in re.findall(r"(?:^(?:\$ )?|[|;&(] *|[\w/]+/)starling ([^|;&>#]*)", row):
                yield doc_pages.line_of(text, block.at) + number, piece.split()
    prose = doc_pages.without_blocks(text)
    for number, line in enumerate(prose.split("\n"), 1):
        match = re.match(r" {4,}(?:\$ )?(?:build/\w+/)?starling ([^|;&>#]*)", line)
        if match:
            yield number, match.group(1).split()
    for number, code in doc_pages.inline_code(text):
        match = re.match(r"starling ([^|;&>#]*)", code)
        if match:
            yield number, match.group(1).split()


def check_options(help_, path, text, wrong):
    for line, words in named_commands(text):
        if "starling " + " ".join(words) in wrong:
            continue
        bare = [re.sub(r"^\[+|\]+$", "", w) for w in words]
        for fault in check_command(help_, [w for w in bare if w and w not in ("...", "…")]):
            yield f"{path}:{line}: {fault}"
    for line, code in doc_pages.inline_code(text):
        option = re.match(r"--[a-z][a-z0-9-]*", code)
        if option and option.group() not in help_.all | OTHERS:
            yield f"{path}:{line}: no command has an option {option.group()}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", default=ROOT, help="the tree")
    parser.add_argument("--starling", help="the program")
    options = parser.parse_args()
    hows = make_docs.read_hows(os.path.join(options.root, "docs/commands.txt"))
    wrong = {command for command, how in hows.items() if "fails" in how}
    texts = {}
    for path in own_pages(options.root):
        with open(os.path.join(options.root, path), encoding="utf-8") as file:
            texts[path] = file.read()
    faults = [fault for path in texts for fault in check_links(options.root, path, texts)]
    if options.starling:
        help_ = Help(options.starling)
        if not help_.commands or not help_.all:
            sys.exit(f"'{options.starling} --help' lists no commands or options")
        faults += [f for path in texts if path != "CHANGELOG.md" for f in check_options(help_, path, texts[path], wrong)]
    print("\n".join([*faults, f"{len(texts)} pages, {len(faults)} faults"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

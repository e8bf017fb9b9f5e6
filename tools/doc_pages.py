"""Markdown pages as the documentation tools see them: code blocks, inline commands, links, headings.

A block is a fence with its info string, such as ```console. Three kinds hold commands:

    ```console          "$ COMMAND" lines, each followed by what it prints; "..." stands for lines left out
    ```sh               a command per line, without output
    `starling ...`      a command in running text or in a table

A command goes on in the next line after a backslash; " # words" after a command is a comment. A block with a file name
behind its language, such as ```python cost.py, is a file that the commands after it find in their folder.
"""
import re

FENCE = re.compile(r"^```(\S*)[ \t]*([^\n`]*)\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
LINK = re.compile(r"\]\(([^()\s]+)\)|<(?:img|a|source)\b[^>]*?(?:src|href|srcset)=\"([^\"]+)\"")
COMMENT = re.compile(r"\s+# .*$")


class Block:
    """A fenced block: language, name (what follows it), text, and where text begins in the page."""

    def __init__(self, match):
        self.language, self.name, self.text = match.group(1), match.group(2).strip(), match.group(3)
        self.at = match.start(3)


class Command:
    """A command of a page: what is typed, its line, and for console blocks the lines shown below it."""

    def __init__(self, text, line, shown=None, span=None):
        self.text, self.line, self.shown, self.span = text, line, shown, span


def line_of(text, place):
    return text.count("\n", 0, place) + 1


def blocks(text):
    return [Block(match) for match in FENCE.finditer(text)]


def without_blocks(text):
    """The text with blanks in place of fenced blocks, so that places and lines stay."""
    return FENCE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def joined(lines):
    """(first, last + 1, command) of every command in lines; a backslash at the end goes on."""
    at = 0
    while at < len(lines):
        first, words = at, []
        while lines[at].endswith("\\") and at + 1 < len(lines):
            words.append(lines[at][:-1].strip())
            at += 1
        words.append(COMMENT.sub("", lines[at]).strip())
        at += 1
        yield first, at, " ".join(word for word in words if word)


def console_commands(text, block):
    lines = block.text.splitlines(keepends=True)
    bare = [line.rstrip("\n") for line in lines]
    starts = [n for n, line in enumerate(bare) if line.startswith("$ ")]
    for number, first in enumerate(starts):
        last = starts[number + 1] if number + 1 < len(starts) else len(bare)
        _, length, command = next(joined([bare[first][2:]] + bare[first + 1:last]))
        begin = block.at + sum(map(len, lines[:first + length]))
        end = block.at + sum(map(len, lines[:last]))
        yield Command(command, line_of(text, block.at) + first, bare[first + length:last], (begin, end))


def shell_commands(text, block):
    for first, _, command in joined(block.text.splitlines()):
        if command and not command.startswith("#"):
            yield Command(command, line_of(text, block.at) + first)


def inline_code(text):
    """(line, code) of every piece in backquotes outside blocks; a | of a table is written \\|."""
    prose = without_blocks(text)
    for match in INLINE.finditer(prose):
        yield line_of(prose, match.start()), " ".join(match.group(2).split()).replace("\\|", "|")


def is_mention(code):
    """Whether inline code speaks of a command instead of giving one: `starling map`, `starling map NET --prove`."""
    words = code.split()
    return len(words) < 3 or "..." in code or any(re.match(r"[^\w\"']*[A-Z]{2,}", word) for word in words)


def steps(text):
    """What happens on a page, in order: ("file", block), ("run", command)."""
    found = []
    for block in blocks(text):
        if block.language == "console":
            found += [(c.span[0], "run", c) for c in console_commands(text, block)]
        elif block.language == "sh" and not block.name:
            found += [(block.at + n, "run", c) for n, c in enumerate(shell_commands(text, block))]
        elif block.name:
            found.append((block.at, "file", block))
    lines = [0] + [match.end() for match in re.finditer("\n", text)]
    for line, code in inline_code(text):
        if code.startswith("starling ") and not is_mention(code):
            found.append((lines[line - 1], "run", Command(code, line)))
    return [(kind, what) for _, kind, what in sorted(found, key=lambda step: step[0])]


def slug(heading):
    """The anchor that GitHub gives a heading."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.strip().lower())
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


def anchors(text):
    """Every anchor of a page; equal headings are numbered."""
    names, seen = set(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", text)), {}
    for heading in re.findall(r"^#{1,6} +(.*?) *#*$", without_blocks(text), re.MULTILINE):
        name = slug(heading)
        seen[name] = seen.get(name, -1) + 1
        names.add(f"{name}-{seen[name]}" if seen[name] else name)
    return names


def links(text):
    """(line, target) of every link of a page that is not to another site."""
    prose = re.sub(r"`[^`\n]*`", lambda m: " " * len(m.group()), without_blocks(text))
    for match in LINK.finditer(prose):
        target = match.group(1) or match.group(2)
        if not re.match(r"[a-z]+:", target):
            yield line_of(prose, match.start()), target

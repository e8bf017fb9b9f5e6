"""Read the public headers, include/starling/**.h, as lists of declarations with their comments.

The headers are laid out by clang-format, so a line that begins in column 1 begins a declaration, a
comment or a directive. That is all this reader relies on.
"""
import dataclasses
import os
import re

FOLDER = "include/starling"
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
NAME_BEFORE_PARENTHESIS = re.compile(r"\b(\w+)\s*\(")
DIRECTIVE_NAME = re.compile(r"#\s*define\s+(\w+)(\(.*?\))?")


@dataclasses.dataclass
class Item:
    """One declaration: what it is, the names that it makes known, its text and what is said of it."""
    kind: str  # function, inline, variable, type, constants, macro, section
    names: list
    text: str
    line: int
    about: str = ""  # the comment above, else the one at its end
    joined: bool = False  # no blank line before it: the comment of the one above holds for it too

    def code(self):
        return " ".join(COMMENT.sub("", self.text).split())


@dataclasses.dataclass
class Header:
    path: str  # from the root of the tree
    title: str = ""  # first comment, without the file's name
    flow: str = ""
    rest: str = ""  # further paragraphs of the first comment
    source: str = ""
    items: list = dataclasses.field(default_factory=list)

    def module(self):
        return self.path[len(FOLDER) + 1:].split("/")[0].removesuffix(".h")


def strip_code(text):
    """C without comments and texts, so that words in them are not taken for uses; lines stay."""
    def blank(match):
        return "\n" * match.group().count("\n") if match.group()[0] == "/" else '""'
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, text, flags=re.DOTALL)


def paths(root):
    for path, folders, names in os.walk(os.path.join(root, FOLDER)):
        folders.sort()
        for name in sorted(names):
            if name.endswith(".h"):
                yield os.path.relpath(os.path.join(path, name), root)


def words_of(lines):
    """Comment lines as one text: the slashes gone, lines joined."""
    texts = (line.strip().removeprefix("//").strip() for line in lines)
    return " ".join(text for text in texts if not text.startswith("NOLINT")).strip()


def opening(header, lines):
    """Take the first comment apart: title, flow and what else it says."""
    paragraphs = [[]]
    for line in lines:
        if line.strip() == "//":
            paragraphs.append([])
        else:
            paragraphs[-1].append(line)
    texts = [words_of(paragraph) for paragraph in paragraphs if paragraph]
    if texts:
        header.title = re.sub(r"^\S+\.h - ", "", texts[0])
    for text in texts[1:]:
        if text.startswith("Flow:"):
            header.flow = text.removeprefix("Flow:").strip()
        else:
            header.rest = (header.rest + "\n\n" + text).strip()


def enumerators(code):
    body = code[code.index("{") + 1:code.rindex("}")]
    names, depth, part = [], 0, ""
    for letter in body + ",":
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            match = re.match(r"\s*(\w+)", part)
            names += [match.group(1)] if match else []
            part = ""
        else:
            part += letter
    return names


def type_names(code):
    """Names of `typedef ... Name;`, `struct Name {...};`."""
    tagged = re.match(r"(?:typedef )?(?:struct|enum|union) (\w+)", code)
    names = [tagged.group(1)] if tagged else []
    if code.startswith("typedef"):
        code = re.sub(r"{.*}", "", code)  # members
        found = (re.search(r"\(\s*\*\s*(\w+)\)\s*\(", code) or re.search(r"(\w+)\s*\([^()]*\);$", code)
                 or re.search(r"(\w+)(?:\[[^\]]*\])*;$", code))
        names = [found.group(1)] + [name for name in names if name != found.group(1)]
    return names


def variable_names(code):
    """Names of `extern const T a, b[3];`."""
    code = re.sub(r"\[[^\]]*\]", "", code.removesuffix(";"))
    return [re.search(r"(\w+)\s*$", part).group(1) for part in code.split(",")]


def classify(text, line):
    code = " ".join(COMMENT.sub("", text).split())
    if code.startswith("typedef") or re.match(r"(struct|union) \w+ {", code):
        item = Item("type", type_names(code), text, line)
        if re.search(r"\benum\b[^;]*{", code):
            item.names += enumerators(code)
        return item
    if code.startswith("enum"):
        return Item("constants", enumerators(code), text, line)
    if code.startswith("extern"):
        return Item("variable", variable_names(code), text, line)
    if code.startswith("static inline"):
        return Item("inline", [NAME_BEFORE_PARENTHESIS.search(code).group(1)], text, line)
    match = NAME_BEFORE_PARENTHESIS.search(re.sub(r"__attribute__\s*\(\(.*?\)\)|SL_PRINTF\(.*?\)", "", code))
    if match:
        return Item("function", [match.group(1)], text, line)
    return Item("unknown", [], text, line)


def is_complete(text):
    """Whether a declaration ends here: braces and parentheses closed, then ; or a function's }."""
    code = strip_code(text).strip()
    if code.count("{") != code.count("}") or code.count("(") != code.count(")"):
        return False
    return code.endswith(";") or (code.endswith("}") and code.startswith("static"))


def end_comment(text):
    """What stands behind a declaration of one line, or of one that ends in a comment."""
    lines = text.split("\n")
    if "{" in strip_code(text) and "\n" in text:
        return ""  # comments inside belong to the members
    return words_of([part[part.index("//"):] for part in lines if "//" in part])


def read(root, path):
    """The header at `path` as a Header."""
    header = Header(path)
    with open(os.path.join(root, path), encoding="utf-8") as file:
        header.source = file.read()
    lines = header.source.split("\n")
    first = 0
    while first < len(lines) and lines[first].startswith("//"):
        first += 1
    opening(header, lines[:first])

    above, joined, at = [], False, first
    while at < len(lines):
        line, begin = lines[at], at + 1
        at += 1
        if not line.strip():
            above, joined = [], False
        elif line.startswith("// ---"):
            header.items.append(Item("section", [], line.removeprefix("// ---").strip(), begin))
        elif line.startswith("//"):
            above.append(line)
        elif line.startswith("#"):
            while line.endswith("\\"):
                line += "\n" + lines[at]
                at += 1
            match = DIRECTIVE_NAME.match(line)
            if match:
                comment = line[line.index("//"):] if "//" in line and "\n" not in line else ""
                header.items.append(Item("macro", [match.group(1)], line, begin, words_of(above or [comment]), joined))
                above, joined = [], True
        elif line.strip() not in ("SL_API_BEGIN", "SL_API_END"):
            text = line
            while not is_complete(text) and at < len(lines):
                text += "\n" + lines[at]
                at += 1
            while at < len(lines) and re.match(r"\s+//", lines[at]):  # the comment behind it goes on
                text += "\n" + lines[at]
                at += 1
            item = classify(text, begin)
            behind = end_comment(text)
            item.about = " ".join(filter(None, [words_of(above), behind]))
            item.joined = joined and not item.about
            header.items.append(item)
            above, joined = [], True
    return header


def read_all(root):
    return [read(root, path) for path in paths(root)]

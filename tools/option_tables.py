"""option_tables.py - the rows of every option table of a source tree, for the tools that check and print them.

    rows(root)  -> Row(file, line, command, kind, name, low, high, help), as the macros SL_OPT_* have them
"""
import ast
import collections
import glob
import os
import re

Row = collections.namedtuple("Row", "file line command kind name low high help")
LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*"')
MACRO = re.compile(r"SL_OPT_(FLAG|WHOLE|REAL|TEXT|CHOICE)\(")
RANGES = {"WHOLE": (4, 5), "REAL": (4, 5)}  # places of the limits among the arguments
HELP = {"FLAG": 3, "WHOLE": 7, "REAL": 7, "TEXT": 5, "CHOICE": 6}
COMMANDS = {"evaluator_options.h": "map, assign, learn, search", "workload_options.h": "eval, map, list networks",
            "choices.h": "map, assign, learn", "bench.h": "bench",
            "command.h": "every command", "engine_options.c": "train, profile", "particle_world.c": "train",
            "world_tag.c": "train", "world_adversary.c": "train"}
CONSTANTS = {"INT32_MAX": 2147483647, "INFINITY": float("inf")}


def split(text):
    """The arguments of a macro up to its closing parenthesis, and where that is."""
    parts, start, depth, i = [], 0, 1, 0
    while i < len(text):
        literal = LITERAL.match(text, i)
        if literal:
            i = literal.end()
            continue
        depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(text[i], 0)
        if depth == 0 or (depth == 1 and text[i] == ","):
            parts.append(text[start:i].strip())
            start = i + 1
        if depth == 0:
            return parts, i
        i += 1
    return parts, i


def words(argument):
    """The literals of an argument as one text; names of macros between them become X."""
    pieces = re.split(r'("(?:[^"\\\n]|\\.)*")', argument)
    return "".join(p[1:-1] if p.startswith('"') else "X" * bool(re.search(r"\w", p)) for p in pieces).replace("\\n", "\n")


def constants(root):
    found = dict(CONSTANTS)
    for path in glob.glob(os.path.join(root, "include/starling/**/*.h"), recursive=True):
        with open(path, encoding="utf-8") as file:
            found.update((name, int(n)) for name, n in re.findall(r"\b(SL_\w+) = (\d+)\b", file.read()))
    return found


def number(text, names):
    """A limit as C writes it: 1 << 30, 1e12, SL_TRAIN_MAX; None if it cannot be told."""
    for name in re.findall(r"[A-Z]\w+", text):
        if name not in names:
            return None
        text = text.replace(name, repr(names[name]).replace("inf", "1e999"))
    try:
        tree = ast.parse(text, mode="eval")
        return eval(compile(tree, "limit", "eval"), {"__builtins__": {}})  # pylint: disable=eval-used
    except (SyntaxError, TypeError):
        return None


def command_of(path):
    base = os.path.basename(path)
    if base in COMMANDS:
        return COMMANDS[base]
    match = re.match(r"(cmd|bench)_(\w+)\.c$", base)
    if match:
        return match[2] if match[1] == "cmd" else "bench " + match[2]
    return ""  # a table of a method


def rows_of(path, root, names):
    with open(path, encoding="utf-8") as file:
        text = file.read().replace("\\\n", " \n")
    for match in MACRO.finditer(text):
        before = text[text.rfind("\n", 0, match.start()) + 1:match.start()]
        if "#define" in before or "//" in before:
            continue
        kind = match[1]
        parts, _ = split(text[match.end():])
        if len(parts) <= HELP[kind] or not parts[1].startswith('"'):
            continue
        low, high = (number(parts[i], names) for i in RANGES[kind]) if kind in RANGES else (None, None)
        yield Row(os.path.relpath(path, root), text.count("\n", 0, match.start()) + 1, command_of(path), kind, words(parts[1]),
                  low, high, words(parts[HELP[kind]]))


def rows(root):
    names = constants(root)
    paths = [p for folder in ("programs", "src") for end in ("c", "h")
             for p in glob.glob(os.path.join(root, folder, "**/*." + end), recursive=True)]
    return [row for path in sorted(paths) for row in rows_of(path, root, names)]

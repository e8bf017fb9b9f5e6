#!/usr/bin/env python3
"""Write docs/api.md from the public headers.

    make_api.py [ROOT]            writes docs/api.md
    make_api.py [ROOT] --check    exit code 1 if it is not what would be written
"""
import argparse
import os
import re
import sys

import check_modules
import public_headers

TOP = """# The library, header by header

Made by `tools/make_api.py` from the comments of `include/starling`; a test keeps it current. To change a sentence, change the header.

Include a module's front door, `#include <starling/MODULE.h>`, and link with `pkg-config --cflags --libs starling`; C and C++ alike.
Which module may use which, and the rules of this interface: [architecture.md](architecture.md). The headers have the members of every type.
`examples/` reads as a course. Modules stand in the order in which they build on each other.
"""


def escape(text):
    """Comment text as Markdown: names of the interface as code, nothing taken for markup."""
    text = re.sub(r"\(docs/([\w/.-]+\.md)\)", r"([\1](\1))", text)
    parts = re.split(r"(`[^`]*`|\[[\w/.-]+\.md\]\([\w/.-]+\.md\))", text)
    for at in range(0, len(parts), 2):
        part = re.sub(r"([\\*<]|(?<!\w)_|_(?!\w))", r"\\\1", parts[at])
        parts[at] = re.sub(r"(?<![\w\\])((?:sl_|Sl|SL_)\w+)", r"`\1`", part)
    return "".join(parts)


def sentence(text):
    return escape(text[:1].upper() + text[1:])


def signature(item):
    code = re.sub(r"\s*SL_PRINTF\([^)]*\)", "", item.code())
    code = re.sub(r"SL_AT_LEAST\((\w+)\)", r"\1", code)
    if item.kind == "inline":
        code = code[:code.index("{")]
    return code.strip().removesuffix(";").replace("static inline ", "")


def type_line(item):
    """`SlThing`: what it is; choices are listed, members are not."""
    code = item.code()
    name = item.names[0]
    values = [value for value in item.names if value.startswith("SL_") and not value.startswith("SL_N_")]
    words = [escape(item.about)] if item.about else []
    if values:
        words.append("One of " + ", ".join(f"`{value}`" for value in values) + ".")
    elif "{" not in code and "(" in code:
        words.append(f"`{signature(item)}`")
    elif "{" not in code and re.match(r"typedef (struct|union) ", code):
        words.append("Opaque." if not item.about else "")
    return f"- `{name}`" + (": " + " ".join(filter(None, words)) if any(words) else "")


def item_line(item):
    if item.kind == "type":
        return type_line(item)
    if item.kind == "constants":
        line = "- " + ", ".join(f"`{value}`" for value in
                                re.findall(r"SL_\w+(?: = [^,}]*[^,} ])?", item.code()[item.code().index("{"):]))
    elif item.kind == "macro":
        line = f"- `{re.match(r'#define (.*?)(?: |$)(?![^(]*[)])', item.text.split(chr(10))[0]).group(1)}`"
    else:
        line = f"- `{signature(item)}`"
    return line + (": " + escape(item.about) if item.about else "")


def sections(header):
    """Lines of a header's declarations; a struct is not announced before it is told."""
    told = {item.names[0] for item in header.items if item.kind == "type" and "{" in item.code()}
    for item in header.items:
        if item.kind == "section":
            yield f"\n**{escape(item.text)}**\n" if item.text else ""
        elif item.kind == "macro" and header.path.endswith("core/api.h"):
            continue
        elif item.kind == "type" and "{" not in item.code() and item.names[0] in told:
            continue
        elif item.kind != "unknown":
            yield item_line(item)


def document(root):
    headers = public_headers.read_all(root)
    order = [*check_modules.ALLOWED]
    modules = sorted({header.module() for header in headers},
                     key=lambda module: (order.index(module) if module in order else len(order), module))
    fronts = {header.module(): header for header in headers if header.path.count("/") == 2}
    out = [TOP, "\n".join(f"- [{module}](#{module}): {escape(fronts[module].title)}" for module in modules) + "\n"]
    for module in modules:
        mine = sorted((header for header in headers if header.module() == module),
                      key=lambda header: (header.path.count("/"), header.path))
        out.append(f"## {module}\n")
        for header in mine:
            name = header.path[len("include/"):]
            out.append(f"### [{name}](../{header.path})\n\n{sentence(header.title)}\n")
            if header.flow:
                out.append(f"Flow: {escape(header.flow)}\n")
            if header.rest:
                out.append(escape(header.rest) + "\n")
            lines = [*sections(header)]
            if lines:
                out.append(re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n") + "\n")
    return "\n".join(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", default=os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    path = os.path.join(arguments.root, "docs/api.md")
    text = document(arguments.root)
    if not arguments.check:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return 0
    now = ""
    if os.path.isfile(path):
        with open(path, encoding="utf-8") as file:
            now = file.read()
    print("docs/api.md is current" if now == text else "docs/api.md:1: is not what the headers say; run tools/make_api.py")
    return int(now != text)


if __name__ == "__main__":
    sys.exit(main())

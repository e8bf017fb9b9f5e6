#!/usr/bin/env python3
"""Run the commands of a guide and compare what they print with what the guide shows.

    guide.py STARLING GUIDE.md             exit code 1 and the differences if there are any
    guide.py STARLING GUIDE.md --update    write what the commands print into the guide

A block of ```console holds one command ("$ starling ...") and its output; a line "..." stands for
lines left out. Commands run in a folder of their own, one after the other.
"""
import os
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"(?<=^```console\n)\$ (.*)\n((?:.*\n)*?)(?=^```$)", re.MULTILINE)


def run(program, command, folder):
    path = os.path.dirname(os.path.abspath(program)) + os.pathsep + os.environ["PATH"]
    done = subprocess.run(["bash", "-c", command], cwd=folder, env={**os.environ, "PATH": path}, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout.decode().splitlines()


def shown(lines, example):
    """As many first and last lines as the example has around its '...'."""
    if "..." not in example:
        return lines
    head = example.index("...")
    tail = len(example) - head - 1
    return lines[:head] + ["..."] + lines[len(lines) - tail:]


def main():
    program, guide = sys.argv[1:3]
    with open(guide, encoding="utf-8") as file:
        text = file.read()
    faults = []

    with tempfile.TemporaryDirectory() as folder:
        def fresh(match):
            example = match.group(2).splitlines()
            lines = shown(run(program, match.group(1), folder), example)
            if lines != example:
                faults.append("\n".join([f"$ {match.group(1)}", "--- the guide", *example, "--- now", *lines]))
            return f"$ {match.group(1)}\n" + "".join(line.rstrip() + "\n" for line in lines)

        text, n = BLOCK.subn(fresh, text)
    if "--update" in sys.argv:
        with open(guide, "w", encoding="utf-8") as file:
            file.write(text)
    elif faults or n == 0:
        sys.exit("\n\n".join(faults) or f"{guide} has no commands")
    print(f"{guide}: {n} commands, {len(faults)} {'updated' if '--update' in sys.argv else 'differences'}")


if __name__ == "__main__":
    main()

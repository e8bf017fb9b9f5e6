#!/usr/bin/env python3
"""Check that every #include points the way the modules allow.

    check_modules.py [ROOT]      prints file:line: what is wrong; exit code 1 if anything is

The table below is the one of docs/architecture.md. A module may include its own headers and the
front doors of the modules in its row; programs and bindings see public headers only; a header under
src/ is private to its module. Tests are exempt.
"""
import os
import re
import sys

ALLOWED = {
    "core": "",
    "approx": "core",
    "draw": "core",
    "assign": "core",
    "workload": "core",
    "accel": "core",
    "mapping": "core workload accel",
    "cost": "core workload accel mapping",
    "network": "core workload accel mapping cost",
    "vta": "core workload",
    "kernel": "core workload accel mapping",
    "task": "core approx workload accel mapping cost vta kernel",
    "prove": "core workload accel mapping cost task",
    "search": "core mapping task approx",
    "learn": "core mapping task approx",
    "job": "core approx draw assign workload accel mapping cost network vta kernel task prove search learn",
    "study": "core approx draw assign workload accel mapping cost network vta kernel task prove search learn job",
    "report": "core draw assign workload accel mapping cost network vta kernel task prove search learn job study",
}
ALLOWED = {module: set(row.split()) for module, row in ALLOWED.items()}
OUTSIDE = {"programs", "bindings"}  # may use every front door, nothing else

# libraries behind a front door: core alone parses YAML and unpacks files; the outside builds JSON
# documents too; job keeps records, packed
THIRD_PARTY = {
    "yaml.h": {"core"},
    "jansson.h": {"core"} | OUTSIDE,
    "sqlite3.h": {"job"},
    "zlib.h": {"core", "job"},
}

# what task.h lets through must not be called there: every evaluation is counted by task
COUNTED = {"search", "learn"}
UNCOUNTED_CALL = re.compile(r"\bsl_(cost|counts|pricer|maestro)_\w+\s*\(")
# nor what measures a point of a task: methods ask, job evaluates
MEASURING_CALL = re.compile(r"\bsl_(task_eval\w*|task_replay|vta_time\w*|vta_execute|kernel_measure\w*)\s*\(")

INCLUDE = re.compile(r'\s*#\s*include\s*["<]([^">]+)[">]')


def c_files(root, folder):
    for path, folders, names in os.walk(os.path.join(root, folder)):
        folders.sort()
        for name in sorted(names):
            if name.endswith((".c", ".h")):
                yield os.path.relpath(os.path.join(path, name), root)


def module_of(path):
    """The module a file belongs to: src/cost/a.c, include/starling/cost.h -> cost; programs/a.c -> programs."""
    parts = path.split("/")
    if parts[0] == "src":
        return parts[1] if len(parts) > 2 else None
    if parts[:2] == ["include", "starling"] and len(parts) > 2:
        return parts[2].removesuffix(".h")
    return parts[0] if parts[0] in OUTSIDE else None


def resolve(root, path, target):
    """The file of the tree that `target` in `path` names, or None for a system header."""
    for folder in (os.path.dirname(path), "include", "src", "programs"):
        found = os.path.normpath(os.path.join(folder, target))
        if os.path.isfile(os.path.join(root, found)):
            return found
    return None


def fault(root, path, target):
    """Why `path` may not include `target`, or None."""
    module = module_of(path)
    if target in THIRD_PARTY and module not in THIRD_PARTY[target]:
        owner = "core" if "core" in THIRD_PARTY[target] else "study"
        return f"{target} belongs to module {owner}; use its front door"
    found = resolve(root, path, target)
    if found is None:
        return f'"{target}" does not exist' if target.startswith("starling/") else None
    other = module_of(found)
    public = found.startswith("include/")
    if not public and (other != module or path.startswith("include/")):
        return f"{found} is private to {other}; include a front door, starling/<module>.h"
    if other == module or module in OUTSIDE:
        return None
    if other not in ALLOWED.get(module, set()):
        return f"module {module} may not include {other} (allowed: {' '.join(sorted(ALLOWED[module])) or 'none'})"
    return None


def check_includes(root):
    for folder in ("include", "src", "programs", "bindings"):
        for path in c_files(root, folder):
            module = module_of(path)
            if module not in ALLOWED and module not in OUTSIDE:
                yield f"{path}:1: '{module}' is not a module (tools/check_modules.py lists them)"
                continue
            with open(os.path.join(root, path), encoding="utf-8", errors="replace") as lines:
                for number, line in enumerate(lines, 1):
                    match = INCLUDE.match(line)
                    reason = match and fault(root, path, match.group(1))
                    if not reason and module in COUNTED and UNCOUNTED_CALL.search(line):
                        reason = f"module {module} may not price a mapping; ask through sl_task_eval"
                    if not reason and module in COUNTED and MEASURING_CALL.search(line):
                        reason = f"module {module} may not measure a point; tuners ask and are told"
                    if reason:
                        yield f"{path}:{number}: {reason}"


def check_front_doors(root):
    for module in sorted({module_of(path) for path in c_files(root, "src")} & set(ALLOWED)):
        if not os.path.isfile(os.path.join(root, "include/starling", module + ".h")):
            yield f"src/{module}:1: module {module} has no front door include/starling/{module}.h"


def main():
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    root = sys.argv[1] if len(sys.argv) > 1 else here
    faults = [*check_includes(root), *check_front_doors(root)]
    print("\n".join(faults) if faults else "modules: every include points the right way")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

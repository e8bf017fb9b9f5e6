#!/usr/bin/python3
"""Check certificates of `starling map --prove` without the solver: Python and NumPy alone.

    check_certificate.py FILE|DIR... [--quick]

A DIR is a run of `starling map`: every result of its map.json must be what its certificate says, none may be missing,
and none in certificates/ may belong to no result (certificate/run.py). For every file (docs/formats/certificate.md):
  1. it is read strictly                                              certificate/reader.py
  2. its mapping is priced by the plain recursion, and must fit       certificate/model.py
  3. lists and branches are made again from their definitions         certificate/space.py
  4. every branch is walked: no mapping of it is below the bound      certificate/bounds.py, walk.py
With --quick all but the last. The walk uses bounds of its own, each proven where it stands; only the
conclusion must agree with the solver's. Prints one line per file, with the space that the bound holds for. Exit code:
0 every claim holds, 1 one does not, 2 a file cannot be read, 3 something that this checker does not cover.
"""
import math
import os
import sys
import time

try:
    import numpy  # noqa: F401
except ImportError:
    sys.exit("check_certificate.py: needs NumPy (Debian: python3-numpy)")

from certificate.bounds import Quantities
from certificate.model import Nest
from certificate.reader import DIMS, WHOLE, Certificate, Uncovered, Unreadable, Untrue
from certificate.run import Run
from certificate.space import branches_of, check_lists, space_text
from certificate.walk import NEAR, Branch


COSTS = ("latency", "energy", "value")  # have lines of their own


def near(a, b):
    return a == b or abs(a - b) <= NEAR * max(abs(a), abs(b))


def check_mapping(cert):
    """The mapping fits and costs what the file says."""
    nest = Nest(cert, cert.mapping)
    if nest.misfit():
        raise Untrue(f"the mapping does not fit: {nest.misfit()}")
    counts, cycles, latency, energy = nest.price()
    found = {"cycles": cycles}
    for l in range(1, cert.L + 1):
        found.update({f"{kind}-{l}-{t}": counts[l][kind, t] for kind in ("fill", "pread") for t in nest.keeps[l]})
        found[f"upd-{l}"] = counts[l]["upd"]
    found.update(latency=latency, energy=energy, value=cert.goal_value(latency, energy))
    pairs = (word.partition("=")[::2] for word in cert.counts.split(" "))
    stated = {name: float(number) if WHOLE.fullmatch(number) else math.nan for name, number in pairs}
    stated = {**stated, "latency": cert.latency, "energy": cert.energy, "value": cert.value}
    if set(found) != set(stated):
        raise Untrue(f"the counts are not those of the mapping: {' '.join(sorted(set(found) ^ set(stated)))}")
    for name, value in stated.items():
        if not near(found[name], value):
            raise Untrue(f"{name} of the mapping is {found[name]:.17g}, not {value:.17g}")
    if cert.counts != " ".join(f"{name}={found[name]:.0f}" for name in found if name not in COSTS):
        raise Untrue("the counts are not in their order, or written otherwise")


def check_branches(cert):
    """Every branch is there; returns them as defined."""
    branches = list(branches_of(cert))
    for i, spread in enumerate(branches):
        ordered = sorted(spread, key=lambda one: (one[0], one[1] != "c", one[1], DIMS.index(one[2])))
        text = " ".join(f"{f}{where}:{d}*{n}" for f, where, d, n in ordered if n > 1)
        if i >= len(cert.branches) or cert.branches[i][0] != text:
            raise Untrue(f"branch {i} is missing or changed, expected '{text}'")
    if len(cert.branches) > len(branches):
        raise Untrue(f"branch {len(branches)} is none of the space")
    least = min(bound for _, bound in cert.branches)
    if not near(least, cert.bound):
        raise Untrue(f"the least bound of the branches is {least:.17g}, not {cert.bound:.17g}")
    return branches


def check(text, quick=False):
    """(certificate, branches whose tiles were looked at); raises what is wrong."""
    cert = Certificate(text)
    if cert.L > 3:
        raise Uncovered(f"{cert.L} levels on chip, at most 3 are covered")
    check_mapping(cert)
    check_lists(cert)
    branches = check_branches(cert)
    if quick:
        if cert.value < cert.bound * (1 - NEAR):
            raise Uncovered("the mapping is below the bound; only the walk tells whether it lies outside the space")
        return cert, 0
    quantities, cache = Quantities(cert), {}
    return cert, sum(Branch(cert, spread, quantities, cache).close() for spread in branches)


def report(name, quick, run=None, layer=None):
    """One line for a file, as the proof of a layer of a run or by itself; returns the exit code."""
    start, whose = time.time(), f"layer {layer['name']}: " if layer else ""
    try:
        with open(name, encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            cert, walked = check(file.read(), quick)
        if run:
            run.compare(cert, layer)
    except Untrue as reason:
        print(f"FALSE {name}: {whose}{reason}", flush=True)
        return 1
    except (OSError, Unreadable) as reason:
        print(f"check_certificate.py: {name}: {reason}", file=sys.stderr)
        return 2
    except Uncovered as reason:
        print(f"not covered {name}: {whose}{reason}", flush=True)
        return 3
    gap = max(cert.value / cert.bound - 1, 0) * 100 if cert.bound else math.inf
    print(f"ok {name}: {whose}value {cert.value:.6g}, bound {cert.bound:.6g}, gap {gap:.3g} %, "
          f"{len(cert.branches)} branches, {walked} walked, {time.time() - start:.1f} s, "
          f"{'not walked' if quick else 'proven'} in {space_text(cert, run.constraints if run else None)}", flush=True)
    return 0


def report_run(folder, quick):
    """A line per certificate and per result without one; returns the exit codes."""
    try:
        run = Run(folder)
    except (OSError, Unreadable) as reason:
        print(f"check_certificate.py: {folder}: {reason}", file=sys.stderr)
        return {2}
    inside = os.path.join(folder, "certificates")
    names = sorted(os.listdir(inside)) if os.path.isdir(inside) else []
    files = [f"certificates/{name}" for name in names if name.endswith(".cert")]
    codes = set()
    for file in files:
        if file in run.files:
            codes.add(report(os.path.join(folder, file), quick, run, run.files[file]))
        else:
            print(f"FALSE {os.path.join(folder, file)}: no layer of the run has it as its proof", flush=True)
            codes.add(1)
    for layer, reason in run.faults(files):
        print(f"FALSE {folder}: layer {layer}: {reason}", flush=True)
        codes.add(1)
    if not codes:
        print(f"check_certificate.py: {folder}: expected certificates, as 'starling map --prove' writes them",
              file=sys.stderr)
        codes.add(2)
    return codes


def main(arguments):
    names, quick = [name for name in arguments if name != "--quick"], "--quick" in arguments
    if not names or any(name.startswith("-") for name in names):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    codes = set()
    for name in names:
        codes |= report_run(name, quick) if os.path.isdir(name) else {report(name, quick)}
    return next((code for code in (1, 2, 3) if code in codes), 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

#!/usr/bin/python3
"""Check certificates of `starling map --prove` without the solver: Python and NumPy alone.

    check_certificate.py FILE... [--quick]

For every file (docs/formats/certificate.md):
  1. it is read strictly                                              certificate/reader.py
  2. its mapping is priced by the plain recursion, and must fit       certificate/model.py
  3. lists and branches are made again from their definitions         certificate/space.py
  4. every branch is walked: no mapping of it is below the bound      certificate/bounds.py, walk.py
With --quick all but the last. The walk uses bounds of its own, each proven where it stands; only the
conclusion must agree with the solver's. Prints one line per file. Exit code: 0 every claim holds, 1 one
does not, 2 a file cannot be read, 3 something that this checker does not cover.
"""
import sys
import time

try:
    import numpy  # noqa: F401
except ImportError:
    sys.exit("check_certificate.py: needs NumPy (Debian: python3-numpy)")

from certificate.bounds import Quantities
from certificate.model import Nest
from certificate.reader import Certificate, Uncovered, Unreadable, Untrue
from certificate.space import branches_of, check_lists
from certificate.walk import NEAR, Branch


def near(a, b):
    return a == b or abs(a - b) <= NEAR * max(abs(a), abs(b))


def check_mapping(cert):
    """The mapping fits and costs what the file says."""
    nest = Nest(cert, cert.mapping)
    if nest.misfit():
        raise Untrue(f"the mapping does not fit: {nest.misfit()}")
    counts, cycles, latency, energy = nest.price()
    found = {"cycles": cycles, "latency": latency, "energy": energy, "value": cert.goal_value(latency, energy)}
    for l in range(1, cert.L + 1):
        found.update({f"{kind}-{l}-{t}": counts[l][kind, t] for kind in ("fill", "pread") for t in nest.keeps[l]})
        found[f"upd-{l}"] = counts[l]["upd"]
    stated = {**cert.counts, "latency": cert.latency, "energy": cert.energy, "value": cert.value}
    if set(found) != set(stated):
        raise Untrue(f"the counts are not those of the mapping: {' '.join(sorted(set(found) ^ set(stated)))}")
    for name, value in stated.items():
        if not near(found[name], value):
            raise Untrue(f"{name} of the mapping is {found[name]:.17g}, not {value:.17g}")


def check_branches(cert):
    """Every branch is there; returns them as defined."""
    branches = list(branches_of(cert))
    for i, spread in enumerate(branches):
        if i >= len(cert.branches) or cert.branches[i][0] != frozenset(one for one in spread if one[3] > 1):
            text = " ".join(f"{f}{where}:{d}*{n}" for f, where, d, n in sorted(spread) if n > 1)
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


def report(name, quick):
    """One line; returns the exit code."""
    start = time.time()
    try:
        with open(name, encoding="utf-8") as file:
            cert, walked = check(file.read(), quick)
    except Untrue as reason:
        print(f"FALSE {name}: {reason}", flush=True)
        return 1
    except (OSError, UnicodeDecodeError, Unreadable) as reason:
        print(f"check_certificate.py: {name}: {reason}", file=sys.stderr)
        return 2
    except Uncovered as reason:
        print(f"not covered {name}: {reason}", flush=True)
        return 3
    gap = max(cert.value / cert.bound - 1, 0) * 100
    print(f"ok {name}: value {cert.value:.6g}, bound {cert.bound:.6g}, gap {gap:.3g} %, {len(cert.branches)} branches, "
          f"{walked} walked, {time.time() - start:.1f} s", flush=True)
    return 0


def main(arguments):
    names = [name for name in arguments if name != "--quick"]
    if not names or any(name.startswith("-") for name in names):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    codes = {report(name, "--quick" in arguments) for name in names}
    return next((code for code in (1, 2, 3) if code in codes), 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

#!/usr/bin/env python3
"""Mappings priced by a cache simulator: the nest becomes a C program that runs under Valgrind's Cachegrind.

Install: apt install gcc libc6-dev valgrind
Run:     starling map conv:K=32,C=32,P=28,Q=28,R=3,S=3 --evaluator './cachegrind.py cycles'

    cachegrind.py [cycles|mem] [--d1 SIZE,WAYS,LINE] [--ll SIZE,WAYS,LINE]

cycles = instructions + 10 x D1 misses + 100 x LL misses, KCachegrind's estimate; mem = the misses alone.
There is one C loop per loop of the nest, in its order. Storage boundaries are ignored, since a cache decides
itself what it keeps, and what is spread over instances runs in turn: the machine is one core with two caches.
The compiler is part of the value: compare numbers of one gcc only. Times per call are in README.md.
"""
import argparse
import os
import shutil
import subprocess
import tempfile

from serve import Refused, serve

DIMS = "NGKCPQRS"
TIME_LIMIT = 600  # seconds per program
# The arrays are not static: gcc folds static arrays that nobody writes to zero, and the misses with them.
SOURCE = """
#define MIN(a, b) ((a) < (b) ? (a) : (b))
enum {{ {extents} }};
float W[G][K][C][R][S], I[N][G][C][(P - 1) * {sy} + (R - 1) * {dy} + 1][(Q - 1) * {sx} + (S - 1) * {dx} + 1];
float O[N][G][K][P][Q];

int main(void) {{
    enum {{ n = 0, g = 0, k = 0, c = 0, p = 0, q = 0, r = 0, s = 0 }}; // dims without a loop
{loops}
    O[n][g][k][p][q] += W[g][k][c][r][s] * I[n][g][c][p * {sy} + r * {dy}][q * {sx} + s * {dx}];
    return 0;
}}
"""


def c_loops(request):
    """The nest as C: a loop begins where the loop outside it over the same dim stands and ends with that one's tile."""
    lines, tile = [], dict(request["layer"]["dims"])
    begin, end = dict.fromkeys(DIMS, "0"), {dim: dim for dim in DIMS}
    for number, loop in enumerate(request["loops"]):
        dim, step = loop["dim"], loop["tile"]
        last = step == 1 and tile[dim] > 1  # the loop that moves the index itself
        at, stop = dim.lower() if last else f"{dim.lower()}{number}", f"end{number}"
        lines.append(f"    for (int {at} = {begin[dim]}, {stop} = {end[dim]}; {at} < {stop}; {at} += {step})")
        begin[dim], end[dim] = at, f"MIN({stop}, {at} + {step})"  # the last tile may be a part of one
        tile[dim] = step
    whole = [dim for dim in DIMS if tile[dim] > 1]
    if whole:
        raise Refused(f"the nest has no loop with tiles of 1 over {' '.join(whole)}")
    return "\n".join(lines)


def program(request):
    layer = request["layer"]
    (sy, sx), (dy, dx) = layer["stride"], layer["dilation"]
    extents = ", ".join(f"{dim} = {layer['dims'][dim]}" for dim in DIMS)
    return SOURCE.format(extents=extents, loops=c_loops(request), sy=sy, sx=sx, dy=dy, dx=dx)


def simulate(source, options, folder):
    """Events of a run by name. No shared libraries, no environment, one relative path: nothing else moves the numbers."""
    compile_it = ["gcc", "-O2", "-static", "-x", "c", "-", "-o", "nest"]
    subprocess.run(compile_it, cwd=folder, input=source, text=True, check=True)
    caches = ["--I1=32768,8,64", f"--D1={options.d1}", f"--LL={options.ll}"]
    output = ["--cachegrind-out-file=events", "--log-file=log"]
    command = [shutil.which("valgrind"), "--tool=cachegrind", "--cache-sim=yes", *caches, *output, "./nest"]
    try:
        subprocess.run(command, cwd=folder, env={}, check=True, timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired:
        raise Refused(f"the program ran longer than {TIME_LIMIT} s") from None
    return events_of_main(os.path.join(folder, "events"))


def events_of_main(path):
    """Sums of the lines below fn=main: the loops, without what the C library does before them."""
    names, counts, function = [], [], ""
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("events:"):
                names = line.split()[1:]
            elif line.startswith("fn="):
                function = line.strip()
            elif function == "fn=main" and line[0].isdigit():
                counts.append([int(count) for count in line.split()[1:]])
    return {name: sum(column) for name, column in zip(names, zip(*counts))}


def price(request, options):
    with tempfile.TemporaryDirectory() as folder:
        count = simulate(program(request), options, folder)
    misses = 10 * (count["D1mr"] + count["D1mw"]) + 100 * (count["ILmr"] + count["DLmr"] + count["DLmw"])
    return misses + (count["Ir"] if options.what == "cycles" else 0)


def main():
    parser = argparse.ArgumentParser(description="Mappings priced by Cachegrind.")
    parser.add_argument("what", nargs="?", default="cycles", choices=["cycles", "mem"])
    parser.add_argument("--d1", default="4096,4,64", help="first-level data cache (default: %(default)s)")
    parser.add_argument("--ll", default="65536,8,64", help="last-level cache (default: %(default)s)")
    options = parser.parse_args()
    for program_name in ("gcc", "valgrind"):
        if not shutil.which(program_name):
            parser.error(f"{program_name} is not installed")
    serve(lambda request: price(request, options))


if __name__ == "__main__":
    main()

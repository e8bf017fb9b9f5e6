#!/usr/bin/python3
"""One MADDPG or MASAC round of all trainers in PyTorch, timed phase by phase: what Starling is compared with.

    maddpg_torch.py [--agents N] [--env tag|spread] [--algo maddpg|masac] [--layout LAYOUT] [--json] ...
    maddpg_torch.py --check DIR      agrees with the rounds recorded there (tests/data/marl) to 1e-10 in float64?

Layout `list` does what the first public MADDPG code does (README.md): a Python list of tuples per agent, rows of its own
for every agent, one agent after the other. `array` keeps float32 arrays instead; `compiled` has joint rows and torch.compile. `fused`
is another algorithm: one draw of rows for all agents and all agents at once (fused_torch.py); `fused-compiled` the same by torch.compile.
Exit code 77 without PyTorch, or without a compiler for `compiled`.
"""
import gc
import os
import sys

import rounds

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):  # read when the libraries are loaded
    os.environ.setdefault(_name, "1")
try:
    import torch

    import agents_torch
    import blas
except ImportError as missing:
    print(f"maddpg_torch.py: skipped, it needs {missing.name} (README.md says how to install it)", file=sys.stderr)
    sys.exit(77)

LAYOUTS = ("list", "array", "compiled", "fused", "fused-compiled")


def make_learner(options, fill, wide):
    if options.layout in ("list", "array"):
        return agents_torch.AgentByAgent(options, fill, wide)
    if options.layout == "fused":
        from fused_torch import Fused

        return Fused(options, fill, wide)
    if not hasattr(torch, "compile") or not hasattr(torch, "func"):
        print(f"maddpg_torch.py: skipped, torch.compile needs PyTorch 2.3 or later, this is {torch.__version__}", file=sys.stderr)
        sys.exit(77)
    import compiled_torch

    return (compiled_torch.OneByOne if options.layout == "compiled" else compiled_torch.AllAtOnce)(options, fill, wide)


def main():
    options = rounds.read_options(__doc__, LAYOUTS, ("list", "array"))
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    if options.check:
        from golden_update import check

        return check(options.check)
    found, speed = blas.name(torch), blas.gflops(torch.matmul, torch.rand)
    if blas.refuse(found, speed, options, "maddpg_torch.py"):
        return 1
    about = {"program": "maddpg_torch", "version": f"PyTorch {torch.__version__}", "blas": f"{found}, {speed:.0f} GFLOP/s"}
    gc.disable()  # the fill makes millions of tuples; there are no cycles to find
    fill = rounds.fill_of(options)
    return rounds.run(options, about, make_learner(options, fill, rounds.observed(options.env, options.agents)), fill)


if __name__ == "__main__":
    sys.exit(main())

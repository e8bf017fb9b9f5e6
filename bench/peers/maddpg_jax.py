#!/usr/bin/env python3
"""One MADDPG round of all trainers in JAX (jit, vmap), timed: what Starling is compared with.

    maddpg_jax.py [--agents N] [--env tag|spread] [--layout jax|jax-fused] [--json] ...
    maddpg_jax.py --check DIR      agrees with the rounds recorded there (tests/data/marl) to 1e-10 in float64?

Layout `jax` updates one agent after the other, each from rows of its own. `jax-fused` draws rows once and updates all agents at once.
Exit code 77 without JAX.
"""
import os
import sys

import rounds

options = rounds.read_options(__doc__, ("jax", "jax-fused"), ())
if options.threads == 1:  # before JAX makes its threads: one core has one
    os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_cpu_multi_thread_eigen=false --xla_cpu_enable_concurrency_optimized_scheduler=false"
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
os.environ.setdefault("JAX_PLATFORMS", "cpu")
try:
    import jax

    import rounds_jax
except ImportError as missing:
    print(f"maddpg_jax.py: skipped, it needs {missing.name} (pip install -r bench/peers/requirements.txt)", file=sys.stderr)
    sys.exit(77)


def main():
    if options.check:
        import golden_jax

        return golden_jax.check(options.check)
    fill, wide = rounds.fill_of(options), rounds.observed(options.env, options.agents)
    learner = (rounds_jax.OneByOne if options.layout == "jax" else rounds_jax.AllAtOnce)(options, fill, wide)
    about = {"program": "maddpg_jax", "version": f"JAX {jax.__version__}", "blas": "XLA"}
    return rounds.run(options, about, learner, fill)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""The smallest evaluator of mappings, to copy and change: words moved if no tile were ever kept.

Install: nothing but Python 3.8.  Run: starling map resnet18:conv2_1 --evaluator ./minimal.py
A request is a line of JSON on standard input, the reply one on standard output, smaller is better.
Protocol and larger examples: README.md in this folder.
"""
import json
import math
import sys

for line in sys.stdin:
    request, words = json.loads(line), 0
    for level, t in enumerate(request["tiles"]):  # one tile per memory on chip, outermost first
        weights = t["G"] * t["K"] * t["C"] * t["R"] * t["S"]
        inputs = t["N"] * t["G"] * t["C"] * (t["P"] + t["R"] - 1) * (t["Q"] + t["S"] - 1)
        outputs = t["N"] * t["G"] * t["K"] * t["P"] * t["Q"]
        steps = math.prod(loop["trips"] for loop in request["loops"] if loop["level"] <= level)
        words += steps * (weights + inputs + outputs)
    print(json.dumps({"id": request["id"], "value": words}), flush=True)

#!/usr/bin/env python3
"""What ZigZag says of mappings on `eyeriss`: a second opinion on Starling's latency, energy and EDP.

Install: python3 -m venv zigzag && zigzag/bin/pip install zigzag-dse six     (Python 3.11 or later)
Run:     starling map resnet18:conv2_1 --objective edp --evaluator 'zigzag/bin/python second_opinion.py'

The nest is given to ZigZag's cost model as it is; ZigZag searches nothing. It knows whole tiles only, so dims
are padded to the product of their trip counts. Energy is then scaled by the share of MACs that are real, latency
by the share of steps. Where all tiles divide nothing is scaled.
"""
import functools
import logging
import math

from serve import Refused, serve
from zigzag.cost_model.cost_model import CostModelEvaluation
from zigzag.datatypes import LayerDim, LayerOperand
from zigzag.hardware.architecture.memory_port import DataDirection
from zigzag.mapping.spatial_mapping_internal import SpatialMappingInternal
from zigzag.mapping.temporal_mapping import TemporalMapping, TemporalMappingType
from zigzag.parser.accelerator_factory import AcceleratorFactory
from zigzag.parser.accelerator_validator import AcceleratorValidator
from zigzag.parser.workload_factory import LayerNodeFactory

DIMS = {"N": "B", "G": "G", "K": "K", "C": "C", "P": "OY", "Q": "OX", "R": "FY", "S": "FX"}
OPERANDS = [LayerOperand(name) for name in ("O", "W", "I")]
LINK_PJ = 2  # a word on its way from L2 to an L1; ZigZag has no such cost
WORD = 8     # bits
BELOW, ABOVE = ["I1, tl", "I2, tl", "O, tl", "O, fl"], ["I1, fh", "I2, fh", "O, fh", "O, th"]


def memory(words, energy_pj, served, *ports):
    """A memory whose ports move `words` a cycle. ZigZag's costs are per access of a whole port. The size is out
    of reach, so that transfers overlap with work, as on eyeriss; whether tiles fit is checked before."""
    ports = [{"name": f"rw_port_{number}", "type": "read_write", "bandwidth_min": WORD, "bandwidth_max": words * WORD,
              "allocation": moves} for number, moves in enumerate(ports, 1)]
    return {"size": 2**50, "r_cost": energy_pj * words, "w_cost": energy_pj * words, "area": 0, "latency": 1,
            "operands": ["I1", "I2", "O"], "ports": ports, "served_dimensions": served}


def eyeriss():
    """data/accels/eyeriss.yaml in ZigZag's terms, innermost memory first."""
    data = {"name": "eyeriss",
            "memories": {"L1": memory(64, 1.0, [], *([move] for move in BELOW), ABOVE),
                         "L2": memory(64, 6.0, ["D1"], BELOW, ABOVE), "DRAM": memory(16, 200.0, ["D1"], BELOW + ABOVE)},
            "operational_array": {"unit_energy": 1.0, "unit_area": 0.0, "dimensions": ["D1"], "sizes": [168]}}
    return AcceleratorFactory(AcceleratorValidator(data).normalized_data).create()


def check(request):
    """Refuse what this description or ZigZag does not know."""
    if request["accel"]["name"] != "eyeriss":
        raise Refused("only the accelerator eyeriss is described here")
    if any(token[0] == "@" and token != "@7" for token in request["nest"].split()):
        raise Refused("only levels that keep W, I and O are described here")
    if request["layer"]["dilation"] != [1, 1]:
        raise Refused("dilated filters are not translated here")
    (sy, sx), width = request["layer"]["stride"], request["layer"]["word_bytes"]
    for level, t in zip(request["accel"]["levels"][1:], request["tiles"]):
        rows, columns = (t["P"] - 1) * sy + t["R"], (t["Q"] - 1) * sx + t["S"]
        need = t["G"] * (t["K"] * t["C"] * t["R"] * t["S"] * width["W"] + t["N"] * t["C"] * rows * columns * width["I"]
                         + t["N"] * t["K"] * t["P"] * t["Q"] * width["O"])
        if need > level["capacity_bytes"]:
            raise Refused(f"{level['name']} needs {need} B, has {level['capacity_bytes']} B")


def zigzag_layer(request, extents):
    (sy, sx), width = request["layer"]["stride"], request["layer"]["word_bytes"]
    precision = {"W": 8 * width["W"], "I": 8 * width["I"], "O": 8 * width["O"], "O_final": 8 * width["O"]}
    data = {"id": 0, "name": "layer", "operator_type": "Conv",
            "equation": "O[b][g][k][oy][ox]+=W[g][k][c][fy][fx]*I[b][g][c][iy][ix]",
            "dimension_relations": [f"iy={sy}*oy+1*fy", f"ix={sx}*ox+1*fx"],
            "loop_dims": list(DIMS.values()), "loop_sizes": [extents[dim] for dim in DIMS],
            "operand_precision": precision, "operand_source": {"W": 0, "I": 0}}
    links = {"memory_operand_links": {"O": "O", "W": "I2", "I": "I1"}, "temporal_ordering": []}
    return LayerNodeFactory(data, [{"name": "default", "spatial_mapping": None, **links}]).create()


def steps(extent, loops):
    """Iterations in time of one dim where the last tiles are parts of tiles, for the instance with most to do."""
    if not loops:
        return 1
    tile, inner = loops[0]["tile"], loops[1:]
    if loops[0]["spatial"]:
        return steps(min(tile, extent), inner)
    whole, rest = divmod(extent, tile)
    return whole * steps(tile, inner) + (steps(rest, inner) if rest else 0)


def loops_at(request, spatial):
    """Loops of a nest by level, each as ZigZag writes it. It counts levels and loops from the inside."""
    loops = [loop for loop in reversed(request["loops"]) if loop["spatial"] == spatial and loop["trips"] > 1]
    return [[(LayerDim(DIMS[loop["dim"]]), loop["trips"]) for loop in loops if loop["level"] == level]
            for level in (2, 1, 0)]


def evaluate(accel, request):
    """Latency in cycles and energy in pJ."""
    check(request)
    extents, nest = request["layer"]["dims"], {dim: [] for dim in DIMS}
    for loop in request["loops"]:
        nest[loop["dim"]].append(loop)
    padded = {dim: math.prod(loop["trips"] for loop in nest[dim]) for dim in DIMS}
    layer, in_time, in_space = zigzag_layer(request, padded), loops_at(request, False), loops_at(request, True)
    spatial = SpatialMappingInternal({operand: in_space + [[]] for operand in OPERANDS}, layer)
    temporal = TemporalMapping({operand: in_time for operand in OPERANDS}, layer, TemporalMappingType.EVEN)
    result = CostModelEvaluation(accelerator=accel, layer=layer, spatial_mapping=spatial, spatial_mapping_int=spatial,
                                 temporal_mapping=temporal, access_same_data_considered_as_no_access=False)
    at_l1 = [result.memory_word_access[operand][0] for operand in OPERANDS]  # accesses of 64 words
    link = 64 * sum(move.get(DataDirection.WR_IN_BY_HIGH) + move.get(DataDirection.RD_OUT_TO_HIGH) for move in at_l1)
    real_macs = math.prod(extents.values()) / math.prod(padded.values())
    real_steps = math.prod(steps(extents[dim], nest[dim]) for dim in DIMS) / temporal.total_cycle
    return result.latency_total2 * real_steps, (result.energy_total + LINK_PJ * link) * real_macs


def price(accel, request):
    latency, energy = evaluate(accel, request)
    values = {"latency": latency, "energy": energy, "edp": latency * energy}
    if request["objective"] not in values:
        raise Refused(f"ZigZag has no {request['objective']}, only latency, energy and edp")
    return values[request["objective"]]


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    serve(functools.partial(price, eyeriss()))

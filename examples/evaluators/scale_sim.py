#!/usr/bin/env python3
"""Cycles of a layer on a systolic array, as SCALE-Sim simulates them: for searches in the space scale_sim.yaml.

Install: python3 -m venv scalesim && scalesim/bin/pip install scalesim 'numpy<2.4'
Run:     starling search scale_sim.yaml --evaluator 'scalesim/bin/python scale_sim.py'

    scale_sim.py [--layer K=16,C=16,P=14,Q=14,R=3,S=3] [--time-limit SECONDS]

A point has rows and cols of the array, its dataflow (os, ws, is), the three SRAMs in KiB and the words per cycle
that each of them gets from DRAM. The value is compute cycles plus stalls. Simulation times differ more than tenfold
between points of one space; a point that takes more processor time than the limit is refused.
"""
import argparse
import signal

from scalesim.layout_utils import layouts
from scalesim.scale_config import scale_config
from scalesim.single_layer_sim import single_layer_sim
from scalesim.topology_utils import topologies
from serve import Refused, serve

DATAFLOWS = ("os", "ws", "is")


def machine(point):
    """The point in SCALE-Sim's terms."""
    if point["dataflow"] not in DATAFLOWS:  # SCALE-Sim would take os without a word
        raise Refused(f"dataflow {point['dataflow']} is none of {', '.join(DATAFLOWS)}")
    config = scale_config()
    config.set_arr_dims(point["rows"], point["cols"])
    config.set_dataflow(point["dataflow"])
    config.set_buffer_sizes_kb(point["ifmap_kib"], point["filter_kib"], point["ofmap_kib"])
    # one bandwidth for all three: version 3 has it in three places, and banks must divide it
    config.use_user_bandwidth, config.bandwidths = True, [point["bandwidth"]]
    config.ifmap_sram_bank_bandwidth = config.filter_sram_bank_bandwidth = point["bandwidth"]
    config.ifmap_sram_bank_num = config.filter_sram_bank_num = 1
    config.force_valid()
    return config


def workload(sizes):
    """A convolution with stride 1; inputs include the border that the filters touch."""
    rows, cols = sizes["P"] + sizes["R"] - 1, sizes["Q"] + sizes["S"] - 1
    dense = [1, 1]
    topology = topologies()
    topology.load_layer_params_from_list(
        "layer", ["layer", rows, cols, sizes["R"], sizes["S"], sizes["C"], sizes["K"], 1, 1, *dense])
    topology.topo_calc_hyperparams()
    return topology


def cycles(point, sizes):
    simulation = single_layer_sim()
    simulation.set_params(layer_id=0, config_obj=machine(point), topology_obj=workload(sizes), layout_obj=layouts(),
                          verbose=False)
    simulation.run()
    simulation.calc_report_data()
    return simulation.total_cycles


def read_layer(text):
    pairs = [item.partition("=") for item in text.split(",")]
    if not all(name in list("KCPQRS") and size.isdigit() and int(size) > 0 for name, _, size in pairs):
        raise argparse.ArgumentTypeError("expected sizes of K, C, P, Q, R, S such as K=16,C=16,P=14,Q=14,R=3,S=3")
    return {**dict.fromkeys("KCPQRS", 1), **{name: int(size) for name, _, size in pairs}}


def main():
    parser = argparse.ArgumentParser(description="Systolic arrays priced by SCALE-Sim.")
    parser.add_argument("--layer", type=read_layer, default="K=16,C=16,P=14,Q=14,R=3,S=3")
    parser.add_argument("--time-limit", type=float, metavar="SECONDS", default=60,
                        help="of the processor, per point (default: %(default)s)")
    options = parser.parse_args()

    def too_long(*_):
        raise Refused(f"the simulation takes more than {options.time_limit:g} s of the processor")

    def price(request):
        signal.setitimer(signal.ITIMER_PROF, options.time_limit)
        try:
            return cycles(request["point"], options.layer)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)

    signal.signal(signal.SIGPROF, too_long)
    serve(price)


if __name__ == "__main__":
    main()

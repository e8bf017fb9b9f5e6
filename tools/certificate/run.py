"""A run of `starling map` beside its certificates: docs/formats/certificate.md, compared by content.

Everything comes from map.json; accel.yaml is not read, since map.json says the machine too.
"""
import json
import math
import os

from certificate.reader import TENSORS, Certificate, Reader, Unreadable, Untrue
from certificate.space import has_definition, other_lists

NEAR = 1e-9  # relative difference that the digits of a document may make
OPTIMAL = 1e-7  # gaps up to this are none
OLD = "the run was written by version 0.1.0: 'starling verify' reads it, the same 'starling map' again renews it"


class Machine(Certificate):
    """The lines of a certificate from `layer` to the last `fanout` alone."""

    def __init__(self, lines):
        reader = Reader("\n".join(["layer conv:K=1", *lines]))
        self.read_machine(reader)
        if reader.lines:
            reader.fail("nothing after the machine")


class Run:
    """What map.json says."""

    def __init__(self, folder):
        try:
            with open(os.path.join(folder, "map.json"), encoding="utf-8") as file:
                self.document = json.load(file)
            if self.document["schema"] != "starling.map/1":
                raise Unreadable("map.json: expected schema starling.map/1")
            if "machine" not in self.document:
                raise Unreadable(OLD)
            self.machine = Machine(self.document["machine"])
            self.constraints = self.document["space"]["constraints"]
            self.layers = self.document["layers"]
            self.files = {layer["certificate"]: layer for layer in self.layers if layer["lower_bound"] is not None}
            self.names = [layer["name"] for layer in self.layers]
        except (ValueError, KeyError, TypeError) as reason:
            raise Unreadable(f"map.json is not as 'starling map' writes it: {reason!r}") from reason

    def faults(self, present):
        """(layer, reason) of results that have no certificate to show them at."""
        for layer in self.layers:
            proof = layer["proof"] or {"status": "stopped"}
            if layer["lower_bound"] is None:
                if proof["status"] in ("optimal", "within", "outside"):
                    yield layer["name"], f"the run calls it {proof['status']}, without a lower bound"
            elif layer["certificate"] not in present:
                yield layer["name"], f"its certificate is missing: {layer['certificate']}"
            elif self.files[layer["certificate"]] is not layer:
                yield layer["name"], f"its certificate is that of another layer: {layer['certificate']}"

    def compare(self, cert, layer):
        """Raises what the certificate and the result of a layer say otherwise."""
        for what, stated, known in self.pairs(cert, layer):
            same = near(stated, known) if isinstance(known, float) else stated == known
            if not same:
                raise Untrue(f"the {what} of the certificate is {stated}, that of the run {known}")
        check_claim(layer, self.document["prove"]["epsilon"])

    def pairs(self, cert, layer):
        """(what, of the certificate, of the run)"""
        machine = self.machine
        yield "layer", cert.extent, layer["dims"]
        yield "stride", cert.stride, layer["stride"]
        yield "dilation", cert.dilation, layer["dilation"]
        yield "words", cert.word_bytes, self.word_bytes(layer["inline"])
        for what in ("accel", "mac_pj", "clock_mhz"):
            yield what, getattr(cert, what), getattr(machine, what)
        yield "number of levels", cert.L, machine.L
        for l in range(cert.L + 1):
            yield f"level {l}", vars(cert.levels[l]), vars(machine.levels[l])
            yield f"fanout {l}", vars(cert.fanouts[l]), vars(machine.fanouts[l])
        yield "goal", cert.goal, self.document["objective"]
        yield from self.space_pairs(cert, layer)
        yield "mapping", cert.mapping, layer["mapping"]
        for what, key in (("latency", "latency_cycles"), ("energy", "energy_pj"), ("value", "objective_value"),
                          ("bound", "lower_bound")):
            yield what, getattr(cert, what), float(layer[key])
        yield "epsilon", cert.epsilon, float(self.document["prove"]["epsilon"])

    def word_bytes(self, inline):
        """Of a layer: its own, else those of the machine."""
        for part in inline.partition(":")[2].split(","):
            key, _, text = part.partition("=")
            if key == "bytes":
                return dict(zip(TENSORS, map(float, (text.split("x") * 3)[:3])))
        return self.machine.word_bytes

    def space_pairs(self, cert, layer):
        asked = self.document["space"]
        yield "preset", cert.preset, asked["preset"]
        if self.constraints is not None:
            for stated, known in zip(cert.lists, layer["space"]["lists"]):
                yield "space", stated, known
            yield "number of lists", len(cert.lists), len(layer["space"]["lists"])
        elif has_definition(cert.preset):
            opened = "".join(d for d in asked["open"].upper() if d.isalpha())
            yield "narrowed lists", other_lists(cert, opened), []
        else:
            yield "narrowing", cert.constrained, False


def near(a, b):
    return a == b or abs(a - b) <= NEAR * abs(b)


def check_claim(layer, epsilon):
    """Gap and status follow from value and bound."""
    over = layer["objective_value"] / layer["lower_bound"] - 1
    gap, status = max(over, 0), (layer["proof"] or {"status": "unproven"})["status"]
    if not abs((math.nan if layer["gap"] is None else layer["gap"]) - gap) <= NEAR * (1 + gap):
        raise Untrue(f"the run says a gap of {layer['gap']}, its value and bound one of {gap:.6g}")
    most = {"optimal": OPTIMAL, "within": epsilon, "stopped": math.inf, "outside": 0}
    if status not in most or gap > most[status] + NEAR:
        raise Untrue(f"the run calls it {status}, with a gap of {gap:.6g}")

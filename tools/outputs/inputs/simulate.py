"""An evaluator of space.yaml that fails now and then."""
import json
import sys

for line in sys.stdin:
    request = json.loads(line)
    p = request["point"]
    value = 1 + abs(p["rows"] - 32) / 8 + abs(p["cols"] - 16) / 8 + "os ws is".split().index(p["dataflow"])
    value += p["order"].index("C") + abs(p["volts"] - 0.75)
    reply = {"reason": "too hot"} if request["id"] % 5 == 0 else {"value": value}
    print(json.dumps({"id": request["id"], **reply}), flush=True)

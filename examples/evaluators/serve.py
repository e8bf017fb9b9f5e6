"""What the evaluators of this folder share: requests in, replies out, and nothing else on standard output.

    serve(price)    price(request) returns a number, smaller is better, or raises Refused("why not")
"""
import json
import math
import os
import sys
import traceback


class Refused(Exception):
    """This request has no value; the text says why."""


def serve(price):
    # replies keep the real standard output; what libraries print, also those in C, goes to standard error
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        request = json.loads(line)
        replies.write(json.dumps({"id": request["id"], **answer(price, request)}) + "\n")
        replies.flush()


def answer(price, request):
    try:
        value = float(price(request))
        return {"value": value} if math.isfinite(value) else {"reason": f"the value is {value}"}
    except Refused as refused:
        return {"reason": str(refused)}
    except (Exception, SystemExit) as fault:  # one bad point must not end the search; the trace says where
        traceback.print_exc()
        return {"reason": f"{type(fault).__name__}: {fault}"}

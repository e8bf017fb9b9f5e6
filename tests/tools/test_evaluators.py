#!/usr/bin/env python3
"""The evaluators of examples/evaluators, asked as starling asks them: a line in, a line out."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.realpath(os.path.join(HERE, "../../examples/evaluators"))
sys.dont_write_bytecode = True
sys.path.insert(0, FOLDER)

import cachegrind  # noqa: E402

with open(os.path.join(FOLDER, "request.jsonl"), encoding="utf-8") as recorded:
    REQUEST = json.loads(recorded.read())  # K=4 C=4 P=4 Q=4, with tiles that do not divide
WITHOUT_VALGRIND = "gcc and valgrind are not both installed: cachegrind.py is not tested"


def ask(command, *requests, **options):
    """Replies of a command to requests, and nothing else on its standard output."""
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    run = subprocess.run([sys.executable, *command], input=lines, text=True, check=True, capture_output=True,
                         **{"env": environment, **options})
    return [json.loads(line) for line in run.stdout.splitlines()]


def script(name, *arguments):
    return [os.path.join(FOLDER, name), *arguments]


class Minimal(unittest.TestCase):
    def test_every_request_is_answered_with_its_id(self):
        # L2 holds 8 + 48 + 24 words 4 times, L1 2 + 6 + 12 words 32 times
        replies = ask(script("minimal.py"), REQUEST, {**REQUEST, "id": 7})
        self.assertEqual(replies, [{"id": 1, "value": 960}, {"id": 7, "value": 960}])


class Serve(unittest.TestCase):
    def serve(self, body):
        code = f"import os, sys\nsys.path.insert(0, {FOLDER!r})\nfrom serve import Refused, serve\n"
        return ask(["-c", f"{code}def price(request):\n    {body}\nserve(price)"], {"v": 1, "id": 3})

    def test_what_a_library_prints_is_no_reply(self):
        body = "print('noise'); os.write(1, b'more noise'); os.system('echo even more'); return 2"
        self.assertEqual(self.serve(body), [{"id": 3, "value": 2.0}])

    def test_a_refusal_is_a_reason(self):
        self.assertEqual(self.serve("raise Refused('too large')"), [{"id": 3, "reason": "too large"}])

    def test_a_fault_is_a_reason_and_not_the_end(self):
        self.assertEqual(self.serve("return 1 / 0"), [{"id": 3, "reason": "ZeroDivisionError: division by zero"}])
        self.assertEqual(self.serve("sys.exit('bad file')"), [{"id": 3, "reason": "SystemExit: bad file"}])

    def test_what_is_not_finite_is_no_value(self):
        self.assertEqual(self.serve("return float('nan')"), [{"id": 3, "reason": "the value is nan"}])


@unittest.skipUnless(shutil.which("gcc") and shutil.which("valgrind"), WITHOUT_VALGRIND)
class Cachegrind(unittest.TestCase):
    def test_the_program_does_every_multiplication_once(self):
        check = """
#undef main
int main(void) {
    for (unsigned i = 0; i < sizeof W / sizeof(float); i++) ((float *)W)[i] = 1;
    for (unsigned i = 0; i < sizeof I / sizeof(float); i++) ((float *)I)[i] = 1;
    nest();
    for (unsigned i = 0; i < sizeof O / sizeof(float); i++) if (((float *)O)[i] != C * R * S) return 1;
    return 0;
}
"""
        with tempfile.TemporaryDirectory() as folder:
            target = os.path.join(folder, "check")
            subprocess.run(["gcc", "-Dmain=nest", "-x", "c", "-", "-o", target], text=True, check=True,
                           input=cachegrind.program(REQUEST) + check)
            self.assertEqual(subprocess.run([target], check=False).returncode, 0)

    def test_values_are_the_same_wherever_it_runs(self):
        # large enough for the stack, which moves with the environment, to meet the arrays in the cache
        dims = {**REQUEST["layer"]["dims"], "K": 16, "C": 16, "P": 16, "Q": 16}
        request, command = {**REQUEST, "layer": {**REQUEST["layer"], "dims": dims}}, script("cachegrind.py")
        values = {ask(command, request)[0]["value"]}
        with tempfile.TemporaryDirectory() as folder:
            for length in (64, 333, 2000):
                elsewhere = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "A_VARIABLE": "x" * length}
                values.add(ask(command, request, cwd=folder, env=elsewhere)[0]["value"])
        self.assertEqual(len(values), 1, values)
        self.assertGreater(values.pop(), 16**4)

    def test_mem_is_the_part_of_cycles_that_misses_cost(self):
        cycles, mem = (ask(script("cachegrind.py", what), REQUEST)[0]["value"] for what in ("cycles", "mem"))
        # 16 + 64 + 64 floats on lines of 64 bytes: at least 9 lines, 110 for each, since it comes from memory
        self.assertGreaterEqual(mem, 9 * 110)
        self.assertGreater(cycles, mem + 4**4)

    def test_a_nest_that_does_not_reach_single_words_is_refused(self):
        reply, = ask(script("cachegrind.py"), {**REQUEST, "loops": REQUEST["loops"][:-1]})
        self.assertEqual(reply, {"id": 1, "reason": "the nest has no loop with tiles of 1 over Q"})


if __name__ == "__main__":
    unittest.main()

"""Every document of every command against its JSON Schema in data/schemas, strictly.

    STARLING=build/dev/starling SL_SOURCE_DIR=$PWD python3 tests/cli/schemas.py

Also: every command and every part of one that the help names is run, every schema is met by a document, and so is
every key that a schema knows. Needs the Python package jsonschema.
"""
import concurrent.futures
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import jsonschema

PROGRAM = os.path.abspath(os.environ["STARLING"])
TREE = os.environ["SL_SOURCE_DIR"]
SCHEMAS = os.path.join(TREE, "data", "schemas")
INPUTS = os.path.join(TREE, "tools", "outputs", "inputs")
LIST = os.path.join(TREE, "tests", "cli", "schemas.txt")
RECORDED = os.path.join(TREE, "tests/data/particle/golden.jsonl.gz")
SILENT = {"study merge", "completion bash", "completion zsh", "completion fish", "completion"}  # print no document


def read_schemas():
    """{kind: schema}"""
    out = {}
    for name in sorted(os.listdir(SCHEMAS)):
        with open(os.path.join(SCHEMAS, name), encoding="utf-8") as file:
            out[name.removesuffix(".schema.json")] = json.load(file)
    return out


def parts(schema):
    """A schema and all schemas inside it."""
    yield schema
    for key in ("properties", "$defs"):
        for inner in schema.get(key, {}).values():
            yield from parts(inner)
    for key in ("items", "additionalProperties", "propertyNames"):
        if isinstance(schema.get(key), dict):
            yield from parts(schema[key])
    for key in ("anyOf", "oneOf", "prefixItems"):
        for inner in schema.get(key, []):
            yield from parts(inner)


# ---- running ----

def run(words, folder):
    script = words[1:] if words.startswith("!") else f'"$STARLING" {words}'
    return subprocess.run(["sh", "-c", script], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                          env={**os.environ, "STARLING": PROGRAM, "XDG_CACHE_HOME": os.path.join(folder, "cache")})


def run_block(block, home):
    """[(step, document)] of lines that share a folder, and of the lines of the log that they leave (step "log.jsonl")."""
    folder = tempfile.mkdtemp(dir=home)
    shutil.copytree(INPUTS, folder, dirs_exist_ok=True)
    out = []
    for step in block.splitlines():
        done = run(step, folder)
        if done.returncode not in (0, 1) or "json" in step and not done.stdout:
            raise AssertionError(f"starling {step}: exit code {done.returncode}: {done.stderr}")
        if "json" in step:
            out.append((step, json.loads(done.stdout)))
    log = os.path.join(folder, "run", "log.jsonl")
    if os.path.exists(log):
        with open(log, encoding="utf-8") as file:
            out += [("log.jsonl", json.loads(line)) for line in file]
    return out


def run_all():
    """[(step, document)] of everything."""
    with open(LIST, encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("#")]
    blocks = [block for block in "".join(lines).split("\n\n") if block.strip()]
    with tempfile.TemporaryDirectory() as home, concurrent.futures.ThreadPoolExecutor(2) as pool:
        return [pair for found in pool.map(run_block, blocks, [home] * len(blocks)) for pair in found]


def recorded_episodes():
    with gzip.open(RECORDED, "rt", encoding="utf-8") as file:
        return [("episodes", json.loads(row)) for row in list(file)[:3]]


def kind_of(step, document):
    """Which schema a document claims to follow."""
    if step in ("log.jsonl", "episodes"):
        return "tune-log" if step == "log.jsonl" else step
    return re.fullmatch(r"starling\.([a-z-]+)/\d+", document["schema"]).group(1)


# ---- keys that were met ----

def meet(schema, root, value, met):
    """Note every key of a schema that a valid value has: met is a set of (id of the object's schema, key)."""
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    for inner in schema.get("anyOf", []) + schema.get("oneOf", []):
        if jsonschema.Draft202012Validator({**inner, "$defs": root.get("$defs", {})}).is_valid(value):
            meet(inner, root, value, met)
    if isinstance(value, dict):
        for key, item in value.items():
            if key in schema.get("properties", {}):
                met.add((id(schema), key))
                meet(schema["properties"][key], root, item, met)
    if isinstance(value, list) and isinstance(schema.get("items"), dict):
        for item in value:
            meet(schema["items"], root, item, met)


# ---- the tests ----

class Schemas(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.schemas = read_schemas()
        cls.documents = run_all() + recorded_episodes()

    def test_every_schema_is_one_and_says_what_every_key_means(self):
        for kind, schema in self.schemas.items():
            jsonschema.Draft202012Validator.check_schema(schema)
            self.assertTrue(schema["$id"].startswith(f"urn:starling:{kind}"), kind)
            for part in parts(schema):
                for name, inner in part.get("properties", {}).items():
                    self.assertTrue(inner.get("description"), f"{kind}: {name} has no description")
                if "properties" in part:
                    self.assertIs(part.get("additionalProperties"), False, f"{kind}: {list(part['properties'])} is open")
                    self.assertLessEqual(set(part.get("required", [])), set(part["properties"]))

    def test_every_document_follows_its_schema(self):
        faults = []
        for step, document in self.documents:
            kind = kind_of(step, document)
            if kind not in self.schemas:
                faults.append(f"{step}: no schema {kind}")
                continue
            for error in jsonschema.Draft202012Validator(self.schemas[kind]).iter_errors(document):
                faults.append(f"{step}: {kind}: {error.json_path}: {error.message[:300]}")
        self.assertEqual(faults, [])

    def test_every_schema_and_every_key_is_met_by_a_document(self):
        met = set()
        kinds = {"error"}  # of it below
        for step, document in self.documents:
            kind = kind_of(step, document)
            kinds.add(kind)
            meet(self.schemas[kind], self.schemas[kind], document, met)
        self.assertEqual(set(self.schemas) - kinds, set())
        missing = [f"{kind}: {key}" for kind in sorted(kinds - {"error"}) for part in parts(self.schemas[kind])
                   for key in part.get("properties", {}) if (id(part), key) not in met]
        self.assertEqual([key for key in missing if key not in NOT_MET], [])

    def test_every_command_of_the_help_is_run(self):
        steps = [step for step, _ in self.documents]
        for command in commands_of_help():
            for part in parts_of_command(command):
                if part not in SILENT:
                    self.assertTrue(any((step + " ").startswith(part + " ") for step in steps), f"starling {part} --json is not run")

    def test_errors_are_documents_where_json_is_asked_for(self):
        schema = jsonschema.Draft202012Validator(self.schemas["error"])
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "bad.cert"), "w", encoding="utf-8") as file:
                file.write("nothing\n")
            for words in [f"{command} --nothing" for command in rows()] + ["verify bad.cert", "verify none"]:
                done = run(f"{words} --json", folder)
                self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), words)
                document = json.loads(done.stdout)
                self.assertEqual([error.message for error in schema.iter_errors(document)], [], words)
                self.assertIn(document["error"]["message"], done.stderr)


# parts of values that readers of logs know, but no evaluator of today has
NOT_MET = {f"tune-log: {key}" for key in ("latency_cycles", "energy_pj", "area_um2", "power_mw", "excess", "reason")}
# a tree without flocks to bundle lists none
if not os.path.isdir(os.path.join(TREE, "data", "flocks")):
    NOT_MET |= {f"flocks: {key}" for key in read_schemas()["flocks"]["properties"]["flocks"]["items"]["properties"]}


def help_of(*words):
    return subprocess.run([PROGRAM, *words, "--help"], capture_output=True, text=True, check=True).stdout


def commands_of_help():
    found = re.findall(r"^  ([a-z]+) ", help_of().split("Commands:\n")[1].split("\n\n")[0], re.MULTILINE)
    assert len(found) > 10, found
    return found


def parts_of_command(command):
    """Its parts by the usage lines of its help, such as "bench cost"; or the command itself."""
    usage = re.findall(rf"^(?:Usage:|      ) starling ({command}(?: [a-z]+)?)\b", help_of(command), re.MULTILINE)
    assert usage, command
    return dict.fromkeys(usage)


def rows():
    """Commands that are rows: what goes wrong with them is a document, too."""
    with open(os.path.join(TREE, "programs", "command.h"), encoding="utf-8") as file:
        macro = re.search(r"#define COMMANDS\(ROW\)((?:.*\\\n)*.*)", file.read()).group(1)
    return re.findall(r"ROW\((\w+)\)", macro)


if __name__ == "__main__":
    if not os.path.exists(PROGRAM):
        sys.exit(f"{PROGRAM} is not there")
    unittest.main()

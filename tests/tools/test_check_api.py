#!/usr/bin/env python3
"""tools/check_api.py must find what is planted, and tools/make_api.py must say what headers say."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools")

HEADER = """// nest.h - loops.
//
// Flow: sl_nest_make -> sl_nest_n.
#pragma once

#include <stddef.h>

SL_API_BEGIN

enum { SL_NEST_MAX = 1 << 4, SL_NEST_MIN }; // loops of a nest

typedef struct SlNest SlNest;

// Which way (docs/nest.md).
typedef enum {
    SL_WAY_IN, // from the outside
    SL_WAY_OUT,
    SL_N_WAYS
} SlWay;
extern const char *const sl_way_names[SL_N_WAYS + 1]; // "in", "out", NULL

// --- Making

// A nest of n loops. NULL without memory.
SlNest *sl_nest_make(int n, void (*watch)(void *));
int sl_nest_n(const SlNest *nest); // loops
#define SL_NEST_TWO() sl_nest_make(2, NULL)

// Twice
// as many.
static inline int sl_nest_twice(const SlNest *nest) {
    return 2 * sl_nest_n(nest);
}

SL_API_END
"""
SOURCE = """const char *const sl_way_names[] = {"in", "out", 0};
SlNest *sl_nest_make(int n, void (*watch)(void *)) {
    return 0;
}
int sl_nest_n(const SlNest *nest) {
    return 1;
}
"""
GOOD = {
    "include/starling/mapping.h": HEADER,
    "src/mapping/nest.c": SOURCE,
    "programs/main.c": "int main(void) { return sl_nest_twice(SL_NEST_TWO()); }\n",
}


class Api(unittest.TestCase):
    def run_tool(self, tool, planted=None, arguments=(), then=None):
        with tempfile.TemporaryDirectory() as root:
            for path, text in {**GOOD, **(planted or {})}.items():
                path = os.path.join(root, path)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            if then:
                return then(root)
            command = [sys.executable, os.path.join(TOOLS, tool), root, *arguments]
            run = subprocess.run(command, capture_output=True, text=True, check=False)
            self.assertEqual(run.stderr, "")
            return run.returncode, run.stdout

    def expect(self, old, new, complaint, more=None):
        """One word of the header changed: one complaint."""
        self.assertIn(old, HEADER)
        code, output = self.run_tool("check_api.py", {"include/starling/mapping.h": HEADER.replace(old, new, 1), **(more or {})})
        self.assertEqual(code, 1, output)
        self.assertIn(complaint, output)
        self.assertEqual(output.count("\n"), 1, output)  # and nothing else

    def test_a_good_tree_passes_and_is_counted(self):
        code, output = self.run_tool("check_api.py")
        self.assertEqual((code, output), (0, "api: 3 functions, 1 variables, 2 types in 1 headers\n"))

    def test_prefixes(self):
        self.expect("SL_NEST_MIN }", "NEST_MIN }", "mapping.h:10: NEST_MIN does not begin with SL_")
        self.expect("SL_WAY_OUT,", "WAY_OUT,", "mapping.h:15: WAY_OUT does not begin with Sl")
        self.expect("typedef struct SlNest SlNest;", "typedef struct SlNest SlNest;\ntypedef int Nest;",
                    "mapping.h:13: Nest does not begin with Sl")
        self.expect("#define SL_NEST_TWO()", "#define TWO() 2\n#define SL_NEST_TWO()", "TWO does not begin with SL_")

    def test_a_name_has_one_home(self):
        again = "// cost.h - x.\n#pragma once\nSL_API_BEGIN\ntypedef struct {\n    int n;\n} SlWay;\nSL_API_END\n"
        self.expect("// Which", "// Which", "mapping.h:15: SlWay is defined in include/starling/cost.h:4 too",
                    {"include/starling/cost.h": again})
        forward = again.replace("typedef struct {\n    int n;\n} SlWay;", "typedef struct SlNest SlNest;")
        self.assertEqual(self.run_tool("check_api.py", {"include/starling/cost.h": forward})[0], 0)

    def test_types_of_other_libraries(self):
        for word in ("json_t", "yaml_parser_t", "sqlite3_stmt", "z_stream"):
            self.expect("int sl_nest_n(const SlNest *nest);", f"int sl_nest_n(const {word} *nest);",
                        f"mapping.h:26: {word} is a type of another library")
        self.assertEqual(self.run_tool("check_api.py", {
            "include/starling/mapping.h": HEADER.replace("// loops\n", "// not a json_t\n")})[0], 0)

    def test_what_cpp_cannot_say(self):
        self.expect("(int n,", "(int n[static 2],", "mapping.h:25: [static N]: write [SL_AT_LEAST(N)]")
        self.expect("const SlNest *nest);", "const SlNest *restrict nest);", "mapping.h:26: restrict")

    def test_every_header_is_wrapped(self):
        for old, new in (("SL_API_BEGIN\n", ""), ("SL_API_END\n", ""), ("SL_API_END\n", "SL_API_END\nSL_API_END\n")):
            self.expect(old, new, "mapping.h:1: declarations stand between one SL_API_BEGIN and one SL_API_END")
        self.expect("enum { SL_N", "#include <math.h>\nenum { SL_N", "an include stands behind SL_API_BEGIN")

    def test_a_function_that_only_tests_call(self):
        fresh = "int sl_nest_n(const SlNest *nest);\nint sl_nest_m(void);"
        code = SOURCE + 'int sl_nest_m(void) {\n    puts("sl_nest_m"); // sl_nest_m\n    return sl_nest_m();\n}\n'
        test = {"src/mapping/nest.c": code, "tests/mapping/test_nest.c": "int x = sl_nest_m();\n"}
        self.expect("int sl_nest_n(const SlNest *nest);", fresh,
                    "mapping.h:27: nothing but tests and its own file calls sl_nest_m", test)
        for caller in ("src/mapping/space.c", "src/cost/a.c", "programs/a.c", "examples/00_a.c"):
            more = {"include/starling/mapping.h": HEADER.replace("int sl_nest_n(const SlNest *nest);", fresh),
                    **test, caller: "int x = sl_nest_m();\n"}
            self.assertEqual(self.run_tool("check_api.py", more)[0], 0, caller)

    def test_a_comment_speaks_of_what_exists(self):
        self.expect("-> sl_nest_n.", "-> sl_nest_count.", "mapping.h:3: there is no sl_nest_count in a public header")
        self.assertEqual(self.run_tool("check_api.py", {
            "include/starling/mapping.h": HEADER.replace("-> sl_nest_n.", "-> sl_nest_*.")})[0], 0)

    @unittest.skipUnless(shutil.which("gcc") and shutil.which("nm"), "needs gcc and nm")
    def test_symbols_of_the_library(self):
        def built(extra):
            def build(root):
                source = os.path.join(root, "a.c")
                with open(source, "w", encoding="utf-8") as file:
                    file.write("typedef struct SlNest SlNest;\n" + SOURCE + extra)
                library = os.path.join(root, "liba.so")
                subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, source], check=True)
                command = [sys.executable, os.path.join(TOOLS, "check_api.py"), root, "--library", library]
                run = subprocess.run(command, capture_output=True, text=True, check=False)
                return run.returncode, run.stdout
            return build

        self.assertEqual(self.run_tool("", then=built(""))[0], 0)
        self.assertEqual(self.run_tool("", then=built("int sl_more;\n")),
                         (1, "liba.so: exports sl_more, which no public header declares\n"))
        header = {"include/starling/mapping.h": HEADER.replace("int sl_nest_n(", "int sl_nest_m(void);\nint sl_nest_n(", 1)}
        self.assertEqual(self.run_tool("", header, then=built("")),
                         (1, "include/starling/mapping.h:26: liba.so does not export sl_nest_m\n"))

    def test_the_page_says_what_the_header_says(self):
        def make(root):
            os.makedirs(os.path.join(root, "docs"))
            command = [sys.executable, os.path.join(TOOLS, "make_api.py"), root]
            self.assertEqual(subprocess.run([*command, "--check"], capture_output=True, check=False).returncode, 1)
            subprocess.run(command, check=True)
            self.assertEqual(subprocess.run([*command, "--check"], capture_output=True, check=False).returncode, 0)
            with open(os.path.join(root, "docs/api.md"), encoding="utf-8") as file:
                self.assertNotIn(root, text := file.read())
                return text

        page = self.run_tool("", then=make)
        for line in ("### [starling/mapping.h](../include/starling/mapping.h)", "Loops.",
                     "Flow: `sl_nest_make` -> `sl_nest_n`.", "**Making**",
                     "- `SL_NEST_MAX = 1 << 4`, `SL_NEST_MIN`: loops of a nest",
                     "- `SlNest`: Opaque.",
                     "- `SlWay`: Which way ([nest.md](nest.md)). One of `SL_WAY_IN`, `SL_WAY_OUT`.",
                     '- `extern const char *const sl_way_names[SL_N_WAYS + 1]`: "in", "out", NULL',
                     "- `SlNest *sl_nest_make(int n, void (*watch)(void *))`: A nest of n loops. NULL without memory.",
                     "- `int sl_nest_n(const SlNest *nest)`: loops", "- `SL_NEST_TWO()`",
                     "- `int sl_nest_twice(const SlNest *nest)`: Twice as many."):
            self.assertIn("\n" + line + "\n", page)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""The checkers of tools/ must find what is planted, and nothing in a good tree."""
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools")

GOOD = {
    "include/starling/core.h": "#include <stddef.h>\n",
    "include/starling/core/text.h": "#pragma once\n",
    "include/starling/workload.h": '#include "starling/core.h"\n',
    "include/starling/mapping.h": '#include "starling/workload.h"\n',
    "include/starling/task.h": '#include "starling/mapping.h"\n',
    "include/starling/cost.h": '#include "starling/mapping.h"\n',
    "src/core/yaml.c": "#include <yaml.h>\n",
    "src/mapping/inner.h": "#pragma once\n",
    "src/mapping/nest.c": '#include "mapping/inner.h"\n#include "inner.h"\n#include "starling/core/text.h"\n',
    "programs/main.c": '#include "starling/cost.h"\n#include "commands.h"\n',
    "programs/commands.h": "#pragma once\n",
    "tests/cost/test_all.c": '#include "mapping/inner.h"\n',
}


class Checks(unittest.TestCase):
    def run_tool(self, tool, planted):
        with tempfile.TemporaryDirectory() as root:
            for path, text in {**GOOD, **planted}.items():
                path = os.path.join(root, path)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            command = [sys.executable, os.path.join(TOOLS, tool), root]
            run = subprocess.run(command, capture_output=True, text=True, check=False)
            self.assertEqual(run.stderr, "")
            return run.returncode, run.stdout

    def expect(self, tool, planted, complaint):
        code, output = self.run_tool(tool, planted)
        self.assertEqual(code, 1, output)
        self.assertIn(complaint, output)
        self.assertEqual(output.count("\n"), 1, output)  # and nothing else

    def test_good_tree_passes(self):
        for tool in ("check_modules.py", "check_style.py"):
            self.assertEqual(self.run_tool(tool, {})[0], 0)

    @unittest.skipUnless(shutil.which("gcc") and platform.machine() == "x86_64", "clones need gcc on x86-64")
    def test_a_wide_vector_passed_by_a_call(self):
        lanes = "typedef double Lanes __attribute__((vector_size(32)));\n"
        both = lanes + "typedef struct { Lanes x; } One;\ntypedef struct { Lanes x[2]; } Two;\n"
        inline = "static inline __attribute__((always_inline)) "
        self.expect("check_vectors.py", {"src/cost/lanes.h": lanes, "src/cost/a.c": '#include "lanes.h"\n'
                                         "static double first(Lanes x) { return x[0]; }\n"
                                         "double f(void) { return first((Lanes){1}); }\n"},
                    "src/cost/a.c:2: first passes a vector wider than 16 bytes and is not always_inline")
        self.expect("check_vectors.py", {"src/cost/a.c": both + "One f(void) { return (One){{1}}; }\n"},
                    "src/cost/a.c:4: f passes")
        fine = (both + inline + "double first(const Lanes x) { return x[0]; }\n"
                "double f(const Lanes *x, Two two) { return first(*x + two.x[0]); }\n"
                "typedef float Four __attribute__((vector_size(16)));\n"
                "Four g(Four x) { return x + x; }\n")
        self.assertEqual(self.run_tool("check_vectors.py", {"src/cost/a.c": fine})[0], 0)

    def test_include_of_a_module_to_the_right(self):
        self.expect("check_modules.py", {"src/mapping/a.c": '\n#include "starling/cost.h"\n'},
                    "src/mapping/a.c:2: module mapping may not include cost")

    def test_search_may_not_price_by_itself(self):
        self.expect("check_modules.py", {"include/starling/search.h": '#include "starling/task.h"\n',
                                       "src/search/a.c": "#  include <starling/cost.h>\n"},
                    "src/search/a.c:1: module search may not include cost")

    def test_bounds_are_for_prove_alone(self):
        files = {"include/starling/cost/bound.h": "", "include/starling/search.h": "", "include/starling/learn.h": "",
                 "include/starling/prove.h": "", "src/prove/a.c": '#include "starling/cost/bound.h"\n'}
        self.assertEqual(self.run_tool("check_modules.py", files)[0], 0)
        for module in ("search", "learn"):
            self.expect("check_modules.py", {**files, f"src/{module}/a.c": '#include "starling/cost/bound.h"\n'},
                        f"src/{module}/a.c:1: module {module} may not include cost")

    def test_methods_may_not_measure(self):
        for call in ("sl_task_eval(task, 1, point, &sample)", "sl_vta_time (&task)", "sl_vta_execute(&task)",
                     "sl_kernel_measure(&bench, &task)"):
            for module in ("search", "learn"):
                self.expect("check_modules.py", {f"include/starling/{module}.h": "", f"src/{module}/a.c": f"    {call};\n"},
                            f"src/{module}/a.c:1: module {module} may not measure a point")

    def test_learners_may_not_price_uncounted(self):
        self.expect("check_modules.py", {"include/starling/learn.h": '#include "starling/task.h"\n',
                                       "src/learn/a.c": "\n    sl_pricer_eval(pricer, &cost);\n"},
                    "src/learn/a.c:2: module learn may not price a mapping")

    def test_private_header_of_another_module(self):
        for spelling in ("mapping/inner.h", "../mapping/inner.h"):
            self.expect("check_modules.py", {"src/cost/a.c": f'#include "{spelling}"\n'},
                        "src/cost/a.c:1: src/mapping/inner.h is private to mapping")

    def test_public_header_may_not_show_a_private_one(self):
        self.expect("check_modules.py", {"include/starling/mapping.h": '#include "mapping/inner.h"\n'},
                    "include/starling/mapping.h:1: src/mapping/inner.h is private")

    def test_programs_see_public_headers_only(self):
        self.expect("check_modules.py", {"programs/a.c": '#include "mapping/inner.h"\n'},
                    "programs/a.c:1: src/mapping/inner.h is private to mapping")

    def test_third_party_headers_stay_in_core(self):
        self.expect("check_modules.py", {"src/cost/a.c": "#include <yaml.h>\n"},
                    "src/cost/a.c:1: yaml.h belongs to module core")

    def test_missing_public_header(self):
        self.expect("check_modules.py", {"src/cost/a.c": '#include "starling/prices.h"\n'},
                    '"starling/prices.h" does not exist')

    def test_module_without_a_front_door(self):
        self.expect("check_modules.py", {"src/vta/a.c": '#include "starling/core.h"\n'},
                    "module vta has no front door")

    def test_unknown_module(self):
        self.expect("check_modules.py", {"src/misc/a.c": "int a;\n"}, "src/misc/a.c:1: 'misc' is not a module")

    def test_same_base_name_twice(self):
        self.expect("check_style.py", {"src/cost/nest.c": ""}, "src/mapping/nest.c:1: src/cost/nest.c has the same")

    def test_long_file(self):
        self.expect("check_style.py", {"src/cost/a.c": "\n" * 801}, "801 lines")

    def test_long_function(self):
        body = "int f(void)\n{\n" + '    g("{", \'{\'); // {\n' * 90 + "}\n"
        self.expect("check_style.py", {"src/cost/a.c": "\n" + body}, "src/cost/a.c:3: function of 91 lines")

    def test_long_table_is_fine(self):
        table = "static const int t[] = {\n" + "    1,\n" * 200 + "};\n"
        self.assertEqual(self.run_tool("check_style.py", {"src/cost/a.c": table})[0], 0)

    def test_tab(self):
        self.expect("check_style.py", {"programs/a.c": "\n\tint a;\n"}, "programs/a.c:2: tab")

    def test_dead_link(self):
        good = {"docs/a.md": "[up](../README.md#top) [out](https://example.org/x)\n", "README.md": "[a](docs/a.md)\n"}
        self.assertEqual(self.run_tool("check_style.py", good)[0], 0)
        self.expect("check_style.py", {**good, "docs/a.md": "\n[up](b.md)\n"}, "docs/a.md:2: docs/b.md does not exist")

    def test_page_that_a_header_promises(self):
        self.expect("check_style.py", {"src/cost/a.c": "// see docs/formats/x.md\n"}, "docs/formats/x.md does not exist")

    def test_long_example(self):
        self.expect("check_style.py", {"examples/00_a.c": "\n" * 61}, "at most 60")


if __name__ == "__main__":
    unittest.main()

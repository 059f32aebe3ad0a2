"""test_whole.py  Python has everything that the headers declare, and the stub lists all of it."""
import ast
import glob
import os
import re
import unittest

import kinetostat as ks
import stub

HERE = os.path.dirname(os.path.abspath(__file__))
HEADERS = "status", "verdict", "reaction", "kinetostat", "loads", "recompute", "system", "report", "trace", "view", "recording"
# fields that are pointers of short validity, serve hosts in C only, or are read in another way
WITHOUT = {"size", "reserved", "row", "allocator", "executor", "contact", "reaction", "limit.size"}
NOT_OF_PYTHON = {"ksAllocator", "ksExecutor", "ksRowSpec", "ksProbe", "ksBoundedSolution", "ksRecordedState", "ksRecordedBody", "ksRecordedJoint"}
NAMES = {"ksInspectorOptions": "Options"}
# solve_impulse() returns the arrays of an Impact beside it; check() takes the limit of a report
APART = {("Impact", "joint"), ("Impact", "body"), ("ReportOptions", "limit")}
# attributes of the objects that their classes do not have
OF_OBJECTS = {"CommandError": {"exit_status", "report"}, "Table": {"columns", "units", "descriptions"}, "RunJoint": {"name", "type", "reactions"}, "RunWorld": {"name", "tables"},
              "RunFile": {"path", "kind", "worlds", "parameters", "left_out"}}


def text_of(header):
    with open(os.path.join(os.environ["KS_INCLUDE"], header + ".h")) as file:
        return re.sub(r"/\*.*?\*/", "", file.read(), flags=re.DOTALL)


def snake(name):
    return {"from": "from_"}.get(name, re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), name))


def fields(body):
    for declaration in re.sub(r"\[[^\]]*\]", "", body).split(";"):
        words = re.sub(r"[*]", " ", declaration).split(",")
        for word in words:
            if word.split():
                yield word.split()[-1]


class Whole(unittest.TestCase):
    def test_enumerators(self):
        found = set()
        for header in HEADERS:
            text = text_of(header)
            for body in re.findall(r"enum\s*\w*\s*\{(.*?)\}", text, re.DOTALL):
                found.update(re.findall(r"\bKS_(\w+)", re.sub(r"=[^,]*", "", body)))
            found.update(re.findall(r"#define KS_(REASON_\w+)", text))
        found -= {"WORK_COUNT", "ENERGY_COUNT"}
        self.assertGreater(len(found), 100)
        self.assertEqual([name for name in sorted(found) if not hasattr(ks, name)], [])

    def test_structures(self):
        layouts, seen = ks._native._layouts(), set()
        for header in HEADERS:
            for body, name in re.findall(r"typedef struct \w+ \{(.*?)\} (\w+);", text_of(header), re.DOTALL):
                if name in NOT_OF_PYTHON:
                    continue
                python = NAMES.get(name, name[2:])
                expected = [snake(field) for field in fields(body)
                            if field not in WITHOUT and (python, field) not in APART]
                self.assertEqual([field[0] for field in layouts[python][1]], expected, name)
                seen.add(python)
        self.assertEqual(seen, set(layouts))

    def test_functions(self):
        """The extension calls each function of the library."""
        source = ""
        for path in glob.glob(os.path.join(HERE, "../native/*.c")):
            with open(path) as file:
                source += file.read()
        functions = set()
        for header in HEADERS:
            functions.update(re.findall(r"KS_API[^;]*?\b(ks[A-Z]\w+)\(", text_of(header)))
        # functions that Python replaces by its own means or by numpy, and functions for hosts in C
        functions -= {"ksStatusName", "ksVerdictName", "ksReasonName", "ksErrorSet", "ksInspectorOff", "ksInspectorOnDestroy",
                      "ksInspectorGetOptions", "ksInspectorGetWorld"}
        self.assertEqual([name for name in sorted(functions) if name + "(" not in source and name not in source], [])

    def test_stub(self):
        with open(stub.STUB) as file:
            text = file.read()
        if hasattr(ks, "Report"):
            self.assertEqual(text, stub.made(text), "run python3 python/tests/stub.py")
        tree = ast.parse(text)
        classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
        for name, found in vars(ks).items():
            if name.startswith("_") or not isinstance(found, type) or issubclass(found, int):
                continue
            told = {node.name for node in classes[name].body if isinstance(node, ast.FunctionDef)}
            told |= {node.target.id for node in classes[name].body if isinstance(node, ast.AnnAssign)}
            told -= OF_OBJECTS.get(name, set())
            there = {one for one in vars(found) if not one.startswith("_")}
            self.assertEqual({one for one in told if not one.startswith("_")}, there - {"add_note", "with_traceback", "args"}, name)

    def test_documentation(self):
        for name, found in vars(ks).items():
            if not name.startswith("_") and callable(found):
                self.assertTrue(found.__doc__, name)
        for one in vars(ks.Inspector).values():
            if callable(one) and not one.__name__.startswith("_"):
                self.assertTrue(one.__doc__, one)


if __name__ == "__main__":
    unittest.main()

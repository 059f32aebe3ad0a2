"""stub.py  Makes the second part of kinetostat/__init__.pyi, for type checkers and editors, from the
module: enumerations, structures and keywords."""
import enum
import os

import kinetostat as ks

LAYOUTS = ks._native._layouts()

STUB = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../kinetostat/__init__.pyi")
MARK = "# Made by python/tests/stub.py from the module.\n"

SENSOR = '''\
    def read(self, inspector: Inspector, joint: _Joint, /) -> Wrench: ...
    def tare(self, inspector: Inspector, joint: _Joint, /) -> None: ...
'''
EVENT = '''\
    @property
    def joint(self) -> Any: ...
    @property
    def contacts(self) -> tuple[int, ...]: ...
    @property
    def reaction(self) -> Any: ...
'''
REPORT = '''\
    @property
    def worst(self) -> tuple[Any, float] | None: ...
'''
MORE = {"Sensor": SENSOR, "ThresholdEvent": EVENT, "StepReport": REPORT}


def type_of(field):
    _, kind, shape, members, structure = field
    one = members or structure or {"d": "float", "i": "int", "I": "int", "Q": "int", "z": "str | None"}.get(kind, "Any")
    for count in reversed(shape):
        one = "tuple[%s]" % ", ".join([one] * count) if count <= 3 else "tuple[%s, ...]" % one
    return one


def given(field):
    """the type of a keyword: any integer for a flag, any sequence for an array"""
    _, kind, shape, members, structure = field
    one = structure or {"d": "float", "z": "str | None"}.get(kind, "Any" if kind in "JB" else "int")
    return "Sequence[%s]" % one if shape else one


def enumerations():
    for name, found in sorted(vars(ks).items()):
        if isinstance(found, type) and issubclass(found, enum.IntEnum | enum.IntFlag):
            yield f"class {name}({'IntFlag' if issubclass(found, enum.IntFlag) else 'IntEnum'}):"
            yield from (f"    {member} = {int(value)}" for member, value in found.__members__.items())
            yield ""
    for name, found in sorted(vars(ks).items()):
        if isinstance(found, enum.IntEnum | enum.IntFlag):
            yield f"{name}: {type(found).__name__}"
    yield ""


def structures():
    for name, (is_given, fields) in LAYOUTS.items():
        if not hasattr(ks, name):
            yield f"class {name}(TypedDict, total=False):"
            for field in fields:
                one = given(field)
                both = name == "Threshold" and field[2]
                yield f"    {field[0]}: {one + ' | float' if both else one}"
        else:
            yield f"class {name}:"
            if is_given:
                yield "    def __new__("
                yield "        cls,"
                yield "        *,"
                yield from (f"        {field[0]}: {given(field)} = ...," for field in fields)
                yield "    ) -> Self: ..."
                yield from (f"    {field[0]}: {type_of(field)}" for field in fields)
            else:
                for field in fields:
                    yield f"    @property\n    def {field[0]}(self) -> {type_of(field)}: ..."
            if name in MORE:
                yield MORE[name].rstrip()
        yield ""


def made(stub):
    """the text of the stub, its second part made anew"""
    return "\n".join([stub[: stub.index(MARK)] + MARK, *enumerations(), *structures()]).rstrip() + "\n"


if __name__ == "__main__":
    with open(STUB) as file:
        text = made(file.read())
    with open(STUB, "w") as file:
        file.write(text)

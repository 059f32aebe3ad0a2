"""What h5py and pandas find in the traces of host.c:  files.py whole|live|killed FOLDER STEPS

Prints the errors of all joints and steps, as JSON, for files.mjs to compare."""
import json
import sys

import h5py
import numpy
import pandas

STATE, FOLDER, STEPS = sys.argv[1], sys.argv[2], int(sys.argv[3])
NAMES = ["Handgelenk \u00fc", 'elbow; "left", 2', "=shoulder"]


def same(what, found, wanted):
    if found != wanted:
        sys.exit(f"{STATE}: {what}: {found!r}, not {wanted!r}")


def columns(group):
    """Its datasets as a table; those of several columns by number."""
    out = {}
    for name, data in group.items():
        values = data[:]
        for i in range(values.shape[1] if values.ndim > 1 else 0):
            out[f"{name}{i}"] = values[:, i]
        if values.ndim == 1:
            out[name] = values
    return pandas.DataFrame(out)


with h5py.File(f"{FOLDER}/run.h5", "r", **({} if STATE == "whole" else {"swmr": True})) as file:
    world = file["world1"]
    same("HDF5: the world", world.attrs["name"], 'arm, "one"')
    same("HDF5: joints", [name.decode() if isinstance(name, bytes) else name for name in world["joints/name"][:]], NAMES)
    same("HDF5: a unit", world["reactions/engine_force"].attrs["units"], "N")
    steps, reactions = columns(world["steps"]), columns(world["reactions"])
same("HDF5: steps", len(steps), STEPS)
same("HDF5: lines of a step", set(steps["count"]), {len(NAMES)})
same("HDF5: reactions", len(reactions), STEPS * len(NAMES))
same("HDF5: types", {str(column.dtype) for _, column in reactions.items()}, {"int64", "float64"})

table = pandas.read_csv(f"{FOLDER}/run.csv", float_precision="round_trip")
same("CSV: reactions", len(table), STEPS * len(NAMES))
same("CSV: names of a joint", sorted(table["joint_name"].unique()), sorted(["'" + NAMES[2], *NAMES[:2]]))
same("CSV: worlds", list(table["world"].unique()), ['arm, "one"'])
words = {column for column in table if table[column].dtype == object}
same("CSV: columns of words", sorted(words), ["joint_name", "reasons", "verdict", "world"])
for name, other in {"error": "error", "engine_fx[N]": "engine_force0", "physical_tz[N.m]": "physical_torque2"}.items():
    if not numpy.array_equal(table[name], reactions[other], equal_nan=True):
        sys.exit(f"{STATE}: {name} in CSV is not {other} in HDF5")

json.dump({"force": reactions["engine_force0"].tolist(), "joint": reactions["joint"].tolist()}, sys.stdout)

#!/usr/bin/python3
"""read_recording.py FILE.h5  Joint types and forces of each step of a recording: docs/recordings.md."""
import json
import signal
import sys
import zlib

import h5py
import numpy

signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # as in ... | head
file = h5py.File(sys.argv[1], "r", swmr=True)
schema = json.loads(file["schema"][:].tobytes())
programs = file["program"][:].tobytes().split(b"\0")
parts = {name: (part["words"], {f["name"]: f for f in part["fields"]}) for name, part in schema["parts"].items()}


def value(record, start, part, name):
    field = parts[part][1][name]
    words = record[start + field["word"]:start + field["word"] + field["count"]]
    return words.view("i8" if field["kind"] == "integer" else "f8")


def joints(record):
    """(type, written, force on the first body) of each joint"""
    count = {name: int(value(record, 0, "step", name)[0]) for name in ("bodies", "joints", "geoms", "names")}
    at = parts["step"][0] + count["bodies"] * parts["body"][0]
    types = []
    for _ in range(count["joints"]):
        types.append(schema["joint_types"].get(str(value(record, at, "joint", "type")[0]), {"name": "joint"})["name"])
        at += parts["joint"][0] + int(value(record, at, "joint", "words")[0])
    at += count["geoms"] * parts["geom"][0] + count["names"] * parts["name"][0] + count["bodies"] * parts["body_result"][0]
    for name in types:
        yield name, value(record, at, "joint_result", "written")[0], value(record, at, "joint_result", "force1")
        at += parts["joint_result"][0]


def expected(record):
    """what follows most likely: bodies begin as they have ended"""
    record, words, results = record.copy(), parts["body"][0], parts["body_result"][0]
    bodies, joints = (int(value(record, 0, "step", name)[0]) for name in ("bodies", "joints"))
    begin = parts["step"][0] + parts["body"][1]["flags"]["word"]
    end = len(record) - joints * parts["joint_result"][0] - bodies * results + 1
    for i in range(bodies):
        record[begin + i * words:][:results - 1] = record[end + i * results:][:results - 1]
    return record


last, start = {}, 0
for end, process, world, checksum in zip(*(file[name][:] for name in ("end", "process", "world", "checksum"))):
    written, start = file["records"][start:int(end)].astype("<u8"), int(end)
    who = int(process), int(world) & 0x3fffffff
    old, before = last.get(who, (None, 0))
    is_difference = bool(world >> 31)
    before = before if is_difference else zlib.crc32(programs[process])
    if zlib.crc32(written.tobytes(), zlib.crc32(numpy.array(who, "<u8").tobytes(), before)) != checksum:
        continue  # damaged, or a difference to one that is
    record = written
    if is_difference:
        record, bits = expected(old) if world >> 30 & 1 else old.copy(), -(-len(old) // 64)
        record[numpy.unpackbits(written[:bits].view("u1"), bitorder="little")[:len(old)] == 1] ^= written[bits:]
    last[who] = record, int(checksum)
    for number, (name, was_written, force) in enumerate(joints(record)):
        if was_written & 1:
            print(*who, value(record, 0, "step", "step")[0], number, name, *(repr(float(x)) for x in force))

"""_recording.py  The tables of a recording (docs/recordings.md). Each record is rebuilt from the
record before it, and checked."""
import json
import re
import zlib

from ._files import RunWorld, Table, missing, raw

_MOST_WORDS = 1 << 27  # of a record


class _Part:
    """a part of a record, by the schema: {field: (word, count, kind, unit)}"""
    def __init__(self, described):
        self.words, self.fields = int(described["words"]), {}
        for field in described["fields"]:
            word, count = int(field["word"]), int(field["count"])
            if not 0 <= word < word + count <= self.words:
                raise ValueError(f"the field {field['name']} is outside of its part")
            self.fields[str(field["name"])] = word, count, str(field["kind"]), str(field["unit"])

    def integer(self, record, begin, field):
        return int(record[begin + self.fields[field][0]].view("i8"))


class _Layout:
    """the offsets of the parts of a record"""
    def __init__(self, schema):
        self.parts = {str(name): _Part(part) for name, part in schema["parts"].items()}
        self.types = {int(number): str(kind["name"]) for number, kind in schema["joint_types"].items()}

    def counts(self, record):
        step = self.parts["step"]
        counts = [step.integer(record, 0, name) for name in ("bodies", "joints", "geoms", "names")]
        if min(counts) < 0 or sum(counts) > len(record):
            raise ValueError("a record has more parts than words")
        return counts

    def places(self, record):
        """{kind of part: indices of the first words of these parts}. Joints have different lengths:
        each is followed by the words of its type"""
        import numpy
        bodies, joints, geoms, names = self.counts(record)
        part, at = self.parts, self.parts["step"].words
        places = {"body": at + part["body"].words * numpy.arange(bodies)}
        at += bodies * part["body"].words
        first = []
        for _ in range(joints):
            first.append(at)
            more = part["joint"].integer(record, at, "words")
            if more < 0:
                raise ValueError("a joint has fewer words than none")
            at += part["joint"].words + more
        places["joint"] = numpy.array(first, dtype=int)
        at += geoms * part["geom"].words
        for name, count in (("name", names), ("body_result", bodies), ("joint_result", joints)):
            places[name] = at + part[name].words * numpy.arange(count)
            at += count * part[name].words
        if at > len(record):
            raise ValueError("a record ends before its parts")
        return places

    def expected(self, record):
        """the prediction of the next record: bodies start where they ended"""
        record = record.copy()
        bodies, joints, _, _ = self.counts(record)
        body, result = self.parts["body"], self.parts["body_result"]
        moved, begin = result.words - 1, self.parts["step"].words
        end = len(record) - joints * self.parts["joint_result"].words - bodies * result.words
        if end < begin + bodies * body.words:
            raise ValueError("a record ends before its parts")
        for i in range(bodies):
            record[begin + body.fields["flags"][0] + i * body.words:][:moved] = record[end + 1 + i * result.words:][:moved]
        return record


def _records(file, column, layout, programs):
    """yields (process, world), record; None, None for a damaged record, and for each record that
    depends on a damaged one"""
    import numpy
    columns = [column(file, name, "u")[:] for name in ("end", "process", "world", "checksum")]
    written = column(file, "records", "u")
    last, start = {}, 0
    for end, process, world, checksum in zip(*(one.tolist() for one in columns)):
        if not start <= end <= len(written) or end - start > _MOST_WORDS:
            raise ValueError("its records overlap")
        words, start = written[start:end].astype("<u8"), end
        who = process, world & 0x3fffffff
        old, before = last.get(who, (None, 0))
        if not world >> 31:
            before = zlib.crc32(programs[process]) if process < len(programs) else 0
        head = zlib.crc32(numpy.array(who, "<u8").tobytes(), before)
        if zlib.crc32(words.tobytes(), head) != checksum or world >> 31 and old is None:
            yield None, None
            continue
        if world >> 31:
            record, bits = layout.expected(old) if world >> 30 & 1 else old.copy(), -(-len(old) // 64)
            record[numpy.unpackbits(words[:bits].view("u1"), bitorder="little")[:len(old)] == 1] ^= words[bits:]
            words = record
        last[who] = words, checksum
        yield who, words


def _head(file):
    """-> parameters as {name: value}, and names of joints (--names) as {(type or "", number):
    name}. Raises ValueError if the head is damaged"""
    parameters, names = raw(file, "parameters") or b"", (raw(file, "names") or b"").split(b"\0")[0]
    told = [raw(file, name) for name in ("program", "arguments", "begun", "engine", "built", "notes")]
    told += [parameters if parameters[:1] != b"\0" else b"", raw(file, "ending"), names]
    if None in told or zlib.crc32(b"".join(told)) != int(file.attrs["head"][0]):
        raise ValueError("its head has another checksum")
    listed = re.findall(r"^(?:([^\d ]\S*) )?(\d+) (.*)$", names.decode(errors="replace"), re.MULTILINE)
    return (dict(one.split("=", 1) for one in parameters.decode(errors="replace").split("\0") if "=" in one),
            {(kind, int(number)): name for kind, number, name in listed})


def recording(file, column):
    """-> worlds, parameters, number of omitted records"""
    if int(file.attrs["recording"][0]) != 1:
        raise ValueError(f"format {int(file.attrs['recording'][0])} is not known")
    parameters, listed = _head(file)
    layout = _Layout(json.loads(column(file, "schema", "iuS")[:].tobytes()))
    programs = column(file, "program", "iuS")[:].tobytes().split(b"\0")
    found, left_out = {}, 0
    for who, record in _records(file, column, layout, programs):
        if who is None:
            left_out += 1
        elif not _is_end(layout, record):
            found.setdefault(who, []).append((record, layout.places(record)))
    return [RunWorld(_name(who, programs), _tables(layout, found[who], listed)) for who in sorted(found)], parameters, left_out


def _is_end(layout, record):
    """is this an extra record, without a step and without bodies?"""
    step = layout.parts["step"]
    return step.integer(record, 0, "is_extra") and not step.integer(record, 0, "is_stepped") and not layout.counts(record)[0]


def _name(who, programs):
    """the name of a world as in reports"""
    called = [program.rpartition(b"/")[2].decode(errors="replace") for program in programs]
    process, world = who
    if process == 0:
        return f"world {world}"
    other = process < len(called) and called[process] not in ("", called[0])
    return f"process {process + 1}{f' ({called[process]})' if other else ''}, world {world}"


def _tables(layout, found, listed):
    import numpy
    lines = {table: [len(places[table]) for _, places in found] for table in ("body", "joint")}
    lines["step"] = [1] * len(found)

    def block(table, part, field):
        """a field in all lines: [lines] or [lines, count]"""
        word, count, kind, _ = layout.parts[part].fields[field]
        within = word + numpy.arange(count)
        pieces = [record[(places[part][:, None] if part != "step" else numpy.zeros((1, 1), int)) + within] for record, places in found]
        array = numpy.concatenate(pieces).view("i8" if kind == "integer" else "f8")
        return array[:, 0] if count == 1 else array

    def table(name, parts):
        columns = {} if name == "step" else {one: ("step", one) for one in ("step", "time")}
        for part in parts:
            for field in layout.parts[part].fields:
                columns["after_" + field if field in columns else field] = part, field

        def read(wanted):
            part, field = columns[wanted]
            if wanted == "name":
                return _names(layout, found, listed)
            array = block(name, part, field)
            if part == "step" and name != "step":
                array = numpy.repeat(array, lines[name])
            if name == "joint" and wanted == "type":
                array = numpy.array([layout.types.get(number, "joint") for number in array.tolist()], dtype=object)
            return array
        if name == "joint":
            columns["name"] = None, "name"
        units = {one: "1" if part is None else layout.parts[part].fields[field][3] for one, (part, field) in columns.items()}
        return Table(sum(lines[name]), read, units, dict.fromkeys(units), number_of if name == "joint" else None, "ordinal")

    def number_of(joint):
        places = numpy.flatnonzero(joints["name"] == joint)
        if not len(places):
            raise missing("joint", joint, joints["name"])
        ordinal = joints["ordinal"][places[0]]
        return ("ordinal", ordinal) if ordinal else ("name", joint)  # contacts have no name
    joints = table("joint", ("joint", "joint_result"))
    return {"steps": table("step", ("step",)), "bodies": table("body", ("body", "body_result")), "joints": joints}


def _names(layout, found, listed):
    """the name of each joint in each step: from the program, from --names, or generated as in
    reports"""
    import numpy
    part = layout.parts["name"]
    word, count, _, _ = part.fields["name"]
    names, made = [], {}

    def numbers(record, places, table, field):
        first, size, _, _ = layout.parts[table].fields[field]
        return record[places[table][:, None] + (first + numpy.arange(size))].view("i8").tolist()
    for record, places in found:
        body = dict(enumerate(number for number, in numbers(record, places, "body", "number")))
        columns = [numbers(record, places, "joint", field) for field in ("type", "number", "ordinal", "bodies")]
        for (kind,), (number,), (ordinal,), (first, second) in zip(*columns):
            who = layout.types.get(kind, "joint"), number, ordinal, body.get(first, 0), body.get(second, 0)
            if who not in made:
                made[who] = listed.get(who[:2]) or listed.get(("", ordinal)) or _made_up(*who)
            names.append(made[who])
        for at in places["name"].tolist():
            joint = part.integer(record, at, "joint")
            if 0 <= joint < len(places["joint"]):
                names[joint - len(places["joint"])] = record[at + word:at + word + count].tobytes().split(b"\0")[0].decode(errors="replace")
    return numpy.array(names, dtype=object)


def _made_up(kind, number, _, first, second):
    """the name that ksiWriteJointName generates. A contact names the body with the smaller number
    first, and the world last"""
    if kind == "contact" and (not first or 0 < second < first):
        first, second = second, first
    called = [f"body {body}" if body else "world" for body in (first, second)]
    return f"{kind}{'' if kind == 'contact' else f' {number}'}: {called[0]} – {called[1]}"

"""_files.py  open(): what runs have left in files: traces (docs/traces.md), by h5py; recordings are taken to pieces by _recording.py."""
import os
import stat

from ._native import Error, Status

_MOST_INFLATED = 1032  # the largest number of bytes that deflate makes of one


def missing(what, name, names):
    """a KeyError that lists a few existing names"""
    there = list(dict.fromkeys(names))
    few = ", ".join(map(repr, there[:6])) + (", ..." if len(there) > 6 else "")
    return KeyError(f"no {what} is called {name!r}: there {'are ' + few if there else 'is none'}")


class Table:
    """Columns of one length: table["time"] is an array of numpy, [lines] or [lines, width], which cannot be written.

    len(table): lines. columns: their names. units, descriptions: by column, as the file has them. A column is read when it is first asked
    for; an unknown number is NaN."""

    def __init__(self, lines, read, units, descriptions, number_of=None, by="joint"):
        self._lines, self._read, self._number_of, self._by, self._known = lines, read, number_of, by, {}
        self.columns, self.units, self.descriptions = tuple(units), units, descriptions

    def __len__(self):
        return self._lines

    def __iter__(self):
        return iter(self.columns)

    def __contains__(self, column):
        return column in self.units

    def __getitem__(self, column):
        if column not in self.units:
            raise missing("column", column, self.columns)
        if column not in self._known:
            array = self._read(column)
            array.flags.writeable = False
            self._known[column] = array
        return self._known[column]

    def __repr__(self):
        return f"<kinetostat.Table of {self._lines} lines: {', '.join(self.columns)}>"

    def keys(self):
        """The names of the columns; so dict(table) has all of them."""
        return self.columns

    def of(self, joint):
        """of(joint) -> Table

        The lines of one joint: by its name, or by its number in the column "joint" of a trace, "ordinal" of a recording; by the name of two
        bodies' contacts, "contact: body 1 – world", theirs. Raises KeyError where no joint has this name."""
        import numpy
        by, number = self._number_of(joint) if isinstance(joint, str) and self._number_of else (self._by, joint)
        chosen = numpy.flatnonzero(self[by] == number)
        return Table(len(chosen), lambda column: self[column][chosen], self.units, self.descriptions, self._number_of, self._by)

    def frame(self):
        """frame() -> pandas.DataFrame

        All columns, of which one that is [lines, width] becomes name_0, name_1, ..."""
        import pandas
        columns = {}
        for name in self.columns:
            array = self[name]
            if array.ndim == 1:
                columns[name] = array
            else:
                columns.update((f"{name}_{i}", array[:, i]) for i in range(array.shape[1]))
        return pandas.DataFrame(columns)


class RunWorld:
    """A world of a run: its tables, by name, in `tables`, and as attributes.

    A trace has joints (a line for each), reactions (for each joint and step), motors (for each axis with one), pairs (of Inspector.pair), steps, and with TRACE_ROWS rows; a recording has steps, bodies
    and joints (for each step). name: as in reports."""

    def __init__(self, name, tables):
        self.name, self.tables = name, tables

    def __repr__(self):
        return f"<kinetostat.RunWorld {self.name!r}: {', '.join(self.tables)}>"

    def _table(self, name):
        if name not in self.tables:
            raise AttributeError(f"{self.name} has no {name}, but {', '.join(self.tables)}")
        return self.tables[name]

    def __getitem__(self, joint):
        """A joint of a trace, by name or by its number in the column "joint"."""
        from ._joints import RunJoint
        reactions = self.reactions
        lines = reactions.of(joint)
        number = joint if not isinstance(joint, str) else list(self.joints["name"]).index(joint)
        motors = self.tables["motors"].of(joint) if "motors" in self.tables else None
        return RunJoint(self.joints["name"][number], self.joints["type"][number], lines, motors)

    motors = property(lambda self: self._table("motors"), doc="Of a trace: force, speed and power of motors by axis and step.")
    pairs = property(lambda self: self._table("pairs"), doc="Of a trace: mean and physical force, friction, centre of pressure by pair and step.")
    joints = property(lambda self: self._table("joints"), doc="In a trace: name, type, number, bodies. In a recording: of each step.")
    bodies = property(lambda self: self._table("bodies"), doc="Of a recording: masses, and states before and after each step.")
    reactions = property(lambda self: self._table("reactions"), doc="Of a trace: wrenches, verdict and errors by joint and step.")
    rows = property(lambda self: self._table("rows"), doc="Of a trace with TRACE_ROWS: constraint rows by step.")
    steps = property(lambda self: self._table("steps"), doc="A line for each step.")


class RunFile:
    """What a run has left, in the file `path`: run["arm"] is a RunWorld, by name, and run.worlds are all of them. Of a trace, where no world has the name,
    run["elbow"] is the RunJoint of the one world with a joint of that name.

    kind: "trace" or "recording". parameters: what the run is one of many for, {name: value}, both str. left_out: how many records of a
    recording are damaged, or follow one that is. After close() columns that were not read yet cannot be."""

    def __init__(self, path, kind, worlds, parameters, left_out, file=None):
        self.path = path
        self.kind, self.worlds, self.parameters, self.left_out, self._file = kind, tuple(worlds), parameters, left_out, file

    def __repr__(self):
        return f"<kinetostat.RunFile, a {self.kind} of {len(self.worlds)} worlds>"

    def __getitem__(self, name):
        for world in self.worlds:
            if world.name == name:
                return world
        having = [one for one in self.worlds if self.kind == "trace" and name in one.joints["name"]]
        if len(having) == 1:
            return having[0][name]
        if having:
            raise KeyError(f"joints of several worlds are called {name!r}: run[world][{name!r}]")
        joints = [joint for world in self.worlds if self.kind == "trace" for joint in world.joints["name"]]
        raise missing("joint or world" if joints else "world", name, joints + [world.name for world in self.worlds])

    def __iter__(self):
        return iter(self.worlds)

    def __len__(self):
        return len(self.worlds)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Closes the file. Arrays that were read stay."""
        if self._file:
            self._file.close()


def open(path):
    """open(path) -> RunFile

    Reads a trace (Trace, kinetostat --trace) or a recording (level=TRACE_RAW, kinetostat --trace-raw) as HDF5, by h5py, also while it is written and
    after its writer was killed: as many whole steps as there are now. A recording is read as a whole, and needs memory as if it were not
    compressed; not one that this process still writes. Raises Error, with Status.FILE, for what is neither; ImportError without h5py."""
    try:
        import h5py
    except ImportError as error:
        raise ImportError("kinetostat.open() needs h5py (on Debian: python3-h5py)", name="h5py") from error
    said = os.fsdecode(path)
    try:
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode):
            raise refused(said, "is a folder" if stat.S_ISDIR(mode) else "is a pipe or a device, not a file")
        file = _opened(path)
    except (OSError, RuntimeError) as error:
        strange = f"cannot be read: {error}; a trace as CSV is read by pandas.read_csv, a saved report by merge()"
        if any(words in str(error) for words in ("n't match", "not the same for file that is already open")):
            strange = "this process has it open in another way: it can be read here once it is closed"
        raise refused(said, getattr(error, "strerror", None) or strange) from error
    run = None
    try:
        if "recording" in file.attrs:
            from ._recording import recording
            run = RunFile(path, "recording", *recording(file, column))
        elif text(file.attrs.get("format")) == "kinetostat trace 1":
            run = RunFile(path, "trace", _traced(file), {}, 0, file)
        else:
            raise refused(said, "is neither a trace nor a recording that this version knows")
    except Error:
        raise
    except (ArithmeticError, LookupError, OSError, RecursionError, RuntimeError, TypeError, ValueError) as error:
        raise refused(said, f"is damaged: {error}") from error
    finally:
        if not run or run.kind == "recording":
            file.close()
    return run


def _opened(path):
    """opens the file as its writer does, perhaps in this process: h5py's own File(path) conflicts
    with that"""
    import h5py
    access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    access.set_fclose_degree(h5py.h5f.CLOSE_STRONG)
    access.set_file_locking(False, False)
    try:
        handle = h5py.h5f.open(os.fsencode(path), h5py.h5f.ACC_RDONLY, access)
    except OSError as error:
        if "already open" not in str(error):
            raise
        # another process writes it, or its writer was killed. This comes second: it reads damaged
        # files again and again
        handle = h5py.h5f.open(os.fsencode(path), h5py.h5f.ACC_RDONLY | h5py.h5f.ACC_SWMR_READ, access)
    return h5py.File(handle)


def refused(path, words):
    error = Error(f"kinetostat: {path}: {words}")
    error.status = Status.FILE
    return error


def text(value):
    """the text of an attribute; None: another type"""
    return value.decode(errors="replace") if isinstance(value, bytes) else value if isinstance(value, str) else None


def raw(file, name):
    """an attribute's bytes as in the file: h5py ends a text at its first null character. None: no
    attribute of fixed size"""
    import h5py
    import numpy
    attribute = h5py.h5a.open(file.id, name.encode()) if name in file.attrs else None
    if not attribute or attribute.dtype.hasobject or attribute.get_storage_size() > os.fstat(file.id.get_vfd_handle()).st_size:
        return None
    array = numpy.empty(attribute.shape, attribute.dtype)
    attribute.read(array, attribute.get_type())
    return array.tobytes()


def _member(group, name, kind):
    """the object, if it is in this file and not behind a link to another one"""
    import h5py
    link = group.get(name, getlink=True)
    if not isinstance(link, h5py.HardLink):
        raise ValueError(f"{name} is missing" if link is None else f"{name} is elsewhere")
    member = group[name]
    if not isinstance(member, kind):
        raise ValueError(f"{name} is of another type")
    return member


def column(group, name, kinds, dimensions=(1,)):
    """A dataset of numbers or characters, of a size that the file can hold."""
    import h5py
    dataset = _member(group, name, h5py.Dataset)
    if dataset.ndim not in dimensions or dataset.dtype.kind not in kinds:
        raise ValueError(f"{name} is of another type")
    if not dataset.chunks:  # its data may be in another file
        raise ValueError(f"{name} is not in chunks of this file")
    chunk = dataset.dtype.itemsize
    for count in dataset.chunks:
        chunk *= count
    if dataset.nbytes > os.fstat(dataset.file.id.get_vfd_handle()).st_size * _MOST_INFLATED + chunk:
        raise ValueError(f"{name} is larger than the file can hold")
    return dataset


def _traced(file):
    import h5py
    names = sorted((name for name in file if name.startswith("world") and name[5:].isdecimal()), key=lambda name: int(name[5:]))
    for name in names:
        world = _member(file, name, h5py.Group)
        groups = {table: _member(world, table, h5py.Group) for table in ("joints", "reactions", "motors", "pairs", "rows", "steps") if table in world}
        yield RunWorld(text(world.attrs["name"]), _tables(file, groups))


def _written(counts):
    """the number of counts that are written: the writer, another thread, has yet to replace each
    -1"""
    low, high = 0, len(counts)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if counts[middle] < 0 else (middle + 1, high)
    return low


def _tables(file, groups):
    """A step with its `count` is complete, with all its lines in the other tables."""
    lines = {"steps": _written(column(groups["steps"], "count", "i")), "reactions": 0, "rows": 0, "motors": 0, "pairs": 0}
    last = lines["steps"] - 1
    for table, first, count in (("reactions", "first", "count"), ("rows", "first_row", "row_lines"), ("motors", "first_motor", "motor_lines"),
                                ("pairs", "first_pair", "pair_lines")):
        if last >= 0 and (table in groups or table not in ("motors", "pairs")):
            lines[table] = sum(int(column(groups["steps"], name, "i")[last]) for name in (first, count))
    lines["joints"] = min(len(column(groups["joints"], name, "iS", (1, 2))) for name in groups["joints"])
    joints = _table(file, groups["joints"], lines["joints"])
    known = {}

    def number_of(name):
        """a column, and its values in the lines of this joint"""
        if not known:
            known.update((one, i) for i, one in reversed(list(enumerate(joints["name"]))))
        if name not in known:
            raise missing("joint", name, joints["name"])
        return "joint", known[name]
    return {name: _table(file, group, lines[name], number_of) if name != "joints" else joints for name, group in groups.items()}


def _table(file, group, lines, number_of=None):
    datasets = {name: column(group, name, "ifS", (1, 2)) for name in group}
    for name, dataset in datasets.items():
        if not 0 <= lines <= len(dataset):
            raise ValueError(f"{dataset.name} has {len(dataset)} lines of {lines}")

    said = os.fsdecode(file.filename)

    def read(name):
        try:
            array = datasets[name][:lines]
        except (OSError, RuntimeError, ValueError) as error:
            raise refused(said, f"{name} cannot be read: {error}" if file else "is closed") from error
        return words(array) if array.dtype.kind == "S" else array
    units = {name: text(dataset.attrs.get("units")) for name, dataset in datasets.items()}
    descriptions = {name: text(dataset.attrs.get("description")) for name, dataset in datasets.items()}
    return Table(lines, read, units, descriptions, number_of)


def words(array):
    """bytes as str"""
    import numpy
    return numpy.array([one.decode(errors="replace") for one in array.tolist()], dtype=object)

"""_files.py  open(): reads the files of runs by h5py: traces (docs/traces.md) here, recordings in
_recording.py."""
import os
import stat

from ._native import Error, Status

_MOST_INFLATED = 1032  # the largest ratio of bytes before and after compression by deflate


def missing(what, name, names):
    """a KeyError that lists a few existing names"""
    there = list(dict.fromkeys(names))
    few = ", ".join(map(repr, there[:6])) + (", ..." if len(there) > 6 else "")
    return KeyError(f"no {what} is called {name!r}: there {'are ' + few if there else 'is none'}")


class Table:
    """A table of columns that have the same number of lines. table["time"] is a read-only numpy
    array, [lines] or [lines, width].

    len(table): number of lines. columns: names of the columns. units, descriptions: dictionaries by
    column, with the texts of the file. A column is read when it is first used. Unknown numbers are
    NaN."""

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
        """The names of the columns. dict(table) has all columns."""
        return self.columns

    def of(self, joint):
        """of(joint) -> Table

        Returns the lines of one joint. joint: its name, or its number in the column "joint" of a
        trace or "ordinal" of a recording. A name such as "contact: body 1 – world" gives the lines
        of all contacts between these two bodies. Raises KeyError if no joint has this name."""
        import numpy
        by, number = self._number_of(joint) if isinstance(joint, str) and self._number_of else (self._by, joint)
        chosen = numpy.flatnonzero(self[by] == number)
        return Table(len(chosen), lambda column: self[column][chosen], self.units, self.descriptions, self._number_of, self._by)

    def frame(self):
        """frame() -> pandas.DataFrame

        Returns all columns. A column [lines, width] becomes the columns name_0, name_1, ..."""
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
    """A world of a run. Its tables are attributes, and by name in the dictionary `tables`.

    A trace has the tables joints (a line for each joint), reactions (for each joint and step),
    motors (for each axis with a motor, and step), pairs (of Inspector.pair), steps, and with
    TRACE_ROWS also rows. A recording has steps, bodies (for each body and step) and joints (for
    each joint and step). name: the name of the world in reports."""

    def __init__(self, name, tables):
        self.name, self.tables = name, tables

    def __repr__(self):
        return f"<kinetostat.RunWorld {self.name!r}: {', '.join(self.tables)}>"

    def _table(self, name):
        if name not in self.tables:
            raise AttributeError(f"{self.name} has no {name}, but {', '.join(self.tables)}")
        return self.tables[name]

    def __getitem__(self, joint):
        """Returns a joint of a trace, by its name, or its number in the column "joint"."""
        from ._joints import RunJoint
        reactions = self.reactions
        lines = reactions.of(joint)
        number = joint if not isinstance(joint, str) else list(self.joints["name"]).index(joint)
        motors = self.tables["motors"].of(joint) if "motors" in self.tables else None
        return RunJoint(self.joints["name"][number], self.joints["type"][number], lines, motors)

    motors = property(lambda self: self._table("motors"), doc="Of a trace: force, speed and power of motors by axis and step.")
    pairs = property(lambda self: self._table("pairs"), doc="Of a trace: mean and physical force, friction, centre of pressure by pair and step.")
    joints = property(lambda self: self._table("joints"), doc="In a trace: name, type, number, bodies. In a recording: a line for each joint and step.")
    bodies = property(lambda self: self._table("bodies"), doc="Of a recording: masses, and states before and after each step.")
    reactions = property(lambda self: self._table("reactions"), doc="Of a trace: wrenches, verdict and errors by joint and step.")
    rows = property(lambda self: self._table("rows"), doc="Of a trace with TRACE_ROWS: constraint rows by step.")
    steps = property(lambda self: self._table("steps"), doc="A line for each step.")


class RunFile:
    """The file of a run, at `path`. run["arm"] is the RunWorld with this name; run.worlds has all
    worlds. In a trace, run["elbow"] is the RunJoint with this name, if no world has this name and
    only one world has such a joint.

    kind: "trace" or "recording". parameters: the parameters that distinguish this run from others,
    {name: value}, both str. left_out: number of records of a recording that were omitted, because
    they are damaged or depend on a damaged record. After close(), only columns that were read
    before are available."""

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

    Opens a trace (Trace, kinetostat --trace) or a recording (level=TRACE_RAW, kinetostat
    --trace-raw) in HDF5, by h5py. The file may still be growing, or its writer may have been
    killed: the tables have the steps that are complete when the file is opened. A recording is read
    as a whole, and needs memory for its uncompressed size. This process must have closed a
    recording of its own before. Raises Error with Status.FILE for any other file, and ImportError
    without h5py."""
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
    """Opens the file with the settings of its writer, which may be this process. h5py.File(path)
    uses other settings, and would fail if this process writes the file."""
    import h5py
    access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    access.set_fclose_degree(h5py.h5f.CLOSE_STRONG)
    access.set_file_locking(False, False)
    try:
        handle = h5py.h5f.open(os.fsencode(path), h5py.h5f.ACC_RDONLY, access)
    except OSError as error:
        if "already open" not in str(error):
            raise
        # another process writes the file, or its writer was killed. This mode is the second choice,
        # because it retries damaged files many times
        handle = h5py.h5f.open(os.fsencode(path), h5py.h5f.ACC_RDONLY | h5py.h5f.ACC_SWMR_READ, access)
    return h5py.File(handle)


def refused(path, words):
    error = Error(f"kinetostat: {path}: {words}")
    error.status = Status.FILE
    return error


def text(value):
    """the text of an attribute; None: the attribute is of another type"""
    return value.decode(errors="replace") if isinstance(value, bytes) else value if isinstance(value, str) else None


def raw(file, name):
    """the bytes of an attribute, including those after a null character, which h5py omits. None:
    there is no such attribute of fixed size"""
    import h5py
    import numpy
    attribute = h5py.h5a.open(file.id, name.encode()) if name in file.attrs else None
    if not attribute or attribute.dtype.hasobject or attribute.get_storage_size() > os.fstat(file.id.get_vfd_handle()).st_size:
        return None
    array = numpy.empty(attribute.shape, attribute.dtype)
    attribute.read(array, attribute.get_type())
    return array.tobytes()


def _member(group, name, kind):
    """the object, if it is in this file and not behind a link to another file"""
    import h5py
    link = group.get(name, getlink=True)
    if not isinstance(link, h5py.HardLink):
        raise ValueError(f"{name} is missing" if link is None else f"{name} is elsewhere")
    member = group[name]
    if not isinstance(member, kind):
        raise ValueError(f"{name} is of another type")
    return member


def column(group, name, kinds, dimensions=(1,)):
    """a dataset of numbers or characters, whose size is possible for this file"""
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
    """the number of counts that are written. The other counts are still -1: the writer, another
    thread, will replace them"""
    low, high = 0, len(counts)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if counts[middle] < 0 else (middle + 1, high)
    return low


def _tables(file, groups):
    """The tables of a world, cut to complete steps: once the `count` of a step is written, the
    other tables have all its lines."""
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
        """the column that identifies joints, and its value for this joint"""
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

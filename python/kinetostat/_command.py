"""_command.py  judge(), merge(), sizing() and load_cases(): the command kinetostat, and what it has found as a dictionary."""
import collections.abc
import enum
import json
import os
import shutil
import subprocess
import tempfile

from . import _native
from ._native import Error

# the command of the other precision judges, too
_COMMANDS = ("kinetostat", "kinetostat-single")[::-1 if "_single" in _native.__name__ else 1]


class CommandError(Error):
    """The command kinetostat failed, in its own words.

    exit_status: its exit status, 125 for files that cannot be read and options that are wrong; below zero the signal that has ended it; None
    if it could not be started. report: what it has found all the same, for instance in other files, or None."""

    def __init__(self, words, exit_status=None, report=None):
        super().__init__(words)
        self.exit_status = exit_status
        self.report = report


def judge(files, *, processes=None, **options):
    """judge(files, processes=None, **options) -> dict

    Reports on recordings (Trace with level=TRACE_RAW, kinetostat --trace-raw): what `kinetostat judge --json` writes, docs/reports.md, and
    "exitStatus". Each file is read and judged in a process of its own, confined, with limits of memory and time.

    files: a path, or an iterable of them. processes: how many of the machine's processors judge at the same time (--jobs); None: all. The
    report is the same with any number. options: those of the command, with _ for -, None or False for none, True for one without a value:
    value="physical", fail_above=0.05, joints="hinge *", advise_every=0, shard="1/4", save="part.data", html="page.html";
    one that may be given more than once is a list: max_force=["elbow=200", "hinge *=90"] (N).
    mean=0.15 makes these limits, and a baseline, be judged by means over so many seconds.

    "exitStatus" is 0; 3 if fail_above, baseline, max_force or max_torque was given and a joint fails; 4 if something was not judged. Raises
    CommandError otherwise."""
    return _run("judge", files, jobs=processes, **options)


def merge(reports, **options):
    """merge(reports, **options) -> dict

    One report of those that were saved (judge(save=...), Report.write("x.data"), kinetostat --save), to the bit the one that one process
    would have made of all; of a single one, what it says. reports: a path, or an iterable of them. options and "exitStatus": as of judge(), those
    of documents and of when a joint fails."""
    return _run("merge", reports, **options)


def sizing(run, **options):
    """sizing(run, **options) -> dict

    What a trace has for sizing: motors, bearings, pins and links, docs/sizing.md: what `kinetostat size --json` writes. run: the path of the trace, or the
    RunFile of open(), read again. options: those of the command, with _ for -: value="mean", joints="hinge *", time_constant=30, repeat=True,
    bearing="elbow:C=14000,kind=roller", point="slide:0,-0.1,0", sn=["elbow:fx=20000,2e6,5", "elbow:ty=40,1e6,3"], csv="run.csv".

    Raises CommandError where the trace cannot be read, or nothing in it was chosen."""
    found = _run("size", getattr(run, "path", run), **options)
    del found["exitStatus"]
    return found


def load_cases(run, *, body, **options):
    """load_cases(run, body, **options) -> dict

    All loads on one body of a recording in the steps in which one of them is at its least or most, in the body's axes, with the inertia loads that
    balance them, docs/sizing.md: what `kinetostat loadcases --json` writes. run: the path of the recording, or the RunFile of open(), read again. body: its number in reports;
    or the name of a joint that holds it, or a list of them that hold no other one in common. options: those of the command, with _ for -: value="mean", joints="wrist*",
    component="fx,force", csv="rod.csv", series="all.csv", calculix="rod.inp", mesh="mesh.inp", node=["wrist=1001"].

    Raises CommandError where the recording cannot be read, or nothing in it was chosen."""
    found = _run("loadcases", getattr(run, "path", run), body=body, **options)
    del found["exitStatus"]
    return found


def _arguments(options):
    for name, values in options.items():
        option = "--" + name.replace("_", "-")
        for value in [values] if _is_one(values) else values:
            if value is True:
                yield option
            elif value is not None and value is not False:
                yield os.fsencode(option + "=") + os.fsencode(_text(value))


def _is_one(value):
    return isinstance(value, (str, bytes, os.PathLike)) or not isinstance(value, collections.abc.Iterable) or getattr(value, "shape", None) == ()


def _text(value):
    if isinstance(value, enum.Enum):
        return value.name.lower()
    # a number is read back as it is
    return value if isinstance(value, (str, bytes, os.PathLike)) else repr(float(value)) if isinstance(value, float) else str(value)


def _run(verb, files, **options):
    call = {"size": "sizing", "loadcases": "load_cases"}.get(verb, verb)
    for name in options.keys() & {"json", "quiet", "fail_status", "help", "version"}:
        raise TypeError(f"{call}() takes no {name}: it gives a dictionary, with the exit status, and prints nothing")
    if not isinstance(files, (str, bytes, os.PathLike, collections.abc.Iterable)):
        raise TypeError(f"{call}() takes a path{' or paths' if call == verb else ''}, not {files!r}")
    paths = [files] if isinstance(files, (str, bytes, os.PathLike)) else list(files)
    with tempfile.TemporaryDirectory(prefix="kinetostat-") as folder:
        found = os.path.join(folder, "report.json")
        command = os.environ.get("KINETOSTAT_COMMAND") or next(filter(shutil.which, _COMMANDS), _COMMANDS[0])
        arguments = [command, verb, *_arguments(options), "--quiet", "--json", found, "--", *map(os.fspath, paths)]
        try:
            run = subprocess.run(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        except OSError as error:
            raise CommandError(f"{command}: {error.strerror}: {call}() runs the command kinetostat (on Debian, the package of this "
                               "name), from PATH or KINETOSTAT_COMMAND") from error
        report = _read(found)
    words = run.stderr.decode(errors="replace").strip()
    if run.returncode not in (0, 3, 4) or report is None:
        raise CommandError(words or f"{command} {verb} ended with {run.returncode}", run.returncode, report)
    report["exitStatus"] = run.returncode
    return report


def _read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return None

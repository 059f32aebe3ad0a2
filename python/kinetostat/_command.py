"""_command.py  judge(), merge(), sizing() and load_cases(): each runs the command kinetostat, and
returns its JSON as a dictionary."""
import collections.abc
import enum
import json
import os
import shutil
import subprocess
import tempfile

from . import _native
from ._native import Error

# the command of the other precision can judge the same files
_COMMANDS = ("kinetostat", "kinetostat-single")[::-1 if "_single" in _native.__name__ else 1]


class CommandError(Error):
    """The command kinetostat failed. The text of the exception is the command's message.

    exit_status: the exit status; 125: a file cannot be read, or an option is wrong. A negative
    number: minus the number of the signal that ended the command. None: it could not be started.
    report: the results so far, for instance of the other files, as a dictionary; or None."""

    def __init__(self, words, exit_status=None, report=None):
        super().__init__(words)
        self.exit_status = exit_status
        self.report = report


def judge(files, *, processes=None, **options):
    """judge(files, processes=None, **options) -> dict

    Judges recordings (Trace with level=TRACE_RAW, kinetostat --trace-raw). Returns the JSON of
    `kinetostat judge --json` (docs/reports.md) as a dictionary, plus "exitStatus". Each file is
    read and judged in a separate, confined process, with limits of memory and time.

    files: a path, or an iterable of paths. processes: number of processors that judge at the same
    time (--jobs); None: all. It does not change the report. options: the options of the command as
    keywords, with _ for -: value="physical", fail_above=0.05, joints="hinge *", advise_every=0,
    shard="1/4", save="part.data", html="page.html". True sets an option that has no value; None and
    False omit the option. A list repeats it: max_force=["elbow=200", "hinge *=90"] (N). With
    mean=0.15 these limits and the baseline are compared with means over 0.15 s.

    "exitStatus" is 0, 3 or 4. 3: fail_above, baseline, max_force or max_torque was set, and a joint
    fails. 4: something was not judged. With any other status, raises CommandError."""
    return _run("judge", files, jobs=processes, **options)


def merge(reports, **options):
    """merge(reports, **options) -> dict

    Merges saved reports (judge(save=...), Report.write("x.data"), kinetostat --save) into one, and
    returns its JSON as a dictionary. The result is bitwise the report that a single process would
    have made of all these runs. A single saved report is returned as it is.

    reports: a path, or an iterable of paths. options: those options of judge() that write documents
    or decide when a joint fails. "exitStatus" is as in judge()."""
    return _run("merge", reports, **options)


def sizing(run, **options):
    """sizing(run, **options) -> dict

    Computes the loads of motors, bearings, pins and links from a trace or a recording, for sizing
    (docs/sizing.md). Returns the JSON of `kinetostat size --json` as a dictionary.

    run: the path, or a RunFile of open(), whose file is read again. options: the options of the
    command as keywords, with _ for -: value="mean", joints="hinge *", time_constant=30,
    repeat=True, bearing="elbow:C=14000,kind=roller", point="slide:0,-0.1,0",
    sn=["elbow:fx=20000,2e6,5", "elbow:ty=40,1e6,3"], csv="run.csv".

    Raises CommandError if the file cannot be read, or if the selection is empty."""
    found = _run("size", getattr(run, "path", run), **options)
    del found["exitStatus"]
    return found


def load_cases(run, *, body, **options):
    """load_cases(run, body, **options) -> dict

    Computes the load cases of one body of a recording, for finite elements (docs/sizing.md): all
    loads on the body in each step in which one of them has its minimum or maximum. They are in the
    body's axes, and include the inertia loads that balance the others. Returns the JSON of
    `kinetostat loadcases --json` as a dictionary.

    run: the path of the recording, or a RunFile of open(), whose file is read again. body: the
    body's number in reports; or the name of one of its joints; or a list of such names, which
    have only this body in common. options: the options of the command as keywords, with _ for -:
    value="mean", joints="wrist*", component="fx,force", csv="rod.csv", series="all.csv",
    calculix="rod.inp", mesh="mesh.inp", node=["wrist=1001"].

    Raises CommandError if the recording cannot be read, or if the selection is empty."""
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
    # the digits of repr() give the command the same number
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

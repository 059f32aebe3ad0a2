from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import IntEnum, IntFlag
from os import PathLike
from typing import Any, Self, TypedDict, Unpack

_World = Any  # ode.World, the address of a dWorldID, or a ctypes pointer
_Body = Any  # likewise
_Joint = Any  # likewise; in questions about the last step also the name of the joint
_Numbers = Any  # a buffer of doubles, such as numpy.ndarray; or a sequence, also nested, of numbers

class Error(RuntimeError):
    status: Status | None

class BadArgument(Error, ValueError): ...
class NoMemory(Error, MemoryError): ...

class CommandError(Error):
    exit_status: int | None
    report: dict[str, Any] | None

_Path = str | bytes | PathLike[str] | PathLike[bytes]

def open(path: _Path) -> RunFile: ...
def judge(files: _Path | Iterable[_Path], *, processes: int | None = None, **options: Any) -> dict[str, Any]: ...
def merge(reports: _Path | Iterable[_Path], **options: Any) -> dict[str, Any]: ...
def sizing(run: _Path | RunFile, **options: Any) -> dict[str, Any]: ...
def load_cases(run: _Path | RunFile, *, body: int | str | Sequence[str], **options: Any) -> dict[str, Any]: ...
def verdict(number: int | Iterable[int]) -> Any: ...
def address(object: Any) -> int: ...
def disable(joint: _Joint) -> None: ...
def enable(joint: _Joint) -> None: ...
def probe_force(centre: _Numbers, point: _Numbers, axis: _Numbers) -> tuple[float, ...]: ...
def probe_couple(axis: _Numbers) -> tuple[float, ...]: ...

class Array:
    def __len__(self) -> int: ...
    def __getitem__(self, key: Any) -> Any: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __buffer__(self, flags: int) -> memoryview: ...
    def copy(self) -> Any: ...

class Table:
    columns: tuple[str, ...]
    units: dict[str, str | None]
    descriptions: dict[str, str | None]
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[str]: ...
    def __contains__(self, column: object) -> bool: ...
    def __getitem__(self, column: str) -> Any: ...
    def keys(self) -> tuple[str, ...]: ...
    def of(self, joint: str | int) -> Table: ...
    def frame(self) -> Any: ...

class RunWorld:
    name: str
    tables: dict[str, Table]
    @property
    def joints(self) -> Table: ...
    @property
    def bodies(self) -> Table: ...
    @property
    def reactions(self) -> Table: ...
    @property
    def motors(self) -> Table: ...
    @property
    def pairs(self) -> Table: ...
    @property
    def rows(self) -> Table: ...
    @property
    def steps(self) -> Table: ...
    def __getitem__(self, joint: str | int) -> RunJoint: ...

class RunJoint:
    name: str
    type: str
    reactions: Table
    @property
    def motors(self) -> Table: ...
    def load(self, value: str | int = "physical", frame: str | int = "joint", point: str | int = "anchor", body: int = 0) -> Table: ...

class RunFile:
    path: _Path
    kind: str
    worlds: tuple[RunWorld, ...]
    parameters: dict[str, str]
    left_out: int
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[RunWorld]: ...
    def __getitem__(self, name: str) -> RunWorld | RunJoint: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *args: object) -> None: ...
    def close(self) -> None: ...

class Bracket:
    def __enter__(self) -> None: ...
    def __exit__(self, *args: object) -> None: ...

class Subscription:
    @property
    def active(self) -> bool: ...
    def end(self) -> None: ...
    def mean(self) -> Mean: ...

class Inspector:
    def __new__(cls, world: _World, *, report: bool = True, **options: Unpack[Options]) -> Self: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *args: object) -> None: ...
    def __getitem__(self, joint: _Joint) -> int: ...
    @property
    def reactions(self) -> Array: ...
    @property
    def report(self) -> StepReport | None: ...
    @property
    def world(self) -> _World: ...
    @property
    def pairs(self) -> tuple[Pair, ...]: ...
    @property
    def bodies(self) -> tuple[int, ...]: ...
    @property
    def step_size(self) -> float: ...
    @property
    def closed(self) -> bool: ...
    def quick_step(self, h: float, /) -> None: ...
    def step(self, h: float, /) -> None: ...
    def exact_step(self, h: float, /) -> None: ...
    def bracket(self, stepper: int, h: float, /) -> Bracket: ...
    def flush(self) -> None: ...
    def close(self) -> None: ...
    def on_reaction(self, call: Callable[[Reaction], object], joint: _Joint = None) -> Subscription: ...
    def on_contact(self, call: Callable[[Reaction], object], a: _Body, b: _Body = None) -> Subscription: ...
    def on_alert(self, call: Callable[[Reaction], object], /) -> Subscription: ...
    def on_step(self, call: Callable[[StepReport], object], /) -> Subscription: ...
    def on_engine_step(self, call: Callable[[EngineStep], object], /) -> Subscription: ...
    def on_threshold(
        self,
        joint: _Joint,
        /,
        call: Callable[[ThresholdEvent], object],
        left: Callable[[ThresholdEvent], object] | None = None,
        **limits: Unpack[Threshold],
    ) -> Subscription: ...
    def on_sum_threshold(
        self,
        terms: Sequence[WrenchTerm],
        /,
        call: Callable[[ThresholdEvent], object],
        left: Callable[[ThresholdEvent], object] | None = None,
        **limits: Unpack[Threshold],
    ) -> Subscription: ...
    def on_pair_threshold(
        self,
        pair: Subscription,
        /,
        call: Callable[[ThresholdEvent], object],
        left: Callable[[ThresholdEvent], object] | None = None,
        **limits: Unpack[Threshold],
    ) -> Subscription: ...
    def on_touch(
        self, call: Callable[[Touch], object], a: _Body, b: _Body = None, least_impulse: float = 0
    ) -> Subscription: ...
    def pair(self, a: _Body, b: _Body = None, window: float = 0.15) -> Subscription: ...
    def mean(
        self, terms: Sequence[WrenchTerm], window: float = 0.15, frame: int = ..., point: int = ...
    ) -> Subscription: ...
    def name(self, joint: _Joint, text: str | None, /) -> None: ...
    def set_compliance(self, joint: _Joint | None, linear: float, angular: float = 0) -> None: ...
    def name_of(self, joint: _Joint, /) -> str | None: ...
    def reaction(self, joint: _Joint, /) -> Reaction: ...
    def mass(self, body: _Body, /) -> tuple[float, tuple[float, ...]]: ...
    def rows(self, joint: _Joint, /) -> Array: ...
    def wrench(self, joint: _Joint, value: int = ..., body: int = 0, frame: int = ..., point: int = ...) -> Wrench: ...
    def friction_use(self, contact: _Joint, value: int = ...) -> tuple[float, float]: ...
    def sum_wrenches(
        self, terms: Sequence[WrenchTerm], value: int = ..., about: _Numbers | None = None
    ) -> WrenchSum: ...
    def recompute(self, wrenches: Sequence[NetWrench], tolerance: float = 0.01, sweeps: int = 1000) -> None: ...
    def mobility(self, at: BodyProbe, by: BodyProbe) -> float: ...
    def solve_impulse(self, blows: Sequence[Blow], /) -> tuple[Impact, Array, Array]: ...
    def recompute_after(self, joints: Sequence[_Joint], /) -> Array: ...
    def relax_joint(self, joint: _Joint, /) -> Array: ...
    def write_report(self, path: str | PathLike[str], format: int | None = None) -> None: ...

class Report:
    def __new__(cls, **options: Unpack[ReportOptions]) -> Self: ...
    def watch(self, inspector: Inspector, world: str | None = None) -> None: ...
    def write(self, path: str | PathLike[str], format: int | None = None) -> None: ...
    def text(self, format: int = ..., /) -> str: ...
    def as_dict(self) -> dict[str, Any]: ...
    def check(self, **limit: Unpack[ReportLimit]) -> int: ...
    def limits(self, joints: str | None = None, percentile: float = 99.9, factor: float = 3) -> dict[str, float]: ...

class View:
    def __new__(cls, report: Report) -> Self: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *args: object) -> None: ...
    @property
    def address(self) -> str: ...
    def poll(self, time: float, /) -> bool: ...
    def finish(self, patience: float = 10.0) -> None: ...
    def close(self) -> None: ...

class Trace:
    def __new__(cls, path: str | PathLike[str], /, **options: Unpack[TraceOptions]) -> Self: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *args: object) -> None: ...
    def watch(self, inspector: Inspector, world: str | None = None) -> None: ...
    def set_parameter(self, name: str, value: str) -> None: ...
    def flush(self) -> None: ...
    def close(self) -> None: ...

class Recording:
    def __new__(cls, path: _Path | None = None, /, **options: Unpack[RecordingOptions]) -> Self: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *args: object) -> None: ...
    def add_body(
        self,
        state: _Numbers,
        mass: float = 0,
        inertia: _Numbers | None = None,
        is_driven: bool = False,
        lacks_gyroscopic: bool = False,
    ) -> int: ...
    def add_joint(
        self,
        type: int,
        first: int,
        second: int | None = None,
        anchor: _Numbers | None = None,
        axis: _Numbers | None = None,
        name: str | None = None,
        is_soft: bool = False,
    ) -> int: ...
    def begin_step(self, h: float, before: _Numbers | None = None, loads: _Numbers | None = None) -> None: ...
    def end_step(self, after: _Numbers, reported: _Numbers | None = None) -> None: ...
    def inspect(self, *, report: bool = True, **options: Unpack[Options]) -> Inspector: ...
    def joint(self, index: int, /) -> int: ...
    def body(self, index: int, /) -> int: ...
    def flush(self) -> None: ...
    def close(self) -> None: ...

class System:
    def __new__(cls) -> Self: ...
    @property
    def row_count(self) -> int: ...
    @property
    def coordinate_count(self) -> int: ...
    @property
    def culprit(self) -> int: ...
    def add_block(self, mass: _Numbers, force: _Numbers | None = None, velocity: _Numbers | None = None) -> int: ...
    def add_row(
        self, jacobian: dict[int, _Numbers], beta: float = 0, compliance: float = 0, lo: float = ..., hi: float = ...
    ) -> int: ...
    def solve_gauss(self) -> tuple[Array, Array]: ...
    def solve_paulus(self) -> tuple[Array, Array]: ...
    def solve_least_norm(self) -> tuple[Array, Array]: ...
    def solve_bounded(self) -> dict[str, Any]: ...
    def solve_motion(self) -> Array: ...
    def solve_impulse(
        self, impulse: _Numbers | None = None, row_velocity: _Numbers | None = None
    ) -> tuple[Array, Array, Impulse]: ...
    def error_bars(self) -> Array: ...
    def determinacy(self) -> tuple[Array, int]: ...
    def combination(self, coefficient: _Numbers, /) -> tuple[bool, float]: ...
    def self_stresses(self) -> list[Array]: ...
    def relax_row(
        self, row: int, direction: _Numbers | None = None, acceleration: _Numbers | None = None
    ) -> Relaxation: ...
    def measure(self, acceleration: _Numbers, /) -> GaussMeasure: ...
    def mobility(self, at: dict[int, _Numbers], by: dict[int, _Numbers]) -> float: ...
    def clear(self) -> None: ...
    def set_rigid_compliance(self, compliance: float, /) -> None: ...
    def set_rank_tolerance(self, tolerance: float, /) -> None: ...

# Made by python/tests/stub.py from the module.

class Compute(IntFlag):
    CONVERGED = 1
    PHYSICAL = 2

class Contacts(IntEnum):
    REPORTED = 0
    SOLVED = 1

class Energy(IntEnum):
    WEIGHT = 0
    MOTORS = 1
    STOPS = 2
    JOINTS = 3
    CONTACTS = 4
    HOST = 5
    DAMPING = 6
    REST = 7
    SET = 8

class ExactContacts(IntEnum):
    SOLVED = 0
    SWEPT = 1

class Frame(IntEnum):
    WORLD = 0
    BODY = 1
    JOINT = 2

class JointType(IntEnum):
    BALL = 1
    HINGE = 2
    SLIDER = 3
    CONTACT = 4
    UNIVERSAL = 5
    HINGE2 = 6
    FIXED = 7
    NULL = 8
    AMOTOR = 9
    LMOTOR = 10
    PLANE2D = 11
    PR = 12
    PU = 13
    PISTON = 14
    DBALL = 15
    DHINGE = 16
    TRANSMISSION = 17

class Latency(IntEnum):
    SAME_STEP = 0
    NEXT_STEP = 1

class Limit(IntEnum):
    FORCE_X = 0
    FORCE_Y = 1
    FORCE_Z = 2
    TORQUE_X = 3
    TORQUE_Y = 4
    TORQUE_Z = 5
    FORCE = 6
    TORQUE = 7
    COUNT = 8

class Phase(IntEnum):
    SNAPSHOT = 0
    ROWS = 1
    GAUSS = 2
    PAULUS = 3
    VERDICT = 4
    CALLBACKS = 5
    PHYSICAL = 6
    ESTIMATE = 7

class PhysicalSource(IntEnum):
    NOWHERE = 0
    GEOMETRY = 1
    HISTORY = 2

class Point(IntEnum):
    MASS_CENTRE = 0
    ANCHOR = 1

class Reason(IntFlag):
    REDUNDANT = 1
    REPORT = 2
    MOTION = 4
    BOUND = 8
    FRICTION = 16
    BUDGET = 32
    OWN_RANK = 64
    SPEED_CAP = 128
    RESET = 256
    NOT_FINITE = 512
    JOINT_GONE = 1024
    STALE_LIMIT = 2048
    FALSE_ERROR = 4096
    NO_HISTORY = 8192
    MASS = 16384
    MEMORY = 32768
    PRECISION = 65536
    NOT_ASKED = 131072
    UNREADABLE = 262144
    SOFT = 524288
    FALSE_AXIS = 1048576
    RELAXED = 2097152
    REPORTED_LOADS = 4194304
    THREADS = 8388608
    FALSE_LEVER = 16777216
    FALLBACK = 33554432
    ASLEEP = 67108864
    DISABLED = 134217728
    NO_ROWS = 268435456
    NOT_REPORTED = 536870912
    PHYSICAL = 1073741824
    GAP = 2147483648
    ADOPTED = 4294967296
    SHARED = 8589934592
    AXIS_LENGTH = 17179869184
    REVERSED_MOTOR = 34359738368
    FALSE_RATE = 68719476736
    PART_SOFT = 137438953472
    FLICKER = 274877906944
    IMPACT = 549755813888
    DRIVEN = 1099511627776
    REMEMBERED = 2199023255552

class ReportFormat(IntEnum):
    TEXT = 0
    JSON = 1
    JUNIT = 2
    HTML = 3
    TEXT_ALL = 4
    DATA = 5
    RUNS = 6
    SUPPRESSIONS = 7

class RowKind(IntEnum):
    BILATERAL = 0
    STOP = 1
    MOTOR = 2
    NORMAL = 3
    FRICTION = 4
    ROLLING = 5

class RowPlace(IntEnum):
    INSIDE = 0
    AT_LOW = 1
    AT_HIGH = 2
    INACTIVE = 3

class Status(IntEnum):
    OK = 0
    BAD_ARGUMENT = 1
    NO_MEMORY = 2
    UNSUPPORTED_ENGINE = 3
    REENTRY = 4
    BRACKET = 5
    ENGINE = 6
    NOT_FINITE = 7
    NOT_POSITIVE_DEFINITE = 8
    SINGULAR = 9
    INCONSISTENT = 10
    BOUND = 11
    NOT_ADMISSIBLE = 12
    NOT_RELAXING = 13
    REDUNDANT = 14
    NO_ANCHOR = 15
    UNAVAILABLE = 16
    ENDED = 17
    FILE = 18

class Stepper(IntEnum):
    WORLD_STEP = 0
    QUICK_STEP = 1
    EXACT_STEP = 2
    FOREIGN_STEP = 3

class ThresholdFlag(IntFlag):
    UNCHECKED = 1
    BREAKS = 2

class ThresholdPhase(IntEnum):
    ENTERED = 0
    LEFT = 1
    ENDED = 2

class TouchPhase(IntEnum):
    BEGAN = 0
    LASTS = 1
    ENDED = 2

class TraceFormat(IntEnum):
    BY_NAME = 0
    CSV = 1
    HDF5 = 2
    MCAP = 3
    EVENTS = 4

class TraceLevel(IntEnum):
    WRENCHES = 0
    ROWS = 1
    RAW = 2

class Value(IntEnum):
    ENGINE = 0
    CONVERGED = 1
    PHYSICAL = 2
    OBSERVED = 3
    SHARED = 4
    MEAN = 5

class Verdict(IntEnum):
    NOT_SOLVED = 0
    UNCHECKED = 1
    UNEXPLAINED = 2
    SOLVER_ERROR = 3
    INDETERMINATE = 4
    VALID = 5

class Work(IntEnum):
    TARGET = 0
    COMPLIANCE = 1
    RESIDUAL = 2
    DISCRETISATION = 3

AT_HIGH: RowPlace
AT_LOW: RowPlace
COMPUTE_CONVERGED: Compute
COMPUTE_PHYSICAL: Compute
CONTACTS_REPORTED: Contacts
CONTACTS_SOLVED: Contacts
CONVERGED: Value
ENERGY_CONTACTS: Energy
ENERGY_DAMPING: Energy
ENERGY_HOST: Energy
ENERGY_JOINTS: Energy
ENERGY_MOTORS: Energy
ENERGY_REST: Energy
ENERGY_SET: Energy
ENERGY_STOPS: Energy
ENERGY_WEIGHT: Energy
ENGINE: Value
ERROR_BAD_ARGUMENT: Status
ERROR_BOUND: Status
ERROR_BRACKET: Status
ERROR_ENDED: Status
ERROR_ENGINE: Status
ERROR_FILE: Status
ERROR_INCONSISTENT: Status
ERROR_NOT_ADMISSIBLE: Status
ERROR_NOT_FINITE: Status
ERROR_NOT_POSITIVE_DEFINITE: Status
ERROR_NOT_RELAXING: Status
ERROR_NO_ANCHOR: Status
ERROR_NO_MEMORY: Status
ERROR_REDUNDANT: Status
ERROR_REENTRY: Status
ERROR_SINGULAR: Status
ERROR_UNAVAILABLE: Status
ERROR_UNSUPPORTED_ENGINE: Status
EXACT_CONTACTS_SOLVED: ExactContacts
EXACT_CONTACTS_SWEPT: ExactContacts
EXACT_STEP: Stepper
FOREIGN_STEP: Stepper
FRAME_BODY: Frame
FRAME_JOINT: Frame
FRAME_WORLD: Frame
FROM_GEOMETRY: PhysicalSource
FROM_HISTORY: PhysicalSource
FROM_NOWHERE: PhysicalSource
INACTIVE: RowPlace
INDETERMINATE: Verdict
INSIDE: RowPlace
JOINT_AMOTOR: JointType
JOINT_BALL: JointType
JOINT_CONTACT: JointType
JOINT_DBALL: JointType
JOINT_DHINGE: JointType
JOINT_FIXED: JointType
JOINT_HINGE: JointType
JOINT_HINGE2: JointType
JOINT_LMOTOR: JointType
JOINT_NULL: JointType
JOINT_PISTON: JointType
JOINT_PLANE2D: JointType
JOINT_PR: JointType
JOINT_PU: JointType
JOINT_SLIDER: JointType
JOINT_TRANSMISSION: JointType
JOINT_UNIVERSAL: JointType
LIMIT_COUNT: Limit
LIMIT_FORCE: Limit
LIMIT_FORCE_X: Limit
LIMIT_FORCE_Y: Limit
LIMIT_FORCE_Z: Limit
LIMIT_TORQUE: Limit
LIMIT_TORQUE_X: Limit
LIMIT_TORQUE_Y: Limit
LIMIT_TORQUE_Z: Limit
MEAN: Value
NEXT_STEP: Latency
NOT_SOLVED: Verdict
OBSERVED: Value
OK: Status
PHASE_CALLBACKS: Phase
PHASE_ESTIMATE: Phase
PHASE_GAUSS: Phase
PHASE_PAULUS: Phase
PHASE_PHYSICAL: Phase
PHASE_ROWS: Phase
PHASE_SNAPSHOT: Phase
PHASE_VERDICT: Phase
PHYSICAL: Value
POINT_ANCHOR: Point
POINT_MASS_CENTRE: Point
QUICK_STEP: Stepper
REASON_ADOPTED: Reason
REASON_ASLEEP: Reason
REASON_AXIS_LENGTH: Reason
REASON_BOUND: Reason
REASON_BUDGET: Reason
REASON_DISABLED: Reason
REASON_DRIVEN: Reason
REASON_FALLBACK: Reason
REASON_FALSE_AXIS: Reason
REASON_FALSE_ERROR: Reason
REASON_FALSE_LEVER: Reason
REASON_FALSE_RATE: Reason
REASON_FLICKER: Reason
REASON_FRICTION: Reason
REASON_GAP: Reason
REASON_IMPACT: Reason
REASON_JOINT_GONE: Reason
REASON_MASS: Reason
REASON_MEMORY: Reason
REASON_MOTION: Reason
REASON_NOT_ASKED: Reason
REASON_NOT_FINITE: Reason
REASON_NOT_REPORTED: Reason
REASON_NO_HISTORY: Reason
REASON_NO_ROWS: Reason
REASON_OWN_RANK: Reason
REASON_PART_SOFT: Reason
REASON_PHYSICAL: Reason
REASON_PRECISION: Reason
REASON_REDUNDANT: Reason
REASON_RELAXED: Reason
REASON_REMEMBERED: Reason
REASON_REPORT: Reason
REASON_REPORTED_LOADS: Reason
REASON_RESET: Reason
REASON_REVERSED_MOTOR: Reason
REASON_SHARED: Reason
REASON_SOFT: Reason
REASON_SPEED_CAP: Reason
REASON_STALE_LIMIT: Reason
REASON_THREADS: Reason
REASON_UNREADABLE: Reason
REPORT_DATA: ReportFormat
REPORT_HTML: ReportFormat
REPORT_JSON: ReportFormat
REPORT_JUNIT: ReportFormat
REPORT_RUNS: ReportFormat
REPORT_SUPPRESSIONS: ReportFormat
REPORT_TEXT: ReportFormat
REPORT_TEXT_ALL: ReportFormat
ROW_BILATERAL: RowKind
ROW_FRICTION: RowKind
ROW_MOTOR: RowKind
ROW_NORMAL: RowKind
ROW_ROLLING: RowKind
ROW_STOP: RowKind
SAME_STEP: Latency
SHARED: Value
SOLVER_ERROR: Verdict
THRESHOLD_BREAKS: ThresholdFlag
THRESHOLD_ENDED: ThresholdPhase
THRESHOLD_ENTERED: ThresholdPhase
THRESHOLD_LEFT: ThresholdPhase
THRESHOLD_UNCHECKED: ThresholdFlag
TOUCH_BEGAN: TouchPhase
TOUCH_ENDED: TouchPhase
TOUCH_LASTS: TouchPhase
TRACE_BY_NAME: TraceFormat
TRACE_CSV: TraceFormat
TRACE_EVENTS: TraceFormat
TRACE_HDF5: TraceFormat
TRACE_MCAP: TraceFormat
TRACE_RAW: TraceLevel
TRACE_ROWS: TraceLevel
TRACE_WRENCHES: TraceLevel
UNCHECKED: Verdict
UNEXPLAINED: Verdict
VALID: Verdict
WORK_COMPLIANCE: Work
WORK_DISCRETISATION: Work
WORK_RESIDUAL: Work
WORK_TARGET: Work
WORLD_STEP: Stepper

class Wrench:
    def __new__(
        cls,
        *,
        force: Sequence[float] = ...,
        torque: Sequence[float] = ...,
    ) -> Self: ...
    force: tuple[float, float, float]
    torque: tuple[float, float, float]

class Motor:
    @property
    def force(self) -> float: ...
    @property
    def speed(self) -> float: ...
    @property
    def target(self) -> float: ...
    @property
    def power(self) -> float: ...
    @property
    def saturated(self) -> int: ...
    @property
    def at_stop(self) -> int: ...
    @property
    def mean(self) -> float: ...
    @property
    def mean_bar(self) -> float: ...
    @property
    def physical(self) -> float: ...
    @property
    def physical_bar(self) -> float: ...

class Reaction:
    @property
    def joint(self) -> Any: ...
    @property
    def type(self) -> JointType: ...
    @property
    def body(self) -> tuple[Any, Any]: ...
    @property
    def reversed(self) -> int: ...
    @property
    def step(self) -> int: ...
    @property
    def time(self) -> float: ...
    @property
    def verdict(self) -> Verdict: ...
    @property
    def reasons(self) -> Reason: ...
    @property
    def row_count(self) -> int: ...
    @property
    def engine(self) -> tuple[Wrench, Wrench]: ...
    @property
    def converged(self) -> tuple[Wrench, Wrench]: ...
    @property
    def physical(self) -> tuple[Wrench, Wrench]: ...
    @property
    def observed(self) -> tuple[Wrench, Wrench]: ...
    @property
    def shared(self) -> tuple[Wrench, Wrench]: ...
    @property
    def free_count(self) -> int: ...
    @property
    def free_direction(self) -> tuple[Wrench, ...]: ...
    @property
    def error(self) -> float: ...
    @property
    def error_bar(self) -> float: ...
    @property
    def work(self) -> float: ...
    @property
    def physical_source(self) -> PhysicalSource: ...
    @property
    def physical_error(self) -> float: ...
    @property
    def physical_error_bar(self) -> float: ...
    @property
    def centre(self) -> tuple[tuple[float, float, float], tuple[float, float, float]]: ...
    @property
    def rotation(self) -> tuple[tuple[float, ...], tuple[float, ...]]: ...
    @property
    def anchor(self) -> tuple[tuple[float, float, float], tuple[float, float, float]]: ...
    @property
    def axes(self) -> tuple[float, ...]: ...
    @property
    def net_error(self) -> tuple[float, float]: ...
    @property
    def gravity(self) -> tuple[float, float, float]: ...
    @property
    def weightless(self) -> tuple[int, int]: ...
    @property
    def gap(self) -> tuple[float, float]: ...
    @property
    def fudge_work(self) -> float: ...
    @property
    def axis_length(self) -> float: ...
    @property
    def motor(self) -> tuple[Motor, Motor, Motor]: ...
    @property
    def mean(self) -> tuple[Wrench, Wrench]: ...
    @property
    def mean_in_joint(self) -> tuple[Wrench, Wrench]: ...
    @property
    def mean_bar(self) -> Wrench: ...
    @property
    def departure(self) -> Wrench: ...
    @property
    def mean_time(self) -> float: ...
    @property
    def load_noise(self) -> float: ...

class StepReport:
    @property
    def step(self) -> int: ...
    @property
    def time(self) -> float: ...
    @property
    def stepper(self) -> Stepper: ...
    @property
    def stepped(self) -> int: ...
    @property
    def inspected(self) -> int: ...
    @property
    def reaction_count(self) -> int: ...
    @property
    def verdict_count(self) -> tuple[int, ...]: ...
    @property
    def worst_joint(self) -> Any: ...
    @property
    def worst_error(self) -> float: ...
    @property
    def gauss_constraint(self) -> float: ...
    @property
    def unexplained(self) -> float: ...
    @property
    def solver_error(self) -> float: ...
    @property
    def momentum_residual(self) -> float: ...
    @property
    def row_count(self) -> int: ...
    @property
    def rank(self) -> int: ...
    @property
    def island_count(self) -> int: ...
    @property
    def kinetic_energy(self) -> tuple[float, float]: ...
    @property
    def potential_change(self) -> float: ...
    @property
    def row_work(self) -> float: ...
    @property
    def force_work(self) -> float: ...
    @property
    def gravity_discretisation(self) -> float: ...
    @property
    def damping_work(self) -> float: ...
    @property
    def seconds(self) -> tuple[float, ...]: ...
    @property
    def culprit(self) -> Any: ...
    @property
    def estimated_body_count(self) -> int: ...
    @property
    def worst_estimate(self) -> float: ...
    @property
    def worst_body(self) -> Any: ...
    @property
    def fallback_row_count(self) -> int: ...
    @property
    def fallback_reasons(self) -> Reason: ...
    @property
    def worst_unsolved(self) -> float: ...
    @property
    def worst_unsolved_joint(self) -> Any: ...
    @property
    def gap(self) -> float: ...
    @property
    def culprit_joint(self) -> Any: ...
    @property
    def world_energy(self) -> tuple[float, float]: ...
    @property
    def energy_of(self) -> tuple[float, ...]: ...
    @property
    def worst(self) -> tuple[Any, float] | None: ...

class EngineStep:
    @property
    def is_done(self) -> int: ...
    @property
    def stepper(self) -> Stepper: ...
    @property
    def step(self) -> int: ...
    @property
    def time(self) -> float: ...
    @property
    def step_size(self) -> float: ...

class ThresholdEvent:
    @property
    def phase(self) -> ThresholdPhase: ...
    @property
    def limit(self) -> Limit: ...
    @property
    def load(self) -> float: ...
    @property
    def limit_value(self) -> float: ...
    @property
    def error_bar(self) -> float: ...
    @property
    def lasted(self) -> float: ...
    @property
    def wrench(self) -> Wrench: ...
    @property
    def determined(self) -> int: ...
    @property
    def point(self) -> Point: ...
    @property
    def contact_count(self) -> int: ...
    @property
    def peak(self) -> float: ...
    @property
    def joint(self) -> Any: ...
    @property
    def contacts(self) -> tuple[int, ...]: ...
    @property
    def reaction(self) -> Any: ...

class Sensor:
    def __new__(
        cls,
        *,
        value: int = ...,
        body: int = ...,
        frame: int = ...,
        point: int = ...,
        at_position: int = ...,
        position: Sequence[float] = ...,
        undetermined: int = ...,
        tool_mass: float = ...,
        tool_centre: Sequence[float] = ...,
        gravity: Sequence[float] = ...,
        bias: Wrench = ...,
    ) -> Self: ...
    value: Value
    body: int
    frame: Frame
    point: Point
    at_position: int
    position: tuple[float, float, float]
    undetermined: int
    tool_mass: float
    tool_centre: tuple[float, float, float]
    gravity: tuple[float, float, float]
    bias: Wrench
    def read(self, inspector: Inspector, joint: _Joint, /) -> Wrench: ...
    def tare(self, inspector: Inspector, joint: _Joint, /) -> None: ...

class WrenchTerm:
    def __new__(
        cls,
        *,
        joint: Any = ...,
        body: Any = ...,
        other: Any = ...,
    ) -> Self: ...
    joint: Any
    body: Any
    other: Any

class WrenchSum:
    @property
    def wrench(self) -> Wrench: ...
    @property
    def bar(self) -> Wrench: ...
    @property
    def unique(self) -> int: ...
    @property
    def free_count(self) -> int: ...
    @property
    def free_direction(self) -> tuple[Wrench, ...]: ...

class Mean:
    @property
    def wrench(self) -> Wrench: ...
    @property
    def bar(self) -> Wrench: ...
    @property
    def time(self) -> float: ...
    @property
    def contact_share(self) -> float: ...
    @property
    def step_count(self) -> int: ...
    @property
    def deviation(self) -> Wrench: ...
    @property
    def normal(self) -> tuple[float, float, float]: ...
    @property
    def friction(self) -> float: ...
    @property
    def friction_bar(self) -> float: ...
    @property
    def friction_use(self) -> float: ...
    @property
    def friction_use_bar(self) -> float: ...
    @property
    def centre(self) -> tuple[float, float, float]: ...
    @property
    def centre_bar(self) -> tuple[float, float, float]: ...
    @property
    def physical(self) -> Wrench: ...
    @property
    def physical_bar(self) -> Wrench: ...
    @property
    def physical_open(self) -> Wrench: ...
    @property
    def physical_verdict(self) -> Verdict: ...
    @property
    def physical_reasons(self) -> Reason: ...

class NetWrench:
    def __new__(
        cls,
        *,
        a: Any = ...,
        b: Any = ...,
        joint: Any = ...,
        wrench: Wrench = ...,
        error: float = ...,
        error_bar: float = ...,
        reached: int = ...,
        mean: Sequence[float] = ...,
    ) -> Self: ...
    a: Any
    b: Any
    joint: Any
    wrench: Wrench
    error: float
    error_bar: float
    reached: int
    mean: tuple[float, float, float]

class BodyProbe:
    def __new__(
        cls,
        *,
        body: Any = ...,
        couple: int = ...,
        point: Sequence[float] = ...,
        axis: Sequence[float] = ...,
    ) -> Self: ...
    body: Any
    couple: int
    point: tuple[float, float, float]
    axis: tuple[float, float, float]

class Blow:
    def __new__(
        cls,
        *,
        at: BodyProbe = ...,
        impulse: float = ...,
    ) -> Self: ...
    at: BodyProbe
    impulse: float

class Impact:
    @property
    def joint_count(self) -> int: ...
    @property
    def body_count(self) -> int: ...
    @property
    def before(self) -> float: ...
    @property
    def after(self) -> float: ...
    @property
    def given(self) -> float: ...
    @property
    def lost(self) -> float: ...
    @property
    def contact_count(self) -> int: ...

class Relaxation:
    @property
    def rho(self) -> float: ...
    @property
    def derivative(self) -> float: ...
    @property
    def multiplier(self) -> float: ...
    @property
    def effective_mass(self) -> float: ...
    @property
    def no_cross_term(self) -> int: ...
    @property
    def orthogonal(self) -> int: ...

class GaussMeasure:
    @property
    def constraint(self) -> float: ...
    @property
    def unexplained(self) -> float: ...
    @property
    def solver_error(self) -> float: ...

class Impulse:
    @property
    def before(self) -> float: ...
    @property
    def after(self) -> float: ...
    @property
    def given(self) -> float: ...
    @property
    def by_rows(self) -> float: ...
    @property
    def unconstrained(self) -> float: ...
    @property
    def lost(self) -> float: ...
    @property
    def stored(self) -> float: ...
    @property
    def momentum(self) -> float: ...
    @property
    def prescribed(self) -> float: ...

class Row:
    @property
    def kind(self) -> RowKind: ...
    @property
    def place(self) -> RowPlace: ...
    @property
    def determinate(self) -> int: ...
    @property
    def findex(self) -> int: ...
    @property
    def c(self) -> float: ...
    @property
    def cfm(self) -> float: ...
    @property
    def lo(self) -> float: ...
    @property
    def hi(self) -> float: ...
    @property
    def bound(self) -> float: ...
    @property
    def engine(self) -> float: ...
    @property
    def gauss(self) -> float: ...
    @property
    def paulus(self) -> float: ...
    @property
    def physical(self) -> float: ...
    @property
    def error_bar(self) -> float: ...
    @property
    def physical_bar(self) -> float: ...
    @property
    def residual(self) -> float: ...
    @property
    def work(self) -> float: ...
    @property
    def work_part(self) -> tuple[float, ...]: ...
    @property
    def jacobian(self) -> tuple[tuple[float, ...], tuple[float, ...]]: ...
    @property
    def unsolved(self) -> float: ...
    @property
    def alone(self) -> float: ...
    @property
    def adopted(self) -> float: ...
    @property
    def observed(self) -> float: ...
    @property
    def observed_bar(self) -> float: ...
    @property
    def shared(self) -> float: ...
    @property
    def shared_bar(self) -> float: ...

class JointImpact:
    @property
    def joint(self) -> Any: ...
    @property
    def impulse(self) -> tuple[Wrench, Wrench]: ...
    @property
    def bar(self) -> tuple[float, float]: ...
    @property
    def is_unique(self) -> int: ...
    @property
    def left_out(self) -> int: ...

class BodyImpact:
    @property
    def body(self) -> Any: ...
    @property
    def before(self) -> tuple[float, ...]: ...
    @property
    def after(self) -> tuple[float, ...]: ...
    @property
    def bar(self) -> tuple[float, float]: ...

class JointAfter:
    @property
    def joint(self) -> Any: ...
    @property
    def is_unique(self) -> int: ...
    @property
    def wrench(self) -> tuple[Wrench, Wrench]: ...
    @property
    def bar(self) -> tuple[Wrench, Wrench]: ...

class Touch:
    @property
    def phase(self) -> TouchPhase: ...
    @property
    def body(self) -> tuple[Any, Any]: ...
    @property
    def step(self) -> int: ...
    @property
    def time(self) -> float: ...
    @property
    def lasted(self) -> float: ...
    @property
    def impulse(self) -> float: ...
    @property
    def closing(self) -> float: ...
    @property
    def sliding(self) -> float: ...
    @property
    def point(self) -> tuple[float, float, float]: ...
    @property
    def normal(self) -> tuple[float, float, float]: ...
    @property
    def contact_count(self) -> int: ...

class Pair:
    @property
    def subscription(self) -> int: ...
    @property
    def a(self) -> Any: ...
    @property
    def b(self) -> Any: ...
    @property
    def window(self) -> float: ...

class Options(TypedDict, total=False):
    tolerance: float
    momentum_tolerance: float
    load_floor: float
    rigid_cfm: float
    rank_tolerance: float
    island_row_budget: int
    alert_mask: int
    values: int
    estimate_sweeps: int
    search_rounds: int
    contacts: int
    relaxed_per_step: int
    contact_sweeps: int
    friction_rounds: int
    latency: int
    workers: int
    mean_window: float
    exact_contacts: int
    exact_contact_rows: int
    contact_physical: int

class Threshold(TypedDict, total=False):
    force: Sequence[float] | float
    torque: Sequence[float] | float
    force_magnitude: float
    torque_magnitude: float
    value: int
    body: int
    frame: int
    point: int
    duration: float
    hysteresis: float
    flags: int
    window: float

class ReportOptions(TypedDict, total=False):
    joints: str | None
    types: int
    from_: float
    to: float
    text_joints: int
    advise_every: int
    frame_rate: float
    frame_bytes: int

class ReportLimit(TypedDict, total=False):
    above: float
    percentile: float
    value: int
    joints: str | None
    floor: float

class TraceOptions(TypedDict, total=False):
    format: int
    level: int
    joints: str | None
    joint_types: int
    every: int
    begin: float
    end: float
    flush_steps: int
    flush_seconds: float
    compression: int

class RecordingOptions(TypedDict, total=False):
    gravity: Sequence[float]
    compression: int
    is_single: int

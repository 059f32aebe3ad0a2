"""_joints.py  RunJoint: one joint of a trace, and its load in chosen axes about a chosen point."""
from ._files import Table
from ._native import Reason

# in the order of the constants KS_FRAME_..., KS_POINT_... and KS_... of ksValue
_FRAMES = ("world", "body", "joint")
_POINTS = ("mass_centre", "anchor")
_VALUES = ("engine", "converged", "physical", "observed", "shared", "mean")
_DRIFT = 0.01  # the largest movement that counts as a joint's drift, as a share of its levers
_ROUNDING = 1e-9  # rad, the largest rotation of a joint's axes in its body that counts as rounding
# joints whose wrenches on the two bodies are not opposite
_UNEQUAL = ("transmission", "lmotor")


def _word(what, given, words):
    """the word itself, or the word for the constant with this number"""
    if not isinstance(given, str) and given in range(len(words)):
        return words[given]
    if given not in words:
        raise ValueError(f"{what} is {given!r}, not one of {', '.join(words)}")
    return given


def _spot(point):
    """the word of a point, for a word or a constant; else an array of three numbers"""
    if isinstance(point, (str, int)):
        return _word("point", point, _POINTS)
    import numpy
    place = numpy.asarray(point, dtype=float)
    if place.shape != (3,) or not numpy.isfinite(place).all():
        raise ValueError(f"point is {point!r}, not three numbers, {' or '.join(_POINTS)}")
    return place


def _turned(quaternion, vector, back=False):
    """rotates vectors, [lines, 3], from a body's axes to those of the world, or back"""
    import numpy
    w, along = quaternion[:, :1], quaternion[:, 1:] * (-1 if back else 1)
    across = 2 * numpy.cross(along, vector)
    return vector + w * across + numpy.cross(along, across)


class RunJoint:
    """A joint of a trace: run["elbow"], or run["arm"]["elbow"] of several worlds.

    name, type: as in the table joints. reactions: its lines of the table reactions. motors: its
    lines of the table motors; their column "axis" counts from 0."""

    def __init__(self, name, kind, reactions, motors):
        self.name, self.type, self.reactions, self._motors = name, kind, reactions, motors

    def __repr__(self):
        return f"<kinetostat.RunJoint {self.name!r}, {len(self.reactions)} steps>"

    @property
    def motors(self):
        """The lines of its motors. Raises AttributeError if an older version wrote the trace."""
        if self._motors is None:
            raise AttributeError("this trace has no table of motors: it was written by an older version")
        return self._motors

    def load(self, value="physical", frame="joint", point="anchor", body=0):
        """load(value="physical", frame="joint", point="anchor", body=0) -> Table

        Returns the force and the torque of the joint on one of its bodies. Columns: step, time,
        force [lines, 3] N, torque [lines, 3] N.m, and their error bars force_bar and torque_bar
        [lines], as magnitudes. A bar is NaN if it is unknown.

        value: "physical", "shared", "mean", "engine" or "converged"; the last two have no bars.
        frame: "joint" (KS_FRAME_JOINT; x is the axis of a hinge or slider), "body" or "world".
        point: the reference point of the torque: "anchor", "mass_centre" of the body, or three
        numbers, m, from the body's mass centre in its axes (for the world, from its origin).
        body: 0 or 1, the body that the force acts on. With 1, the gap of a joint without an anchor
        is neglected. Constants such as FRAME_BODY may replace the words.

        With "mean", the point and the axes must not move relative to the axes of the joint, as on
        the carriage of a slider. The bar includes their motion by drift. With frame="world", the
        point must be the anchor, or keep its offset from the anchor. Raises ValueError for a
        combination that the trace does not have."""
        value, frame = _word("value", value, _VALUES), _word("frame", frame, _FRAMES)
        point = _spot(point)
        if value == "observed":
            raise ValueError("a trace has no observed wrench, but its mean")
        if body not in (0, 1) or (body and self.type in _UNEQUAL):
            raise ValueError(f"body is {body!r}: 0 or 1, and of {' and '.join(_UNEQUAL)} 0 alone")
        for name in ("joint_orientation", "anchor", f"{value}_force"):
            if name not in self.reactions:
                raise ValueError(f"this trace has no {name}: it was written by an older version")
        columns = {"step": lambda: self.reactions["step"], "time": lambda: self.reactions["time"]}
        force, torque, lever, moved = (self._mean if value == "mean" else self._wrench)(value, frame, point, body)
        columns.update(force=lambda: force, torque=lambda: torque)
        bars = self._bars(value, lever)
        bars = bars[0], bars[1] + moved
        columns.update(force_bar=lambda: bars[0], torque_bar=lambda: bars[1])
        units = {"step": "1", "time": "s", "force": "N", "torque": "N.m", "force_bar": "N", "torque_bar": "N.m"}
        return Table(len(self.reactions), lambda name: columns[name]().copy(), units, dict.fromkeys(units))

    def _point(self, point, body):
        """the position of a point, in world axes, [lines, 3]"""
        import numpy
        if not isinstance(point, str):
            centre = self.reactions["centre"][:, 3 * body:3 * body + 3]
            turned = _turned(self.reactions["orientation"][:, 4 * body:4 * body + 4], numpy.broadcast_to(point, centre.shape))
            return turned + numpy.where(numpy.isnan(centre), 0, centre)
        where = self.reactions["anchor" if point == "anchor" else "centre"][:, 3 * body:3 * body + 3]
        if len(where) and numpy.isnan(where).all():
            raise ValueError(f"{self.name} has no anchor: take the point mass_centre" if point == "anchor" else
                             f"the body {body} of {self.name} is the world, which has no mass centre: take the point anchor")
        return where

    def _wrench(self, value, frame, point, body):
        import numpy
        r, where = self.reactions, self._point(point, body)
        force, torque = self._column(value, "force"), self._column(value, "torque")
        # The torque about the first body's anchor. The wrench on the second body about its own
        # anchor is opposite, with the same bars. The two anchors differ by the joint's gap
        about, other = (numpy.where(numpy.isnan(r["anchor"][:, at:at + 3]), r["centre"][:, :3], r["anchor"][:, at:at + 3])
                        for at in (0, 3 * body))
        torque = torque + numpy.cross(r["centre"][:, :3] - about, force)
        if body:
            force, torque = -force, -torque
        torque = torque + numpy.cross(other - where, force)
        if frame != "world":
            axes = r["joint_orientation"] if frame == "joint" else r["orientation"][:, 4 * body:4 * body + 4]
            force, torque = _turned(axes, force, back=True), _turned(axes, torque, back=True)
        return force, torque, numpy.linalg.norm(other - where, axis=1), 0

    def _mean(self, value, frame, point, body):
        """A mean is recorded about the anchor, or, without one, about the mass centre, both in
        world axes and in the joint's axes. For a point at a constant offset in these axes, the mean
        torque is T + offset x F."""
        import numpy
        r, sign = self.reactions, -1 if body else 1
        prefix, axes = ("mean", None) if frame == "world" else ("joint_mean", r["joint_orientation"])
        force, torque = sign * r[f"{prefix}_force"], sign * r[f"{prefix}_torque"]
        origin = numpy.where(numpy.isnan(r["anchor"][:, :3]), r["centre"][:, :3], r["anchor"][:, :3])
        lever = bar = numpy.zeros(len(r))
        recorded = "mass_centre" if len(r) and numpy.isnan(r["anchor"]).all() and not body else "anchor"
        if not isinstance(point, str) or point != recorded:
            offset = origin - self._point(point, body)
            lever = numpy.linalg.norm(offset, axis=1)
            offset = offset if axes is None else _turned(axes, offset, back=True)
            size = lever + numpy.linalg.norm(origin - r["centre"][:, :3], axis=1)
            moved = self._stays(offset, size, "the point moves by {:.3g} m", frame)
            # a bound on the covariance of offset and force over the window
            bar = moved * numpy.maximum.accumulate(numpy.linalg.norm(r["engine_force"], axis=1))
            torque = torque + numpy.cross(offset[:1], force)
        if frame == "body":
            axes = r["orientation"][:, 4 * body:4 * body + 4]
            turned = [_turned(axes, _turned(r["joint_orientation"], numpy.broadcast_to(unit, force.shape)), back=True)
                      for unit in ((1., 0, 0), (0, 1., 0))]
            for one in turned:
                self._stays(one, numpy.full(len(r), _ROUNDING / _DRIFT), "the body turns by {:.3g} rad", "joint")
            force, torque = (_turned(axes, _turned(r["joint_orientation"], one), back=True) for one in (force, torque))
        return force, torque, lever, bar

    def _stays(self, vectors, size, words, frame):
        """Returns for each step the largest change of the vectors so far. Raises ValueError if it
        exceeds the drift of a joint."""
        import numpy
        if not len(vectors):
            return numpy.zeros(0)
        moved = numpy.maximum.accumulate(numpy.nan_to_num(numpy.linalg.norm(vectors - vectors[0], axis=1)))
        far = numpy.flatnonzero(moved > _DRIFT * size)
        if len(far):
            raise ValueError(f"{self.name}: by {self.reactions['time'][far[0]]:.4g} s " + words.format(moved[far[0]]) +
                             f" in axes of the {frame}, so its mean cannot be moved there; take one that is fixed to them, or physical")
        return moved

    def _column(self, value, part):
        """a part of a value; for "shared", the physical part in steps in which no load is shared"""
        import numpy
        r = self.reactions
        if value != "shared":
            return r[f"{value}_{part}"]
        shared = r["reasons"] & int(Reason.SHARED) != 0
        return numpy.where(shared if part.startswith("bar") else shared[:, None], r[f"shared_{part}"], r[f"physical_{part}"])

    def _bars(self, value, lever):
        import numpy
        if f"{value}_bar_force" not in self.reactions:
            return numpy.full((2, len(self.reactions)), numpy.nan)
        force = self._column(value, "bar_force")
        return force, self._column(value, "bar_torque") + force * lever

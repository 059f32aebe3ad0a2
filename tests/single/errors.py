"""errors.py NAME.single.h5...  traces of recordings, each judged by a build of single and one of double precision (NAME.double.h5)."""
import os, sys

import h5py
import numpy as np

LEVER = 0.1  # m
ROUNDING = 4 * 2.0**-23  # of a wrench: the rows by which multipliers become wrenches are known to single precision
MOST_OUTSIDE = 0.01
UNEXPLAINED, THREADS = 2, 1 << 23
KINDS = ("force", "torque")


def read(name):
    """A table of each world, its lines by step and joint."""
    with h5py.File(name) as file:
        for world in file:
            if "reactions" in file[world]:
                table = {column: data[:] for column, data in file[world]["reactions"].items()}
                yield world, table, table["step"] * 2**32 + table["joint"]


def size(v):
    return np.linalg.norm(v, axis=1)


def compare(a, b):
    """Distances of the physical wrenches over the whole, and those over their bars."""
    anchored = np.isfinite(a["anchor"][:, 0])
    arm = np.where(anchored[:, None], a["centre"][:, :3] - a["anchor"][:, :3], 0)
    difference = {kind: a["physical_" + kind] - b["physical_" + kind] for kind in KINDS}
    difference["torque"] = difference["torque"] + np.cross(arm, difference["force"])  # bars are about the anchor
    force, torque = (size(b["physical_" + kind]) for kind in KINDS)
    whole = np.hypot(force * LEVER, torque)
    for kind, scale, load in (("force", LEVER, force), ("torque", 1, torque + size(arm) * force)):
        apart = size(difference[kind])
        bar = a[f"physical_bar_{kind}"] + b[f"physical_bar_{kind}"] + ROUNDING * load
        use = (a["free_count"] == 0) & (b["free_count"] == 0) & np.isfinite(apart + bar) & (whole > 0) & (bar > 0)
        yield apart[use] * scale / whole[use], apart[use] / bar[use]


def row(name, relative, bars, unexplained):
    if len(relative):
        print(f"{name:22} {len(relative):8} {np.median(relative):10.1e} {np.percentile(relative, 95):9.1e} "
              f"{100 * np.mean(bars > 1):8.2f} % {bars.max():9.1e} {unexplained:6}")
    else:
        print(f"{name:22} {0:8} {'':43} {unexplained:6}")


print(f"{'program':22} {'values':>8} {'median':>10} {'95 %':>9} {'outside':>10} {'in bars':>9} unexplained")
failed, everything = False, []
for name in sys.argv[1:]:
    both = list(zip(read(name), read(name.replace(".single.", ".double."))))
    relative, bars, unexplained = [], [], 0
    for (world, a, keys), (_, b, others) in both:
        _, at, of = np.intersect1d(keys, others, return_indices=True)
        a, b = ({column: data[lines] for column, data in table.items()} for table, lines in ((a, at), (b, of)))
        # threads of the engine's own make its reports false
        unexplained += sum(int(np.sum((one["verdict"] == UNEXPLAINED) & (one["reasons"] & THREADS == 0))) for one in (a, b))
        for x, y in compare(a, b):
            relative.append(x)
            bars.append(y)
    relative, bars = (np.concatenate(x or [np.zeros(0)]) for x in (relative, bars))
    row(os.path.basename(name).replace(".single.h5", ""), relative, bars, unexplained)
    everything.append((relative, bars, unexplained))
    failed |= unexplained > 0 or (len(bars) > 0 and np.mean(bars > 1) > MOST_OUTSIDE)
row("all", *(np.concatenate(x) for x in list(zip(*everything))[:2]), sum(x[2] for x in everything))
sys.exit(1 if failed else 0)

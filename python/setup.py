"""Builds the extension against the Kinetostat that pkg-config knows. One binary serves all Python from 3.11 on."""
import glob
import os
import subprocess
import sys

from setuptools import Extension, setup


def pkg_config(*arguments):
    tool = os.environ.get("PKG_CONFIG", "pkg-config")
    found = subprocess.run([tool, *arguments], capture_output=True, text=True)
    return found.stdout.split() if found.returncode == 0 else None


precision = next((suffix for suffix in ("", "-single") if pkg_config("--modversion", "kinetostat" + suffix)), None)
if precision is None:
    sys.exit("pkg-config does not know kinetostat: install it first (docs/using.md), and set PKG_CONFIG_PATH if it is in a "
             "folder of its own")
version = pkg_config("--modversion", "kinetostat" + precision)
has_report = pkg_config("--exists", "kinetostat-report" + precision) is not None
module = ("kinetostat-report" if has_report else "kinetostat") + precision
folders = pkg_config("--variable=libdir", module)

setup(
    version=version[0],
    ext_modules=[Extension(
        "kinetostat._native",
        sorted(glob.glob("native/*.c")),
        depends=glob.glob("native/*.h"),
        define_macros=[("KSP_HAVE_REPORT", "1")] if has_report else [],
        py_limited_api=True,
        extra_compile_args=["-std=gnu11", "-fvisibility=hidden", *pkg_config("--cflags", module)],
        extra_link_args=pkg_config("--libs", module, "ode"),
        # a library in a folder of its own is found without LD_LIBRARY_PATH
        runtime_library_dirs=[folder for folder in folders if not folder.startswith("/usr/lib")],
    )],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)

"""_binary.py  Loads the binary module, kinetostat._native, of the engine's precision: double or
single."""
import contextlib
import importlib.machinery
import importlib.util
import sys

# loads pyode first: it needs the engine that it was built for, but would use any engine that is
# already loaded
_pyode = None if "ode" in sys.modules else importlib.util.find_spec("ode")
if _pyode and isinstance(_pyode.loader, importlib.machinery.ExtensionFileLoader):
    with contextlib.suppress(ImportError):
        importlib.import_module("ode")

# each binary refuses an engine of the other precision
try:
    importlib.import_module("._native", __package__)
except ImportError as refused:
    try:
        _native = importlib.import_module("._single._native", __package__)
    except ModuleNotFoundError:
        raise refused from None
    sys.modules[__package__ + "._native"] = sys.modules[__package__]._native = _native

"""_binary.py  Loads the binary for the engine of this process, of double or single precision, as kinetostat._native."""
import contextlib
import importlib.machinery
import importlib.util
import sys

# pyode comes first: it uses an engine that is already loaded, and needs the one that it was built
# for
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

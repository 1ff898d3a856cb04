"""The way in: starts the probe, then runs the sitecustomize that would have run without it.

This file must parse on every Python that may run below the command, 2.7 and 3.6 too. Its folder
stays on sys.path and in PYTHONPATH, or the processes further below would not be reached.
"""

import os
import sys

_PROBE = "_hangbisect_probe"
_HERE = os.path.dirname(os.path.abspath(__file__))


def _start():
    folder = os.environ.get("HANGBISECT_FOLDER")
    if not folder or not os.path.isabs(folder) or _PROBE in sys.modules:
        return
    import _frozen_importlib
    import _frozen_importlib_external

    parent = os.path.dirname(_HERE)
    file = os.path.join(parent, "__init__.py")
    loader = _frozen_importlib_external.SourceFileLoader(_PROBE, file)
    spec = _frozen_importlib.ModuleSpec(_PROBE, loader, origin=file, is_package=True)
    spec.submodule_search_locations.append(parent)
    spec.has_location = True
    package = _frozen_importlib.module_from_spec(spec)
    sys.modules[_PROBE] = package
    loader.exec_module(package)
    from _hangbisect_probe import boot

    boot.start(folder, __file__)


def _hide():
    """Make importlib pass our folder by: it holds nothing that anybody asks for."""
    for entry in sys.path:
        if os.path.abspath(entry) == _HERE:
            sys.path_importer_cache[entry] = None


def _chain():
    """Import the next sitecustomize in place of this one.

    What it raises is raised as it would have been, also that there is none: `site` expects that.
    """
    sys.modules.pop("sitecustomize", None)
    if sys.version_info[0] > 2:
        __import__("sitecustomize")
        return
    path = sys.path[:]
    sys.path[:] = [entry for entry in path if os.path.abspath(entry) != _HERE]
    try:
        __import__("sitecustomize")
    finally:
        sys.path[:] = path


if sys.version_info >= (3, 8):
    try:
        _start()
    except BaseException:
        pass
_hide()
_chain()

"""Import a module that fails two levels below, catch one failure, and let the next one out."""

import traceback

try:
    import broken_outer  # noqa: F401
except ValueError:
    traceback.print_exc()
try:
    import no_such_module  # noqa: F401
except ImportError as error:
    traceback.print_exc()
    print(error.name)
try:
    __import__("bad_syntax")
except (SyntaxError, ImportError) as error:
    print(error)
import broken_inner  # noqa: F401

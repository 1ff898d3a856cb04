"""Import, in a second thread, a module that the main thread is importing."""

import lock_inside  # noqa: F401

"""Import a module that forks: the child stays inside the import."""

import fork_inside  # noqa: F401

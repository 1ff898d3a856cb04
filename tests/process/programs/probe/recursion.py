"""Say how deep a recursion may go here, and inside a nested import."""

import deep
import deeper  # noqa: F401

print(deep.depth(), deep.stack())

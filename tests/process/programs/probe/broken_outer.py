import broken_inner  # noqa: F401

"""What a reader of stacks raises when it cannot read: it becomes a Gap, and stays in this room."""


class StackError(Exception):
    """The stacks could not be read; the text is the reader's own reason."""

"""Python's own target grammar, behind our options: `[options] [--] script args`, `-m mod args` ...

From the target on everything belongs to the target, also what looks like an option of ours.
"""

from collections.abc import Collection, Sequence

TARGET_FLAGS = ("-m", "-c")


def split(
    arguments: Sequence[str], with_value: Collection[str]
) -> tuple[list[str], tuple[str, ...]]:
    """Return our options, and the target with its arguments.

    `with_value` names those options of ours whose value may be the next argument.
    """
    index = 0
    while index < len(arguments):
        argument = arguments[index]
        if argument == "--":
            return list(arguments[:index]), tuple(arguments[index + 1 :])
        if starts_target(argument):
            break
        index += 2 if argument in with_value else 1
    return list(arguments[:index]), tuple(arguments[index:])


def starts_target(argument: str) -> bool:
    """Say whether the target begins here: a script, `-` (standard input), `-m`, `-c` or `-mmod`."""
    return argument == "-" or not argument.startswith("-") or argument[:2] in TARGET_FLAGS

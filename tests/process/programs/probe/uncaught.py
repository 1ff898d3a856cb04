"""Raise an error in a function, with another one behind it."""


def divide():
    try:
        return {}["missing"]
    except KeyError:
        return 1 / 0


divide()

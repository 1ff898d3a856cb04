import functools


def noted(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args)

    return wrapper


@noted
def load(file):
    if file == "missing":
        raise FileNotFoundError(file)
    return load(file[1:]) if file else {}

"""End in an ordinary way, as the first argument says."""

import argparse
import os
import sys
import time


def main(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("way")
    way = parser.parse_args(arguments).way
    if way == "code":
        sys.exit(3)
    elif way == "text":
        sys.exit("a last word")
    elif way == "error":
        raise RuntimeError("heard")
    elif way == "daemon":
        if os.fork():
            os._exit(0)
        time.sleep(3)  # it is there when its parent has gone
    elif way == "told":
        try:
            raise RuntimeError("told")
        except RuntimeError as error:
            print(error)
            sys.exit(0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

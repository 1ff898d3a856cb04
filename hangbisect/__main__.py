"""Run `python -m hangbisect` as the command."""

from hangbisect._entry import main

if __name__ == "__main__":
    main(by_module=True)

"""Run `python -m hangbisect` as the command."""

from hangbisect.cli import main

if __name__ == "__main__":
    main()

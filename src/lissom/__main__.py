"""`python -m lissom` is the command `lissom`."""

from .cli import main

if __name__ == "__main__":
    main()

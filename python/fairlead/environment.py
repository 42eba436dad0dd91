"""What the environment variables say, and the one way in which this library speaks to a person."""

import os
import sys
from typing import Optional


def say(line: str) -> None:
    """Writes one line to the job's log. A closed log must not end a training."""
    try:
        print("fairlead: " + line, file=sys.stderr, flush=True)
    except (OSError, ValueError, AttributeError):
        pass


def text(name: str) -> Optional[str]:
    """The value of a variable; None when it is absent or empty."""
    return os.environ.get(name) or None


def number(name: str, default: int, least: int) -> int:
    """The value of a variable as a whole number; the default, with one line, when it is malformed."""
    value = text(name)
    if value is None:
        return default
    try:
        parsed = int(value)
    except ValueError:
        parsed = least - 1
    if parsed >= least:
        return parsed
    say("%s is %r, not a whole number of at least %d; %d is used" % (name, value[:80], least, default))
    return default

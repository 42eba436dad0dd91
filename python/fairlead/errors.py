"""What the client raises."""

import json
from typing import Any, Dict, List, Optional

# What the command exits with.
JOB_FAILED = 1
USAGE = 2
UNREACHABLE = 3
REFUSED = 4

# Refusals that the command exits from with USAGE; from all others with REFUSED.
USAGE_CODES = ("invalid", "not-found", "wrong-method", "ambiguous")
TOKEN_HINT = (
    "\nThe token comes from FAIRLEAD_TOKEN, from 'fairlead login', or from server.json in the server's home."
)
# How the server begins the path of a field in the one job of a submit.
ONE_JOB = "jobs[0]"


class FairleadError(Exception):
    """A call that was not done, in words for people: the server's own, where one has answered.

    `exit_code` is what the command `fairlead` exits with in this case: 1 a job is not over in time, 2 something is wrong
    with what was asked, 3 the server cannot be reached, 4 refused.
    """

    def __init__(
        self, message: str, exit_code: int = REFUSED, status: Optional[int] = None, code: Optional[str] = None
    ) -> None:
        super().__init__(message)
        self.exit_code = exit_code
        self.status = status
        """The HTTP status; None when no server has answered."""
        self.code = code
        """The server's word for the kind of refusal, such as `conflict`."""


def refusal(status: int, content: bytes) -> FairleadError:
    """What an answer says that is not one of success."""
    body: Dict[str, Any] = {}
    try:
        read = json.loads(content.decode("utf-8"))
        body = read if isinstance(read, dict) else {}
    except ValueError:
        pass  # Something between us and the server answered, in its own words.
    code = body.get("code")
    if not isinstance(code, str):
        exit_code = USAGE if 400 <= status < 500 and status not in (401, 403, 410, 413, 429) else REFUSED
        return FairleadError("the server answered with HTTP status %d" % status, exit_code, status)
    exit_code = USAGE if code in USAGE_CODES else REFUSED
    return FairleadError(_words(code, body), exit_code, status, code)


def _words(code: str, body: Dict[str, Any]) -> str:
    message = str(body.get("message") or code)
    if code == "unauthorized":
        return message + TOKEN_HINT
    # The field is named once, by its path in the one job that was sent.
    field = str(body.get("field") or "")
    path = field[len(ONE_JOB) :].lstrip(".") if field.startswith(ONE_JOB) else field
    for named in filter(None, (field, path)):
        if message.startswith(named + ": "):
            message = message[len(named) + 2 :]
    matches: List[str] = body.get("matches") or []
    return "\n  ".join([path + ": " + message if path else message] + matches)

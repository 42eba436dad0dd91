"""A person at a terminal: runs a command on a pseudo-terminal of 33 rows and 101 columns.

Every line of the standard input is one step: "type TEXT" (with Python's escapes), "await TEXT" (in what came since the
last step that found something), "size ROWS COLUMNS". Exits as the command does; what it showed goes to the output.
"""

import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time

PATIENCE_SECONDS = 60


def resize(rows, columns):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def read(seconds):
    ready, _, _ = select.select([terminal], [], [], seconds)
    if not ready:
        return b""
    try:
        return os.read(terminal, 4096)
    except OSError:  # So Linux tells that the other side is closed.
        return b""


pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
resize(33, 101)
shown = b""
for line in sys.stdin.read().splitlines():
    verb, _, rest = line.partition(" ")
    text = rest.encode().decode("unicode_escape").encode()
    if verb == "size":
        resize(*map(int, rest.split()))
    elif verb == "type":
        os.write(terminal, text)
    elif verb == "await":
        deadline = time.monotonic() + PATIENCE_SECONDS
        while text not in shown:
            if time.monotonic() > deadline:
                sys.exit(f"never came: {text!r} in {shown!r}")
            shown += read(0.1)
        sys.stdout.write(shown.decode(errors="replace"))
        shown = shown[shown.index(text) + len(text) :]
deadline = time.monotonic() + PATIENCE_SECONDS
ended, status = os.waitpid(pid, os.WNOHANG)
while not ended:
    if time.monotonic() > deadline:
        sys.exit("the command does not end")
    shown += read(0.05)
    ended, status = os.waitpid(pid, os.WNOHANG)
print(shown.decode(errors="replace"))
sys.exit(os.waitstatus_to_exitcode(status))

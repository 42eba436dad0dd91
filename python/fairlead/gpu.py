"""How much GPU memory this process has used at most."""

import os
import shutil
import subprocess
import sys
import time
from typing import Optional

# nvidia-smi takes up to seconds on a busy machine, and memory seldom changes after the first epoch.
DRIVER_SECONDS = 60.0


class GpuMemory:
    """The largest GPU memory of this process so far, on the device that it fills most.

    Asks a framework that the script has imported and set up; imports none and sets up none, since both could
    take GPU memory. Not thread-safe: only the reporting thread asks.
    """

    def __init__(self) -> None:
        self._peak: Optional[int] = None
        self._driver: Optional["subprocess.Popen[str]"] = None
        self._driver_next = 0.0
        self._driver_path = shutil.which("nvidia-smi")

    def peak_bytes(self) -> Optional[int]:
        """The peak so far, or None when nobody knows. Never waits."""
        for read in (_torch_peak, _tensorflow_peak, self._driver_use):
            try:
                found = read()
            except Exception:  # Frameworks differ by version, and no figure is worth a training.
                found = None
            if found:
                self._peak = max(found, self._peak or 0)
                break
        return self._peak

    def _driver_use(self) -> Optional[int]:
        """What the driver shows for this process. One call starts nvidia-smi, a later one reads its answer."""
        if self._driver is not None and self._driver.poll() is not None:
            answer, _ = self._driver.communicate()
            self._driver = None
            return _own_use(answer)
        if self._driver is None and self._driver_path and time.monotonic() >= self._driver_next:
            self._driver_next = time.monotonic() + DRIVER_SECONDS
            query = ["--query-compute-apps=pid,used_memory", "--format=csv,noheader,nounits"]
            self._driver = subprocess.Popen(
                [self._driver_path] + query,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                universal_newlines=True,
            )
        return None


def _torch_peak() -> Optional[int]:
    torch = sys.modules.get("torch")
    if torch is None or not torch.cuda.is_initialized():
        return None
    return max(int(torch.cuda.max_memory_reserved(device)) for device in range(torch.cuda.device_count()))


def _tensorflow_peak() -> Optional[int]:
    eager = sys.modules.get("tensorflow.python.eager.context")
    context = eager.context_safe() if eager is not None else None
    # An unused context must stay so: to ask it would set up the GPUs before the script can say how.
    if context is None or not context._initialized:
        return None
    devices = context.list_logical_devices("GPU")
    return max(int(context.get_memory_info(device.name)["peak"]) for device in devices)


def _own_use(answer: str) -> Optional[int]:
    """Reads lines of "pid, MiB": one line for each GPU that the process uses."""
    used = []
    for line in answer.splitlines():
        pid, _, mebibytes = line.partition(",")
        if pid.strip() == str(os.getpid()) and mebibytes.strip().isdecimal():
            used.append(int(mebibytes) * 1024 * 1024)
    return max(used) if used else None

"""A remote folder by blobfuse2, on nodes that have it and may mount."""

import json
import os
import shutil
import subprocess
from typing import Any, Dict, List

from blobs import Container
from processes import log

MOUNT_SECONDS = 120.0  # It asks the account once; longer means that it does not get there.


def fuse_options(place: Dict[str, Any]) -> Dict[str, str]:
    """What the config file says about the mount, such as ro,attr_timeout=240 (docs/philly.md)."""
    return dict(each.partition("=")[::2] for each in place.get("fuse", "").split(",") if each)


def mount(place: Container, sas: str, target: str, work: str, options: Dict[str, str]) -> bool:
    """False where it cannot be done: then the folder is copied instead."""
    program = shutil.which("blobfuse2")
    if program is None or not os.access("/dev/fuse", os.R_OK | os.W_OK):
        return False
    if os.path.ismount(target):
        return True  # By a process of this node that has not come to its end.
    os.makedirs(target, exist_ok=True)
    name = os.path.basename(target)
    settings = {
        "foreground": False,
        "logging": {"type": "silent"},
        "components": ["libfuse", "file_cache", "attr_cache", "azstorage"],
        "read-only": "ro" in options,
        "allow-other": "allow_other" in options,
        "libfuse": {"attribute-expiration-sec": int(options.get("attr_timeout", 240)),
                    "entry-expiration-sec": int(options.get("entry_timeout", 240)),
                    "negative-entry-expiration-sec": int(options.get("negative_timeout", 120))},
        "file_cache": {"path": os.path.join(work, "cache-" + name),
                       "timeout-sec": int(options.get("file_cache_timeout", 120))},
        "azstorage": {"type": "block", "account-name": place.account, "container": place.container, "mode": "sas",
                      "sas": sas, "endpoint": place.endpoint, "subdirectory": place.name},
    }
    # JSON is YAML. The file holds the signature, and lies in a folder of this account alone.
    file = os.path.join(work, "mount-%s.yaml" % name)
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as out:
        json.dump(settings, out)
    problem = failure([program, "mount", target, "--config-file=" + file])
    if problem or not os.path.ismount(target):
        log("blobfuse2 has not mounted %s, so it is copied: %s" % (name, problem or "nothing is mounted there"))
        return False
    log("mounted %s at %s" % (place.where(place.name), name))
    return True


def unmount(target: str) -> None:
    """Waits until what was written has arrived."""
    for words in (["blobfuse2", "unmount", target], ["fusermount3", "-u", target], ["umount", target]):
        if shutil.which(words[0]) and not failure(words):
            return


def failure(words: List[str]) -> str:
    try:
        answer = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                timeout=MOUNT_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as problem:
        return str(problem)
    return "" if answer.returncode == 0 else answer.stdout.decode("utf-8", "replace").strip()[-500:]

"""What runs on the node for an ACT job: brings its code and folders, prepares them once, and runs its command.

Python 3.6 or newer and its standard library are all that a node needs. docs/act.md has the steps and their order.
"""

import contextlib
import fcntl
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from typing import Any, Callable, Dict, Iterator, List, Optional

import blobs
import mounts
import ranks
from meeting import Team
from processes import Stop, Stopped, log, run_plain, run_step
from unpack import Unfit, mounted_below, remove, unpack

KEPT_SECONDS = 7 * 24 * 3600.0  # What could not be stored waits so long for its owner.
STORE_SECONDS = 10 * 60.0  # What a node that dies takes with it was written since; more often would cost training time.
QUIET_SECONDS = 30.0  # A checkpoint is not written in one go; what nobody touched for so long is whole.
GPU_LINE_SECONDS = 30 * 60.0
GPU_QUESTION = ["nvidia-smi", "--query-gpu=index,utilization.gpu,memory.used,memory.total", "--format=csv,noheader"]
STOPPED_CODE = 143
SETUP_FAILED_CODE = 1


class AttemptFolder:
    """Where one attempt has its code on this node, for all of its tasks here; the last of them takes it away.

    Whoever uses it holds a lock on it, which ends with the process however that ends. So folders that nobody holds
    are left over from something that was killed, and the next job of the account removes them.
    """

    def __init__(self, variables: Dict[str, str]) -> None:
        base = os.path.join(tempfile.gettempdir(), "fairlead-act-%d" % os.geteuid())
        os.makedirs(base, mode=0o700, exist_ok=True)
        seen = os.lstat(base)
        if seen.st_uid != os.geteuid() or seen.st_mode & 0o170077 != 0o040000:
            raise RuntimeError("%s belongs to somebody else, or others may write there" % base)
        # Short, since sockets of MPI lie below it and a path to one has 107 bytes at most.
        job = "_".join(variables.get("FAIRLEAD_JOB", "job").rsplit("_", 2)[-2:])
        self.path = os.path.join(base, "%s-%s" % (job, variables.get("FAIRLEAD_ATTEMPT", "1")))
        self.code = os.path.join(self.path, "code")
        self._base = base
        with self._guard():
            self._sweep()
            os.makedirs(self.path, mode=0o700, exist_ok=True)
            self._users = open(os.path.join(self.path, "users"), "a")
            fcntl.flock(self._users, fcntl.LOCK_SH)

    @contextlib.contextmanager
    def _guard(self) -> Iterator[None]:
        with open(os.path.join(self._base, "lock"), "a") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        with open(os.path.join(self.path, "lock"), "a") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def own(self, name: str) -> str:
        path = os.path.join(self.path, name)
        os.makedirs(path, mode=0o700, exist_ok=True)
        return path

    def _sweep(self) -> None:
        for name in os.listdir(self._base):
            path = os.path.join(self._base, name)
            kept = os.path.join(path, "kept")
            is_kept = os.path.exists(kept) and time.time() - os.stat(kept).st_mtime < KEPT_SECONDS
            if path != self.path and os.path.isdir(path) and not is_kept:
                self._remove_unused(path)

    @staticmethod
    def _remove_unused(path: str) -> None:
        try:
            with open(os.path.join(path, "users"), "a") as users:
                fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
                for mount in mounted_below(path):
                    mounts.unmount(mount)
                remove(path)
        except BlockingIOError:
            pass
        except OSError as problem:
            log("%s is left behind: %s" % (path, problem))

    def leave(self, keep: bool) -> None:
        with self._guard():
            self._users.close()
            if keep:
                open(os.path.join(self.path, "kept"), "w").close()
            elif os.path.isdir(self.path) and not os.path.exists(os.path.join(self.path, "kept")):
                self._remove_unused(self.path)


class Setup:
    """Everything between a place for the code and a command that can start: done once for an attempt and node."""

    def __init__(self, job: Dict[str, Any], variables: Dict[str, str], folder: AttemptFolder, stop: Stop) -> None:
        self._job = job
        self._variables = variables
        self._folder = folder
        self._stop = stop
        self._mark = os.path.join(folder.path, "ready")

    def container(self, place: Dict[str, Any], going_on: Callable[[], bool]) -> blobs.Container:
        return blobs.Container(place["url"], self._variables.get(place["sas"], ""), going_on, log)

    def copies(self, going_on: Callable[[], bool]) -> Dict[str, blobs.Copy]:
        """Those of the folders that are fetched and stored again."""
        return {
            name: blobs.Copy(self.container(place, going_on), os.path.join(self._folder.path, "folders", name),
                             os.path.join(self._folder.path, "record-" + name), log,
                             "ro" in mounts.fuse_options(place))
            for name, place in self._job["folders"].items()
            if place["kind"] == "blob" and not os.path.ismount(os.path.join(self._folder.path, "folders", name))
        }

    def prepare(self) -> None:
        if os.path.exists(self._mark):
            log("the code is there already")
            return
        # Whoever began before has not come to its end.
        remove(self._folder.code)
        self._code(self._job["code"])
        for name, place in self._job["folders"].items():
            self._link(name, place)
        self._requirements()
        self._compile()
        open(self._mark, "w").close()

    def _code(self, place: Dict[str, Any]) -> None:
        os.makedirs(self._folder.code)
        archive = place["path"] if place["kind"] == "file" else os.path.join(self._folder.path, "code.zip")
        where = archive
        if place["kind"] == "blob":
            container = self.container(place, self._stop.is_not_asked)
            where = container.where(container.name)
            try:
                container.fetch(container.name, archive)
            except blobs.BlobError as problem:
                raise Unfit("the code is not available: %s" % problem)
        elif not os.path.isfile(archive):
            raise Unfit("the code is not available: there is no %s" % archive)
        try:
            unpack(archive, self._folder.code, log)
        except Unfit as problem:
            raise Unfit("the code %s is refused: %s" % (where, problem))
        if place["kind"] == "blob":
            os.remove(archive)
        log("unpacked the code of %s" % where)

    def _link(self, name: str, place: Dict[str, Any]) -> None:
        target = place.get("path", "")
        if place["kind"] == "blob":
            target = os.path.join(self._folder.own("folders"), name)
            container = self.container(place, self._stop.is_not_asked)
            sas = self._variables.get(place["sas"], "")
            if not mounts.mount(container, sas, target, self._folder.path, mounts.fuse_options(place)):
                self.copies(self._stop.is_not_asked)[name].bring()
        elif place.get("store") and not os.path.isdir(place["store"]):
            # What is written there instead would be hidden by the disk once it is mounted.
            raise Unfit("%s is not available: there is no folder %s on this node; is a disk to be mounted there?" % (
                name, place["store"]))
        elif "ro" not in mounts.fuse_options(place):
            os.makedirs(target, exist_ok=True)
        elif not os.path.isdir(target):
            log("%s is to read only, and there is no folder %s: nothing is there until somebody makes it" % (name, target))
        link = os.path.join(self._folder.code, name)
        remove(link)
        os.symlink(target, link)

    def _requirements(self) -> None:
        if os.path.isfile(os.path.join(self._folder.code, "requirements.txt")):
            pip = ["pip"] if shutil.which("pip") else [sys.executable, "-m", "pip"]
            self._step(pip + ["install", "-r", "requirements.txt"])

    def _compile(self) -> None:
        scripts = ["compile.aml.sh", "compile.philly.sh"]
        for script in reversed(scripts) if self._job.get("philly") else scripts:
            if os.path.isfile(os.path.join(self._folder.code, script)):
                shell = "bash" if shutil.which("bash") else "sh"
                self._step([shell, "./" + script] + self._job["compileArgs"].split())
                return

    def _step(self, words: List[str]) -> None:
        if os.geteuid() != 0 and may_sudo():
            words = ["sudo", "-n"] + words
        log("runs " + " ".join(words))
        environment = {name: text for name, text in os.environ.items() if not name.startswith("FAIRLEAD_ACT_")}
        try:
            code = run_step(words, self._folder.code, environment, self._stop)
        except OSError as problem:
            log("%s could not start, and the job goes on: %s" % (words[0], problem.strerror))
            return
        if code != 0:
            log("%s has ended with %d, and the job goes on" % (" ".join(words), code))


def may_sudo() -> bool:
    if shutil.which("sudo") is None:
        return False
    quiet = subprocess.DEVNULL
    return subprocess.call(["sudo", "-n", "true"], stdin=quiet, stdout=quiet, stderr=quiet) == 0


def command_environment(variables: Dict[str, str], code: str) -> Dict[str, str]:
    """The task's own, without what only this program needs, and with what ACT's users expect."""
    found = {name: text for name, text in variables.items() if not name.startswith("FAIRLEAD_ACT_")}
    found["TORCH_HOME"] = "./output/torch_home"
    before = found.get("PYTHONPATH", "")
    found["PYTHONPATH"] = code + (os.pathsep + before if before else "")
    found["PWD"] = code
    found.setdefault("MASTER_ADDR", found.get("MASTER_IP", "127.0.0.1"))
    # A job with one task meets nobody at its port, which is as good as any for its ranks.
    port = found.get("FAIRLEAD_PORT_ACT", "").split(",")[0]
    if port:
        found.setdefault("MASTER_PORT", port)
    return found


def watch_gpus() -> None:
    while True:
        time.sleep(GPU_LINE_SECONDS)
        log("GPUs: " + gpu_line())


def gpu_line() -> str:
    try:
        answer = subprocess.run(GPU_QUESTION, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                timeout=60)
    except (OSError, subprocess.TimeoutExpired) as problem:
        return str(problem)
    return answer.stdout.decode("utf-8", "replace").strip().replace("\n", "; ")


def store(setup: Setup, folder: AttemptFolder, stop: Stop) -> bool:
    """True when all that has changed is where it belongs."""
    is_whole = store_changes(setup, folder, stop, 0.0)
    if not is_whole:
        log("what is missing there lies in %s for some days" % folder.path)
    return is_whole


def store_changes(setup: Setup, folder: AttemptFolder, stop: Stop, quiet_seconds: float) -> bool:
    is_whole = True
    with folder.alone():
        for name, copy in setup.copies(stop.is_time_left).items():
            if copy.read_only and quiet_seconds > 0:
                continue  # What will not be stored is reported once, at the end.
            try:
                copy.give(quiet_seconds)
            except (blobs.BlobError, OSError) as problem:
                log("%s could not be stored: %s" % (name, problem))
                is_whole = False
    return is_whole


@contextlib.contextmanager
def stored_meanwhile(setup: Setup, folder: AttemptFolder, stop: Stop, interval: float = STORE_SECONDS,
                     quiet_seconds: float = QUIET_SECONDS) -> Iterator[None]:
    """Stores what the command has written while it runs, so that a node that dies takes little with it."""
    over = threading.Event()

    def keep_storing() -> None:
        while not over.wait(interval):
            store_changes(setup, folder, stop, quiet_seconds)

    keeper = threading.Thread(target=keep_storing, daemon=True)
    keeper.start()
    try:
        yield
    finally:
        over.set()
        keeper.join()


def run(words: List[str]) -> int:
    variables = dict(os.environ)
    job = json.loads(variables["FAIRLEAD_ACT_JOB"])
    stop = Stop(float(variables.get("FAIRLEAD_ACT_GRACE", "10")))
    folder: Optional[AttemptFolder] = None
    is_whole = True
    try:
        folder = AttemptFolder(variables)
        setup = Setup(job, variables, folder, stop)
        with folder.alone():
            setup.prepare()
        with stored_meanwhile(setup, folder, stop):
            code = run_command(words, job, variables, folder, stop)
        stop.taker = lambda: None
        is_whole = store(setup, folder, stop)
        if job["sleepIfFail" if code else "sleepIfSucceed"] and not stop.asked:
            log("the command has ended with %d; this task sleeps until it is aborted" % code)
            while not stop.asked:
                time.sleep(1.0)
            is_whole = store(setup, folder, stop)
        return code if code or is_whole else SETUP_FAILED_CODE
    except Stopped:
        log("stopped before the command has started")
        return STOPPED_CODE
    except (Unfit, blobs.BlobError, OSError, RuntimeError) as problem:
        log(str(problem))
        return SETUP_FAILED_CODE
    finally:
        stop.taker = lambda: None
        if folder is not None:
            folder.leave(keep=not is_whole)


def run_command(words: List[str], job: Dict[str, Any], variables: Dict[str, str], folder: AttemptFolder, stop: Stop) -> int:
    if shutil.which("nvidia-smi"):
        threading.Thread(target=watch_gpus, daemon=True).start()
    environment = command_environment(variables, folder.code)
    if not job["mpi"]:
        return run_plain(words, folder.code, environment, stop)
    team = Team(variables, job["nodes"], job["processesPerNode"])
    team.check()
    return ranks.run_team(words, boot(), folder.code, environment, team, stop, folder.own("t%d" % team.index))


def boot() -> str:
    """The words that start this program again, for a rank or for mpirun's agent."""
    text: str = sys.modules["__main__"].PARTS["boot"]  # type: ignore[attr-defined]
    return text


def main(words: List[str]) -> int:
    if words[0] == "rank":
        return ranks.become_rank(words[1:])
    if words[0] == "agent":
        return ranks.be_agent(words[1:], Team(dict(os.environ), 0, 0))
    return run(words[1:])

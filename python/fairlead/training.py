"""The object that a training script talks to."""

import glob
import math
import os
import threading
from operator import attrgetter
from time import monotonic, perf_counter
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Tuple, TypeVar

from fairlead.environment import number, say, text
from fairlead.protocol import FairleadProtocol, Protocol, Report
from fairlead.reporter import Reporter

Batch = TypeVar("Batch")

# Heartbeats show how fast the steps are; more than one in a second shows no more.
HEARTBEAT_SECONDS_LEAST = 1.0
# An answer of this age is new enough to decide whether to stop at a checkpoint.
ANSWER_SECONDS_FRESH = 1.0
# More local ranks than any node has GPUs, so that ranks of different nodes never meet.
LOCAL_RANKS_MAX = 1000
# As long as a server takes.
METRIC_NAME_MAX = 100


def _same_as(name: str) -> Any:
    """The same value under the name that kubernetesdlprofile gave it."""
    return property(attrgetter(name), doc="The same as %s." % name)


class Training:
    """A training run: what its job was given, how far it is, and whether it shall stop.

    In a Fairlead job the values come from the environment. Elsewhere they are the arguments, or 1, and nothing is
    reported, so a script runs unchanged on a laptop. No method raises because a server is away; start_epoch() and
    checkpoint_saved() end the process (SystemExit 0) when the job has been asked to stop. Methods are for one thread.
    """

    def __init__(
        self,
        epochs: Optional[int] = None,
        batch_size: Optional[int] = None,
        training_set_size: Optional[int] = None,
    ) -> None:
        self._arguments: Tuple[Any, ...] = (epochs, batch_size, training_set_size)
        job = text("FAIRLEAD_JOB") or text("JOB_UUID")
        self.in_job = job is not None
        """Whether this is a job of Fairlead, and not a script on a laptop."""
        self.job_id = text("JOB_UUID") or job or "local"
        self.attempt = number("FAIRLEAD_ATTEMPT", 1, 1)
        self.epochs = number("EPOCHS_TO_BE_DONE", epochs or 1, 1)
        self.epochs_done = number("EPOCHS_DONE", 0, 0)
        """Epochs that were done before this start; it does not change."""
        # A job that says nothing of them gets batches of 1, and one batch in an epoch.
        batch, samples = number("BATCH_SIZE", 1, 1), number("TRAINING_SET_SIZE", 1, 1)
        self.batch_size = batch if batch > 1 else batch_size or 1
        self.training_set_size = samples if samples > batch else training_set_size or samples
        self.heartbeat_steps = number("HEARTBEAT_FREQ", 10, 1)
        self.node_list = text("NODELIST") or ""
        self.num_gpus = number("NUM_GPUS", 1, 0)
        self.num_nodes = number("NUM_NODES", 1, 1)
        self.node_rank = number("NODE_RANK", 0, 0)
        self.local_rank = number("LOCAL_RANK", -1, -1)
        self.reserved_memory_mib = number("RESERVED_MEM", 0, 0)
        # Only FALSE means a first start; without the variable a plain job knows by its attempt.
        told = text("JOB_RESTARTED") or text("JOB_UUID")
        self.restarted = text("JOB_RESTARTED") != "FALSE" if told else self.attempt > 1
        self.checkpoint_folder = _checkpoint_folder(self.job_id if job else "")

        self._done = self.epochs_done
        self._steps_in_all = 0
        self._until_beat = self.heartbeat_steps
        self._next_beat = 0.0
        self._epoch_began: Optional[float] = None
        self._listeners: List[Callable[[Report], None]] = []
        self._log_listeners: List[Callable[[Dict[str, Any]], None]] = []
        self._begin_epoch()
        protocol = self._protocol(job) if job else None
        self._reporter = Reporter(protocol) if protocol else None
        self._put("hello")

    def _protocol(self, job: str) -> Optional[Protocol]:
        """How this job reports; None when nobody listens."""
        url = text("FAIRLEAD_URL")
        if url is None:
            return None
        rank = self.node_rank * LOCAL_RANKS_MAX + max(self.local_rank, 0)
        token = text("FAIRLEAD_JOB_TOKEN") or ""
        file = text("FAIRLEAD_SERVER_FILE")
        try:
            return FairleadProtocol(url, job, token, self.attempt, number("RANK", rank, 0), file, text("FAIRLEAD_FINGERPRINT"))
        except ValueError as failure:
            say("FAIRLEAD_URL is %s; training goes on without reports" % failure)
            return None

    JOBID = _same_as("job_id")
    PROFILE_EACH = _same_as("heartbeat_steps")
    RANK = _same_as("node_rank")
    LOCAL_RANK = _same_as("local_rank")
    NODE_LIST = _same_as("node_list")
    NUM_GPUS = _same_as("num_gpus")
    NUM_NODES = _same_as("num_nodes")
    RESTARTED = _same_as("restarted")
    BATCH_SIZE = _same_as("batch_size")
    EPOCHS = _same_as("epochs")
    EPOCHS_DONE = _same_as("epochs_done")
    TRAINING_SET_SIZE = _same_as("training_set_size")
    root_dir = _same_as("checkpoint_folder")
    ckpt_path = _same_as("checkpoint_path")

    @property
    def epoch(self) -> int:
        """The number of epochs done so far, those of earlier starts included."""
        return self._done

    @property
    def checkpoint_path(self) -> Optional[str]:
        """The checkpoint to resume from: Lightning's newest, otherwise TensorFlow's.

        None when Lightning has begun in the folder and saved nothing yet: its fit() then starts from the beginning.
        """
        logs = os.path.join(glob.escape(self.checkpoint_folder), "lightning_logs")
        saved = list(filter(os.path.isfile, glob.glob(os.path.join(logs, "version_*", "checkpoints", "*"))))
        if saved:
            return max(saved, key=_order)
        if os.path.isdir(os.path.join(self.checkpoint_folder, "lightning_logs")):
            return None
        plural = os.path.join(self.checkpoint_folder, "tf_ckpts")
        return plural if glob.glob(glob.escape(plural) + "*") else plural[:-1]

    @property
    def should_stop(self) -> bool:
        """Whether the job has been asked to stop. It does so by itself, where nothing is lost."""
        return self._reporter is not None and self._reporter.stop

    def measure(self) -> None:
        """Call it after each training step. Never waits: every few steps it leaves a note for a thread."""
        now = perf_counter()
        self._steps += 1
        if self._steps == 1:
            self._first_step = now
        self._last_step = now
        self._until_beat -= 1
        if self._until_beat <= 0 and now >= self._next_beat:
            self._until_beat = self.heartbeat_steps
            self._next_beat = now + HEARTBEAT_SECONDS_LEAST
            self._put("heartbeat")

    def start_epoch(self) -> None:
        """Call it before each epoch. Ends the process when the job shall stop, but not before its last epoch."""
        self._begin_epoch()
        if self._reporter is not None:
            stop = self._reporter.ask(self._report("epoch-start"))
            if stop and self._done < self.epochs - 1:
                self._stop("after epoch %d of %d" % (self._done, self.epochs))
        self._epoch_began = perf_counter()

    def end_epoch(self) -> None:
        """Call it after each epoch, validation included; before or after its checkpoint is saved. Never stops."""
        seconds = None
        if self._epoch_began is not None and not self._steps_before:
            seconds = perf_counter() - self._epoch_began
        self._done += 1
        # An epoch that ran again, because its checkpoint was lost, has been counted before.
        if self._done > self.epochs_done:
            report = self._report("epoch-end", seconds)
            if self._reporter is not None:
                self._reporter.put(report)
            for listener in self._listeners:
                listener(report)
        self._steps_in_all += self._steps
        self._begin_epoch()

    def checkpoint_saved(self) -> None:
        """Says that a checkpoint made now is complete, so stopping here loses nothing; and stops if the job shall.

        With several ranks, call it in each of them at the same step, after the checkpoint is safe for all.
        """
        if self._reporter is None:
            return
        report = self._report("checkpoint")
        alone = self.num_gpus * self.num_nodes <= 1
        fresh = monotonic() - self._reporter.heard_at < ANSWER_SECONDS_FRESH
        # Several ranks must get one answer, so each asks about this very step.
        if alone and (self._reporter.stop or fresh):
            self._reporter.put(report)
            stop: Optional[bool] = self._reporter.stop
        else:
            stop = self._reporter.ask(report)
        if stop and self._done < self.epochs:
            self._stop("in epoch %d of %d, after step %d" % (self._done + 1, self.epochs, report.step))

    def log(self, step: Optional[int] = None, **values: Any) -> None:
        """Reports metrics, such as log(loss=0.3, accuracy=0.9): plots of the job show them. Never waits.

        They stand at the step of the whole training, or at the one that is given, and at the epochs done. Tensors and
        arrays of one number will do. What is no number, and what is not finite, is ignored. Call it in one rank.
        """
        if self._reporter is None and not self._log_listeners:
            return
        numbers = {name[:METRIC_NAME_MAX]: value for name, value in _numbers(values)}
        if numbers:
            at = self._steps_in_all + self._steps if step is None else max(0, int(step))
            epoch = self._done + (self._steps > 0) * min(1.0, self._part_of_epoch())
            point = {"step": at, "epoch": round(epoch, 4), "values": numbers}
            if self._reporter is not None:
                self._reporter.put(self._report("metrics")._replace(points=(point,)))
            for listener in self._log_listeners:
                listener(point)

    def _part_of_epoch(self) -> float:
        whole = self.training_set_size / self.batch_size / max(1, self.num_gpus * self.num_nodes)
        return (self._steps_before + self._steps) / whole if whole > 1 else 0.0

    def on_epoch_end(self, listener: Callable[[Report], None]) -> None:
        """Calls the function with what end_epoch() reports, in the thread of the training; outside a job too."""
        self._listeners.append(listener)

    def on_log(self, listener: Callable[[Dict[str, Any]], None]) -> None:
        """Calls the function with `step`, `epoch` and `values` of each log(), in the thread that calls it; outside a job too."""
        self._log_listeners.append(listener)

    def end(self) -> None:
        """Sends what is left, for at most 2 seconds, and ends reporting. Happens by itself when the process ends."""
        if self._reporter is not None:
            self._reporter.close()

    def epochs_left(self, done: Optional[int] = None) -> Iterator[int]:
        """Numbers of the epochs still to train, from 0; starts and ends each epoch itself.

        A script whose checkpoint says how many epochs it holds passes that number: after a crash the checkpoint
        knows better than the server.
        """
        if done is not None:
            self._done = done
        while self._done < self.epochs:
            self.start_epoch()
            yield self._done
            self.end_epoch()

    def steps(self, batches: Iterable[Batch], done: int = 0) -> Iterator[Batch]:
        """The batches, each measured as one step.

        A script that resumes inside an epoch passes the batches that are left, and how many were done before.
        """
        self._steps_before = done
        for batch in batches:
            yield batch
            self.measure()

    def __enter__(self) -> "Training":
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def __deepcopy__(self, _: Any) -> "Training":
        return self  # A model that holds this object may be copied; the process still has one training.

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), self._arguments  # Another process reads its own environment.

    def _begin_epoch(self) -> None:
        self._steps = 0
        self._steps_before = 0
        self._first_step = self._last_step = 0.0
        self._epoch_began = None

    def _report(self, kind: str, epoch_seconds: Optional[float] = None) -> Report:
        step_seconds = None
        if self._steps > 1:
            # From the end of the first step on: it alone pays for warming up.
            step_seconds = (self._last_step - self._first_step) / (self._steps - 1)
        elif self._steps == 1 and self._epoch_began is not None:
            step_seconds = self._last_step - self._epoch_began
        return Report(
            kind,
            # The server's count never goes back, also when epochs run again from an older checkpoint.
            epoch=max(self._done, self.epochs_done),
            step=self._steps_before + self._steps,
            steps_in_all=self._steps_in_all + self._steps,
            step_seconds=step_seconds,
            epoch_seconds=epoch_seconds,
        )

    def _put(self, kind: str) -> None:
        if self._reporter is not None:
            self._reporter.put(self._report(kind))

    def _stop(self, where: str) -> None:
        if threading.current_thread() is not threading.main_thread():
            # SystemExit would end this thread alone and leave a process that does nothing.
            say("asked to stop, but training runs outside the main thread: the script must look at should_stop")
            return
        self.end()
        say("stopping %s, as asked; the job goes on later" % where)
        raise SystemExit(0)


def _numbers(values: Dict[str, Any]) -> Iterator[Tuple[str, float]]:
    for name, value in values.items():
        try:
            number = float(value)
        except (TypeError, ValueError):
            continue
        if math.isfinite(number):
            yield name, number


def _checkpoint_folder(job: str) -> str:
    """Where this job's checkpoints belong; made when absent."""
    snapshots = text("FAIRLEAD_SNAPSHOTS")
    if snapshots is None:
        snapshots = "/snapshots" if job and os.path.isdir("/snapshots") else os.path.join(os.getcwd(), "checkpoints")
    folder = os.path.join(snapshots, job) if job else snapshots
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as failure:
        say("cannot make the checkpoint folder %s: %s" % (folder, failure.strerror))
    return folder


def _order(checkpoint: str) -> Tuple[int, float, str]:
    """Sorts files lightning_logs/version_N/checkpoints/FILE by N, then by their time."""
    version = checkpoint.split(os.sep)[-3][len("version_") :]
    try:
        saved_at = os.path.getmtime(checkpoint)
    except OSError:  # Another rank has just replaced it.
        saved_at = 0.0
    return int(version) if version.isdecimal() else -1, saved_at, checkpoint

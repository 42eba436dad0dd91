"""Submits jobs and looks after them, for scripts and notebooks."""

import datetime
import json
import os
import time
from typing import (
    Any,
    Dict,
    Iterator,
    List,
    Literal,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    Type,
    TypeVar,
    Union,
    overload,
)
from urllib.parse import quote

from fairlead.environment import say
from fairlead.errors import JOB_FAILED, UNREACHABLE, FairleadError
from fairlead.server import Broken, Event, Server, Silent

# Of the environment, what goes along with every job that has no image: the rest may hold secrets. The command's list.
FORWARDED = "PATH VIRTUAL_ENV CONDA_PREFIX CONDA_DEFAULT_ENV PYTHONPATH LD_LIBRARY_PATH LANG LC_ALL TZ".split()
OVER = ("succeeded", "failed", "cancelled")
# How long a server may be away, as to be restarted by hand, before we stop to wait for it.
AWAY_SECONDS = 60.0
PAUSE_SECONDS = 0.2
# A log may have no line feed at all; a reader then gets it in pieces of this size.
LINE_CHARACTERS_MAX = 64 * 1024

Record = TypeVar("Record")


class JobInfo(NamedTuple):
    """A job as the server sees it at one moment. Times are ISO 8601 in UTC; None means not yet, or not at all."""

    id: str
    name: Optional[str]
    owner: str
    project: str
    cluster: str
    state: str
    """queued, starting, running, stopping, succeeded, failed or cancelled"""
    reason: Optional[str]
    """Why it ended, is being stopped, or does not start although it has its place."""
    exit_code: Optional[int]
    priority: int
    gpus: int
    gpu_part: Optional[str]
    tasks: int
    attempts: int
    failures: int
    command: Optional[str]
    submitted: str
    started: Optional[str]
    finished: Optional[str]
    place: Optional[int]
    """Its place in the queue, from 1."""
    predicted_start: Optional[str]
    nodes: Optional[List[str]]
    epochs_done: Optional[int]
    epochs: Optional[int]


class Speed(NamedTuple):
    """How fast a training script is on a number of GPUs: means over its latest epochs there."""

    nodes: int
    gpus: int
    shared: bool
    epoch_seconds: float
    step_seconds: Optional[float]
    epochs: int
    """How many were measured."""
    speed_up: float
    """How many times as fast as in the first row."""
    own: bool
    """Whether this job has measured it; otherwise earlier jobs with the same script have."""


class Point(NamedTuple):
    """What a script has reported of one metric at one moment."""

    step: int
    epoch: Optional[float]
    at: float
    """Seconds since 1970."""
    value: float


class Metrics(NamedTuple):
    """What a script has reported. Of a job that does not train there is `logged` alone."""

    epochs_done: Optional[int]
    epochs: Optional[int]
    saved_at: Optional[str]
    """The work until then is saved; None before the first epoch and checkpoint."""
    gpu_memory_bytes: Optional[int]
    """The most that one of its GPUs has held."""
    speeds: List[Speed]
    """By number of GPUs, then of nodes; empty before the first epoch."""
    logged: Dict[str, List[Point]]
    """By name, what the script has given to log(): oldest first, and of very many points a part."""


class Why(NamedTuple):
    """Why a job is where it is. As a text, and at the end of a notebook's cell, it is in words."""

    id: str
    state: str
    place: Optional[int]
    needs: Optional[str]
    obstacles: Optional[List[str]]
    holders: Optional[List[Dict[str, Any]]]
    """Who holds now what it will start on, with the fields of a HolderBody."""
    ahead: Optional[List[Dict[str, Any]]]
    """Who stands before it, with the fields of an AheadBody."""
    predicted_start: Optional[str]
    advice: Optional[str]

    def __str__(self) -> str:
        lines = [self.id + ": " + self.state + self._place() + (", needs " + self.needs if self.needs else "")]
        lines += ["- " + obstacle for obstacle in self.obstacles or []]
        for holder in self.holders or []:
            note = " (%s)" % holder["note"] if holder.get("note") else ""
            lines.append("in its place now: %s's %s: %s%s" % (holder["owner"], holder["id"], holder["gives"], note))
        for other in self.ahead or []:
            who = other.get("owner") or "%d more" % other["people"]
            lines.append("ahead of it: %s for %g %s" % (who, other["gpus"], "GPU" if other["gpus"] == 1 else "GPUs"))
        if self.predicted_start:
            lines.append("expected to start at " + _local(self.predicted_start))
        elif self.state == "queued" and not any(each.startswith("can never start") for each in self.obstacles or []):
            lines.append("nobody can say when it will start")
        if self.advice:
            lines.append("it would start now " + self.advice)
        return "\n".join(lines)

    def _place(self) -> str:
        """One count is enough: an obstacle may have said how many are ahead."""
        is_told = any(obstacle.startswith("waits behind ") for obstacle in self.obstacles or [])
        if self.place is None or is_told:
            return ""
        if self.place == 1:
            return ", next in the queue"
        return ", %d job%s ahead of it" % (self.place - 1, "" if self.place == 2 else "s")

    def __repr__(self) -> str:
        return str(self)


class Job:
    """A job on a server. Every method asks that server anew. Safe for several threads."""

    def __init__(self, id: str, server: Server) -> None:
        self.id = id
        self._server = server
        self._path = "/v1/jobs/" + quote(id, safe="")
        self._seen = ""

    def info(self) -> JobInfo:
        """Everything that lists show of it, as it is now."""
        return self._see(self._server.get(self._path)["job"])

    def _see(self, body: Mapping[str, Any]) -> JobInfo:
        info = _record(JobInfo, body)
        name = " (%s)" % info.name if info.name else ""
        self._seen = "%s: %s at %s" % (name, info.state, time.strftime("%H:%M:%S"))
        return info

    @property
    def state(self) -> str:
        """queued, starting, running, stopping, succeeded, failed or cancelled, as it is now."""
        return self.info().state

    def wait(self, timeout: Optional[float] = None) -> str:
        """Returns how the job ended: `succeeded`, `failed` or `cancelled`.

        After `timeout` seconds it raises FairleadError instead, with the exit code 1. The job goes on then, as it does when
        waiting is interrupted. A server that is restarted meanwhile is waited for, up to a minute.
        """
        deadline = float("inf") if timeout is None else time.monotonic() + timeout
        state = self.state
        away = _Away()
        while state not in OVER:
            try:
                for _ in self._server.events(self._path + "/events", {}, deadline=deadline):
                    away.heard()
                state = self._see(self._server.get_again(self._path)["job"]).state
                away.heard()
                if state in OVER:
                    break
                failure: FairleadError = Broken("the events of job %s broke off" % self.id, UNREACHABLE)
            except FairleadError as refused:
                failure = _passing(refused)
            if time.monotonic() >= deadline:
                raise FairleadError("job %s is still %s after %g s" % (self.id, state, timeout or 0), JOB_FAILED)
            away.pause(failure)
        return state

    @overload
    def logs(
        self,
        follow: Literal[False] = False,
        *,
        tail: Optional[int] = None,
        task: Optional[str] = None,
        attempt: Optional[int] = None,
    ) -> str: ...

    @overload
    def logs(
        self,
        follow: Literal[True],
        *,
        tail: Optional[int] = None,
        task: Optional[str] = None,
        attempt: Optional[int] = None,
    ) -> Iterator[str]: ...

    def logs(
        self,
        follow: bool = False,
        *,
        tail: Optional[int] = None,
        task: Optional[str] = None,
        attempt: Optional[int] = None,
    ) -> Union[str, Iterator[str]]:
        """What the job has written so far; with `follow` its lines as they come, without line feeds, until it ends.

        `tail` counts lines; `task` is such as `worker/1`, by default the first; `attempt` counts from 1, by default the
        newest, and with `follow` those after it come too.
        """
        query = {"tail": tail, "task": task, "attempt": attempt}
        if follow:
            return self._lines(query)
        return self._server.request("GET", self._path + "/logs", query)[0].decode("utf-8", "replace")

    def _lines(self, query: Dict[str, Any]) -> Iterator[str]:
        rest = ""
        for event in self._log_events(dict(query, follow="true")):
            if event.kind == "log":
                *whole, rest = (rest + json.loads(event.data)).split("\n")
                yield from whole
                while len(rest) > LINE_CHARACTERS_MAX:
                    yield rest[:LINE_CHARACTERS_MAX]
                    rest = rest[LINE_CHARACTERS_MAX:]
            elif rest:  # Another attempt begins a line of its own.
                yield rest
                rest = ""

    def _log_events(self, query: Dict[str, Any]) -> Iterator[Event]:
        """Until the job's end. A lost connection is taken up again where the log stood."""
        self.info()  # A wrong id is refused here, and a personal server that does not run is started.
        after: Optional[str] = None
        away = _Away()
        while True:
            try:
                for event in self._server.events(self._path + "/logs", query, after):
                    away.heard()
                    after = event.id or after
                    yield event
                    if event.kind == "end":
                        return
                failure: FairleadError = Broken("the log of job %s broke off" % self.id, UNREACHABLE)
            except FairleadError as refused:
                failure = _passing(refused)
            away.pause(failure)

    def metrics(self) -> Metrics:
        """What its script has logged; of a training job also how far it is and how fast it runs."""
        progress = self._server.get(self._path).get("progress")
        rows = self._server.get(self._path + "/profile").get("rows") if progress else None
        logged = {}
        for series in self._server.get(self._path + "/metrics").get("series") or []:
            times = [millis / 1000 for millis in series["times"]]
            logged[series["name"]] = list(map(Point, series["steps"], series["epochs"], times, series["values"]))
        speeds = [_record(Speed, row) for row in rows or []]
        return _record(Metrics, dict(progress or {}, speeds=speeds, logged=logged))

    def why(self) -> Why:
        """Why it is where it is, and when it will start."""
        return _record(Why, self._server.get(self._path + "/why"))

    def abort(self) -> None:
        """Stops it, waiting or running. A job that has ended is refused."""
        self._see(self._server.post(self._path + "/abort"))

    cancel = abort

    def __repr__(self) -> str:
        return "<Job %s%s>" % (self.id, self._seen)


class _Away:
    """How long a server has not been heard of."""

    def __init__(self) -> None:
        self.heard()

    def heard(self) -> None:
        self._last = time.monotonic()

    def pause(self, failure: FairleadError) -> None:
        """Waits a little before the next try; raises the failure when there have been enough."""
        if time.monotonic() - self._last > AWAY_SECONDS:
            raise failure
        time.sleep(PAUSE_SECONDS)


def _passing(failure: FairleadError) -> FairleadError:
    """The failure, if the same may go well later. A server that is just starting or stopping will soon know better."""
    if isinstance(failure, (Silent, Broken)) or failure.code == "unavailable":
        return failure
    raise failure


def submit(
    command: Union[str, Sequence[str], None] = None,
    *,
    gpus: Optional[int] = None,
    gpu: Optional[float] = None,
    gpu_memory: Optional[str] = None,
    gpu_type: Optional[str] = None,
    cpus: Optional[int] = None,
    memory: Optional[str] = None,
    name: Optional[str] = None,
    project: Optional[str] = None,
    cluster: Optional[str] = None,
    priority: Optional[int] = None,
    time: Optional[str] = None,
    retries: Optional[int] = None,
    env: Optional[Mapping[str, str]] = None,
    workdir: Optional[str] = None,
    image: Optional[str] = None,
    epochs: Optional[int] = None,
    batch_size: Optional[int] = None,
    training_set_size: Optional[int] = None,
    spec: Optional[Mapping[str, Any]] = None,
    anyway: bool = False,
) -> Job:
    """Submits a job, and returns at once.

    A text is run by `sh -c`, a list as it is. The working folder and PATH, PYTHONPATH and a few other variables go along, as
    with the command. The arguments are the fields of a job file, such as `gpu=0.5`, `memory="8G"`, `time="4h"`; `spec` has
    those that have no argument, by their names there: `spec={"gpuType": "a100", "training": {"epochs": 9, "gpusMax": 4}}`.
    An argument goes before the same field in `spec`. A job that could never start on its cluster is refused; with `anyway` it
    is queued, for when the cluster has grown.
    """
    server = Server()
    job: Dict[str, Any] = dict(spec or {})
    training = {"epochs": epochs, "batchSize": batch_size, "trainingSetSize": training_set_size}
    fields = {
        "command": command if command is None or isinstance(command, str) else [str(word) for word in command],
        "gpus": gpus,
        "gpu": None if gpu is None else "%g" % gpu,
        "gpuMemory": gpu_memory,
        "gpuType": gpu_type,
        "cpus": cpus,
        "memory": memory,
        "name": name,
        "project": project,
        "cluster": cluster,
        "priority": priority,
        "time": time,
        "retries": retries,
        "env": None if env is None else dict(env),
        "workdir": None if workdir is None else os.path.abspath(workdir),
        "image": image,
        "training": dict(job.get("training") or {}, **_said(training)) if _said(training) else None,
    }
    job.update(_said(fields))
    here = {"folder": _folder(), "env": {each: os.environ[each] for each in FORWARDED if each in os.environ}}
    # The name makes it one job, however often the request has to be repeated.
    request = {"request": os.urandom(16).hex(), "jobs": [job], "here": here}
    try:
        answer = server.post_repeated("/v1/jobs" if anyway else "/v1/jobs?ifItFits=true", request)
    except FairleadError as failure:
        if "can never start" in str(failure):
            failure.args = (str(failure) + "\nanyway=True queues it, for when the cluster has grown.",)
        raise
    for warning in answer.get("warnings") or []:
        say(warning)
    return Job(answer["ids"][0], server)


def job(id: str) -> Job:
    """The job with this id, with an id that ends so, or with this name."""
    server = Server()
    body = server.get("/v1/jobs/" + quote(id, safe=""))["job"]
    found = Job(body["id"], server)
    found._see(body)
    return found


def jobs(
    state: Optional[str] = None,
    *,
    owner: Optional[str] = None,
    array: Optional[str] = None,
    cluster: Optional[str] = None,
    limit: int = 100,
) -> List[Job]:
    """The newest jobs of everybody, newest first; `state` is a state's word, `active` or `finished`."""
    server = Server()
    page = server.get("/v1/jobs", state=state, owner=owner, array=array, cluster=cluster, limit=limit)
    found = []
    for body in page["jobs"]:
        each = Job(body["id"], server)
        each._see(body)
        found.append(each)
    return found


def _said(fields: Mapping[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _folder() -> str:
    """The working folder by the shell's name for it, which may go through a link."""
    real, named = os.getcwd(), os.environ.get("PWD", "")
    try:
        return named if named.startswith("/") and os.path.samefile(named, real) else real
    except OSError:
        return real


def _record(kind: Type[Record], body: Mapping[str, Any]) -> Record:
    """A named tuple from JSON with the same names in camel case; what a newer server adds is ignored."""
    fields: Tuple[str, ...] = getattr(kind, "_fields")
    return kind(**{field: body.get(_camel(field)) for field in fields})


def _local(moment: str) -> str:
    """A time of the server in this machine's zone, to the second."""
    utc = datetime.datetime.strptime(moment[:19], "%Y-%m-%dT%H:%M:%S").replace(tzinfo=datetime.timezone.utc)
    return utc.astimezone().strftime("%Y-%m-%d %H:%M:%S")


def _camel(name: str) -> str:
    first, *more = name.split("_")
    return first + "".join(word.capitalize() for word in more)

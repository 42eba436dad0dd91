"""How the published library talks to its job manager and to its database."""

import datetime
from typing import Any, Dict, Optional

from fairlead.environment import say
from fairlead.protocol import Away, Channel, Protocol, Refused, Rejected, Report, checked


class PublishedProtocol(Protocol):
    """What the published kubernetesdlprofile says to its job manager and to its database."""

    def __init__(
        self, job: str, manager: Optional[str], database: Optional[str], nodes: str, gpus: int, rank: int
    ) -> None:
        self._job = job
        self._manager = Channel("http://" + manager) if manager else None
        self._database = Channel("http://" + database) if database else None
        self._sender = {"jobid": job, "nodelist": nodes, "numgpu": gpus, "rank": rank}
        self._channels = [channel for channel in (self._manager, self._database) if channel]
        self._database_away = False
        self.where = " and ".join(channel.url for channel in self._channels)

    def send(self, report: Report) -> Optional[bool]:
        if report.kind in ("heartbeat", "epoch-end"):
            self._profile(report)
        if self._manager is None:
            return None
        if report.kind == "epoch-end":
            checked(*self._manager.request("POST", "/end_epoch/" + self._job, {"done": report.epoch}))
        if report.kind in ("epoch-start", "checkpoint"):
            return checked(*self._manager.request("GET", "/has_to_stop/" + self._job)) == b"1"
        return None

    def _profile(self, report: Report) -> None:
        """The database only collects figures: those that it misses are dropped, so that the manager need not wait."""
        if self._database is None:
            return
        body: Dict[str, Any] = dict(
            self._sender,
            timestamp=datetime.datetime.now().isoformat(),
            iternum=report.steps_in_all,
            meandur=report.step_seconds or 0.0,
            gpumem=(report.gpu_memory_bytes or 0) // (1024 * 1024),
        )
        if report.epoch_seconds is not None:
            body["epochDur"] = report.epoch_seconds
        try:
            checked(*self._database.request("POST", "/profiling/" + self._job, body))
            self._database_away = False
        except (Away, Refused, Rejected) as failure:
            if not self._database_away:
                say("%s does not take profiles (%s); they are dropped" % (self._database.url, failure))
            self._database_away = True

    def close(self) -> None:
        for channel in self._channels:
            channel.close()

    def forget(self) -> None:
        for channel in self._channels:
            channel.forget()

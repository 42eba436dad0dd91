"""The training object under its published name."""

from typing import Optional

from fairlead.environment import say
from fairlead.protocol import Protocol
from fairlead.training import Training
from kubernetesdlprofile.protocol import PublishedProtocol


class KubeProfiler(Training):
    """A training run, for scripts written for kubernetesdlprofile; they run unchanged.

    In a Fairlead job it reports to Fairlead. Hosts that are named here are used only where Fairlead is not: then it
    speaks the published protocol to them, as HOST or HOST:PORT.
    """

    def __init__(self, job_manager_hostname: Optional[str] = None, db_hostname: Optional[str] = None) -> None:
        self._hosts = (job_manager_hostname, db_hostname)
        super().__init__()
        self._arguments = self._hosts

    def _protocol(self, job: str) -> Optional[Protocol]:
        own = super()._protocol(job)
        manager, database = self._hosts
        if own is not None or not (manager or database):
            return own
        try:
            return PublishedProtocol(self.job_id, manager, database, self.node_list, self.num_gpus, self.node_rank)
        except ValueError as failure:
            say("%s; training goes on without reports" % failure)
            return None

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

    @property
    def iterationPerEpoch(self) -> int:
        """Steps of one epoch on all GPUs of the job together; what is left over is no step."""
        return self.training_set_size // (self.batch_size * max(self.num_gpus, 1) * self.num_nodes)

    @property
    def maxIterations(self) -> int:
        """Steps of all epochs."""
        return self.iterationPerEpoch * self.epochs

    @property
    def iterations(self) -> int:
        """Steps measured by this process; the first call of measure() only starts the clock."""
        return max(self._steps_in_all + self._steps - 1, 0)

    @property
    def has_to_stop(self) -> bool:
        """The same as should_stop."""
        return self.should_stop

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

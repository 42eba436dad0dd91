"""A Keras callback. The framework is imported when TrainingCallback is first used, not before."""

import importlib
import sys
from typing import Any, Dict, Optional

from fairlead.training import Training

_PACKAGES = ("tf_keras", "keras", "tensorflow")


class _Hooks:
    """Reports epochs and steps, and stops between epochs when the job shall stop."""

    def __init__(self, training: Optional[Training] = None) -> None:
        super().__init__()
        self.training = training or Training()

    def on_epoch_begin(self, epoch: int, logs: Optional[Dict[str, Any]] = None) -> None:
        self.training.start_epoch()

    def on_train_batch_end(self, batch: int, logs: Optional[Dict[str, Any]] = None) -> None:
        self.training.measure()

    def on_epoch_end(self, epoch: int, logs: Optional[Dict[str, Any]] = None) -> None:
        self.training.end_epoch()


def __getattr__(name: str) -> Any:
    if name != "TrainingCallback":
        raise AttributeError("module %r has no attribute %r" % (__name__, name))
    # The Keras that the script has imported goes before one that is merely installed.
    for package in sorted(_PACKAGES, key=lambda package: package not in sys.modules):
        try:
            module = importlib.import_module(package)
            base = (module.keras if package == "tensorflow" else module).callbacks.Callback
        except ImportError:
            continue
        globals()[name] = type(name, (_Hooks, base), {"__module__": __name__, "__doc__": _Hooks.__doc__})
        return globals()[name]
    raise ImportError("fairlead.keras needs the package keras or tensorflow")

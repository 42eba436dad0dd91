"""A Lightning callback. The framework is imported when TrainingCallback is first used, not before."""

import importlib
import sys
from typing import Any, Optional

from fairlead.training import Training

_PACKAGES = {"lightning": "lightning.pytorch", "pytorch_lightning": "pytorch_lightning"}


class _Hooks:
    """Reports epochs and steps, and stops between epochs when the job shall stop."""

    def __init__(self, training: Optional[Training] = None) -> None:
        super().__init__()
        self.training = training or Training()

    def on_train_epoch_start(self, trainer: Any, pl_module: Any) -> None:
        self.training.start_epoch()

    def on_train_batch_end(self, *_: Any, **__: Any) -> None:
        self.training.measure()

    def on_train_epoch_end(self, trainer: Any, pl_module: Any, *_: Any) -> None:
        self.training.end_epoch()


def __getattr__(name: str) -> Any:
    if name != "TrainingCallback":
        raise AttributeError("module %r has no attribute %r" % (__name__, name))
    # The Lightning that the script has imported goes before one that is merely installed.
    for package in sorted(_PACKAGES, key=lambda package: package not in sys.modules):
        try:
            base = importlib.import_module(_PACKAGES[package]).Callback
        except ImportError:
            continue
        globals()[name] = type(name, (_Hooks, base), {"__module__": __name__, "__doc__": _Hooks.__doc__})
        return globals()[name]
    raise ImportError("fairlead.lightning needs the package lightning or pytorch_lightning")

"""Keras' fit loop as far as callbacks and checkpoints see it; a model's weights are how often it was updated."""

import os
from typing import Any, Dict, List, Optional


class CallbackHooks:
    def set_model(self, model: Any) -> None:
        self.model = model

    def on_epoch_begin(self, epoch: int, logs: Optional[Dict[str, Any]] = None) -> None:
        pass

    def on_epoch_end(self, epoch: int, logs: Optional[Dict[str, Any]] = None) -> None:
        pass

    def on_train_batch_end(self, batch: int, logs: Optional[Dict[str, Any]] = None) -> None:
        pass


class Sequential:
    def __init__(self, layers: List[Any]) -> None:
        self.updates = 0

    def compile(self, **_: Any) -> None:
        pass

    def save_weights(self, path: str) -> None:
        with open(path + ".index", "w") as file:
            file.write(str(self.updates))
        with open(path + ".data-00000-of-00001", "w"):
            pass

    def load_weights(self, path: str) -> None:
        if not os.path.exists(path + ".index"):
            raise FileNotFoundError("Unsuccessful TensorSliceReader constructor: " + path)
        with open(path + ".index") as file:
            self.updates = int(file.read())

    def fit(
        self, x: Any, y: Any, batch_size: int, epochs: int, callbacks: List[Any], initial_epoch: int = 0
    ) -> None:
        for callback in callbacks:
            callback.set_model(self)
        for epoch in range(initial_epoch, epochs):
            for callback in callbacks:
                callback.on_epoch_begin(epoch, {})
            for batch in range(len(x) // batch_size):
                self.updates += 1
                for callback in callbacks:
                    callback.on_train_batch_end(batch, {})
            for callback in callbacks:
                callback.on_epoch_end(epoch, {"accuracy": self.updates / 1000})

    def evaluate(self, x: Any, y: Any, verbose: int) -> None:
        print("evaluated after", self.updates, "updates")


class ModelCheckpoint(CallbackHooks):
    def __init__(self, filepath: str, monitor: str, save_best_only: bool, **_: Any) -> None:
        self._path, self._monitor, self._best = filepath, monitor, -1.0

    def on_epoch_end(self, epoch: int, logs: Optional[Dict[str, Any]] = None) -> None:
        assert logs is not None
        if logs[self._monitor] > self._best:
            self._best = logs[self._monitor]
            self.model.save_weights(self._path)

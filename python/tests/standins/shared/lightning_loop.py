"""Lightning's fit loop as far as callbacks and checkpoints see it: which hook runs when, and what is saved where."""

import os
import pickle
from typing import Any, List, Optional

from torch import nn


class MisconfigurationException(Exception):
    pass


class LightningModule(nn.Module):
    def log(self, name: str, value: Any) -> None:
        pass

    def on_train_epoch_start(self) -> None:
        pass

    def on_train_epoch_end(self) -> None:
        pass


class Trainer:
    """Saves after every epoch to lightning_logs/version_N/checkpoints and keeps only the newest, as by default."""

    def __init__(self, max_epochs: int, default_root_dir: str, callbacks: Optional[List[Any]] = None, **_: Any) -> None:
        self._max_epochs = max_epochs
        self._logs = os.path.join(default_root_dir, "lightning_logs")
        self._callbacks = callbacks or []
        self._saved: Optional[str] = None

    def fit(self, model: Any, batches: Any, ckpt_path: Optional[str] = None) -> None:
        if not hasattr(model, "training_step"):
            raise MisconfigurationException("No `training_step()` method defined")
        self._folder = os.path.join(self._logs, "version_%d" % self._next_version())
        os.makedirs(self._folder)
        self.current_epoch = 0
        if ckpt_path is not None:
            with open(ckpt_path, "rb") as file:
                state = pickle.load(file)
            model.load_state_dict(state)
            self.current_epoch = state["epoch"]
        optimizer = model.configure_optimizers()
        while self.current_epoch < self._max_epochs:
            self._call("on_train_epoch_start", self, model)
            model.on_train_epoch_start()
            for index, batch in enumerate(batches):
                loss = model.training_step(batch, index)
                loss.backward()
                optimizer.step()
                self._call("on_train_batch_end", self, model, loss, batch, index)
            self._call("on_train_epoch_end", self, model)
            model.on_train_epoch_end()
            # Checkpoint callbacks come last, so that they may use what the module has logged.
            self.current_epoch += 1
            self._save(model)

    def _call(self, hook: str, *arguments: Any) -> None:
        for callback in self._callbacks:
            getattr(callback, hook)(*arguments)

    def _next_version(self) -> int:
        names = os.listdir(self._logs) if os.path.isdir(self._logs) else []
        return max((int(name.split("_")[1]) + 1 for name in names), default=0)

    def _save(self, model: Any) -> None:
        state = dict(model.state_dict(), epoch=self.current_epoch)
        folder = os.path.join(self._folder, "checkpoints")
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, "epoch=%d-step=%d.ckpt" % (self.current_epoch - 1, state["updates"]))
        with open(path, "wb") as file:
            pickle.dump(state, file)
        if self._saved is not None:
            os.remove(self._saved)
        self._saved = path


class CallbackHooks:
    """Every hook that the loop calls, doing nothing."""

    def on_train_epoch_start(self, trainer: Any, pl_module: Any) -> None:
        pass

    def on_train_batch_end(self, trainer: Any, pl_module: Any, outputs: Any, batch: Any, batch_idx: int) -> None:
        pass

    def on_train_epoch_end(self, trainer: Any, pl_module: Any) -> None:
        pass

"""A stand-in for TensorFlow."""

import contextlib
from types import SimpleNamespace
from typing import Any

from keras_loop import CallbackHooks, ModelCheckpoint, Sequential


class Callback(CallbackHooks):
    pass


class _Array(list):  # type: ignore[type-arg]
    def __truediv__(self, divisor: float) -> "_Array":
        return self


def _layer(*_: Any, **__: Any) -> None:
    pass


class _Strategy:
    @contextlib.contextmanager
    def scope(self) -> Any:
        yield


def _load_data() -> Any:
    return (_Array(range(8)), _Array(range(8))), (_Array(range(2)), _Array(range(2)))


keras = SimpleNamespace(
    datasets=SimpleNamespace(mnist=SimpleNamespace(load_data=_load_data)),
    models=SimpleNamespace(Sequential=Sequential),
    layers=SimpleNamespace(Flatten=_layer, Dense=_layer, Dropout=_layer),
    losses=SimpleNamespace(SparseCategoricalCrossentropy=_layer),
    callbacks=SimpleNamespace(Callback=Callback, ModelCheckpoint=ModelCheckpoint),
)
distribute = SimpleNamespace(MirroredStrategy=_Strategy)

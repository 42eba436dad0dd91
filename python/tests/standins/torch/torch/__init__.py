"""A stand-in for PyTorch: tensors have shapes and no numbers; a model's state is how often it was updated."""

import contextlib
import pickle
from types import SimpleNamespace
from typing import Any, Tuple

cuda = SimpleNamespace(is_available=lambda: False, is_initialized=lambda: False, device_count=lambda: 0)


class Tensor:
    def __init__(self, *shape: int) -> None:
        self.shape: Tuple[int, ...] = shape

    def size(self, dimension: int) -> int:
        return self.shape[dimension]

    def random_(self, most: int) -> "Tensor":
        return self

    def view(self, rows: int, columns: int) -> "Tensor":
        return Tensor(self.shape[0], columns)

    def cuda(self) -> "Tensor":
        return self

    def backward(self) -> None:
        pass

    def __getitem__(self, index: int) -> "Tensor":
        return Tensor(*self.shape[1:])


def randn(*shape: int) -> Tensor:
    return Tensor(*shape)


def empty(*shape: int) -> Tensor:
    return Tensor(*shape)


@contextlib.contextmanager
def no_grad() -> Any:
    yield


def save(state: Any, path: str) -> None:
    with open(path, "wb") as file:
        pickle.dump(state, file)


def load(path: str) -> Any:
    with open(path, "rb") as file:
        return pickle.load(file)


from torch import autograd, nn, optim, utils  # noqa: E402

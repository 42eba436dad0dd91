from typing import Any

from torch import Tensor


def nll_loss(*inputs: Any) -> Tensor:
    return Tensor()

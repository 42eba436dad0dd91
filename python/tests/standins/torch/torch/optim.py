from typing import Any, Iterable


class SGD:
    def __init__(self, params: Iterable[Any], lr: float) -> None:
        self._parameters = list(params)
        assert self._parameters, "optimizer got an empty parameter list"

    def zero_grad(self) -> None:
        pass

    def step(self) -> None:
        for parameter in self._parameters:
            parameter.updates += 1


Adam = SGD

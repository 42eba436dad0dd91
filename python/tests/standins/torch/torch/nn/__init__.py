"""Modules. As in PyTorch, a part needs the module's __init__ to have run; any other attribute does not."""

from typing import Any, Dict, Iterator

from torch import Tensor


class Parameter:
    def __init__(self) -> None:
        self.updates = 0


class Module:
    def __init__(self) -> None:
        self.__dict__["_modules"] = {}

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, Module):
            if "_modules" not in self.__dict__:
                raise AttributeError("cannot assign module before Module.__init__() call")
            self._modules[name] = value
        object.__setattr__(self, name, value)

    def __call__(self, *inputs: Any) -> Any:
        return self.forward(*inputs)

    def forward(self, *inputs: Any) -> Any:
        return inputs[0]

    def parameters(self) -> Iterator[Parameter]:
        for value in self.__dict__.values():
            if isinstance(value, Parameter):
                yield value
        for module in self._modules.values():
            yield from module.parameters()

    def state_dict(self) -> Dict[str, int]:
        return {"updates": next(self.parameters()).updates}

    def load_state_dict(self, state: Dict[str, int]) -> None:
        for parameter in self.parameters():
            parameter.updates = state["updates"]

    def cuda(self) -> "Module":
        return self


class Linear(Module):
    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.weight = Parameter()


class Sigmoid(Module):
    pass


class DataParallel(Module):
    def __init__(self, module: Module) -> None:
        super().__init__()
        self.module = module

    def forward(self, *inputs: Any) -> Any:
        return self.module(*inputs)


class BCELoss(Module):
    def forward(self, *inputs: Any) -> Any:
        return Tensor()


from torch.nn import functional  # noqa: E402,F401

from torch import nn


def mobilenet_v2() -> nn.Module:
    return nn.Linear(1, 1)

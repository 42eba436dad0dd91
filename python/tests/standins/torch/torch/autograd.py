from typing import Any


def Variable(tensor: Any) -> Any:
    return tensor

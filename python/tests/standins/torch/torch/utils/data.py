from typing import Any, Iterator, List

from torch import Tensor


class Dataset:
    pass


class DataLoader:
    def __init__(self, dataset: Any, batch_size: int = 1, drop_last: bool = False, **_: Any) -> None:
        self._dataset, self._batch_size, self._drop_last = dataset, batch_size, drop_last

    def __iter__(self) -> Iterator[Any]:
        for start in range(0, len(self._dataset), self._batch_size):
            rows = [self._dataset[i] for i in range(start, min(start + self._batch_size, len(self._dataset)))]
            if len(rows) < self._batch_size and self._drop_last:
                return
            if isinstance(rows[0], tuple):
                yield tuple(Tensor(len(rows)) for _ in rows[0])
            else:
                yield Tensor(len(rows), *rows[0].shape)


def random_split(dataset: Any, lengths: List[int]) -> List[Any]:
    assert sum(lengths) == len(dataset), "sum of input lengths does not equal the length of the input dataset"
    return [[dataset[i] for i in range(length)] for length in lengths]

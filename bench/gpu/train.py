"""A real PyTorch training for bench/gpu/run.sh: small enough to end soon, and it fills as much GPU memory as told.

It saves a checkpoint after each epoch, resumes from it, and reports through the training library. Without a GPU,
PRETEND_BYTES=N lets it go through the same motions with numbers instead of a model.
"""

import argparse
import json
import os
import sys
import time
import types

from fairlead import Training

# Stands for the reading of data: it leaves the GPU to a neighbour, as most real scripts do.
READING_SECONDS = 0.02
WIDTH = 1024
CLASSES = 10


class TorchModel:
    """Three layers that learn to tell random vectors apart, and a block of memory beside them."""

    def __init__(self, batch_size: int, hold_bytes: int) -> None:
        import torch

        torch.manual_seed(7)
        self.torch = torch
        layers = [torch.nn.Linear(WIDTH, 4 * WIDTH), torch.nn.ReLU(), torch.nn.Linear(4 * WIDTH, 4 * WIDTH)]
        layers += [torch.nn.ReLU(), torch.nn.Linear(4 * WIDTH, CLASSES)]
        self.net = torch.nn.Sequential(*layers).cuda()
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.05, momentum=0.9)
        self.truth = torch.randn(WIDTH, CLASSES, device="cuda")
        self.batch_size = batch_size
        self.epoch = 0
        self.loss = 0.0
        missing = hold_bytes - torch.cuda.memory_reserved()
        self.block = torch.empty(max(missing, 0), dtype=torch.uint8, device="cuda")

    def step(self) -> None:
        torch = self.torch
        samples = torch.randn(self.batch_size, WIDTH, device="cuda")
        labels = (samples @ self.truth).argmax(dim=1)
        loss = torch.nn.functional.cross_entropy(self.net(samples), labels)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()
        self.loss = loss.item()

    def save(self, path: str) -> None:
        state = {"net": self.net.state_dict(), "optimizer": self.optimizer.state_dict(), "epoch": self.epoch}
        self.torch.save(state, path + ".new")
        os.replace(path + ".new", path)

    def load(self, path: str) -> None:
        state = self.torch.load(path, map_location="cuda")
        self.net.load_state_dict(state["net"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.epoch = state["epoch"]


class PretendedModel:
    """Counts steps. The library finds a torch that tells of the memory, as it would on a GPU."""

    def __init__(self, hold_bytes: int) -> None:
        torch = types.ModuleType("torch")
        torch.cuda = types.SimpleNamespace(  # type: ignore[attr-defined]
            is_initialized=lambda: True, device_count=lambda: 1, max_memory_reserved=lambda _: hold_bytes
        )
        sys.modules["torch"] = torch
        self.epoch = 0
        self.loss = 1.0

    def step(self) -> None:
        self.loss *= 0.999

    def save(self, path: str) -> None:
        with open(path + ".new", "w", encoding="utf-8") as file:
            json.dump({"epoch": self.epoch, "loss": self.loss}, file)
        os.replace(path + ".new", path)

    def load(self, path: str) -> None:
        with open(path, encoding="utf-8") as file:
            state = json.load(file)
        self.epoch, self.loss = state["epoch"], state["loss"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hold-bytes", type=int, required=True, help="GPU memory to fill")
    parser.add_argument("--epochs", type=int, default=1, help="where the job does not say")
    parser.add_argument("--steps", type=int, default=100, help="of an epoch")
    arguments = parser.parse_args()
    steps = arguments.steps
    training = Training(epochs=arguments.epochs, batch_size=64, training_set_size=64 * steps)
    began = time.monotonic()
    pretended = "PRETEND_BYTES" in os.environ
    model = PretendedModel(arguments.hold_bytes) if pretended else TorchModel(training.batch_size, arguments.hold_bytes)
    checkpoint = os.path.join(training.checkpoint_folder, "checkpoint.pt")
    if os.path.exists(checkpoint):
        model.load(checkpoint)
        print("resumed after epoch %d" % model.epoch, flush=True)
    print("ready after %.1f s" % (time.monotonic() - began), flush=True)
    for epoch in training.epochs_left(done=model.epoch):
        for _ in training.steps(range(steps)):
            time.sleep(READING_SECONDS)
            model.step()
        model.epoch = epoch + 1
        model.save(checkpoint)
        print("epoch %d of %d done, loss %.3f" % (model.epoch, training.epochs, model.loss), flush=True)
    training.end()
    print("finished", flush=True)


if __name__ == "__main__":
    main()

"""A stand-in for Lightning under this package's name."""

from lightning_loop import CallbackHooks, LightningModule, Trainer  # noqa: F401


class Callback(CallbackHooks):
    pass

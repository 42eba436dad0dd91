"""A stand-in for the package keras."""

from types import SimpleNamespace

from keras_loop import CallbackHooks, Sequential


class Callback(CallbackHooks):
    pass


callbacks = SimpleNamespace(Callback=Callback)
models = SimpleNamespace(Sequential=Sequential)

"""The training library of Fairlead: a script reports its epochs and stops where nothing is lost."""

from fairlead.training import Training

__all__ = ["Training"]

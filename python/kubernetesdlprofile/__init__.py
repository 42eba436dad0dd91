"""The published name of the training library, for scripts that were written for it."""

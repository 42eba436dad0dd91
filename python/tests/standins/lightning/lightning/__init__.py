"""A stand-in for the package lightning."""

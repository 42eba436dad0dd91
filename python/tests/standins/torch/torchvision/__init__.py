"""A stand-in for torchvision."""

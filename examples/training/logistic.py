"""Logistic regression by hand: the model that the training examples share. Standard library only."""

import json
import math
import os
import random
import time

FEATURES = 3


def rows(count):
    """Points in space and on which side of a plane they lie; the same ones every time."""
    dice = random.Random(7)
    points = [[dice.uniform(-1, 1) for _ in range(FEATURES)] for _ in range(count)]
    return [(point, 1.0 if 2 * point[0] - point[1] + 0.5 * point[2] > 0 else 0.0) for point in points]


def batches(data, size):
    """The whole batches of one epoch."""
    return [data[start : start + size] for start in range(0, len(data) - size + 1, size)]


class Model:
    """Weights, and how far they are trained. Saved as one file, which is complete or absent."""

    def __init__(self, folder):
        self._path = os.path.join(folder, "model.json")
        self._epochs = os.path.join(folder, "epochs.txt")
        self.weights = [0.0] * FEATURES
        self.epoch = 0
        """Epochs that are done."""
        self.step = 0
        """Steps of the next epoch that are done."""

    def load(self):
        """Takes up the newest checkpoint. There is none if the job was stopped before its first one."""
        if not os.path.exists(self._path):
            return
        with open(self._path) as file:
            state = json.load(file)
        self.weights, self.epoch, self.step = state["weights"], state["epoch"], state["step"]

    def save(self):
        """Writes beside the old checkpoint and then replaces it: a stop at any moment leaves one that is whole."""
        state = {"weights": self.weights, "epoch": self.epoch, "step": self.step}
        with open(self._path + ".new", "w") as file:
            json.dump(state, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(self._path + ".new", self._path)

    def train(self, batch, seconds=0.0):
        """One step of gradient descent. The pause stands for the work of a larger model."""
        for point, side in batch:
            guess = 1 / (1 + math.exp(-sum(w * x for w, x in zip(self.weights, point))))
            self.weights = [w + 0.5 * (side - guess) * x for w, x in zip(self.weights, point)]
        time.sleep(seconds)

    def finish_epoch(self, epoch):
        """Saves, and notes that this epoch (from 0) is done: the notes show whether one was lost or done twice."""
        self.epoch, self.step = epoch + 1, 0
        self.save()
        with open(self._epochs, "a") as file:
            file.write("%d\n" % epoch)

    def accuracy(self, data):
        hits = sum((sum(w * x for w, x in zip(self.weights, point)) > 0) == (side > 0.5) for point, side in data)
        return hits / len(data)

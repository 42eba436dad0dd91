"""A plain training loop: the library counts the epochs, and stops between two of them when the job shall stop.

    python3 plain_loop.py [--step-seconds 0.01]
"""

import argparse

from fairlead import Training
from logistic import Model, batches, rows

parser = argparse.ArgumentParser()
parser.add_argument("--step-seconds", type=float, default=0.01)
options = parser.parse_args()

with Training(epochs=5, batch_size=16, training_set_size=320) as training:
    data = rows(training.training_set_size)
    model = Model(training.checkpoint_folder)
    if training.restarted:
        model.load()
    for epoch in training.epochs_left(done=model.epoch):
        for batch in training.steps(batches(data, training.batch_size)):
            model.train(batch, options.step_seconds)
        model.finish_epoch(epoch)
        print("epoch %d: accuracy %.3f" % (epoch, model.accuracy(data)), flush=True)
print("done: %d epochs" % model.epoch)

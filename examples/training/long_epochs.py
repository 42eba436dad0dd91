"""Long epochs: checkpoints inside an epoch, at each of which the job can stop and lose nothing.

    python3 long_epochs.py [--step-seconds 0.01] [--save-every 5]
"""

import argparse

from fairlead import Training
from logistic import Model, batches, rows

parser = argparse.ArgumentParser()
parser.add_argument("--step-seconds", type=float, default=0.01)
parser.add_argument("--save-every", type=int, default=5, help="steps from one checkpoint to the next")
options = parser.parse_args()

with Training(epochs=3, batch_size=16, training_set_size=640) as training:
    data = rows(training.training_set_size)
    model = Model(training.checkpoint_folder)
    if training.restarted:
        model.load()
    for epoch in training.epochs_left(done=model.epoch):
        left = batches(data, training.batch_size)[model.step :]
        for batch in training.steps(left, done=model.step):
            model.train(batch, options.step_seconds)
            model.step += 1
            if model.step % options.save_every == 0:
                model.save()
                training.checkpoint_saved()
        model.finish_epoch(epoch)
        print("epoch %d: accuracy %.3f" % (epoch, model.accuracy(data)), flush=True)
print("done: %d epochs" % model.epoch)

"""The same with the names of kubernetesdlprofile, for scripts that were written for it.

    python3 published_names.py [--step-seconds 0.01]
"""

import argparse

from kubernetesdlprofile import kubeprofiler
from logistic import Model, batches, rows

parser = argparse.ArgumentParser()
parser.add_argument("--step-seconds", type=float, default=0.01)
options = parser.parse_args()

prof = kubeprofiler.KubeProfiler()
data = rows(prof.TRAINING_SET_SIZE)
model = Model(prof.root_dir)
if prof.RESTARTED:
    model.load()
for epoch in range(prof.EPOCHS_DONE, prof.EPOCHS):
    prof.start_epoch()
    for batch in batches(data, prof.BATCH_SIZE):
        model.train(batch, options.step_seconds)
        prof.measure()
    prof.end_epoch()
    model.finish_epoch(epoch)
    print("epoch %d: accuracy %.3f" % (epoch, model.accuracy(data)), flush=True)
prof.end()
print("done: %d epochs" % model.epoch)

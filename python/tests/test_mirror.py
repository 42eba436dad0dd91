"""What mirror() passes on, with stand-ins for the three programs that note what they are told."""

import json
import os
from typing import Any, Dict, List

from support import Finished, TrainingTest

SCRIPT = """
import sys
%s
from fairlead import Training, mirror
with Training(epochs=2) as training:
    print("mirrored:", mirror(training%s))
    %s
    for epoch in training.epochs_left():
        for step in training.steps(range(3)):
            pass
"""

# Each writes one line of JSON for each call: the program, the call, and what it was given.
NOTE = """
import json
def note(*told):
    with open("told.txt", "a") as file:
        file.write(json.dumps(told) + "\\n")
"""
STANDINS = {
    "note.py": NOTE,
    "wandb.py": """
from note import note
class Run:
    def define_metric(self, name, step_metric=None):
        note("wandb", "define_metric", [name, step_metric])
    def log(self, values):
        note("wandb", "log", values)
run = None
def init(**given):
    note("wandb", "init", given)
    return Run()
""",
    "mlflow.py": """
from note import note
run = None
def active_run():
    return run
def start_run(run_name):
    global run
    run = run_name
    note("mlflow", "start_run", run_name)
def log_metrics(values, step):
    note("mlflow", "log_metrics", [step, values])
""",
    "tensorboardX.py": """
from note import note
class SummaryWriter:
    def __init__(self, folder):
        note("tensorboard", "SummaryWriter", folder)
    def add_scalar(self, name, value, step):
        note("tensorboard", "add_scalar", [step, name, value])
    def flush(self):
        note("tensorboard", "flush", None)
""",
}


class MirrorTest(TrainingTest):
    def train(self, *installed: str, before: str = "", names: str = "", then: str = "", **variables: Any) -> Finished:
        folder = os.path.join(self.folder, "installed")
        os.makedirs(folder)
        for name in ("note.py",) + installed:
            with open(os.path.join(folder, name), "w") as file:
                file.write(STANDINS[name])
        job = self.job(None, EPOCHS_TO_BE_DONE=2, **variables) if variables.pop("in_job", True) else {}
        finished = self.run_script(SCRIPT % (before, names, then), job, path=folder)
        self.assertEqual(0, finished.code, finished)
        return finished

    def told(self, program: str, call: str) -> List[Any]:
        with open(os.path.join(self.folder, "told.txt")) as file:
            return [what for who, did, what in map(json.loads, file) if (who, did) == (program, call)]

    def check(self, values: Dict[str, float], epoch: int) -> None:
        self.assertEqual((epoch, 3.0 * epoch), (values["fairlead/epoch"], values["fairlead/steps"]))
        self.assertGreater(values["fairlead/epoch_seconds"], 0)
        self.assertGreater(values["fairlead/step_seconds"], 0)

    def test_each_that_is_installed_gets_every_epoch(self) -> None:
        finished = self.train("wandb.py", "mlflow.py", "tensorboardX.py")
        self.assertIn("mirrored: ['wandb', 'mlflow', 'tensorboard']", finished.out)
        self.assertEqual([], finished.said)
        self.assertEqual([{"name": "job-1", "id": "job-1", "resume": "allow"}], self.told("wandb", "init"))
        axis = [["fairlead/epoch", None], ["fairlead/*", "fairlead/epoch"]]
        self.assertEqual(axis, self.told("wandb", "define_metric"))
        logged = self.told("wandb", "log")
        self.assertEqual(2, len(logged))
        for epoch, values in enumerate(logged, 1):
            self.check(values, epoch)
        self.assertEqual(["job-1"], self.told("mlflow", "start_run"))
        self.assertEqual([1, 2], [step for step, _ in self.told("mlflow", "log_metrics")])
        for epoch, values in self.told("mlflow", "log_metrics"):
            self.check(values, epoch)
        self.assertEqual([os.path.join(self.snapshots, "job-1", "tensorboard")], self.told("tensorboard", "SummaryWriter"))
        scalars = self.told("tensorboard", "add_scalar")
        for epoch in (1, 2):
            self.check({name: value for step, name, value in scalars if step == epoch}, epoch)
        self.assertEqual(2, len(self.told("tensorboard", "flush")))

    def test_what_the_script_logs_goes_along(self) -> None:
        log = "training.log(step=7, loss=0.5)"
        finished = self.train("wandb.py", "mlflow.py", "tensorboardX.py", then=log, in_job=False)
        self.assertEqual([], finished.said)
        self.assertEqual({"fairlead/loss": 0.5, "fairlead/epoch": 0.0}, self.told("wandb", "log")[0])
        self.assertEqual([7, {"fairlead/loss": 0.5}], self.told("mlflow", "log_metrics")[0])
        self.assertEqual([7, "fairlead/loss", 0.5], self.told("tensorboard", "add_scalar")[0])

    def test_a_run_that_the_script_has_begun_is_used(self) -> None:
        before = "import wandb, mlflow; wandb.run = wandb.Run(); mlflow.run = 'mine'"
        self.train("wandb.py", "mlflow.py", before=before)
        self.assertEqual(([], []), (self.told("wandb", "init"), self.told("mlflow", "start_run")))
        self.assertEqual((2, 2), (len(self.told("wandb", "log")), len(self.told("mlflow", "log_metrics"))))

    def test_on_a_laptop_each_run_is_a_new_one(self) -> None:
        self.train("wandb.py", in_job=False)
        self.assertEqual([{"name": "local"}], self.told("wandb", "init"))

    def test_other_ranks_and_those_without_a_program_mirror_nothing(self) -> None:
        self.assertIn("mirrored: []", self.train("wandb.py", LOCAL_RANK=1).out)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "told.txt")))

    def test_what_is_named_and_missing_costs_one_line(self) -> None:
        finished = self.train("mlflow.py", names=", 'wandb', 'mlflow'")
        self.assertIn("mirrored: ['mlflow']", finished.out)
        self.assertEqual(["fairlead: wandb is not installed, so nothing is mirrored to it"], finished.said)
        self.assertEqual(2, len(self.told("mlflow", "log_metrics")))

    def test_what_fails_costs_one_line_and_no_epoch_of_the_others(self) -> None:
        before = "import mlflow; del mlflow.log_metrics"
        finished = self.train("wandb.py", "mlflow.py", before=before)
        self.assertEqual(1, len(finished.said), finished)
        self.assertIn("cannot mirror to mlflow (AttributeError", finished.said[0])
        self.assertEqual(2, len(self.told("wandb", "log")))

    def test_an_unknown_name_is_a_mistake_of_the_script(self) -> None:
        with self.environment({}):
            from fairlead import Training, mirror

            with self.assertRaisesRegex(ValueError, "wandb, mlflow, tensorboard, not 'neptune'"):
                mirror(Training(), "neptune")

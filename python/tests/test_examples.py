"""The scripts of examples/training, through stops, restarts and outages: no epoch is lost, none is done twice."""

import json
import os
from typing import Any, Dict, List

from support import EXAMPLES, Finished, TrainingTest


class ExamplesTest(TrainingTest):
    def run_example(self, name: str, variables: Dict[str, str], *more: str) -> Finished:
        return self.run_script(os.path.join(EXAMPLES, name), variables, "--step-seconds", "0", *more)

    def epochs_noted(self, folder: str) -> List[int]:
        with open(os.path.join(folder, "epochs.txt")) as file:
            return [int(line) for line in file]

    def state(self) -> Dict[str, Any]:
        with open(os.path.join(self.snapshots, "job-1", "model.json")) as file:
            return dict(json.load(file))

    def test_each_runs_on_a_laptop(self) -> None:
        for name, epochs in (("plain_loop.py", 5), ("published_names.py", 1), ("long_epochs.py", 3)):
            with self.subTest(name):
                self.setUp()
                finished = self.run_example(name, {})
                self.assertEqual((0, ""), (finished.code, finished.err), finished)
                self.assertEqual(list(range(epochs)), self.epochs_noted(os.path.join(self.folder, "checkpoints")))

    def test_each_trains_every_epoch_once_through_two_stops(self) -> None:
        for name in ("plain_loop.py", "published_names.py", "long_epochs.py"):
            with self.subTest(name):
                self.setUp()
                server = self.server()
                server.decide = lambda report: (report["kind"], report["epoch"]) == (
                    "epoch-start", {1: 1, 2: 4}.get(report["attempt"])
                )  # fmt: skip
                for attempt, done in ((1, 0), (2, 1), (3, 4)):
                    self.assertEqual(done, server.epochs_counted())
                    told = "FALSE" if attempt == 1 else "TRUE"
                    job = self.job(
                        server, EPOCHS_TO_BE_DONE=6, EPOCHS_DONE=done, JOB_RESTARTED=told, FAIRLEAD_ATTEMPT=attempt
                    )
                    finished = self.run_example(name, job)
                    self.assertEqual(0, finished.code, finished)
                self.assertEqual(6, server.epochs_counted())
                self.assertEqual(list(range(6)), self.epochs_noted(os.path.join(self.snapshots, "job-1")))

    def test_an_outage_between_loses_nothing(self) -> None:
        server = self.server()
        seen: List[int] = []

        def goes_away_once(report: Dict[str, Any]) -> bool:
            if report["kind"] == "epoch-end" and not seen:
                seen.append(report["epoch"])
                server.close_connections()  # The answer is lost, as when the server is killed.
            return False

        server.decide = goes_away_once
        finished = self.run_example("plain_loop.py", self.job(server))
        self.assertEqual(0, finished.code, finished)
        self.assertEqual([1], seen)
        self.assertEqual(5, server.epochs_counted())
        self.assertEqual([0, 1, 2, 3, 4], self.epochs_noted(os.path.join(self.snapshots, "job-1")))

    def test_long_epochs_resume_inside_an_epoch(self) -> None:
        server = self.server()
        server.decide = lambda report: (report["kind"], report["epoch"]) == ("checkpoint", 1)
        # Two GPUs, so that every checkpoint is a question.
        job = self.job(server, EPOCHS_TO_BE_DONE=3, NUM_GPUS=2, TRAINING_SET_SIZE=40)
        finished = self.run_example("long_epochs.py", job, "--save-every", "7")
        self.assertEqual(0, finished.code, finished)
        self.assertIn("stopping in epoch 2 of 3", finished.said[0])
        state = self.state()
        self.assertEqual((1, 7), (state["epoch"], state["step"]))

        server.decide = None
        job.update(EPOCHS_DONE=str(server.epochs_counted()), JOB_RESTARTED="TRUE", FAIRLEAD_ATTEMPT="2")
        finished = self.run_example("long_epochs.py", job, "--save-every", "7")
        self.assertEqual(0, finished.code, finished)
        self.assertEqual([0, 1, 2], self.epochs_noted(os.path.join(self.snapshots, "job-1")))

        whole = self.state()["weights"]
        os.remove(os.path.join(self.snapshots, "job-1", "model.json"))
        self.run_example("long_epochs.py", self.job(EPOCHS_TO_BE_DONE=3, TRAINING_SET_SIZE=40))
        self.assertEqual(self.state()["weights"], whole, "a stopped training ends with the weights of one that was not")

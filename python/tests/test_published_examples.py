"""The three published example scripts run unchanged, through stops and restarts.

They are printed in the guide of their authors. The Lightning example lost the indentation of its methods there; it is
restored in published/, and nothing else is different. The frameworks are stand-ins that keep the order of their hooks.
"""

import os
import pickle
from typing import Any, Dict

from support import HERE, TrainingTest

PUBLISHED = os.path.join(HERE, "published")
STANDINS = os.path.join(HERE, "standins")


def path_of(*names: str) -> str:
    return os.pathsep.join(os.path.join(STANDINS, name) for name in names)


class RestartingTest(TrainingTest):
    """Plays the scheduler: 5 epochs of 4 steps, with a stop in the first and in the second attempt."""

    def setUp(self) -> None:
        super().setUp()
        self.fake = self.server()
        self.root = os.path.join(self.snapshots, "job-1")

    def run_to_the_end(self, script: str, path: str) -> None:
        stops = {1: 2, 2: 3, 3: 4}  # attempt: epoch; the last epoch is asked to stop, and does not

        def decide(report: Dict[str, Any]) -> bool:
            return (report["kind"], report["epoch"]) == ("epoch-start", stops[report["attempt"]])

        self.fake.decide = decide
        for attempt, done in ((1, 0), (2, 2), (3, 3)):
            self.assertEqual(done, self.fake.epochs_counted())
            restarted = "FALSE" if attempt == 1 else "TRUE"
            job = self.job(self.fake, EPOCHS_DONE=done, JOB_RESTARTED=restarted, FAIRLEAD_ATTEMPT=attempt)
            finished = self.run_script(script, job, path=path)
            self.assertEqual(0, finished.code, finished)
            stopped = ["stopping after epoch %d of 5, as asked" % stops[attempt]] if attempt < 3 else []
            self.assertEqual(len(stopped), len(finished.said), finished)
            for words in stopped:
                self.assertIn(words, finished.said[0])
        self.assertEqual(5, self.fake.epochs_counted())
        self.last = finished


class PyTorchExampleTest(RestartingTest):
    PATH = path_of("torch")

    def test_d33_it_resumes_and_trains_every_epoch_once(self) -> None:
        self.run_to_the_end(os.path.join(PUBLISHED, "pytorch_example.py"), self.PATH)
        self.assert_trained_once()

    def test_saving_before_the_end_of_the_epoch_works_as_well(self) -> None:
        with open(os.path.join(PUBLISHED, "pytorch_example.py")) as file:
            printed = file.read()
        end, save = "      model.prof.end_epoch()\n", "      torch.save(model_par.state_dict(), PATH)\n"
        self.assertTrue(printed.endswith(end + save))
        variant = os.path.join(self.folder, "variant.py")
        with open(variant, "w") as file:
            file.write(printed[: -len(end + save)] + save + end)
        self.run_to_the_end(variant, self.PATH)
        self.assert_trained_once()

    def assert_trained_once(self) -> None:
        with open(os.path.join(self.root, "cifar_net.pth"), "rb") as file:
            self.assertEqual({"updates": 20}, pickle.load(file))


class LightningExampleTest(RestartingTest):
    def test_d33_it_resumes_and_trains_every_epoch_once(self) -> None:
        path = path_of("torch", "pytorch_lightning", "shared")
        self.run_to_the_end(os.path.join(PUBLISHED, "lightning_example.py"), path)
        with open(os.path.join(self.root, "lightning_logs/version_2/checkpoints/epoch=4-step=20.ckpt"), "rb") as file:
            self.assertEqual({"updates": 20, "epoch": 5}, pickle.load(file))


class TensorFlowExampleTest(RestartingTest):
    def test_d33_it_resumes_and_trains_every_epoch_once(self) -> None:
        self.run_to_the_end(os.path.join(PUBLISHED, "tensorflow_example.py"), path_of("tensorflow", "shared"))
        self.assertEqual("evaluated after 20 updates", self.last.out.splitlines()[-1])


class CallbackTest(RestartingTest):
    LIGHTNING = """
        import torch
        import {package} as pl
        from torch.utils.data import DataLoader
        from fairlead import Training
        from fairlead.lightning import TrainingCallback
        class Net(pl.LightningModule):
            def __init__(self):
                super().__init__()
                self.layer = torch.nn.Linear(1, 1)
            def training_step(self, batch, index):
                return torch.Tensor()
            def configure_optimizers(self):
                return torch.optim.Adam(self.parameters(), lr=1)
        training = Training()
        callback = TrainingCallback(training)
        assert isinstance(callback, pl.Callback), type(callback).__mro__
        net = Net()
        trainer = pl.Trainer(
            max_epochs=training.epochs, default_root_dir=training.checkpoint_folder, callbacks=[callback])
        batches = DataLoader(torch.randn(training.training_set_size, 1), batch_size=training.batch_size)
        batches._dataset.__class__.__len__ = lambda tensor: tensor.shape[0]
        trainer.fit(net, batches, ckpt_path=training.checkpoint_path if training.restarted else None)
        print("updates", net.state_dict()["updates"])
        """
    KERAS = """
        import {package}
        keras = {keras}
        from fairlead import Training
        from fairlead.keras import TrainingCallback
        training = Training()
        callback = TrainingCallback(training)
        assert isinstance(callback, keras.callbacks.Callback), type(callback).__mro__
        model = keras.models.Sequential([])
        weights = training.checkpoint_folder + "/weights"
        if training.restarted:
            model.load_weights(weights)
        class Save(keras.callbacks.Callback):
            def on_epoch_end(self, epoch, logs=None):
                self.model.save_weights(weights)
        data = range(training.training_set_size)
        model.fit(data, data, batch_size=training.batch_size, epochs=training.epochs,
                  initial_epoch=training.epochs_done, callbacks=[callback, Save()])
        print("updates", model.updates)
        """

    def test_lightning_under_each_of_its_names(self) -> None:
        for package, name in (("pytorch_lightning", "pytorch_lightning"), ("lightning.pytorch", "lightning")):
            # Both are installed; the one that the script has imported must be taken.
            with self.subTest(package):
                self.setUp()
                path = path_of("torch", "pytorch_lightning", "lightning", "shared")
                self.run_to_the_end(self.LIGHTNING.format(package=package), path)
                self.assertEqual("updates 20\n", self.last.out)

    def test_keras_under_each_of_its_names(self) -> None:
        for package, keras in (("keras", "keras"), ("tensorflow", "tensorflow.keras")):
            with self.subTest(package):
                self.setUp()
                path = path_of("tensorflow", "keras", "shared")
                self.run_to_the_end(self.KERAS.format(package=package, keras=keras), path)
                self.assertEqual("updates 20\n", self.last.out)

    def test_a_framework_is_imported_only_when_its_callback_is_used(self) -> None:
        finished = self.run_script(
            """
            import sys
            import fairlead.keras, fairlead.lightning, kubernetesdlprofile.kubeprofiler
            print(sorted({"torch", "lightning", "pytorch_lightning", "tensorflow", "keras"} & set(sys.modules)))
            """,
            {},
            path=path_of("torch", "pytorch_lightning", "lightning", "tensorflow", "keras", "shared"),
        )
        self.assertEqual("[]\n", finished.out, finished)

    def test_without_a_framework_the_message_says_what_is_missing(self) -> None:
        for module, missing in (("lightning", "lightning or pytorch_lightning"), ("keras", "keras or tensorflow")):
            finished = self.run_script("from fairlead.%s import TrainingCallback\n" % module, {})
            self.assertIn("needs the package " + missing, finished.err)

    def test_a_callback_can_be_sent_to_another_process(self) -> None:
        finished = self.run_script(
            """
            import pickle
            from fairlead.keras import TrainingCallback
            print(type(pickle.loads(pickle.dumps(TrainingCallback()))).__name__)
            """,
            {},
            path=path_of("keras", "shared"),
        )
        self.assertEqual("TrainingCallback\n", finished.out, finished)

"""What the library knows from its environment, in a job and on a laptop."""

import copy
import os
import pickle

from fairlead import Training
from kubernetesdlprofile.kubeprofiler import KubeProfiler
from support import TrainingTest


class EnvironmentTest(TrainingTest):
    def test_d16_d19_a_job_finds_every_value_under_both_names(self) -> None:
        job = self.job(
            EPOCHS_DONE=2, EPOCHS_TO_BE_DONE=9, BATCH_SIZE=32, TRAINING_SET_SIZE=50000, HEARTBEAT_FREQ=25, NUM_GPUS=4,
            NUM_NODES=2, NODE_RANK=1, LOCAL_RANK=3, NODELIST="node-a,node-b", JOB_RESTARTED="TRUE",
        )  # fmt: skip
        with self.environment(job) as log:
            run = Training()
        pairs = {
            "JOBID": ("job_id", "job-1"),
            "PROFILE_EACH": ("heartbeat_steps", 25),
            "RANK": ("node_rank", 1),
            "LOCAL_RANK": ("local_rank", 3),
            "NODE_LIST": ("node_list", "node-a,node-b"),
            "NUM_GPUS": ("num_gpus", 4),
            "NUM_NODES": ("num_nodes", 2),
            "RESTARTED": ("restarted", True),
            "BATCH_SIZE": ("batch_size", 32),
            "EPOCHS": ("epochs", 9),
            "EPOCHS_DONE": ("epochs_done", 2),
            "TRAINING_SET_SIZE": ("training_set_size", 50000),
            "root_dir": ("checkpoint_folder", os.path.join(self.snapshots, "job-1")),
        }
        for published, (name, value) in pairs.items():
            self.assertEqual((value, value), (getattr(run, published), getattr(run, name)), name)
        self.assertEqual(1000, run.reserved_memory_mib)
        self.assertEqual("", log.getvalue())

    def test_d18_d22_a_published_script_counts_its_steps(self) -> None:
        job = self.job(EPOCHS_TO_BE_DONE=3, BATCH_SIZE=64, TRAINING_SET_SIZE=50000, NUM_GPUS=2, NUM_NODES=2)
        with self.environment(job), KubeProfiler() as prof:
            self.assertEqual((195, 585, 0), (prof.iterationPerEpoch, prof.maxIterations, prof.iterations))
            for _ in range(2):
                prof.start_epoch()
                for _ in range(4):
                    prof.measure()
                prof.end_epoch()
            prof.measure()
            # The first call only starts the clock.
            self.assertEqual(8, prof.iterations)
            self.assertFalse(prof.has_to_stop)

    def test_steps_are_counted_without_a_gpu_too(self) -> None:
        with self.environment(self.job(NUM_GPUS=0)), KubeProfiler() as prof:
            self.assertEqual(4, prof.iterationPerEpoch)

    def test_d13_the_local_rank_is_minus_one_when_absent(self) -> None:
        with self.environment(self.job()):
            self.assertEqual(-1, Training().LOCAL_RANK)

    def test_d14_only_the_exact_text_false_means_a_first_start(self) -> None:
        for told, restarted in (("FALSE", False), ("false", True), ("TRUE", True), ("0", True), (None, True)):
            with self.subTest(told), self.environment(self.job(JOB_RESTARTED=told)):
                self.assertIs(restarted, Training().RESTARTED)

    def test_a_plain_job_is_restarted_from_its_second_attempt_on(self) -> None:
        for attempt in (1, 2):
            job = {"FAIRLEAD_JOB": "plain", "FAIRLEAD_ATTEMPT": str(attempt), "FAIRLEAD_SNAPSHOTS": self.snapshots}
            with self.subTest(attempt), self.environment(job):
                self.assertIs(attempt == 2, Training().restarted)

    def test_a_malformed_variable_gives_one_line_and_the_default(self) -> None:
        malformed = {
            "EPOCHS_TO_BE_DONE": "ten", "EPOCHS_DONE": "-1", "BATCH_SIZE": "0", "TRAINING_SET_SIZE": "1e6",
            "HEARTBEAT_FREQ": "0", "NUM_GPUS": "-2", "NUM_NODES": "0", "NODE_RANK": "x", "LOCAL_RANK": "-5",
            "RESERVED_MEM": "1.5", "FAIRLEAD_ATTEMPT": "second",
        }  # fmt: skip
        for name, value in malformed.items():
            with self.subTest(name), self.environment(self.job(None, **{name: value})) as log:
                Training(epochs=7)
                lines = log.getvalue().splitlines()
                self.assertEqual(1, len(lines), lines)
                self.assertIn("%s is '%s'" % (name, value), lines[0])
        with self.environment(self.job(EPOCHS_TO_BE_DONE="ten")):
            self.assertEqual(7, Training(epochs=7).epochs)

    def test_a_malformed_address_gives_one_line_and_no_reports(self) -> None:
        for url in ("fairlead", "ftp://host", "http://", "http://host:port"):
            with self.subTest(url), self.environment(self.job(FAIRLEAD_URL=url)) as log:
                run = Training()
                run.start_epoch()
                self.assertEqual(1, log.said("FAIRLEAD_URL is"))
                self.assertEqual(1, len(log.getvalue().splitlines()))

    def test_the_environment_goes_before_arguments(self) -> None:
        with self.environment(self.job(EPOCHS_TO_BE_DONE=9, BATCH_SIZE=None)):
            run = Training(epochs=3, batch_size=64)
        self.assertEqual((9, 64), (run.epochs, run.batch_size))

    def test_arguments_count_where_the_job_says_nothing_of_its_batches(self) -> None:
        for batch, samples, found in ((1, 1, (16, 320)), (8, 8, (8, 320)), (8, 80, (8, 80))):
            with self.environment(self.job(BATCH_SIZE=batch, TRAINING_SET_SIZE=samples)):
                run = Training(batch_size=16, training_set_size=320)
            self.assertEqual(found, (run.batch_size, run.training_set_size))

    def test_a_folder_that_cannot_be_made_is_said_and_does_not_end_the_script(self) -> None:
        blocked = os.path.join(self.folder, "file")
        open(blocked, "w").close()
        with self.environment(self.job(FAIRLEAD_SNAPSHOTS=blocked)) as log:
            Training()
        self.assertEqual(1, log.said("cannot make the checkpoint folder"))

    def test_a_model_that_holds_it_can_be_copied_and_sent_to_another_process(self) -> None:
        with self.environment(self.job()):
            run = Training(epochs=3)
            prof = KubeProfiler("a", "b")
            self.assertIs(run, copy.deepcopy(run))
            self.assertEqual(5, pickle.loads(pickle.dumps(run)).epochs)
            self.assertIsInstance(pickle.loads(pickle.dumps(prof)), KubeProfiler)


class LaptopTest(TrainingTest):
    def test_d19_d20_a_script_runs_unchanged_without_a_server(self) -> None:
        finished = self.run_script(
            """
            from fairlead import Training
            with Training(epochs=3, batch_size=4, training_set_size=12) as training:
                print(training.restarted, training.num_gpus, training.num_nodes, training.should_stop, training.job_id)
                for epoch in training.epochs_left():
                    print(epoch, list(training.steps(range(training.training_set_size // training.batch_size))))
                    training.checkpoint_saved()
            print(training.epoch, training.checkpoint_folder)
            """,
            {},
        )
        folder = os.path.join(self.folder, "checkpoints")
        expected = ["False 1 1 False local", "0 [0, 1, 2]", "1 [0, 1, 2]", "2 [0, 1, 2]", "3 " + folder]
        self.assertEqual((0, expected, ""), (finished.code, finished.out.splitlines(), finished.err))
        self.assertTrue(os.path.isdir(folder))

    def test_d17_without_arguments_everything_is_one(self) -> None:
        with self.environment({"FAIRLEAD_SNAPSHOTS": self.snapshots}):
            run = Training()
        self.assertEqual((1, 0, 1, 1), (run.EPOCHS, run.EPOCHS_DONE, run.BATCH_SIZE, run.TRAINING_SET_SIZE))
        self.assertEqual(self.snapshots, run.root_dir)

    def test_a_laptop_starts_no_thread(self) -> None:
        finished = self.run_script(
            """
            import threading
            from fairlead import Training
            training = Training(epochs=1)
            training.start_epoch(); training.measure(); training.end_epoch(); training.end()
            print(threading.active_count())
            """,
            {},
        )
        self.assertEqual("1\n", finished.out, finished)


class CheckpointPathTest(TrainingTest):
    def path_after(self, *files: str) -> object:
        """What ckpt_path is, below root_dir, when these files were written in this order."""
        root = os.path.join(self.snapshots, "job-1")
        for age, name in enumerate(files):
            path = os.path.join(root, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if not name.endswith("/"):
                open(path, "w").close()
                os.utime(path, (1000 + age, 1000 + age))
        with self.environment(self.job(JOB_RESTARTED="TRUE")):
            found = Training().ckpt_path
        return None if found is None else os.path.relpath(found, root)

    def test_versions_count_as_numbers(self) -> None:
        logs = "lightning_logs/version_%d/checkpoints/a.ckpt"
        self.assertEqual(logs % 10, self.path_after(logs % 10, logs % 2, logs % 9))

    def test_d21_the_newest_file_of_a_version_is_taken(self) -> None:
        folder = "lightning_logs/version_0/checkpoints/"
        self.assertEqual(folder + "b.ckpt", self.path_after(folder + "c.ckpt", folder + "b.ckpt"))

    def test_a_version_without_checkpoints_is_passed_over(self) -> None:
        saved = "lightning_logs/version_0/checkpoints/a.ckpt"
        self.assertEqual(saved, self.path_after(saved, "lightning_logs/version_1/checkpoints/"))

    def test_a_folder_of_another_name_does_no_harm(self) -> None:
        saved = "lightning_logs/version_0/checkpoints/a.ckpt"
        self.assertEqual(saved, self.path_after(saved, "lightning_logs/version_old/checkpoints/b.ckpt"))

    def test_lightning_that_saved_nothing_starts_from_the_beginning(self) -> None:
        self.assertIsNone(self.path_after("lightning_logs/version_0/hparams.yaml"))

    def test_d21_tensorflow_gets_the_name_that_exists(self) -> None:
        self.assertEqual("tf_ckpts", self.path_after("tf_ckpts.index"))

    def test_otherwise_it_is_the_published_name(self) -> None:
        self.assertEqual("tf_ckpt", self.path_after())

"""A stop takes effect only where nothing is lost."""

import threading
from typing import Any, Dict

from fairlead import Training
from fake_server import WAIT_SECONDS
from support import TrainingTest


class StopTest(TrainingTest):
    def test_d26_d27_the_process_stops_before_the_next_epoch_with_code_0_and_one_line(self) -> None:
        server = self.server()
        server.decide = lambda report: report["kind"] == "epoch-start" and report["epoch"] == 3
        finished = self.run_script(
            """
            from fairlead import Training
            with Training() as training:
                for epoch in training.epochs_left():
                    for batch in training.steps(range(4)):
                        pass
                    print("saved", epoch)
            print("never")
            """,
            self.job(server),
        )
        self.assertEqual((0, ["saved 0", "saved 1", "saved 2"]), (finished.code, finished.out.splitlines()))
        line = "fairlead: stopping after epoch 3 of 5, as asked; the job goes on later"
        self.assertEqual([line], finished.err.splitlines())
        self.assertEqual(3, server.epochs_counted())

    def test_the_epoch_is_known_before_the_question_is_asked(self) -> None:
        """So whoever says stop knows that the epoch before is done."""
        server = self.server()
        server.decide = lambda report: report["kind"] == "epoch-start" and report["epoch"] == 2
        with self.environment(self.job(server)), Training() as training:
            with self.assertRaises(SystemExit) as stopped:
                list(training.epochs_left())
        self.assertEqual(0, stopped.exception.code)
        self.assertEqual(["epoch-end", "epoch-start"], server.kinds()[-2:])

    def test_neither_steps_nor_the_end_of_an_epoch_stop(self) -> None:
        server = self.server()
        server.stop = True
        with self.environment(self.job(server, EPOCHS_TO_BE_DONE=1)), Training() as training:
            training.start_epoch()
            self.assertTrue(training.should_stop)
            for _ in range(50):
                training.measure()
            training.end_epoch()
        self.assertEqual(1, server.epochs_counted())

    def test_d26_the_last_epoch_is_not_stopped_at_its_start(self) -> None:
        server = self.server()
        server.decide = lambda report: report["kind"] == "epoch-start" and report["epoch"] == 4
        with self.environment(self.job(server)), Training() as training:
            self.assertEqual([0, 1, 2, 3, 4], list(training.epochs_left()))

    def test_a_stop_in_a_heartbeat_is_known_at_once_and_followed_at_the_next_epoch(self) -> None:
        server = self.server()
        with self.environment(self.job(server)), Training() as training:
            training.start_epoch()
            server.stop = True
            training.measure()
            reporter = training._reporter
            assert reporter is not None
            with reporter._changed:
                self.assertTrue(reporter._changed.wait_for(lambda: training.should_stop, WAIT_SECONDS))
            training.measure()
            training.end_epoch()
            with self.assertRaises(SystemExit):
                training.start_epoch()

    def test_the_question_counts_not_what_a_heartbeat_heard_before(self) -> None:
        """Ranks hear heartbeats at different times; only the question about an epoch has one answer for all."""
        server = self.server()
        with self.environment(self.job(server, NUM_GPUS=2)), Training() as training:
            training.start_epoch()
            reporter = training._reporter
            assert reporter is not None
            reporter.stop = True
            training.end_epoch()
            training.start_epoch()
            self.assertFalse(training.should_stop)
            reporter.stop = True
            training.checkpoint_saved()

    def test_all_ranks_stop_before_the_same_epoch(self) -> None:
        """Rank 1 comes to epoch 1 only when a stop is wanted; it must do as rank 0 did, who was let through."""
        server = self.server()
        answers: Dict[int, bool] = {}

        def one_answer_for_each_epoch(report: Dict[str, Any]) -> bool:
            wanted = len(answers) > 2
            return answers.setdefault(report["epoch"], wanted) if report["kind"] == "epoch-start" else wanted

        server.decide = one_answer_for_each_epoch
        for rank in (0, 1):
            with self.environment(self.job(server, NUM_GPUS=2, LOCAL_RANK=rank)), Training() as training:
                with self.assertRaises(SystemExit):
                    for _ in training.epochs_left():
                        training.measure()
            self.assertEqual(3, training.epoch)
        self.assertEqual({0, 1}, {report["rank"] for report in server.reports})

    def test_outside_the_main_thread_the_script_decides(self) -> None:
        server = self.server()
        server.stop = True
        with self.environment(self.job(server)) as log, Training() as training:
            thread = threading.Thread(target=training.start_epoch)
            thread.start()
            thread.join(WAIT_SECONDS)
            self.assertTrue(training.should_stop)
        self.assertEqual(1, log.said("must look at should_stop"))


class CheckpointInsideAnEpochTest(TrainingTest):
    def test_a_checkpoint_is_a_place_to_stop(self) -> None:
        server = self.server()
        server.decide = lambda report: report["kind"] == "checkpoint" and report["step"] == 2
        finished = self.run_script(
            """
            from fairlead import Training
            training = Training()
            training._reporter.heard_at -= 3600
            training.start_epoch()
            for step in range(4):
                training.measure()
                training._reporter.heard_at -= 3600
                training.checkpoint_saved()
                print("step", step)
            """,
            self.job(server),
        )
        self.assertEqual((0, "step 0\n"), (finished.code, finished.out))
        line = "fairlead: stopping in epoch 1 of 5, after step 2, as asked; the job goes on later"
        self.assertEqual([line], finished.err.splitlines())

    def test_a_stop_that_is_known_needs_no_question_and_the_checkpoint_is_reported(self) -> None:
        server = self.server()
        with self.environment(self.job(server)), Training() as training:
            training.start_epoch()
            assert training._reporter is not None
            training._reporter.stop = True
            training.measure()
            with self.assertRaises(SystemExit):
                training.checkpoint_saved()
        self.assertEqual("checkpoint", server.kinds()[-1])

    def test_a_fresh_answer_saves_the_question(self) -> None:
        server = self.server()
        with self.environment(self.job(server)), Training() as training:
            training.start_epoch()
            server.hang()
            training.checkpoint_saved()
            server.go_on()
        self.assertEqual(["hello", "epoch-start", "checkpoint"], server.kinds())

    def test_the_last_epoch_may_stop_inside(self) -> None:
        server = self.server()
        with self.environment(self.job(server, EPOCHS_DONE=4, JOB_RESTARTED="TRUE")), Training() as training:
            training.start_epoch()
            server.stop = True
            assert training._reporter is not None
            training._reporter.heard_at -= 3600
            with self.assertRaises(SystemExit):
                training.checkpoint_saved()

    def test_nothing_stops_when_all_epochs_are_done(self) -> None:
        server = self.server()
        server.stop = True
        with self.environment(self.job(server, EPOCHS_TO_BE_DONE=1)), Training() as training:
            training.start_epoch()
            training.end_epoch()
            training.checkpoint_saved()
        self.assertIn("checkpoint", server.kinds())

    def test_a_checkpoint_during_an_outage_is_told_later(self) -> None:
        server = self.server()
        server.go_away()
        with self.environment(self.job(server, NUM_GPUS=2)) as log, Training() as training:
            log.wait_for("cannot be reached")
            training.checkpoint_saved()
            server.come_back()
        self.assertEqual(["hello", "checkpoint"], server.kinds())

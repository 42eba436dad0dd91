"""A server that is away, hangs, moves or refuses: training goes on, and what matters arrives later."""

import json
import os
import textwrap
import time
from typing import List

from fairlead import Training
from fairlead.protocol import Away, Channel, Report
from fairlead.reporter import ASK_SECONDS, WAITING_MAX, _Waiting
from fake_server import WAIT_SECONDS, FakeServer
from support import TrainingTest


def ends(server: FakeServer) -> List[int]:
    return [report["epoch"] for report in server.reports if report["kind"] == "epoch-end"]


class OutageTest(TrainingTest):
    def test_d30_epochs_done_while_the_server_was_away_arrive_when_it_is_back(self) -> None:
        server = self.server()
        with self.environment(self.job(server)) as log, Training() as training:
            server.wait_for(lambda: server.reports)
            server.go_away()
            for _ in range(2):
                training.start_epoch()
                training.measure()
                training.end_epoch()
            log.wait_for("cannot be reached")
            server.come_back()
            server.wait_for(lambda: ends(server) == [1, 2])
            log.wait_for("the server is back")
            training.start_epoch()
        self.assertEqual([1, 1], [log.said("cannot be reached"), log.said("is back")], log.getvalue())
        self.assertEqual(2, len(log.getvalue().splitlines()))

    def test_a_question_finds_a_server_that_is_back_before_the_pause_is_over(self) -> None:
        server = self.server()
        server.decide = lambda report: report["kind"] == "epoch-start"
        port = server.host
        server.go_away()
        with self.environment(self.job(server, FAIRLEAD_URL="http://" + port)) as log, Training() as training:
            log.wait_for("cannot be reached")
            assert training._reporter is not None
            training._reporter._retry_at = time.monotonic() + 3600
            training.start_epoch()
            training.end_epoch()
            server.come_back()
            with self.assertRaises(SystemExit):
                training.start_epoch()
        self.assertEqual(["hello", "epoch-end", "epoch-start"], server.kinds())

    def test_only_the_newest_heartbeat_and_checkpoint_wait(self) -> None:
        server = self.server()
        server.go_away()
        with self.environment(self.job(server, HEARTBEAT_FREQ=1)) as log, Training() as training:
            log.wait_for("cannot be reached")
            for _ in range(3):
                training._next_beat = 0.0
                training.measure()
                training.checkpoint_saved()
            server.come_back()
        steps = [(report["kind"], report["step"]) for report in server.reports if report["kind"] != "hello"]
        self.assertEqual([("heartbeat", 3), ("checkpoint", 3)], sorted(steps, reverse=True))

    def test_a_long_outage_keeps_a_bounded_number_of_reports_and_the_newest_epoch(self) -> None:
        server = self.server()
        server.go_away()
        epochs = WAITING_MAX + 10
        with self.environment(self.job(server, EPOCHS_TO_BE_DONE=epochs)) as log, Training() as training:
            log.wait_for("cannot be reached")
            for _ in range(epochs):
                training.end_epoch()
            assert training._reporter is not None
            self.assertLessEqual(len(training._reporter._waiting), WAITING_MAX)
            server.come_back()
            training.start_epoch()
            self.assertEqual(epochs, server.epochs_counted())
            log.wait_for("old reports dropped: ")
        self.assertLessEqual(len(ends(server)), WAITING_MAX)
        self.assertEqual(sorted(ends(server)), ends(server))

    def test_a_full_buffer_gives_up_heartbeats_before_epochs(self) -> None:
        server = self.server()
        server.go_away()
        with self.environment(self.job(server, EPOCHS_TO_BE_DONE=100)) as log, Training() as training:
            log.wait_for("cannot be reached")
            training.measure()
            for _ in range(WAITING_MAX - 1):
                training.end_epoch()
            assert training._reporter is not None
            kinds = [item.report.kind for item in training._reporter._waiting]
            self.assertEqual(["hello"] + ["epoch-end"] * (WAITING_MAX - 1), kinds)
            server.come_back()
        self.assertEqual(WAITING_MAX - 1, len(ends(server)))

    def test_pauses_grow_to_a_bound_and_end_when_the_server_is_back(self) -> None:
        server = self.server()
        with self.environment(self.job(server)) as log, Training() as training:
            server.wait_for(lambda: server.reports)
            reporter = training._reporter
            assert reporter is not None
            pauses = []
            item = _Waiting(Report("epoch-end", 1, 0, 0), asked=False)
            with reporter._changed:
                for _ in range(7):
                    reporter._settle(item, None, Away("test"))
                    pauses.append(reporter._pause)
                reporter._waiting.clear()
                reporter._settle(item, False, None)
                self.assertEqual(0, reporter._pause)
        self.assertEqual([1, 2, 4, 8, 16, 30, 30], pauses)
        self.assertEqual(1, log.said("cannot be reached"))

    def test_a_server_that_fails_is_away_not_gone(self) -> None:
        server = self.server()
        server.status = 503
        with self.environment(self.job(server)) as log, Training() as training:
            training.end_epoch()
            log.wait_for("503 the fake says no")
            server.status = 200
            training.start_epoch()
            self.assertEqual(1, server.epochs_counted())

    def test_the_end_tries_once_and_does_not_hammer_a_server_that_fails(self) -> None:
        server = self.server()
        server.status = 503
        with self.environment(self.job(server)) as log:
            training = Training()
            log.wait_for("503 the fake says no")
            before = len(server.requests)
            training.end()
            training.end()
        self.assertEqual(before + 1, len(server.requests))
        self.assertEqual(1, log.said("reports dropped: 1"))

    def test_something_else_that_answers_at_the_port_is_not_the_server(self) -> None:
        server = self.server()
        server.decide = lambda report: "yes"  # type: ignore[assignment,return-value]
        with self.environment(self.job(server)) as log, Training() as training:
            log.wait_for("an answer that is not Fairlead's")
            server.decide = None
            training.start_epoch()
            log.wait_for("is back")
            self.assertFalse(training.should_stop)

    def test_a_connection_that_the_server_closed_is_opened_again_without_a_word(self) -> None:
        server = self.server()
        with self.environment(self.job(server)) as log, Training() as training:
            training.start_epoch()
            server.close_connections()
            training.start_epoch()
        self.assertEqual(["hello", "epoch-start", "epoch-start"], server.kinds()[:3])
        self.assertEqual("", log.getvalue())

    def test_a_server_that_hangs_holds_up_an_epoch_for_a_bounded_time(self) -> None:
        server = self.server()
        with self.environment(self.job(server)) as log, Training() as training:
            server.wait_for(lambda: server.reports)
            server.hang()
            began = time.monotonic()
            training.start_epoch()
            first = time.monotonic() - began
            training.end_epoch()
            log.wait_for("cannot be reached")
            training.start_epoch()
            second = time.monotonic() - began - first
            server.go_on()
        self.assertLess(first, 10)
        self.assertLess(second, 10)
        self.assertEqual(1, log.said("cannot be reached"))

    def test_an_answer_ends_the_waiting_as_soon_as_it_comes(self) -> None:
        server = self.server()
        with self.environment(self.job(server)), Training() as training:
            began = time.monotonic()
            for _ in range(10):
                training.start_epoch()
            self.assertLess(time.monotonic() - began, 10 * ASK_SECONDS / 2)

    def test_an_answer_that_comes_too_late_is_still_known(self) -> None:
        server = self.server()
        with self.environment(self.job(server)), Training() as training:
            server.wait_for(lambda: server.reports)
            server.stop = True
            server.hang()
            reporter = training._reporter
            assert reporter is not None
            reporter._pause = 1.0  # As if the server were away: then a question waits only briefly.
            training.start_epoch()
            self.assertFalse(training.should_stop)
            server.go_on()
            with reporter._changed:
                self.assertTrue(reporter._changed.wait_for(lambda: training.should_stop, WAIT_SECONDS))

    def test_a_restarted_server_is_found_at_its_new_port(self) -> None:
        server = self.server()
        file = os.path.join(self.folder, "server.json")
        with self.environment(self.job(server, FAIRLEAD_SERVER_FILE=file)) as log, Training() as training:
            server.wait_for(lambda: server.reports)
            server.go_away()
            training.end_epoch()
            log.wait_for("cannot be reached")
            server.come_back(port=0)
            with open(file, "w") as content:
                json.dump({"url": server.url, "pid": 1}, content)
            training.start_epoch()
            self.assertEqual(1, server.epochs_counted())
            log.wait_for("the server is back at " + server.url)

    def test_a_stranger_at_the_old_port_does_not_silence_the_job(self) -> None:
        stranger, server = self.server(), self.server()
        stranger.status = 404
        file = os.path.join(self.folder, "server.json")
        with open(file, "w") as content:
            json.dump({"url": server.url}, content)
        job = self.job(server, FAIRLEAD_URL=stranger.url, FAIRLEAD_SERVER_FILE=file)
        with self.environment(job) as log, Training() as training:
            training.start_epoch()
        self.assertEqual(["hello", "epoch-start"], server.kinds())
        self.assertEqual("", log.getvalue())

    def test_a_server_file_that_is_absent_or_broken_changes_nothing(self) -> None:
        file = os.path.join(self.folder, "server.json")
        for content in (None, "{", "[]", '{"url": 7}', '{"url": "nowhere"}'):
            server = self.server()
            server.go_away()
            if content is not None:
                with open(file, "w") as out:
                    out.write(content)
            job = self.job(server, FAIRLEAD_SERVER_FILE=file)
            with self.subTest(content), self.environment(job) as log, Training() as training:
                training.start_epoch()
                self.assertEqual(1, log.said("cannot be reached"))

    def test_a_refusal_ends_reporting_and_not_training(self) -> None:
        for status in (401, 403, 404, 410):
            server = self.server()
            server.status = status
            with self.subTest(status), self.environment(self.job(server)) as log, Training() as training:
                log.wait_for("takes no reports from here (%d the fake says no)" % status)
                for _ in training.epochs_left():
                    list(training.steps(range(4)))
                    training.checkpoint_saved()
                self.assertEqual(5, training.epoch)
                self.assertEqual(1, len(log.getvalue().splitlines()), log.getvalue())
            self.assertEqual(["hello"], server.kinds())

    def test_a_report_that_is_not_taken_is_dropped_and_the_next_one_sent(self) -> None:
        for status in (400, 409):
            server = self.server()
            server.status = status
            with self.subTest(status), self.environment(self.job(server)) as log, Training() as training:
                log.wait_for("did not take a report of kind hello (%d the fake says no)" % status)
                training.start_epoch()
                server.status = 200
                training.end_epoch()
            self.assertEqual(["hello", "epoch-start", "epoch-end"], server.kinds())
            self.assertEqual(1, len(log.getvalue().splitlines()))

    def test_a_fault_of_the_library_itself_costs_the_reports_only(self) -> None:
        server = self.server()
        with self.environment(self.job(server, FAIRLEAD_JOB_TOKEN="two\nlines")) as log, Training() as training:
            log.wait_for("reporting failed (ValueError")
            training.start_epoch()
            training.end_epoch()
        self.assertEqual(1, len(log.getvalue().splitlines()))


class AddressTest(TrainingTest):
    def test_an_address_may_have_tls_a_default_port_and_a_path(self) -> None:
        for url, secure, address, prefix in (
            ("http://host:7400", False, ("host", 7400), ""),
            ("https://host/fairlead/", True, ("host", 443), "/fairlead"),
            ("http://[::1]", False, ("::1", 80), ""),
        ):
            channel = Channel(url)
            self.assertEqual((secure, address, prefix), (channel._secure, channel._address, channel._prefix))

    def test_a_path_before_the_server_is_kept(self) -> None:
        server = self.server()
        with self.environment(self.job(server, FAIRLEAD_URL=server.url + "/behind/")), Training():
            pass
        self.assertEqual("/behind/v1/jobs/job-1/training", server.requests[0][1])


class EndOfProcessTest(TrainingTest):
    SCRIPT = """
        from fairlead import Training
        training = Training()
        for epoch in training.epochs_left():
            training.measure()
        print("trained", training.epoch)
        """

    def test_d32_the_last_epoch_arrives_although_the_process_ends_at_once(self) -> None:
        server = self.server()
        finished = self.run_script(self.SCRIPT, self.job(server))
        self.assertEqual((0, "trained 5\n", ""), (finished.code, finished.out, finished.err))
        self.assertEqual(5, server.epochs_counted())

    def test_the_last_epoch_arrives_although_the_script_fails(self) -> None:
        server = self.server()
        finished = self.run_script(self.SCRIPT + "\n        raise KeyError('broken')", self.job(server))
        self.assertEqual(1, finished.code)
        self.assertIn("KeyError: 'broken'", finished.err)
        self.assertEqual(5, server.epochs_counted())

    def test_without_a_server_the_script_ends_well_and_says_what_is_lost(self) -> None:
        server = self.server()
        server.go_away()
        finished = self.run_script(self.SCRIPT, self.job(server))
        self.assertEqual((0, "trained 5\n"), (finished.code, finished.out))
        self.assertEqual(2, len(finished.said), finished)
        self.assertIn("cannot be reached", finished.said[0])
        self.assertRegex(finished.said[1], r"http://127.0.0.1:\d+ could not be reached; reports dropped: \d+")

    def test_a_server_that_hangs_does_not_keep_the_process(self) -> None:
        server = self.server()
        server.hang()
        finished = self.run_script(self.SCRIPT, self.job(server))
        self.assertEqual((0, "trained 5\n"), (finished.code, finished.out))
        self.assertIn("reports dropped", finished.said[-1])

    def test_a_system_without_threads_to_spare_still_trains(self) -> None:
        server = self.server()
        no_threads = """
            import threading
            def no_thread(self):
                raise RuntimeError("can't start new thread")
            threading.Thread.start = no_thread
            """
        finished = self.run_script(textwrap.dedent(no_threads) + textwrap.dedent(self.SCRIPT), self.job(server))
        self.assertEqual((0, "trained 5\n"), (finished.code, finished.out), finished)
        line = "fairlead: cannot report (can't start new thread); training goes on without"
        self.assertEqual([line], finished.err.splitlines())

    def test_a_closed_log_does_not_end_the_training(self) -> None:
        server = self.server()
        server.go_away()
        finished = self.run_script("import sys\nsys.stderr.close()\n" + textwrap.dedent(self.SCRIPT), self.job(server))
        self.assertEqual((0, "trained 5\n"), (finished.code, finished.out))

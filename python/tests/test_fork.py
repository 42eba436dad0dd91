"""A process that forks, as data loaders do."""

from support import TrainingTest


class ForkTest(TrainingTest):
    def test_parent_and_child_each_report_over_a_connection_of_their_own(self) -> None:
        server = self.server()
        finished = self.run_script(
            """
            import os, sys, warnings
            warnings.simplefilter("ignore", DeprecationWarning)
            from fairlead import Training
            training = Training()
            training.start_epoch()
            for child in range(10):
                pid = os.fork()
                if pid == 0:
                    for _ in range(100 + child):
                        training.measure()
                    training.end_epoch()
                    sys.exit(0)
                training.measure()
                assert os.waitpid(pid, 0)[1] == 0
            training.end_epoch()
            print("parent done")
            """,
            self.job(server, HEARTBEAT_FREQ=100000),
        )
        self.assertEqual((0, "parent done\n", ""), (finished.code, finished.out, finished.err))
        ends = sorted(report["step"] for report in server.reports if report["kind"] == "epoch-end")
        self.assertEqual([10] + [100 + 2 * child for child in range(10)], ends)
        self.assertEqual(11, server.connections_made)

    def test_a_child_does_not_send_what_its_parent_has_to_send(self) -> None:
        server = self.server()
        server.go_away()
        job = self.job(server)
        finished = self.run_script(
            """
            import os, sys, warnings
            warnings.simplefilter("ignore", DeprecationWarning)
            from fairlead import Training
            training = Training()
            training.start_epoch()
            training.end_epoch()
            if os.fork() == 0:
                training.end()
                sys.exit(0)
            os.wait()
            training.end()
            """,
            job,
        )
        self.assertEqual(0, finished.code, finished)
        self.assertEqual(1, sum("reports dropped" in line for line in finished.said), finished)

    def test_a_worker_that_ignores_the_training_ends_at_once(self) -> None:
        server = self.server()
        finished = self.run_script(
            """
            import multiprocessing, warnings
            warnings.simplefilter("ignore", DeprecationWarning)
            from fairlead import Training
            training = Training()
            with training:
                for epoch in training.epochs_left():
                    with multiprocessing.get_context("fork").Pool(2) as pool:
                        assert sum(training.steps(pool.imap(abs, range(8)))) == 28
            """,
            self.job(server),
        )
        self.assertEqual((0, ""), (finished.code, finished.err), finished)
        self.assertEqual(5, server.epochs_counted())

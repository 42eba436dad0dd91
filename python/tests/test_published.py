"""The published protocol, for hosts that are named where Fairlead is not."""

import datetime

from kubernetesdlprofile.kubeprofiler import KubeProfiler
from support import TrainingTest


class PublishedProtocolTest(TrainingTest):
    def test_d15_d24_d29_epochs_and_profiles_go_to_their_hosts(self) -> None:
        manager, database = self.server(), self.server()
        with self.environment(self.job(EPOCHS_DONE=2, NUM_GPUS=4, NODE_RANK=1)), KubeProfiler(
            manager.host, database.host
        ) as prof:
            prof.start_epoch()
            for _ in range(4):
                prof.measure()
            prof.end_epoch()
        self.assertEqual(
            [("GET", "/has_to_stop/job-1", None), ("POST", "/end_epoch/job-1", {"done": 3})], manager.requests
        )
        self.assertEqual({("POST", "/profiling/job-1")}, {(method, path) for method, path, _ in database.requests})
        beat, end = database.requests[0][2], database.requests[-1][2]
        sender = {"jobid": "job-1", "nodelist": "node-a", "numgpu": 4, "rank": 1, "gpumem": 0}
        self.assertEqual(sender, {name: end[name] for name in sender})
        self.assertEqual(set(sender) | {"timestamp", "iternum", "meandur"}, set(beat))
        self.assertEqual((4, set(beat) | {"epochDur"}), (end["iternum"], set(end)))
        datetime.datetime.fromisoformat(end["timestamp"])
        self.assertTrue(0 < end["meandur"] < end["epochDur"])

    def test_iterations_count_on_over_epochs(self) -> None:
        database = self.server()
        with self.environment(self.job()), KubeProfiler(db_hostname=database.host) as prof:
            for _ in prof.epochs_left():
                list(prof.steps(range(3)))
        ends = [body["iternum"] for _, _, body in database.requests if "epochDur" in body]
        self.assertEqual([3, 6, 9, 12, 15], ends)

    def test_the_text_1_stops_before_an_epoch_but_not_before_the_last(self) -> None:
        manager = self.server()
        manager.published_stop = "1"
        for done, stops in ((3, True), (4, False)):
            with self.subTest(done), self.environment(self.job(EPOCHS_DONE=done)):
                with KubeProfiler(manager.host, None) as prof:
                    if stops:
                        with self.assertRaises(SystemExit):
                            prof.start_epoch()
                    else:
                        prof.start_epoch()

    def test_any_other_text_does_not_stop(self) -> None:
        manager = self.server()
        manager.published_stop = "1\n"
        with self.environment(self.job()), KubeProfiler(manager.host) as prof:
            prof.start_epoch()

    def test_a_database_that_is_away_keeps_nobody_from_stopping(self) -> None:
        manager, database = self.server(), self.server()
        database.go_away()
        manager.published_stop = "1"
        with self.environment(self.job()) as log, KubeProfiler(manager.host, database.host) as prof:
            prof.measure()
            prof.end_epoch()
            with self.assertRaises(SystemExit):
                prof.start_epoch()
        self.assertEqual(1, log.said("does not take profiles"))
        self.assertIn(("POST", "/end_epoch/job-1", {"done": 1}), manager.requests)

    def test_a_manager_that_is_away_hears_the_newest_epoch_later(self) -> None:
        manager = self.server()
        manager.go_away()
        with self.environment(self.job()) as log, KubeProfiler(manager.host) as prof:
            prof.end_epoch()
            log.wait_for("cannot be reached")
            prof.end_epoch()
            manager.come_back()
        self.assertEqual({"done": 2}, manager.requests[-1][2])

    def test_d15_in_a_fairlead_job_the_hosts_are_not_used(self) -> None:
        server, other = self.server(), self.server()
        with self.environment(self.job(server)), KubeProfiler(other.host, other.host) as prof:
            prof.start_epoch()
        self.assertEqual(["hello", "epoch-start"], server.kinds())
        self.assertEqual([], other.requests)

    def test_without_hosts_and_without_fairlead_nobody_is_told(self) -> None:
        with self.environment(self.job()) as log, KubeProfiler() as prof:
            self.assertEqual([0, 1, 2, 3, 4], list(prof.epochs_left()))
        self.assertEqual("", log.getvalue())

    def test_a_malformed_host_gives_one_line(self) -> None:
        with self.environment(self.job()) as log, KubeProfiler("host:port") as prof:
            prof.start_epoch()
        self.assertEqual(1, len(log.getvalue().splitlines()), log.getvalue())

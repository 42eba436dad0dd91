"""What a training reports, and when."""

import os
import sys
from types import SimpleNamespace
from typing import Any, Dict, Tuple

from fairlead import Training
from fairlead.gpu import GpuMemory, _own_use
from support import TrainingTest


class ReportsTest(TrainingTest):
    def test_an_epoch_is_reported_from_its_start_to_its_end(self) -> None:
        server = self.server()
        with self.environment(self.job(server, EPOCHS_DONE=3, FAIRLEAD_ATTEMPT=2)), Training() as training:
            training.start_epoch()
            for _ in range(4):
                training.measure()
            training.end_epoch()
        self.assertEqual([], server.wrong)
        self.assertEqual({"/v1/jobs/job-1/training"}, {path for _, path, _ in server.requests})
        by_kind = {report["kind"]: report for report in server.reports}
        same = {"attempt": 2, "rank": 0}
        self.assertEqual(dict(same, kind="hello", epoch=3, step=0), by_kind["hello"])
        self.assertEqual(dict(same, kind="epoch-start", epoch=3, step=0), by_kind["epoch-start"])
        beat = by_kind["heartbeat"]
        self.assertEqual(dict(same, kind="heartbeat", epoch=3, step=1, stepSeconds=beat["stepSeconds"]), beat)
        end = by_kind["epoch-end"]
        timed = {name: end[name] for name in ("stepSeconds", "epochSeconds")}
        self.assertEqual(dict(same, kind="epoch-end", epoch=4, step=4, **timed), end)
        self.assertTrue(0 < end["stepSeconds"] < end["epochSeconds"], end)

    def test_metrics_are_reported_and_what_is_no_number_is_passed_over(self) -> None:
        server = self.server()
        with self.environment(self.job(server)), Training() as training:
            training.log(step=7, loss=0.5, words="x", broken=float("nan"))
            training.log(words="x")
            training.measure()
            training.log(accuracy=1)
        points = [point for _, path, body in server.requests if path.endswith("/metrics") for point in body["points"]]
        loss = {"step": 7, "epoch": 0.0, "values": {"loss": 0.5}}
        self.assertEqual([loss, {"step": 1, "epoch": points[-1]["epoch"], "values": {"accuracy": 1.0}}], points)
        self.assertEqual([], server.wrong)

    def test_outside_a_job_metrics_are_nobodys(self) -> None:
        with self.environment({}), Training() as training:
            training.log(loss=0.5)

    def test_reports_arrive_in_their_order(self) -> None:
        server = self.server()
        with self.environment(self.job(server, HEARTBEAT_FREQ=1000)), Training() as training:
            for _ in training.epochs_left():
                list(training.steps(range(3)))
        expected = ["hello"] + ["epoch-start", "epoch-end"] * 5
        self.assertEqual(expected, server.kinds())
        ends = [report["epoch"] for report in server.reports if report["kind"] == "epoch-end"]
        self.assertEqual([1, 2, 3, 4, 5], ends)

    def test_d24_heartbeats_come_every_so_many_steps_but_not_more_than_one_in_a_second(self) -> None:
        server = self.server()
        with self.environment(self.job(server, HEARTBEAT_FREQ=10)), Training() as training:
            training.start_epoch()
            for _ in range(9):
                training.measure()
            training.checkpoint_saved()
            server.wait_for(lambda: "checkpoint" in server.kinds())
            self.assertNotIn("heartbeat", server.kinds())
            for _ in range(31):
                training.measure()
        self.assertEqual([10], [report["step"] for report in server.reports if report["kind"] == "heartbeat"])

    def test_d23_the_first_step_pays_for_warming_up_alone(self) -> None:
        with self.environment(self.job()):
            training = Training()
        training.start_epoch()
        training._epoch_began = 0.0
        training._steps, training._first_step, training._last_step = 5, 100.0, 102.0
        self.assertEqual(0.5, training._report("heartbeat").step_seconds)
        training._steps, training._last_step = 1, 100.0
        self.assertEqual(100.0, training._report("heartbeat").step_seconds)

    def test_an_epoch_that_was_resumed_inside_has_no_length(self) -> None:
        server = self.server()
        with self.environment(self.job(server)), Training() as training:
            training.start_epoch()
            list(training.steps(range(2), done=6))
            training.end_epoch()
        end = server.reports[-1]
        self.assertEqual(("epoch-end", 8), (end["kind"], end["step"]))
        self.assertNotIn("epochSeconds", end)

    def test_epochs_that_run_again_are_not_counted_twice(self) -> None:
        server = self.server()
        with self.environment(self.job(server, EPOCHS_DONE=3, JOB_RESTARTED="TRUE")), Training() as training:
            self.assertEqual([2, 3, 4], list(training.epochs_left(done=2)))
        epochs = [(report["kind"], report["epoch"]) for report in server.reports]
        self.assertEqual([("epoch-end", 4), ("epoch-end", 5)], [pair for pair in epochs if pair[0] == "epoch-end"])
        self.assertEqual([3, 3, 4], [epoch for kind, epoch in epochs if kind == "epoch-start"])

    def test_a_checkpoint_that_knows_more_epochs_than_the_server_is_believed(self) -> None:
        server = self.server()
        with self.environment(self.job(server, EPOCHS_DONE=1, JOB_RESTARTED="TRUE")), Training() as training:
            self.assertEqual([3, 4], list(training.epochs_left(done=3)))
        self.assertEqual(5, server.epochs_counted())

    def test_breaking_off_inside_an_epoch_does_not_count_it(self) -> None:
        server = self.server()
        with self.environment(self.job(server)), Training() as training:
            for epoch in training.epochs_left():
                if epoch == 1:
                    break
        self.assertEqual(1, server.epochs_counted())

    def test_ranks_are_told_apart(self) -> None:
        ranks: Tuple[Tuple[Dict[str, Any], int], ...] = (
            ({}, 0),
            ({"LOCAL_RANK": 3}, 3),
            ({"NODE_RANK": 2}, 2000),
            ({"NODE_RANK": 2, "LOCAL_RANK": 3}, 2003),
            ({"NODE_RANK": 2, "LOCAL_RANK": 3, "RANK": 19}, 19),
        )
        for variables, rank in ranks:
            server = self.server()
            with self.subTest(variables), self.environment(self.job(server, **variables)), Training():
                server.wait_for(lambda: server.reports)
            self.assertEqual(rank, server.reports[0]["rank"])

    def test_a_job_id_with_odd_characters_stays_one_part_of_the_address(self) -> None:
        server = self.server()
        with self.environment(self.job(server, FAIRLEAD_JOB="a/b c")), Training():
            pass
        self.assertEqual("/v1/jobs/a%2Fb%20c/training", server.requests[0][1])

    def test_proxies_of_the_environment_are_ignored(self) -> None:
        server = self.server()
        job = self.job(server, http_proxy="http://127.0.0.1:9", HTTP_PROXY="http://127.0.0.1:9")
        with self.environment(job), Training() as training:
            training.start_epoch()
        self.assertEqual(["hello", "epoch-start"], server.kinds())


class GpuMemoryTest(TrainingTest):
    def with_module(self, name: str, module: Any) -> None:
        before = sys.modules.get(name)
        sys.modules[name] = module
        self.addCleanup(lambda: sys.modules.pop(name) if before is None else sys.modules.update({name: before}))

    def torch(self, initialized: bool = True, **more: Any) -> Any:
        peaks: Dict[int, int] = {0: 100, 1: 700}
        facts: Dict[str, Any] = dict(
            is_initialized=lambda: initialized, device_count=lambda: 2, max_memory_reserved=lambda device: peaks[device]
        )
        return SimpleNamespace(cuda=SimpleNamespace(**dict(facts, **more)))

    def test_d25_a_report_tells_the_peak_of_the_fullest_device(self) -> None:
        self.with_module("torch", self.torch())
        server = self.server()
        with self.environment(self.job(server)), Training() as training:
            training.start_epoch()
            training.measure()
            server.wait_for(lambda: "heartbeat" in server.kinds())
        self.assertEqual(700, server.reports[-1]["gpuMemoryBytes"])

    def test_a_framework_that_is_not_set_up_is_left_alone(self) -> None:
        def never(*_: Any) -> int:
            raise AssertionError("was asked")

        self.with_module("torch", self.torch(initialized=False, max_memory_reserved=never))
        context = SimpleNamespace(_initialized=False, list_logical_devices=never)
        self.with_module("tensorflow.python.eager.context", SimpleNamespace(context_safe=lambda: context))
        memory = GpuMemory()
        memory._driver_path = None
        self.assertIsNone(memory.peak_bytes())

    def test_tensorflow_is_asked_when_it_is_set_up(self) -> None:
        context = SimpleNamespace(
            _initialized=True,
            list_logical_devices=lambda kind: [SimpleNamespace(name="GPU:0"), SimpleNamespace(name="GPU:1")],
            get_memory_info=lambda name: {"GPU:0": {"peak": 5}, "GPU:1": {"peak": 9}}[name],
        )
        self.with_module("tensorflow.python.eager.context", SimpleNamespace(context_safe=lambda: context))
        self.assertEqual(9, GpuMemory().peak_bytes())

    def test_a_framework_that_fails_costs_only_the_figure(self) -> None:
        self.with_module("torch", SimpleNamespace())
        memory = GpuMemory()
        memory._driver_path = None
        self.assertIsNone(memory.peak_bytes())

    def test_the_driver_is_asked_beside_the_training_and_seldom(self) -> None:
        memory = GpuMemory()
        memory._driver_path = self.program("echo $PPID, 300; echo 1, 900; echo $PPID, 200")
        self.assertIsNone(memory.peak_bytes())
        assert memory._driver is not None
        memory._driver.wait(30)
        self.assertEqual(300 * 1024 * 1024, memory.peak_bytes())
        self.assertEqual(300 * 1024 * 1024, memory.peak_bytes())
        self.assertIsNone(memory._driver)

    def test_a_driver_that_does_not_list_us_tells_nothing(self) -> None:
        self.assertIsNone(_own_use("1, 900\nNo running processes found\n%d, [N/A]\n" % os.getpid()))

    def program(self, commands: str) -> str:
        path = os.path.join(self.folder, "nvidia-smi")
        with open(path, "w") as file:
            file.write("#!/bin/sh\n%s\n" % commands)
        os.chmod(path, 0o755)
        return path

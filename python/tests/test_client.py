"""The client against a real server: one for all of these tests, started by the launcher of this checkout."""

import contextlib
import io
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from typing import Any, Callable, Dict, List

import fairlead
from fairlead import FairleadError, Job
from fairlead.client import FORWARDED
from fairlead.errors import refusal
from fairlead.server import home
from fake_server import WAIT_SECONDS, FakeServer
from support import EXAMPLES, LIBRARY, VARIABLES

CHECKOUT = os.path.dirname(LIBRARY)
OWN = tuple(VARIABLES) + ("FAIRLEAD_HOME", "FAIRLEAD_SERVER", "FAIRLEAD_TOKEN")


class ClientTest(unittest.TestCase):
    """Each test has a folder of its own, in which its jobs run."""

    root = ""

    @classmethod
    def setUpClass(cls) -> None:
        cls.root = os.path.realpath(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.root, ignore_errors=True)
        before = dict(os.environ)
        cls.addClassCleanup(os.environ.update, before)
        cls.addClassCleanup(os.environ.clear)
        cls.addClassCleanup(os.chdir, os.getcwd())
        for name in OWN:
            os.environ.pop(name, None)
        os.environ["FAIRLEAD_HOME"] = os.path.join(cls.root, "home")
        os.environ["PATH"] = CHECKOUT + os.pathsep + os.environ["PATH"]
        cls.addClassCleanup(cls.command, "server", "stop")
        cls.command("server", "start", "--gpus", "2")

    @classmethod
    def command(cls, *words: str) -> None:
        done = subprocess.run(
            [os.path.join(CHECKOUT, "fairlead")] + list(words),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            universal_newlines=True,
        )
        if done.returncode:
            raise AssertionError("fairlead %s: %s" % (" ".join(words), done.stdout))

    def setUp(self) -> None:
        self.folder = tempfile.mkdtemp(dir=self.root)
        os.chdir(self.folder)
        before = dict(os.environ)
        self.addCleanup(os.environ.update, before)
        self.addCleanup(os.environ.clear)

    def gate(self) -> str:
        """A command that ends when open_gate() is called."""
        return "until [ -e gate ]; do sleep 0.05; done"

    def open_gate(self) -> None:
        open("gate", "w").close()

    def submitted(self, *arguments: Any, **fields: Any) -> Job:
        job = fairlead.submit(*arguments, **fields)
        self.addCleanup(self.ended, job)
        return job

    def ended(self, job: Job) -> None:
        try:
            job.cancel()
        except FairleadError as failure:
            self.assertEqual("conflict", failure.code)
        job.wait()

    def refused(self, call: Callable[[], Any]) -> FairleadError:
        with self.assertRaises(FairleadError) as caught:
            call()
        return caught.exception

    def home(self, name: str, content: Dict[str, Any]) -> None:
        """Another home, with one file in it."""
        os.environ["FAIRLEAD_HOME"] = self.folder
        with open(os.path.join(self.folder, name), "w") as file:
            json.dump(content, file)

    def server_file(self) -> Dict[str, Any]:
        with open(os.path.join(os.environ["FAIRLEAD_HOME"], "server.json")) as file:
            return dict(json.load(file))

    def test_a_job_runs_here_and_its_lines_come_as_they_are_written(self) -> None:
        os.environ["SECRET"] = "1"
        job = self.submitted(
            "pwd; echo $GIVEN,$SECRET; %s; printf end; exit 3" % self.gate(), gpus=2, name="lines", env={"GIVEN": "a b"}
        )
        lines = job.logs(follow=True)
        self.assertEqual([self.folder, "a b,"], [next(lines), next(lines)])
        self.assertIn(job.state, ("starting", "running"))
        self.assertEqual(2, job.info().gpus)
        self.open_gate()
        self.assertEqual(["end"], list(lines))
        self.assertEqual("failed", job.wait())
        self.assertEqual(3, job.info().exit_code)
        self.assertEqual(self.folder + "\na b,\nend", job.logs())
        self.assertEqual("a b,\nend", job.logs(tail=2))
        self.assertEqual(job.id, fairlead.job("lines").id)
        self.assertIn(job.id + " (lines): failed at ", repr(job))

    def test_every_block_of_the_page_runs(self) -> None:
        shutil.copy(os.path.join(EXAMPLES, "logistic.py"), "logistic.py")
        with open(os.path.join(EXAMPLES, "plain_loop.py")) as example, open("train.py", "w") as script:
            # The page's scripts have options of their own.
            script.write(example.read().replace("parser.parse_args()", "parser.parse_known_args()[0]"))
        os.environ.update(PYTHONPATH=LIBRARY, PYTHONDONTWRITEBYTECODE="1", FAIRLEAD_SNAPSHOTS=self.folder)
        with open(os.path.join(CHECKOUT, "docs", "python.md")) as page:
            blocks = re.findall(r"^```python\n(.*?)^```", page.read(), re.MULTILINE | re.DOTALL)
        self.assertEqual(6, len(blocks))
        names: Dict[str, Any] = {}
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            for block in blocks:
                exec(compile(block, "python.md", "exec"), names)
        said = printed.getvalue()
        self.assertIn("done: 5 epochs\n", said)
        self.assertIn("\n5 of 5\n", said)
        self.assertIn("gpus: must be 0 to 4096, but is -1 400 2\n", said)
        self.assertEqual(["succeeded"] * 3, names["ends"])
        self.assertEqual("succeeded", fairlead.job("first").state)

    def test_a_list_is_run_as_it_is(self) -> None:
        job = self.submitted([sys.executable, "-c", "import sys; print(sys.argv[1])", "$HOME; *"])
        self.assertEqual("succeeded", job.wait())
        self.assertEqual("$HOME; *\n", job.logs())

    def test_a_waiting_job_says_why_and_is_cancelled(self) -> None:
        holder = self.submitted(self.gate(), gpus=2, name="holder")
        job = self.submitted("true", spec={"gpus": 2, "name": "waits"}, gpus=1)
        self.assertEqual([job.id], [each.id for each in fairlead.jobs("queued")])
        why = job.why()
        self.assertEqual(("queued", 1, "1 GPU"), (why.state, why.place, why.needs))
        self.assertIn(": queued, next in the queue, needs 1 GPU\n", repr(why))
        self.assertIn(holder.id, str(why))
        never = why._replace(obstacles=["can never start on this cluster: 9 GPUs"], predicted_start=None, advice=None)
        self.assertNotIn("nobody can say", str(never))
        late = self.refused(lambda: job.wait(timeout=0.05))
        self.assertEqual((1, None), (late.exit_code, late.status))
        self.assertIn("still queued", str(late))
        job.cancel()
        self.assertEqual("cancelled", job.wait())
        again = self.refused(job.cancel)
        self.assertEqual((4, 409, "conflict"), (again.exit_code, again.status, again.code))
        self.assertIn("has already ended", str(again))
        holder.cancel()
        self.assertEqual("cancelled", holder.wait())
        self.assertEqual([job.id, holder.id], [each.id for each in fairlead.jobs("finished", limit=2)])

    def test_metrics_are_what_a_script_has_reported(self) -> None:
        script = os.path.join(EXAMPLES, "plain_loop.py")
        env = {"PYTHONPATH": LIBRARY, "PYTHONDONTWRITEBYTECODE": "1", "FAIRLEAD_SNAPSHOTS": self.folder}
        job = self.submitted(
            [sys.executable, script, "--step-seconds", "0"], env=env, epochs=4, batch_size=16, training_set_size=320
        )
        self.assertEqual("succeeded", job.wait(), job.logs())
        metrics = job.metrics()
        self.assertEqual((4, 4), (metrics.epochs_done, metrics.epochs))
        self.assertIsNotNone(metrics.saved_at)
        self.assertEqual([True], [speed.own for speed in metrics.speeds])
        self.assertGreater(metrics.speeds[0].epoch_seconds, 0)
        self.assertEqual(4, job.info().epochs_done)
        self.assertEqual({}, metrics.logged)

    def test_any_job_may_log_metrics(self) -> None:
        script = "from fairlead import Training\nwith Training() as it:\n    it.log(step=3, loss=0.5)\n    it.log(step=4, loss=0.25)"
        job = self.submitted([sys.executable, "-c", script], env={"PYTHONPATH": LIBRARY})
        self.assertEqual("succeeded", job.wait(), job.logs())
        metrics = job.metrics()
        self.assertEqual([(3, 0.5), (4, 0.25)], [(point.step, point.value) for point in metrics.logged["loss"]])
        self.assertLess(abs(time.time() - metrics.logged["loss"][0].at), 600)
        self.assertEqual((None, []), (metrics.epochs, metrics.speeds))

    def test_refusals_have_the_servers_words_and_the_commands_exit_code(self) -> None:
        for call, exit_code, status, words in (
            (lambda: fairlead.submit("true", gpus=-1), 2, 400, "gpus: must be 0 to 4096, but is -1"),
            (lambda: fairlead.submit("true", spec={"nonsense": 1}), 2, 400, "nonsense: is not a known field"),
            (lambda: fairlead.submit(), 2, 400, "command: is empty"),
            (lambda: fairlead.job("nobody"), 2, 404, "no job 'nobody'"),
            (lambda: fairlead.jobs("sleepy"), 2, 400, "state: must be active, "),
        ):
            with self.subTest(words):
                refused = self.refused(call)
                self.assertEqual((exit_code, status), (refused.exit_code, refused.status))
                self.assertTrue(str(refused).startswith(words), refused)

    def test_a_job_that_could_never_start_is_refused_unless_it_shall_wait(self) -> None:
        refused = self.refused(lambda: fairlead.submit("true", gpus=99))
        self.assertEqual((2, 400), (refused.exit_code, refused.status))
        self.assertIn("99 GPUs", str(refused))
        self.assertIn("\nanyway=True queues it", str(refused))
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            job = self.submitted("true", gpus=99, anyway=True)
        self.assertEqual("queued", job.state)
        self.assertIn("fairlead: the job can never start", said.getvalue())

    def test_a_server_that_moves_is_followed_and_started_by_the_command(self) -> None:
        job = self.submitted("echo one; %s; echo two" % self.gate())
        lines: List[str] = []
        begun = threading.Event()
        states: List[str] = []

        def read() -> None:
            for line in job.logs(follow=True):
                lines.append(line)
                begun.set()

        threads = [threading.Thread(target=read), threading.Thread(target=lambda: states.append(job.wait()))]
        for thread in threads:
            thread.start()
        self.assertTrue(begun.wait(WAIT_SECONDS))
        before = self.server_file()
        self.command("server", "stop")
        path = os.environ["PATH"]
        os.environ["PATH"] = "/usr/bin:/bin"
        away = self.refused(fairlead.jobs)
        self.assertEqual((3, None), (away.exit_code, away.status))
        self.assertIn("'fairlead' is not on the PATH", str(away))
        self.assertIn("fairlead login URL", str(away))
        os.environ["PATH"] = path
        self.assertIn(job.id, [each.id for each in fairlead.jobs("active")])
        self.assertNotEqual(before["pid"], self.server_file()["pid"])
        self.open_gate()
        for thread in threads:
            thread.join(WAIT_SECONDS)
        self.assertEqual((["one", "two"], ["succeeded"]), (lines, states))

    def test_a_submit_whose_answer_is_lost_makes_one_job(self) -> None:
        real = self.server_file()
        proxy = LosesFirstAnswer(int(real["url"].rpartition(":")[2]))
        self.addCleanup(proxy.close)
        os.environ.update(FAIRLEAD_SERVER=proxy.url, FAIRLEAD_TOKEN=real["token"])
        job = self.submitted("true", name="once")
        self.assertEqual("succeeded", job.wait())
        self.assertEqual(job.id, fairlead.job("once").id, "a second job of this name would make it ambiguous")
        self.assertTrue(proxy.lost)

    def test_the_environment_goes_before_a_login_and_a_login_before_the_own_server(self) -> None:
        real = self.server_file()
        self.home("login.json", {"url": real["url"], "token": real["token"]})
        fairlead.jobs()
        os.environ.update(FAIRLEAD_SERVER=real["url"], FAIRLEAD_TOKEN="wrong")
        wrong = self.refused(fairlead.jobs)
        self.assertEqual((4, 401, "unauthorized"), (wrong.exit_code, wrong.status, wrong.code))
        self.assertIn("The token comes from FAIRLEAD_TOKEN", str(wrong))
        os.environ["FAIRLEAD_TOKEN"] = real["token"] + "\n"
        self.assertIn("has a line feed", str(self.refused(fairlead.jobs)))
        os.environ["FAIRLEAD_TOKEN"] = real["token"]
        os.environ["FAIRLEAD_SERVER"] = "somewhere"
        self.assertEqual("FAIRLEAD_SERVER is not an http or https url: somewhere", str(self.refused(fairlead.jobs)))
        with socket.socket() as nobody:  # Bound, so that nobody else gets the port; not listening.
            nobody.bind(("127.0.0.1", 0))
            os.environ["FAIRLEAD_SERVER"] = "http://127.0.0.1:%d" % nobody.getsockname()[1]
            away = self.refused(fairlead.jobs)
        self.assertEqual((3, None), (away.exit_code, away.status))
        self.assertIn("no server answers at http://127.0.0.1:", str(away))
        del os.environ["FAIRLEAD_SERVER"]
        self.home("login.json", {"url": real["url"]})
        broken = self.refused(fairlead.jobs)
        self.assertEqual(2, broken.exit_code)
        self.assertIn("'fairlead logout' removes it", str(broken))

    def test_the_token_is_not_shown_to_who_has_the_port_of_a_dead_server(self) -> None:
        stranger = FakeServer()
        self.addCleanup(stranger.close)
        dead = subprocess.Popen(["true"])
        dead.wait()
        self.home("server.json", {"url": stranger.url, "token": "secret", "pid": dead.pid})
        os.environ["PATH"] = "/usr/bin:/bin"
        self.assertEqual(3, self.refused(fairlead.jobs).exit_code)
        self.assertEqual(0, stranger.connections_made)


class SameAsTheCommandTest(unittest.TestCase):
    """What the client and the command must agree on, and each has for itself."""

    def source(self, path: str) -> str:
        with open(os.path.join(CHECKOUT, path)) as file:
            return file.read()

    def test_the_same_variables_go_along_with_a_job(self) -> None:
        here = self.source("cli/src/main/java/fairlead/cli/job/Here.java")
        listed = re.search(r"FORWARDED =\s+List\.of\((.*?)\);", here, re.DOTALL)
        assert listed is not None
        self.assertEqual(re.findall(r'"(\w+)"', listed.group(1)), FORWARDED)

    def test_both_find_the_same_home(self) -> None:
        user = os.path.realpath(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, user)
        before = dict(os.environ)
        self.addCleanup(os.environ.update, before)
        self.addCleanup(os.environ.clear)
        for name in OWN + ("XDG_STATE_HOME", "XDG_CONFIG_HOME"):
            os.environ.pop(name, None)
        os.environ["HOME"] = user

        def told() -> str:
            words = [os.path.join(CHECKOUT, "fairlead"), "config", "--json"]
            answer = json.loads(subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout.decode("utf-8"))
            return str({each["setting"]: each["value"] for each in answer["command"]}["home"])

        self.assertEqual(os.path.join(user, ".local", "state", "fairlead"), home())
        self.assertEqual(told(), home())
        os.environ["XDG_STATE_HOME"] = os.path.join(user, "states")
        self.assertEqual(os.path.join(user, "states", "fairlead"), home())
        self.assertEqual(told(), home())
        os.mkdir(os.path.join(user, ".fairlead"))
        self.assertEqual(os.path.join(user, ".fairlead"), home())
        self.assertEqual(told(), home())
        os.environ["FAIRLEAD_HOME"] = os.path.join(user, "named")
        self.assertEqual(os.path.join(user, "named"), home())
        self.assertEqual(told(), home())

    def test_a_refusal_has_the_same_exit_code(self) -> None:
        source = self.source("api/src/main/java/fairlead/api/ErrorCode.java")
        codes = re.findall(r"^    ([A-Z_]+)\((\d+), (\d)\)", source, re.MULTILINE)
        self.assertGreater(len(codes), 10)
        first: Dict[str, int] = {}  # What a status means whose body does not say it.
        for name, status, exit_code in codes:
            with self.subTest(name):
                body = json.dumps({"code": name.lower().replace("_", "-"), "message": "no"}).encode()
                self.assertEqual(int(exit_code), refusal(int(status), body).exit_code)
                self.assertEqual(first.setdefault(status, int(exit_code)), refusal(int(status), b"<html>").exit_code)

    def test_a_refusal_names_its_field_once_and_lists_what_was_meant(self) -> None:
        for body, words in (
            ({"field": "jobs[0].gpus", "message": "is bad"}, "gpus: is bad"),
            ({"field": "jobs[0]", "message": "is bad"}, "is bad"),
            ({"field": "jobs[0].gpus", "message": "jobs[0].gpus: is bad"}, "gpus: is bad"),
            ({"field": "gpus", "message": "gpus: is bad"}, "gpus: is bad"),
            ({"message": "several", "matches": ["a", "b"]}, "several\n  a\n  b"),
        ):
            with self.subTest(words):
                self.assertEqual(words, str(refusal(400, json.dumps(dict(body, code="invalid")).encode())))


class LosesFirstAnswer:
    """Passes connections on to a server on loopback, and closes the first when its answer comes."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = "http://127.0.0.1:%d" % self._listener.getsockname()[1]
        self.lost = False
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self._port))
            threading.Thread(target=self._pump, args=(client, server, False), daemon=True).start()
            threading.Thread(target=self._pump, args=(server, client, not self.lost), daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket, loses: bool) -> None:
        try:
            while True:
                piece = source.recv(65536)
                if loses or not piece:
                    self.lost = self.lost or loses
                    break
                sink.sendall(piece)
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

"""What a node does for an ACT job of one process: its code, its folders, its command and its end."""

import os
import shutil
import signal
import stat
import sys
import warnings
import zipfile
from typing import Dict
from unittest import mock

from act_support import PARTS, SOURCES, NodeCase, source

sys.path.insert(0, SOURCES)
import runner  # noqa: E402
import unpack  # noqa: E402


class CommandTest(NodeCase):
    def test_words_reach_the_command_as_they_are(self) -> None:
        code, out, _ = self.run_job("printf", "%s|", "a  b", "$HOME", "'c'", "*")
        self.assertEqual((0, "a  b|$HOME|'c'|*|"), (code, out))

    def test_a42_it_runs_in_the_code_with_the_variables_of_act(self) -> None:
        self.variables["PYTHONPATH"] = "/before"
        code, out, _ = self.run_job("sh", "-c", 'cat note.txt; echo; pwd; echo "$PYTHONPATH"; echo "$TORCH_HOME"')
        text, folder, path, torch = out.splitlines()
        self.assertEqual((0, "hello", "./output/torch_home"), (code, text, torch))
        self.assertEqual(folder + ":/before", path)

    def test_the_code_of_the_command_is_that_of_the_job(self) -> None:
        self.assertEqual(7, self.run_job("sh", "-c", "exit 7")[0])
        self.assertEqual(137, self.run_job("sh", "-c", "kill -KILL $$")[0])

    def test_a_program_that_is_not_there_ends_with_127_and_says_so(self) -> None:
        code, _, err = self.run_job("no-such-program")
        self.assertEqual(127, code)
        self.assertIn("cannot run no-such-program: No such file", err)

    def test_signatures_and_the_program_itself_stay_hidden_from_the_command(self) -> None:
        self.variables["FAIRLEAD_ACT_SAS_0"] = "?sig=secret"
        self.pack({"compile.aml.sh": "env"})
        code, out, err = self.run_job("env")
        self.assertEqual(0, code)
        self.assertIn("TORCH_HOME=", out)
        self.assertNotIn("secret", out + err)
        self.assertNotIn("FAIRLEAD_ACT", out + err)

    def test_nothing_stays_on_the_node(self) -> None:
        self.run_job("sh", "-c", "sleep 600 & touch left; mkfifo pipe")
        self.assertEqual([], self.leftovers())
        self.eventually("the sleeper has ended", lambda: not self.processes())

    def test_what_a_killed_job_has_left_goes_with_the_next(self) -> None:
        process = self.start("sleep", "600")
        self.eventually("the command runs", lambda: len(self.processes()) == 2)
        process.kill()
        process.wait()
        self.assertEqual(["fairlead-act-%d/1_0000abcd-1" % os.geteuid()], self.leftovers())
        for pid in self.processes():
            os.kill(pid, signal.SIGKILL)
        self.eventually("the command has ended", lambda: not self.processes())
        self.variables["FAIRLEAD_JOB"] = "other_2_0000beef"
        self.assertEqual(0, self.run_job("true")[0])
        self.assertEqual([], self.leftovers())

    def test_a_folder_that_others_may_write_to_is_not_used(self) -> None:
        folder = os.path.join(self.temporary, "fairlead-act-%d" % os.geteuid())
        os.mkdir(folder)
        os.chmod(folder, 0o777)
        code, _, err = self.run_job("true")
        self.assertEqual(1, code)
        self.assertIn("others may write there", err)


class SetupTest(NodeCase):
    def test_a_folder_of_a_file_store_is_a_link_to_it(self) -> None:
        self.pack({"data/old": "in the code"})
        self.job["folders"] = {"data": {"kind": "file", "path": self.path("store/data")}}
        os.makedirs(self.path("store/data"))
        with open(self.path("store/data/a b"), "w", encoding="utf-8") as file:
            file.write("there")
        code, out, _ = self.run_job("sh", "-c", "readlink data; ls data; echo new >data/new")
        self.assertEqual((0, [self.path("store/data"), "a b"]), (code, out.splitlines()))
        self.assertEqual("new\n", self.read("store/data/new"))
        self.assertEqual("there", self.read("store/data/a b"))

    def test_a_folder_that_is_not_there_is_made(self) -> None:
        self.job["folders"] = {"output": {"kind": "file", "path": self.path("new/output")}}
        self.assertEqual(0, self.run_job("touch", "output/model")[0])
        self.assertEqual(["model"], os.listdir(self.path("new/output")))

    def test_a_folder_to_read_that_is_not_there_is_named(self) -> None:
        self.job["folders"] = {"data": {"kind": "file", "path": self.path("new/data"), "fuse": "ro"}}
        code, _, err = self.run_job("true")
        self.assertEqual(0, code)
        self.assertFalse(os.path.exists(self.path("new")))
        self.assertIn("data is to read only, and there is no folder " + self.path("new/data"), err)

    def test_a39_requirements_and_the_compile_script_come_before_the_command(self) -> None:
        self.stand_in("pip", 'echo "pip $*"; exit 3')
        self.pack({"requirements.txt": "nothing", "compile.aml.sh": 'echo "compile $*" >made; exit 4'})
        self.job["compileArgs"] = "--fast  now"
        code, out, err = self.run_job("cat", "made")
        self.assertEqual((0, ["pip install -r requirements.txt", "compile --fast now"]), (code, out.splitlines()))
        self.assertIn("ended with 3, and the job goes on", err)
        self.assertIn("ended with 4, and the job goes on", err)

    def test_p26_the_script_of_philly_has_a_name_of_its_own(self) -> None:
        self.pack({"compile.philly.sh": "echo built"})
        self.assertEqual((0, "built\n"), self.run_job("true")[:2])

    def test_a37_later_processes_of_the_node_find_the_code_ready(self) -> None:
        self.pack({"compile.aml.sh": "echo compiled"})
        wait = 'touch "%s/$FAIRLEAD_TASK_INDEX"; while [ ! -e "%s" ]; do sleep 0.05; done; pwd'
        wait %= (self.home, self.path("go"))
        first = self.start("sh", "-c", wait)
        second = self.start("sh", "-c", wait, index=1)
        self.eventually("both commands run", lambda: {"0", "1"} <= set(os.listdir(self.home)))
        with open(self.path("go"), "w"):
            pass
        ends = [self.ended(first), self.ended(second)]
        self.assertEqual([0, 0], [code for code, _, _ in ends])
        self.assertEqual(1, sum(out.count("compiled") for _, out, _ in ends))
        self.assertEqual(1, len({out.splitlines()[-1] for _, out, _ in ends}))
        self.assertEqual([], self.leftovers())

    def test_code_that_is_not_there_fails_the_job_with_a_word(self) -> None:
        os.remove(self.archive)
        code, _, err = self.run_job("true")
        self.assertEqual(1, code)
        self.assertIn("the code is not available: there is no %s" % self.archive, err)
        self.assertEqual([], self.leftovers())

    def test_a44_a_line_says_how_busy_the_gpus_are(self) -> None:
        self.stand_in("nvidia-smi", 'echo "$*"; echo "0, 97 %, 1 MiB, 2 MiB"')
        with mock.patch.dict(os.environ, PATH=self.variables["PATH"]):
            self.assertEqual(" ".join(runner.GPU_QUESTION[1:]) + "; 0, 97 %, 1 MiB, 2 MiB", runner.gpu_line())


class StopTest(NodeCase):
    def test_a_stop_reaches_the_command_and_its_code_counts(self) -> None:
        process = self.start("sh", "-c", 'trap "echo saved; exit 5" TERM; echo runs; while :; do sleep 0.05; done')
        self.assertEqual("runs\n", process.stdout.readline())
        process.terminate()
        self.assertEqual((5, "saved\n"), self.ended(process)[:2])
        self.assertEqual([], self.leftovers())

    def test_a_command_that_does_not_listen_is_ended_after_half_of_the_grace(self) -> None:
        self.variables["FAIRLEAD_ACT_GRACE"] = "1"
        process = self.start("sh", "-c", 'trap "" TERM; echo runs; while :; do sleep 0.05; done')
        self.assertEqual("runs\n", process.stdout.readline())
        process.terminate()
        self.assertEqual(137, self.ended(process)[0])
        self.eventually("all have ended", lambda: not self.processes())

    def test_a_stop_while_the_code_is_prepared_ends_that(self) -> None:
        self.pack({"compile.aml.sh": "echo compiles; sleep 600"})
        process = self.start("touch", self.path("never"))
        self.assertEqual("compiles\n", process.stdout.readline())
        process.terminate()
        code, _, err = self.ended(process)
        self.assertEqual(143, code)
        self.assertIn("stopped before the command has started", err)
        self.assertFalse(os.path.exists(self.path("never")))
        self.assertEqual([], self.leftovers())
        self.eventually("the script has ended", lambda: not self.processes())

    def test_a41_a_failed_job_may_sleep_until_it_is_aborted(self) -> None:
        self.job["sleepIfFail"] = True
        process = self.start("sh", "-c", "exit 3")
        line = process.stderr.readline()
        while "sleeps until it is aborted" not in line:
            self.assertNotEqual("", line)
            line = process.stderr.readline()
        process.terminate()
        self.assertEqual(3, self.ended(process)[0])
        self.assertEqual(0, self.run_job("true")[0])


class UnpackTest(NodeCase):
    def unpacked(self) -> Dict[str, str]:
        """What an archive has become, with the kind of each."""
        os.makedirs(self.path("code"))
        self.said = []
        unpack.unpack(self.archive, self.path("code"), self.said.append)
        found = {}
        for folder, folders, names in os.walk(self.path("code")):
            for name in folders + names:
                path = os.path.join(folder, name)
                found[os.path.relpath(path, self.path("code"))] = stat.filemode(os.lstat(path).st_mode)
        return found

    def test_bits_and_links_are_kept(self) -> None:
        self.pack({"bin/run.sh": "x", "plain": "y"}, {"link": "bin/run.sh", "bin/up": "../plain"})
        found = self.unpacked()
        self.assertEqual("-rwxr-xr-x", found["bin/run.sh"])
        self.assertEqual("-rw-r--r--", found["plain"])
        self.assertEqual("lrwxrwxrwx", found["link"])
        self.assertEqual("y", self.read("code/bin/up"))

    def test_entries_that_would_land_outside_are_refused(self) -> None:
        for name in ("../evil", "a/../../evil", "/tmp/evil", "..", "a/.."):
            with self.subTest(name):
                unpack.remove(self.path("code"))
                self.pack({name: "evil"})
                with self.assertRaisesRegex(unpack.Unfit, "outside of the code's folder"):
                    self.unpacked()
                self.assertFalse(os.path.exists(self.path("evil")))

    def test_the_job_says_why_its_code_is_refused(self) -> None:
        self.pack({"../evil": "evil"})
        code, _, err = self.run_job("true")
        self.assertEqual(1, code)
        self.assertIn("the code %s is refused: its entry '../evil' would land outside" % self.archive, err)

    def test_links_that_lead_out_are_left_out(self) -> None:
        self.pack({"a/b": "x"}, {"abs": "/etc", "rel": "../..", "a/in": "..", "chain": "a/in/../..", "ok": "a/b"})
        self.assertEqual({"a", "a/b", "a/in", "ok"}, set(self.unpacked()))
        self.assertEqual(3, len(self.said))

    def test_no_entry_is_written_through_a_link(self) -> None:
        os.makedirs(self.path("outside"))
        self.pack({}, {"a": self.path("outside")})
        with zipfile.ZipFile(self.archive, "a") as archive:
            archive.writestr("a/evil", "evil")
        with self.assertRaisesRegex(unpack.Unfit, "its entry 'a/evil' lies behind its link 'a'"):
            self.unpacked()
        self.assertEqual([], os.listdir(self.path("outside")))

    def test_no_link_is_made_through_a_link(self) -> None:
        outside = self.path("outside")
        os.makedirs(outside)
        for links in ({"d": outside, "d/pwned": "x"}, {"d": outside, "d/new/pwned": "x"},
                      {"e": "../outside", "d": "e", "d/pwned": "x"}, {"d": ".", "d/d/../pwned/x": "y"},
                      {"a/d": "../../outside", "a/d/./pwned": "x"}, {"d": outside, "d//pwned": "x"}):
            with self.subTest(links):
                unpack.remove(self.path("code"))
                self.pack({}, links)
                with self.assertRaisesRegex(unpack.Unfit, "(lies behind|outside of)"):
                    self.unpacked()
                self.assertEqual([], os.listdir(outside))

    def test_a_name_that_is_there_twice_is_refused(self) -> None:
        with zipfile.ZipFile(self.archive, "w") as archive, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            archive.writestr("a", "one")
            archive.writestr("a", "two")
        with self.assertRaisesRegex(unpack.Unfit, "want to be the same"):
            self.unpacked()

    def test_a_bomb_is_refused_before_it_grows(self) -> None:
        self.pack({"small": "x", "bomb": "0" * 3_000_000})
        self.bound("BYTES_MAX", 1_500_000)
        with self.assertRaisesRegex(unpack.Unfit, "it unpacks to 3000001 bytes, and 1500000 is the most"):
            self.unpacked()
        self.assertEqual([], os.listdir(self.path("code")))

    def test_more_than_the_disk_has_is_refused(self) -> None:
        self.pack({"small": "x"})
        free = shutil.disk_usage(self.home)
        with mock.patch("shutil.disk_usage", return_value=free._replace(free=0)):
            with self.assertRaisesRegex(unpack.Unfit, "not enough space on this node: it unpacks to 1 bytes, and .* has room for 0"):
                self.unpacked()

    def test_a_crowd_of_entries_is_refused(self) -> None:
        self.pack({str(each): "" for each in range(11)})
        self.bound("ENTRIES_MAX", 10)
        with self.assertRaisesRegex(unpack.Unfit, "more than 10 entries"):
            self.unpacked()
        self.assertEqual([], os.listdir(self.path("code")))

    def test_more_than_an_entry_says_is_not_written(self) -> None:
        self.pack({"bomb": "0" * 3_000_000})
        with open(self.archive, "rb") as file:
            content = file.read()
        with open(self.archive, "wb") as file:
            file.write(content.replace((3_000_000).to_bytes(4, "little"), (5).to_bytes(4, "little")))
        with self.assertRaisesRegex(unpack.Unfit, "cannot be read as a zip"):
            self.unpacked()
        self.assertLessEqual(os.path.getsize(self.path("code/bomb")), 5)

    def test_damaged_content_is_refused(self) -> None:
        self.pack({"a": "".join(str(each) for each in range(5_000))})
        with open(self.archive, "r+b") as file:
            file.seek(200)
            file.write(b"\xff" * 50)
        with self.assertRaisesRegex(unpack.Unfit, "cannot be read as a zip"):
            self.unpacked()

    def bound(self, name: str, value: int) -> None:
        self.addCleanup(setattr, unpack, name, getattr(unpack, name))
        setattr(unpack, name, value)

    def test_damaged_content_of_another_kind_is_refused(self) -> None:
        with zipfile.ZipFile(self.archive, "w", zipfile.ZIP_LZMA) as archive:
            archive.writestr("a", "".join(str(each) for each in range(5_000)))
        with open(self.archive, "r+b") as file:
            file.seek(60)
            file.write(b"\xff" * 50)
        with self.assertRaisesRegex(unpack.Unfit, "cannot be read as a zip"):
            self.unpacked()

    def test_a_name_that_no_file_can_have_is_refused(self) -> None:
        self.pack({"a" * 300: "x"})
        with self.assertRaisesRegex(unpack.Unfit, "an entry cannot be written: .*File name too long"):
            self.unpacked()

    def test_something_else_than_a_zip_is_refused(self) -> None:
        with open(self.archive, "w", encoding="utf-8") as file:
            file.write("no zip")
        with self.assertRaisesRegex(unpack.Unfit, "cannot be read as a zip"):
            self.unpacked()

    def test_devices_and_the_like_are_refused(self) -> None:
        with zipfile.ZipFile(self.archive, "w") as archive:
            entry = zipfile.ZipInfo("pipe")
            entry.external_attr = stat.S_IFIFO << 16
            archive.writestr(entry, "")
        with self.assertRaisesRegex(unpack.Unfit, "neither a file"):
            self.unpacked()


class SourceTest(NodeCase):
    def test_the_program_is_of_python_3_6(self) -> None:
        import ast

        for part in PARTS:
            ast.parse(source(part), part, feature_version=(3, 6))

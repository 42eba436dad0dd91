"""Folders of Azure Blob that are copied to a node: what is read-only, what does not fit, what is stored meanwhile."""

import os
import sys
import threading
from typing import Dict, List
from unittest import mock

from act_support import PATIENCE_SECONDS, SOURCES, NodeCase
from fake_blobs import FakeBlobs

sys.path.insert(0, SOURCES)
import blobs  # noqa: E402
import mounts  # noqa: E402
import runner  # noqa: E402
from processes import Stop  # noqa: E402


class CopiedFolderTest(NodeCase):
    def setUp(self) -> None:
        super().setUp()
        self.account = FakeBlobs()
        self.addCleanup(self.account.close)
        self.said: List[str] = []

    def use(self, name: str, fuse: str = "") -> Dict[str, str]:
        place = {"kind": "blob", "url": self.account.url + "/" + name, "sas": "FAIRLEAD_ACT_SAS_0", "fuse": fuse}
        self.job["folders"][name] = place
        self.variables["FAIRLEAD_ACT_SAS_0"] = self.account.sas
        return place

    def copy(self, name: str) -> blobs.Copy:
        container = blobs.Container(self.account.url + "/" + name, self.account.sas, log=self.said.append)
        return blobs.Copy(container, self.path(name), self.path("record"), self.said.append)

    def test_p4_a_read_only_folder_is_never_written_back(self) -> None:
        self.account.blobs["data/a"] = b"old"
        self.use("data", "ro")
        script = "test -w data/a && test $(id -u) != 0 && exit 9; chmod u+w data/a; echo changed >data/a; echo new >data/b"
        code, _, err = self.run_job("sh", "-c", script)
        self.assertEqual(0, code, err)
        self.assertEqual({"data/a": b"old"}, self.account.blobs)
        self.assertIn("2 files new or changed in %s/data/, which is read-only" % self.account.url, err)
        self.assertEqual([], self.leftovers())

    def test_links_in_the_output_are_followed_inside_it_and_otherwise_left_out_and_named(self) -> None:
        self.use("output")
        with open(self.path("secret"), "w", encoding="utf-8") as file:
            file.write("of the node")
        script = ("cd output && mkdir -p step-1/more && echo model >step-1/model && ln -s step-1 latest"
                  " && ln -s step-1/model best && ln -s ../.. step-1/more/loop && ln -s %s file-out && ln -s / root-out"
                  " && ln -s nowhere gone && mkfifo pipe" % self.path("secret"))
        code, _, err = self.run_job("sh", "-c", script)
        self.assertEqual(0, code, err)
        self.assertEqual({"output/" + name: b"model\n" for name in ("step-1/model", "latest/model", "best")},
                         self.account.blobs)
        for line in ("file-out is not stored: the link leads out of the folder",
                     "root-out is not stored: the link leads out of the folder",
                     "gone is not stored: the link leads nowhere",
                     "pipe is not stored: it is no file and no folder",
                     "step-1/more/loop is not stored: the link leads back to a folder that it is in"):
            self.assertEqual(1, err.count("%s/output/%s\n" % (self.account.url, line)), err)

    def test_p4_blobfuse2_is_told_the_options_of_the_file(self) -> None:
        place = self.use("data", "ro,allow_other,attr_timeout=1,entry_timeout=2,negative_timeout=3,file_cache_timeout=4")
        self.stand_in("blobfuse2", 'cat "${3#--config-file=}" >%s; exit 1' % self.path("settings"))
        container = blobs.Container(place["url"], self.account.sas)
        # Whether this machine may mount does not matter: the program is a stand-in.
        with mock.patch.dict(os.environ, self.variables), mock.patch.object(mounts.os, "access", return_value=True):
            self.assertFalse(mounts.mount(container, "", self.path("there"), self.home, mounts.fuse_options(place)))
        settings = self.read("settings")
        for wanted in ('"read-only": true', '"allow-other": true', '"attribute-expiration-sec": 1',
                       '"entry-expiration-sec": 2', '"negative-entry-expiration-sec": 3', '"timeout-sec": 4'):
            self.assertIn(wanted, settings)

    def test_a_folder_that_does_not_fit_fails_before_the_first_byte(self) -> None:
        self.account.blobs["data/a"] = b"x" * 5_000
        full = mock.Mock(free=4_000)
        with mock.patch.object(blobs.shutil, "disk_usage", return_value=full):
            with self.assertRaisesRegex(blobs.BlobError, r"^not enough space on this node: .*/data/ has 5.0 kB, but only 4.0 kB are free at .*/data on"):
                self.copy("data").bring()
        self.assertEqual(1, self.account.calls["GET"])

    def test_a_long_fetch_and_a_storage_that_does_not_answer_are_told_in_the_log(self) -> None:
        self.account.blobs["data/a"] = b"x" * 5_000
        self.account.hang_ups = 1
        with mock.patch.object(blobs, "NEWS_SECONDS", 0.0001):
            self.copy("data").bring()
        self.assertRegex("\n".join(self.said), r"cannot read .*/data/a, and tries again: ")
        self.assertRegex("\n".join(self.said), r" of 5\.0 kB fetched of .*/data/")

    def test_a_storage_that_takes_a_connection_and_says_nothing_is_told_as_soon_as_others(self) -> None:
        self.account.blobs["data/a"] = b"x"
        self.account.is_stalling = True
        failures: List[str] = []

        def bring() -> None:
            try:
                self.copy("data").bring()
            except blobs.BlobError as problem:
                failures.append(str(problem))

        with mock.patch.object(blobs, "NEWS_SECONDS", 0.05), mock.patch.object(blobs, "TRIES", 2):
            bringing = threading.Thread(target=bring, daemon=True)
            bringing.start()
            bringing.join(PATIENCE_SECONDS / 2)
        self.assertRegex("\n".join(self.said), r"cannot read .*/data/a, and tries again: timed out")
        self.assertEqual(1, len(failures))

    def test_what_the_command_has_written_is_stored_while_it_runs(self) -> None:
        self.use("output")
        with mock.patch.dict(os.environ, dict(self.environment(0))):
            stop = mock.Mock(spec=Stop, asked=False)
            stop.is_not_asked.return_value = stop.is_time_left.return_value = True
            with mock.patch.object(runner.tempfile, "gettempdir", return_value=self.temporary):
                folder = runner.AttemptFolder(self.environment(0))
            setup = runner.Setup(self.job, self.environment(0), folder, stop)
            setup.prepare()
            output = os.path.join(folder.path, "folders", "output")
            with runner.stored_meanwhile(setup, folder, stop, interval=0.01, quiet_seconds=1_000.0):
                self.write(os.path.join(output, "half"))
                self.write(os.path.join(output, "whole"))
                os.utime(os.path.join(output, "whole"), (1, 1))
                self.eventually("the whole file is stored", lambda: "output/whole" in self.account.blobs)
                self.assertNotIn("output/half", self.account.blobs)
            self.assertTrue(runner.store(setup, folder, stop))
            folder.leave(keep=False)
        self.assertEqual(b"x", self.account.blobs["output/half"])

    @staticmethod
    def write(path: str) -> None:
        with open(path, "w", encoding="utf-8") as file:
            file.write("x")


class FileFolderTest(NodeCase):
    def test_a_store_that_is_missing_is_never_made_since_a_disk_may_have_to_be_mounted_there(self) -> None:
        for fuse in ("", "ro"):
            self.job["folders"]["data"] = {"kind": "file", "path": self.path("mnt/in/data"), "store": self.path("mnt"), "fuse": fuse}
            code, out, err = self.run_job("echo", "ran")
            self.assertEqual((1, ""), (code, out), err)
            self.assertIn("data is not available: there is no folder %s on this node" % self.path("mnt"), err)
            self.assertFalse(os.path.exists(self.path("mnt")))

    def test_a_folder_in_a_store_that_is_there_is_made(self) -> None:
        os.mkdir(self.path("mnt"))
        self.job["folders"]["out"] = {"kind": "file", "path": self.path("mnt/in/out"), "store": self.path("mnt")}
        code, _, err = self.run_job("touch", "out/model")
        self.assertEqual(0, code, err)
        self.assertTrue(os.path.exists(self.path("mnt/in/out/model")))


class CodeTest(NodeCase):
    def test_p26_philly_jobs_prefer_their_own_compile_script(self) -> None:
        self.pack({"compile.aml.sh": "echo aml", "compile.philly.sh": "echo philly"})
        self.assertEqual("aml\n", self.run_job("true")[1])
        self.job["philly"] = True
        self.assertEqual("philly\n", self.run_job("true")[1])

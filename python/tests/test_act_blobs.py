"""Folders of Azure Blob on a node: fetched before the command, stored after it."""

import base64
import hashlib
import hmac
import http.client
import os
import shutil
import subprocess
import sys
import time
import unittest
import urllib.parse
from typing import Dict, Optional

from act_support import PATIENCE_SECONDS, ROOT, SOURCES, NodeCase, free_ports
from fake_blobs import FakeBlobs

sys.path.insert(0, SOURCES)
import blobs  # noqa: E402

AZURITE = os.path.join(ROOT, ".build/azurite/node_modules/.bin/azurite-blob")

# Azurite's well-known account; it opens nothing but an Azurite.
ACCOUNT = "devstoreaccount1"
KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="

NAMES = ["plain", "deep/er/file", "with space", "per%20cent", "ümläut/日本", "a+b&c=d;e", "empty"]

SHOW_DATA = """
import os
for folder, _, names in os.walk("data/"):
    for name in names:
        path = os.path.join(folder, name)
        with open(path, encoding="utf-8") as file:
            print(ascii(path[len("data/"):]), ascii(file.read()))
"""


class Folders:
    """The same for a storage account in memory and for Azurite."""

    def put(self, name: str, content: bytes) -> None:
        raise NotImplementedError

    def get(self, name: str) -> Optional[bytes]:
        raise NotImplementedError

    def use(self, *names: str) -> None:
        for name in names:
            place = {"kind": "blob", "url": self.url + "/jobs/" + name, "sas": "FAIRLEAD_ACT_SAS_0"}
            self.job["folders"][name] = place
        self.variables["FAIRLEAD_ACT_SAS_0"] = self.sas

    def test_the_code_comes_from_a_blob(self) -> None:
        with open(self.archive, "rb") as file:
            self.put("code/my code.zip", file.read())
        os.remove(self.archive)
        self.job["code"] = {"kind": "blob", "url": self.url + "/code/my%20code.zip", "sas": "FAIRLEAD_ACT_SAS_0"}
        self.variables["FAIRLEAD_ACT_SAS_0"] = self.sas
        code, out, err = self.run_job("cat", "note.txt")
        self.assertEqual((0, "hello"), (code, out), err)
        self.assertNotIn("sig=", err)

    def test_all_files_are_there_before_the_command_starts(self) -> None:
        for name in NAMES:
            self.put("jobs/data/" + name, b"" if name == "empty" else name.encode("utf-8"))
        self.put("jobs/data2/sibling", b"no")
        self.use("data")
        code, out, err = self.run_job(sys.executable, "-c", SHOW_DATA)
        self.assertEqual(0, code, err)
        wanted = {"%s %s" % (ascii(name), ascii("" if name == "empty" else name)) for name in NAMES}
        self.assertEqual(wanted, set(out.splitlines()))

    def test_what_is_new_or_changed_is_stored_and_nothing_is_deleted(self) -> None:
        self.put("jobs/data/same", b"same")
        self.put("jobs/data/changed", b"old")
        self.put("jobs/data/removed", b"stays")
        self.use("data", "output")
        script = "rm data/removed; echo new >data/changed; mkdir -p output/a; echo model >'output/a/m 1%'"
        code, _, err = self.run_job("sh", "-c", script)
        self.assertEqual(0, code, err)
        self.assertEqual(b"new\n", self.get("jobs/data/changed"))
        self.assertEqual(b"stays", self.get("jobs/data/removed"))
        self.assertEqual(b"model\n", self.get("jobs/output/a/m 1%"))
        self.assertIn("stored 1 file in", err)

    def test_a_large_file_travels_in_blocks_both_ways(self) -> None:
        content = os.urandom(1 << 20) * 9 + b"rest"
        self.put("jobs/data/large", content)
        self.use("data")
        code, _, err = self.run_job("sh", "-c", "(cat data/large; echo more) >data/larger")
        self.assertEqual(0, code, err)
        self.assertEqual(content + b"more\n", self.get("jobs/data/larger"))

    def test_what_a_failed_or_stopped_command_wrote_is_stored_too(self) -> None:
        self.use("output")
        self.assertEqual(3, self.run_job("sh", "-c", "echo half >output/failed; exit 3")[0])
        self.assertEqual(b"half\n", self.get("jobs/output/failed"))
        script = 'trap "echo saved >output/stopped; exit 0" TERM; echo runs; while :; do sleep 0.05; done'
        process = self.start("sh", "-c", script)
        self.assertEqual("runs\n", process.stdout.readline())
        process.terminate()
        self.assertEqual(0, self.ended(process)[0])
        self.assertEqual(b"saved\n", self.get("jobs/output/stopped"))
        self.assertEqual([], self.leftovers())

    def test_a_wrong_signature_fails_the_job_without_showing_it(self) -> None:
        self.put("jobs/data/a", b"a")
        self.use("data")
        self.variables["FAIRLEAD_ACT_SAS_0"] = self.sas.split("sig=")[0] + "sig=c2VjcmV0"
        code, _, err = self.run_job("true")
        self.assertEqual(1, code)
        self.assertIn("cannot list", err)
        self.assertIn("403", err)
        self.assertNotIn("c2VjcmV0", err)


class FakeBlobsTest(Folders, NodeCase):
    def setUp(self) -> None:
        super().setUp()
        self.account = FakeBlobs()
        self.addCleanup(self.account.close)
        self.url, self.sas = self.account.url, self.account.sas

    def put(self, name: str, content: bytes) -> None:
        self.account.blobs[name] = content

    def get(self, name: str) -> Optional[bytes]:
        return self.account.blobs.get(name)

    def test_a_busy_storage_is_asked_again(self) -> None:
        self.put("jobs/data/a", b"a")
        self.account.refusals = 3
        self.use("data")
        self.assertEqual((0, "a"), self.run_job("cat", "data/a")[:2])

    def test_a_file_whose_connection_breaks_goes_on_where_it_was(self) -> None:
        content = os.urandom(100_000)
        self.put("a", content)
        self.account.hang_ups = 2
        blobs.Container(self.url + "/a", self.sas).fetch("a", self.path("a"))
        with open(self.path("a"), "rb") as file:
            self.assertEqual(content, file.read())
        self.assertEqual(3, self.account.calls["GET"])
        self.assertFalse(os.path.exists(self.path("a" + blobs.PART_SUFFIX)))

    def test_a_stop_does_not_wait_for_a_storage_that_hangs(self) -> None:
        self.put("jobs/data/a", b"a")
        self.account.is_stalling = True
        self.use("data")
        process = self.start("true")
        self.account.stalled.wait(PATIENCE_SECONDS)
        begun = time.monotonic()
        process.terminate()
        self.assertEqual(143, self.ended(process)[0])
        self.assertLess(time.monotonic() - begun, blobs.NEWS_SECONDS / 2)

    def test_a_blob_that_has_vanished_fails_the_job_with_its_name(self) -> None:
        self.job["code"] = {"kind": "blob", "url": self.url + "/gone.zip", "sas": "FAIRLEAD_ACT_SAS_0"}
        self.variables["FAIRLEAD_ACT_SAS_0"] = self.sas
        code, _, err = self.run_job("true")
        self.assertEqual(1, code)
        self.assertIn("cannot read %s/gone.zip: 404 BlobNotFound" % self.url, err)

    def test_names_that_no_file_can_have_are_left_out_with_a_word(self) -> None:
        for name in ("../evil", "a//b", "ok", "both", "both/inner", "marked", "marked/inner"):
            self.put("jobs/data/" + name, b"" if name == "marked" else b"x")
        self.use("data")
        code, out, err = self.run_job("find", "data/", "-type", "f")
        self.assertEqual(0, code)
        self.assertEqual({"data/ok", "data/both/inner", "data/marked/inner"}, set(out.split()))
        self.assertEqual(3, err.count("is left out"))

    def test_results_that_cannot_be_stored_fail_the_job_and_stay(self) -> None:
        self.use("output")
        process = self.start("sh", "-c", 'echo model >output/model; echo runs; read _ <"%s"' % self.fifo())
        self.assertEqual("runs\n", process.stdout.readline())
        self.account.is_read_only = True
        self.let_go()
        code, _, err = self.ended(process)
        self.assertEqual(1, code)
        self.assertIn("output could not be stored: cannot write", err)
        (kept,) = self.leftovers()
        self.assertEqual("model\n", self.read("tmp/%s/folders/output/model" % kept))
        self.variables["FAIRLEAD_JOB"] = "other_2_0000beef"
        self.assertEqual(0, self.run_job("true")[0])
        self.assertEqual([kept], self.leftovers())

    def test_p4_blobfuse2_mounts_where_it_can_and_a_failure_is_told(self) -> None:
        script = 'echo "$*" >>%s; cat "${3#--config-file=}" >%s; echo broken; exit 1'
        self.stand_in("blobfuse2", script % (self.path("asked"), self.path("settings")))
        self.put("jobs/data/a", b"a")
        self.use("data")
        code, out, err = self.run_job("cat", "data/a")
        self.assertEqual((0, "a"), (code, out))
        if not os.access("/dev/fuse", os.R_OK | os.W_OK):
            self.assertFalse(os.path.exists(self.path("asked")))
            return
        self.assertIn("blobfuse2 has not mounted data, so it is copied: broken", err)
        self.assertRegex(self.read("asked"), r"^mount /.*/folders/data --config-file=")
        settings = self.read("settings")
        self.assertIn('"subdirectory": "jobs/data"', settings)
        self.assertIn('"account-name": "acct"', settings)

    def fifo(self) -> str:
        os.mkfifo(self.path("go"))
        return self.path("go")

    def let_go(self) -> None:
        with open(self.path("go"), "w", encoding="utf-8") as file:
            file.write("go\n")


class AddressTest(unittest.TestCase):
    def test_azure_has_the_account_in_the_host_and_azurite_in_the_path(self) -> None:
        azure = blobs.Container("https://acct.blob.core.windows.net/box/a%20b/c", "?sig=x")
        self.assertEqual(("acct", "box", "a b/c"), (azure.account, azure.container, azure.name))
        azurite = blobs.Container("http://127.0.0.1:10000/acct/box", "?sig=x")
        self.assertEqual(("acct", "box", ""), (azurite.account, azurite.container, azurite.name))
        self.assertEqual("http://127.0.0.1:10000/acct/box/n", azurite.where("n"))

    def test_an_address_without_a_container_is_refused(self) -> None:
        for url in ("https://acct.blob.core.windows.net/", "http://127.0.0.1:1/acct", "ftp://a/b/c"):
            with self.assertRaises(blobs.BlobError):
                blobs.Container(url, "")


class AzuriteTest(Folders, NodeCase):
    def setUp(self) -> None:
        super().setUp()
        assert os.path.exists(AZURITE), "there is no Azurite in .build; ./check installs it"
        (port,) = free_ports(1)
        words = [shutil.which("node") or "node", AZURITE, "--silent", "--skipApiVersionCheck"]
        words += ["--blobPort", str(port), "--location", self.path("azurite")]
        # Its last words go elsewhere: this test has no use for them.
        server = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        self.host = "127.0.0.1:%d" % port
        self.url = "http://%s/%s/box" % (self.host, ACCOUNT)
        self.sas = "?" + urllib.parse.urlencode(self.signed())
        self.eventually("Azurite listens", self.makes_container)

    @staticmethod
    def signed() -> Dict[str, str]:
        """An account's signature, good for everything but deleting."""
        fields = {"sp": "rwlacu", "ss": "b", "srt": "sco", "se": "2099-01-01T00:00:00Z", "sv": "2019-12-12"}
        text = "\n".join([ACCOUNT, fields["sp"], fields["ss"], fields["srt"], "", fields["se"], "", "", fields["sv"], ""])
        code = hmac.new(base64.b64decode(KEY), text.encode("utf-8"), hashlib.sha256).digest()
        return dict(fields, sig=base64.b64encode(code).decode("ascii"))

    def makes_container(self) -> bool:
        try:
            connection = http.client.HTTPConnection(self.host)
            connection.request("PUT", "/%s/box?restype=container&%s" % (ACCOUNT, self.sas[1:]), b"")
            return connection.getresponse().status == 201
        except OSError:
            return False

    def put(self, name: str, content: bytes) -> None:
        path = self.path("sent")
        with open(path, "wb") as file:
            file.write(content)
        blobs.Container(self.url, self.sas).store(path, name)

    def get(self, name: str) -> Optional[bytes]:
        path = self.path("fetched")
        blobs.Container(self.url, self.sas).fetch(name, path)
        with open(path, "rb") as file:
            return file.read()

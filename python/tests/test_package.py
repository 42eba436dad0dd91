"""The package as people install it: `pip install ./python`, and the wheel of `./build --wheel`."""

import base64
import csv
import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile
from typing import List

import pack
from support import EXAMPLES, LIBRARY

CHECKOUT = os.path.dirname(LIBRARY)


class PackageTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.realpath(folder.name)

    def run_alone(self, *command: str) -> str:
        """Runs a command in the test's folder, where nothing leads to the library's sources."""
        done = subprocess.run(
            command,
            cwd=self.folder,
            env={"HOME": self.folder, "PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            universal_newlines=True,
        )
        self.assertEqual(0, done.returncode, done.stdout)
        return done.stdout

    def environment(self, *options: str) -> str:
        """The Python of a new virtual environment."""
        self.run_alone(sys.executable, "-m", "venv", *options, os.path.join(self.folder, "env"))
        return os.path.join(self.folder, "env", "bin", "python")

    def try_out(self, python: str) -> None:
        where = self.run_alone(python, "-c", "import fairlead, kubernetesdlprofile; print(fairlead.__path__[0])").strip()
        self.assertTrue(where.startswith(os.path.join(self.folder, "env")), where)
        self.assertTrue(os.path.exists(os.path.join(where, "py.typed")))
        version = "from importlib.metadata import metadata; print(metadata('fairlead')['Requires-Python'])"
        self.assertEqual(">=3.8\n", self.run_alone(python, "-c", version))
        self.run_alone(python, "-c", "from fairlead import Job, Training, jobs, mirror, submit")
        for name in ("plain_loop.py", "published_names.py", "long_epochs.py"):
            self.run_alone(python, os.path.join(EXAMPLES, name), "--step-seconds", "0")

    def test_pip_installs_it_from_the_checkout_without_a_network(self) -> None:
        python = self.environment()
        before = self.tree()
        self.run_alone(python, "-m", "pip", "install", "--no-index", "--disable-pip-version-check", LIBRARY)
        self.assertEqual(before, self.tree(), "nothing is left behind in the checkout")
        self.try_out(python)

    def tree(self) -> List[str]:
        found = []
        for root, _, names in os.walk(LIBRARY):
            if "__pycache__" not in root and os.path.join(LIBRARY, "target") not in root:
                found += [os.path.join(root, name) for name in names]
        return sorted(found)

    def test_the_wheel_of_the_build_is_whole_and_works_where_it_is_unpacked(self) -> None:
        build = shutil.copytree(LIBRARY, os.path.join(self.folder, "python"), ignore=shutil.ignore_patterns("target"))
        for name in ("build", "LICENSE"):
            shutil.copy(os.path.join(CHECKOUT, name), self.folder)
        said = self.run_alone("sh", os.path.join(self.folder, "build"), "--wheel").strip()
        self.assertEqual(os.path.join(self.folder, ".build"), os.path.dirname(said))
        shutil.rmtree(build)
        python = self.environment("--without-pip")
        site = self.run_alone(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
        with zipfile.ZipFile(said) as wheel:
            wheel.extractall(site)
            info = os.path.basename(said)[: -len("-py3-none-any.whl")] + ".dist-info/"
            record = list(csv.reader(io.StringIO(wheel.read(info + "RECORD").decode())))
            self.assertEqual(sorted(wheel.namelist()), sorted(name for name, _, _ in record))
            for name, digest, size in record:
                if name != info + "RECORD":
                    content = wheel.read(name)
                    self.assertEqual(str(len(content)), size, name)
                    code = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
                    self.assertEqual("sha256=" + code, digest, name)
        self.try_out(python)

    def test_every_module_is_in_it_and_the_same_sources_make_the_same_bytes(self) -> None:
        wheels = []
        for _ in range(2):
            folder = tempfile.mkdtemp(dir=self.folder)
            with open(os.path.join(folder, pack.build_wheel(folder)), "rb") as file:
                wheels.append(file.read())
        self.assertEqual(wheels[0], wheels[1])
        with zipfile.ZipFile(io.BytesIO(wheels[0])) as wheel:
            packed = {name for name in wheel.namelist() if ".dist-info/" not in name}
        sources = set()
        for package in ("fairlead", "kubernetesdlprofile"):
            for root, _, names in os.walk(os.path.join(LIBRARY, package)):
                if "__pycache__" not in root:
                    sources |= {os.path.relpath(os.path.join(root, name), LIBRARY) for name in names}
        self.assertEqual(sources, packed)

    def test_an_archive_of_the_sources_makes_the_same_wheel(self) -> None:
        with tarfile.open(os.path.join(self.folder, pack.build_sdist(self.folder))) as archive:
            archive.extractall(self.folder)
        base = os.path.join(self.folder, "fairlead-0.1.0")
        again = self.run_alone(sys.executable, os.path.join(base, "pack.py"), self.folder).strip()
        other = tempfile.mkdtemp(dir=self.folder)
        with open(again, "rb") as file, open(os.path.join(other, pack.build_wheel(other)), "rb") as expected:
            self.assertEqual(expected.read(), file.read())

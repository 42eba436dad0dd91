#!/usr/bin/env python3
"""Makes what is released, out of a build: './build --image' calls it.

    deploy/image.py BUILD JAVA [--deb] [--like ARCHIVE]      BUILD is the folder .build, JAVA the home of the JDK that it was made with

The folder BUILD/image/fairlead runs where there is no Java and no network. Its archive, and with --deb the Debian package,
are the same bytes whenever they are made of one commit with one JDK and the same lists of classes: files have the time of the
commit. The lists say what the caches of classes hold. A rehearsal makes them, in which a busy machine loads a few classes
more or less; an archive has its own in lib/*.classes, and --like takes them from there.
"""

import gzip
import hashlib
import io
import lzma
import os
import re
import shutil
import stat
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
KINDS = {"x86_64": ("linux-x64", "amd64"), "aarch64": ("linux-arm64", "arm64")}
JAVA_LEAST = "25"

# Each program: its class path, as folders of lib.
PROGRAMS = {"cli": ["cli"], "server": ["server", "cli"], "transfer": ["transfer", "cli"]}

# Which of them have a cache; one that is linked is much faster for a command, and no faster for a server.
CACHES = ("cli", "server")
LINKED = ("cli",)

# HDFS would nearly double the image: docs/operations.md says how to add it. The plugin is for a framework that is not there.
LEFT_OUT = re.compile("^hdfs$|^yarn$|^azureml$|^avaje-jsonb-inject-plugin-")

# Of Bouncy Castle we call its own interfaces. Those for Java's, and the signature that Java asks of such providers, are half of it.
PROVIDER = re.compile("org/bouncycastle/(jce|jcajce|x509|pqc/jcajce)/|META-INF/(versions|services)/|META-INF/BC")

# Where shells look for what the tab key does: all are three folders deep, as man pages are.
COMPLETIONS = {
    "bash": "share/bash-completion/completions/fairlead",
    "zsh": "share/zsh/vendor-completions/_fairlead",
    "fish": "share/fish/vendor_completions.d/fairlead.fish",
}

# Java's graphics: what names them here is beans, which nothing here reads.
UNUSED_MODULES = {"java.desktop"}

# As in ./build: the heap may grow to a quarter of the machine's memory, and to 4 GiB at most.
OPTIONS = (
    "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:MaxRAM=16g -XX:MaxRAMPercentage=25 -Xms48m -XX:NewSize=24m"
    " -XX:MinHeapFreeRatio=20 -XX:MaxHeapFreeRatio=40 -XX:-UsePerfData -Xlog:disable --enable-native-access=ALL-UNNAMED"
    " -XX:+UnlockDiagnosticVMOptions -XX:ArchiveRelocationMode=0"
)
COMMAND_OPTIONS = ["-Xmx256m", "-XX:CompileThresholdScaling=30"]

# Lambdas of the server: which of them are used depends on how long jobs take.
BY_CHANCE = re.compile("^@lambda-proxy fairlead/")

# Resolved by one thread, and so the same in every run.
OWN = re.compile("^@cp (fairlead|io/avaje)/")

PAGE = 4096
CHANGED_MAX = 1000
REHEARSAL_SECONDS_MAX = 120


def fail(problem):
    sys.exit("fairlead: the image failed: " + problem)


def run(*words, **options):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)
    if done.returncode:
        fail("%s ended with %d: %s" % (" ".join(words)[:200], done.returncode, done.stdout[-2000:]))
    return done.stdout


def commit_time():
    said = os.environ.get("SOURCE_DATE_EPOCH")
    git = ["git", "-C", ROOT, "log", "-1", "--format=%ct"]
    return int(said or subprocess.run(git, stdout=subprocess.PIPE, text=True, check=False).stdout.strip() or 1767225600)


def version():
    with open(os.path.join(ROOT, "pom.xml"), encoding="utf-8") as pom:
        return re.search("<version>(.*?)</version>", pom.read())[1]


class Image:
    """The folder, while it is being made."""

    def __init__(self, build, java, like):
        with open(os.path.join(build, "current"), encoding="utf-8") as current:
            self.dist = current.read().strip()
        self.build, self.java, self.like, self.epoch, self.version = build, java, like, commit_time(), version()
        self.place = os.path.join(build, "image", "fairlead")
        self.lib = os.path.join(self.place, "lib")
        self.machine = os.uname().machine
        if self.machine not in KINDS or os.uname().sysname != "Linux":
            fail("it is made on Linux for x86_64 and aarch64, not for " + self.machine)
        self.kind, self.architecture = KINDS[self.machine]

    def make(self):
        shutil.rmtree(os.path.dirname(self.place), ignore_errors=True)
        os.makedirs(self.lib)
        self.copy_jars()
        self.link_runtime()
        self.copy_scripts()
        self.set_times()
        self.make_caches()
        self.set_times()

    # Jars

    def copy_jars(self):
        """Each jar once: the class paths of the other programs have the command's too."""
        for name, folders in PROGRAMS.items():
            os.mkdir(os.path.join(self.lib, name))
            for jar in sorted(os.listdir(os.path.join(self.dist, "lib", name))):
                has_it = any(os.path.exists(os.path.join(self.lib, folder, jar)) for folder in folders)
                if not has_it and not LEFT_OUT.search(jar):
                    self.repack(os.path.join(self.dist, "lib", name, jar), os.path.join(self.lib, name, jar))
        for name, folders in PROGRAMS.items():
            jars = [f"{folder}/{jar}" for folder in folders for jar in sorted(os.listdir(os.path.join(self.lib, folder)))]
            self.name_jars(os.path.join(self.lib, name + ".jar"), jars)

    def repack(self, jar, to):
        """In order, of one time and not compressed: all together is compressed better, and Java has less to do."""
        with zipfile.ZipFile(jar) as old, zipfile.ZipFile(to, "w") as new:
            for name in sorted(old.namelist()):
                if not name.endswith("/") and self.wants(os.path.basename(jar), name):
                    new.writestr(self.entry(name), old.read(name))

    def wants(self, jar, name):
        if jar.startswith("bcprov-"):
            return not PROVIDER.match(name)
        native = "org/sqlite/native/"
        return not (jar.startswith("sqlite-") and name.startswith(native)) or name.startswith(f"{native}Linux/{self.machine}/")

    def entry(self, name):
        entry = zipfile.ZipInfo(name, time.gmtime(self.epoch)[:6])
        entry.external_attr = 0o644 << 16
        return entry

    def name_jars(self, to, jars):
        """A jar that only names others, so that the order of the class path is everywhere that of the caches."""
        line = "Class-Path: " + " ".join(jars)
        rest = [line[at : at + 71] for at in range(72, len(line), 71)]
        manifest = "\r\n ".join([line[:72], *rest])
        with zipfile.ZipFile(to, "w") as new:
            new.writestr(self.entry("META-INF/MANIFEST.MF"), f"Manifest-Version: 1.0\r\n{manifest}\r\n\r\n")

    # Java

    def link_runtime(self):
        jars = [os.path.join(folder, jar) for folder, _, files in os.walk(self.lib) for jar in files if folder != self.lib]
        tool = os.path.join(self.java, "bin", "jdeps")
        words = [tool, "--ignore-missing-deps", "--print-module-deps", "--multi-release", JAVA_LEAST, *sorted(jars)]
        modules = sorted(set(run(*words).split()[-1].split(",")) - UNUSED_MODULES)
        runtime = os.path.join(self.place, "runtime")
        tool = os.path.join(self.java, "bin", "jlink")
        cut = ["--strip-debug", "--no-header-files", "--no-man-pages", "--compress", "zip-0", "--vm", "server"]
        run(tool, "--add-modules", ",".join(modules), *cut, "--add-options", OPTIONS, "--output", runtime)
        # A fifth of the virtual machine is a table of symbols.
        if shutil.which("strip"):
            run("strip", "--strip-unneeded", os.path.join(runtime, "lib", "server", "libjvm.so"))

    def program(self, name, *options):
        return [os.path.join(self.place, "runtime/bin/java"), *options, "-cp", os.path.join(self.lib, name + ".jar")]

    def make_caches(self):
        self.list_classes()
        with tempfile.TemporaryDirectory() as work:
            for name in CACHES:
                file = os.path.join(self.lib, name + ".classes")
                options = [*COMMAND_OPTIONS, "-XX:+AOTClassLinking"] if name in LINKED else []
                dumps = [os.path.join(work, f"{name}.{round}.jsa") for round in range(2)]
                for dump in dumps:
                    run(*self.program(name, *options, "-Xshare:dump", "-XX:SharedClassListFile=" + file, "-XX:SharedArchiveFile=" + dump))
                with open(os.path.join(self.lib, name + ".jsa"), "wb") as cache:
                    cache.write(without_times(*dumps))

    def list_classes(self):
        """Two rehearsals show which classes the command and the server load: those that both have loaded."""
        if self.like:
            with tarfile.open(self.like) as archive:
                lists = {name: archive.extractfile(f"fairlead/lib/{name}.classes").read() for name in CACHES}
        else:
            with tempfile.TemporaryDirectory() as work:
                seen = [self.rehearse(os.path.join(work, str(round))) for round in range(2)]
                lists = {name: in_order([read_classes(each[name]) for each in seen], name in LINKED) for name in CACHES}
        for name, content in lists.items():
            with open(os.path.join(self.lib, name + ".classes"), "wb") as file:
                file.write(content)

    def rehearse(self, home):
        os.mkdir(home)
        lists = {name: os.path.join(home, name + ".classes") for name in CACHES}
        option = "-XX:DumpLoadedClassList="
        server = self.program("server", option + lists["server"])
        with subprocess.Popen([*server, "fairlead.server.Main", "--home", home, "--gpus", "2"]) as process:
            try:
                until = time.monotonic() + REHEARSAL_SECONDS_MAX
                # What a command does while there is no server yet is up to chance.
                while not os.path.exists(os.path.join(home, "server.json")) and time.monotonic() < until:
                    time.sleep(0.1)
                command = self.program("cli", *COMMAND_OPTIONS, option + lists["cli"])
                environment = dict(os.environ, FAIRLEAD_HOME=home)
                run(*command, "fairlead.cli.CommandCacheRehearsal", env=environment, timeout=REHEARSAL_SECONDS_MAX)
                process.wait(REHEARSAL_SECONDS_MAX)
            except subprocess.TimeoutExpired as slow:
                fail(str(slow)[-300:])
            finally:
                process.kill()
        return lists

    # The rest

    def copy_scripts(self):
        scripts = os.path.join(ROOT, "bin")
        for script in os.listdir(scripts):
            shutil.copy(os.path.join(scripts, script), self.place)
        shutil.copy(os.path.join(ROOT, "LICENSE"), self.place)
        pages = os.path.join(self.place, "share/man/man1")
        run(*self.program("cli"), "fairlead.cli.ManPages", pages, self.version)
        for shell, path in COMPLETIONS.items():
            os.makedirs(os.path.join(self.place, os.path.dirname(path)))
            script = subprocess.check_output([*self.program("cli"), "fairlead.cli.Main", "completion", shell], text=True)
            if shell == "zsh":  # It reads the file as the body of the function, at the first use of it.
                script = f'#compdef fairlead\n{script}_fairlead "$@"\n'
            with open(os.path.join(self.place, path), "w", encoding="utf-8") as file:
                file.write(script)
        with open(os.path.join(self.place, "release"), "w", encoding="utf-8") as release:
            release.write(f"{self.version} {self.kind}\n")

    def set_times(self):
        """Java takes a cache for stale if a jar's time is another, so all have one that archives keep."""
        for folder, _, files in os.walk(self.place):
            for path in [folder, *(os.path.join(folder, file) for file in files)]:
                os.utime(path, (self.epoch, self.epoch))

    # What is released

    def archive(self):
        path = os.path.join(self.build, f"fairlead-{self.version}-{self.kind}.tar.gz")
        packed = io.BytesIO()
        with gzip.GzipFile("", "wb", 9, packed, 0) as file:
            file.write(self.tar({"fairlead": self.place}))
        write(path, packed.getvalue())
        return path

    def tar(self, places, links=()):
        """Folders and files by their paths in the archive, and links as (path, target)."""
        entries = {}
        for name, place in places.items():
            for folder, folders, files in os.walk(place):
                for each in ["", *folders, *files]:
                    path = os.path.join(folder, each) if each else folder
                    entries[os.path.normpath(os.path.join(name, os.path.relpath(path, place)))] = path
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as tar:
            for name in sorted(entries):
                entry = self.tar_entry(("./" if name.startswith("usr") else "") + name)
                status = os.stat(entries[name])
                if stat.S_ISDIR(status.st_mode):
                    entry.type, entry.mode = tarfile.DIRTYPE, 0o755
                    tar.addfile(entry)
                else:
                    entry.mode, entry.size = 0o755 if status.st_mode & 0o111 else 0o644, status.st_size
                    with open(entries[name], "rb") as file:
                        tar.addfile(entry, file)
            for name, target in links:
                entry = self.tar_entry(name)
                entry.type, entry.mode, entry.linkname = tarfile.SYMTYPE, 0o777, target
                tar.addfile(entry)
        return packed.getvalue()

    def tar_entry(self, name):
        entry = tarfile.TarInfo(name)
        entry.mtime, entry.uname, entry.gname = self.epoch, "root", "root"
        return entry

    def deb(self):
        """As dpkg-deb writes it: an ar archive of three members."""
        path = os.path.join(self.build, f"fairlead_{self.version}_{self.architecture}.deb")
        with tempfile.TemporaryDirectory() as work:
            usr, control = os.path.join(work, "usr"), os.path.join(work, "control")
            shutil.copytree(self.place, os.path.join(usr, "lib/fairlead"))
            shutil.move(os.path.join(usr, "lib/fairlead/share"), os.path.join(usr, "share"))
            os.makedirs(os.path.join(usr, "share/doc/fairlead"))
            shutil.move(os.path.join(usr, "lib/fairlead/LICENSE"), os.path.join(usr, "share/doc/fairlead/copyright"))
            os.mkdir(os.path.join(usr, "bin"))
            os.makedirs(os.path.join(usr, "lib/systemd/system"))
            shutil.copy(os.path.join(ROOT, "deploy/fairlead.service"), os.path.join(usr, "lib/systemd/system"))
            os.mkdir(control)
            files = sorted(os.path.join(folder, file) for folder, _, names in os.walk(usr) for file in names)
            with open(os.path.join(control, "md5sums"), "w", encoding="utf-8") as sums:
                for file in files:
                    with open(file, "rb") as content:
                        sums.write(f"{hashlib.file_digest(content, 'md5').hexdigest()}  {os.path.relpath(file, work)}\n")
            size = sum(os.path.getsize(file) for file in files) // 1024
            with open(os.path.join(control, "control"), "w", encoding="utf-8") as text:
                text.write(CONTROL.format(version=self.version, architecture=self.architecture, size=size))
            data = self.tar({"usr": usr}, [("./usr/bin/fairlead", "../lib/fairlead/fairlead")])
            members = [
                ("debian-binary", b"2.0\n"),
                ("control.tar.xz", lzma.compress(self.tar({".": control}))),
                ("data.tar.xz", lzma.compress(data)),
            ]
        packed = b"!<arch>\n"
        for name, content in members:
            packed += f"{name:<16}{self.epoch:<12}{0:<6}{0:<6}{'100644':<8}{len(content):<10}`\n".encode() + content
            packed += b"\n" * (len(content) % 2)
        write(path, packed)
        return path


CONTROL = """Package: fairlead
Version: {version}
Architecture: {architecture}
Maintainer: the Fairlead project
Installed-Size: {size}
Depends: libc6 (>= 2.34)
Recommends: man-db
Section: science
Priority: optional
Description: deep-learning jobs on shared GPUs
 You hand it a command; it finds the GPUs, runs the command when they are
 free, keeps its log and its exit code, and says why when you have to wait.
 .
 With a Java runtime of its own.
"""


def read_classes(file):
    """Each line of Java's list of classes without numbers of its own; of constant pools, the entries that were resolved."""
    lines = {}
    with open(file, encoding="utf-8") as text:
        for line in text:
            line = re.sub(" id: \\d+$", "", line.rstrip("\n"))
            if line.startswith("@cp "):
                _, name, *entries = line.split(" ")
                lines["@cp " + name] = set(entries)
            elif not line.startswith("#") and " source: " not in line:
                lines[line] = set()
    return lines


def in_order(seen, is_linked):
    """What all have, sorted: the order in which threads come to load classes changes from run to run."""
    lines = []
    for line in set.intersection(*(set(lines) for lines in seen)):
        if line.startswith("@cp "):
            entries = sorted(set.intersection(*(lines[line] for lines in seen)), key=int)
            if is_linked and entries and OWN.match(line):
                lines.append(" ".join([line, *entries]))
        elif is_linked or not BY_CHANCE.match(line):
            lines.append(line)
    # A class before what is said of it.
    lines.sort(key=lambda line: (line.startswith("@"), line))
    return "".join(line + "\n" for line in lines).encode()


def without_times(one, other):
    """Two caches of one list differ in when soft references were used, and in the sums of that, which Java does not check unless asked to."""
    with open(one, "rb") as first, open(other, "rb") as second:
        a, b = bytearray(first.read()), second.read()
    if len(a) != len(b):
        fail("two caches of one list have different sizes")
    changed = 0
    for start in range(0, len(a), PAGE):
        # Sums are in the header.
        step = 8 if start else 4
        if a[start : start + PAGE] != b[start : start + PAGE]:
            for at in range(start, min(start + PAGE, len(a)), step):
                if a[at : at + step] != b[at : at + step]:
                    a[at : at + step] = bytes(step)
                    changed += 1
    if changed > CHANGED_MAX:
        fail(f"two caches of one list differ in {changed} places")
    return a


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)
    with open(path + ".sha256", "w", encoding="utf-8") as file:
        file.write(f"{hashlib.sha256(content).hexdigest()}  {os.path.basename(path)}\n")


def try_archive(path):
    """As on another machine: unpacked elsewhere, where it was made is gone, no variable, no Java, an empty home."""
    with tempfile.TemporaryDirectory() as work:
        run("tar", "-C", work, "-xzf", path)
        launcher = os.path.join(work, "fairlead/fairlead")
        tools = os.path.join(work, "path")
        os.mkdir(tools)
        for tool in ("sh", "echo"):
            os.symlink(shutil.which(tool), os.path.join(tools, tool))
        environment = {"HOME": os.path.join(work, "home"), "PATH": tools}
        os.mkdir(environment["HOME"])
        try:
            said = run(launcher, "run", "echo", "hi", env=environment, cwd="/")
            if said.split("\n")[-2:] != ["hi", ""]:
                fail("a job printed " + said)
            run(launcher, "help", "scheduling", env=environment, cwd="/")
        finally:
            subprocess.run([launcher, "server", "stop"], env=environment, stdout=subprocess.DEVNULL, check=False)
        lib = os.path.join(work, "fairlead/lib")
        for name in CACHES:
            # Refuses to start where the cache does not fit.
            java = [os.path.join(work, "fairlead/runtime/bin/java"), "-Xshare:on", f"-XX:SharedArchiveFile={lib}/{name}.jsa"]
            run(*java, "-Xlog:all=error", "-cp", f"{lib}/{name}.jar", "fairlead.cli.Main", "help")


def main():
    build, java, *flags = sys.argv[1:]
    like = flags[flags.index("--like") + 1] if "--like" in flags else None
    print("fairlead: making the image...", file=sys.stderr)
    image = Image(build, java, like)
    image.make()
    made = [image.archive()]
    # A class of a cache remembers where its jar was, so that place must not be there.
    away = image.place + ".away"
    os.rename(image.place, away)
    try:
        try_archive(made[0])
    finally:
        os.rename(away, image.place)
    if "--deb" in flags:
        made.append(image.deb())
    for path in made:
        print(f"{path}: {os.path.getsize(path) / 2**20:.1f} MiB")


if __name__ == "__main__":
    main()

package fairlead.engines.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import fairlead.engines.local.linux.Accounts;
import fairlead.engines.local.linux.Libc;
import fairlead.engines.local.linux.MountScript;
import fairlead.engines.local.linux.Mounts;
import fairlead.job.Container;
import fairlead.job.Container.Mount;
import fairlead.job.Container.Port;
import fairlead.job.Effect;
import fairlead.job.Job;
import fairlead.job.JobSpec;
import fairlead.job.Role;
import fairlead.job.TaskId;
import fairlead.testing.Root;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.locks.LockSupport;

/** What an engine without containers makes of what a spec says about one. */
class ContainerTest {
    private static final TaskId MAIN = new TaskId(Role.MAIN, 0);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String OTHER = "nobody";

    @TempDir Path home;
    @TempDir Path folder;
    private LocalEngine engine;

    @AfterEach
    void close() throws Exception {
        for (var seen : engine.observe()) engine.forget(seen.attempt());
        engine.close();
    }

    /** A machine whose kernel refuses every namespace. */
    private LocalEngine closedMachine() throws Exception {
        Path no = Path.of("/bin/false");
        return machine(Optional.of(new MountScript(no, no, no, no)));
    }

    private LocalEngine machine(Optional<MountScript> script) throws Exception {
        return LocalEngine.open(
                LocalSettings.at(home),
                new Facilities(Optional.empty(), new Mounts(script), List.of(), Optional::empty));
    }

    private LocalEngine machine() throws Exception {
        return LocalEngine.open(LocalSettings.at(home));
    }

    @Test
    void aMachineWithoutNamespacesRefusesMountsAndSaysWhatToSetInstead() throws Exception {
        engine = closedMachine();
        var launch = launch(mounts("/custom", "/snapshots"), Optional.empty(), "echo ran");
        assertEquals(
                Optional.of(
                        "this machine allows no mount namespaces (exit code 1), so /custom,"
                            + " /snapshots cannot be given; use paths of the machine: --workdir DIR"
                            + " for the code, FAIRLEAD_SNAPSHOTS=DIR for checkpoints"),
                engine.refuses(launch.job().spec()));
        engine.launch(launch);
        assertEquals(OptionalInt.of(126), exit(launch));
        assertTrue(log(launch).startsWith("fairlead: this machine allows no mount namespaces"));
        assertFalse(log(launch).contains("ran"));
    }

    @Test
    void aMachineWithoutTheProgramsSaysWhichAreNeeded() throws Exception {
        engine = machine(Optional.empty());
        var spec = launch(mounts("/custom"), Optional.empty(), "true").job().spec();
        assertTrue(engine.refuses(spec).orElseThrow().contains("util-linux"));
    }

    @Test
    void aMachineWithoutNamespacesRunsEverythingElse() throws Exception {
        engine = closedMachine();
        var launch = launch(Container.NONE, Optional.empty(), "echo ran");
        assertEquals(Optional.empty(), engine.refuses(launch.job().spec()));
        engine.launch(launch);
        assertEquals(OptionalInt.of(0), exit(launch));
    }

    @Test
    void aPortOfTheTaskIsThatOfTheMachine() throws Exception {
        engine = machine();
        var equal = new Container(Optional.empty(), List.of(), List.of(new Port(6006, 6006)));
        assertEquals(Optional.empty(), engine.refuses(spec(equal)));
        var ports = List.of(new Port(6006, 6006), new Port(8888, 80));
        assertEquals(
                Optional.of(
                        "port 8888 cannot lead to port 80 of the task: without containers a task's"
                                + " ports are the machine's, so both must be the same, such as"
                                + " 80:80"),
                engine.refuses(spec(new Container(Optional.empty(), List.of(), ports))));
    }

    @Test
    void anImageIsIgnoredWithANote() throws Exception {
        engine = machine();
        var plain = spec(Container.NONE);
        var imaged = spec(new Container(Optional.of("lab/torch:2"), List.of(), List.of()));
        assertEquals(engine.notes(), engine.notes(plain));
        assertEquals(Optional.empty(), engine.refuses(imaged));
        var notes = engine.notes(imaged);
        assertEquals(
                "image lab/torch:2 is ignored: this cluster runs without containers",
                notes.getLast());
        assertEquals(engine.notes(), notes.subList(0, notes.size() - 1));
    }

    @Test
    void detailsThatOnlyContainersNeedArePassedOverWithNotes() throws Exception {
        engine = machine();
        var details =
                Container.Details.of(
                        edit -> {
                            edit.podName = Optional.of("ann-1");
                            edit.shmBytes = 8L << 30;
                            edit.pullPolicy = Optional.of(Container.PullPolicy.ALWAYS);
                            edit.pullSecrets = List.of("registry");
                            edit.service = Container.Service.NODE_PORT;
                            edit.stdin = true;
                            edit.tty = true;
                            edit.hostIpc = true;
                            edit.hostNetwork = true;
                        });
        var spec = spec(new Container(Optional.empty(), List.of(), List.of(), details));
        assertEquals(Optional.empty(), engine.refuses(spec));
        var notes = engine.notes(spec);
        assertEquals(
                List.of(
                        "tty is ignored: a task of this cluster has no terminal of its own;"
                                + " 'fairlead bash' opens one beside it",
                        "not needed here, as tasks run on the machine itself: shm,"
                                + " pullPolicy, pullSecrets, service, hostIpc, hostNetwork"),
                notes.subList(engine.notes().size(), notes.size()));
    }

    @Test
    void aTaskOfAnotherAccountMountsWhatItMaySeeAndStaysThatAccount() throws Exception {
        engine = machine();
        assumeRoot();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        var mount = new Mount(folder.toString(), "/custom", false);
        var container = new Container(Optional.empty(), List.of(mount), List.of());
        var launch = launch(container, Optional.of(OTHER), "id -un; pwd; echo $X >/custom/file");
        if (isRefusedWhereItMustBe(launch.job().spec())) return;
        engine.launch(launch);
        assertEquals(OptionalInt.of(0), exit(launch));
        assertEquals(OTHER + "\n/\n", log(launch));
        Path written = folder.resolve("file");
        assertEquals("it's $X\n", Files.readString(written));
        int uid = Accounts.find(OTHER).orElseThrow().uid();
        assertEquals(uid, Files.getAttribute(written, "unix:uid"));
    }

    @Test
    void aTaskOfAnotherAccountCannotMountWhatItMayNotSee() throws Exception {
        engine = machine();
        assumeRoot();
        Path secret = Files.createDirectory(folder.resolve("secret"));
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        var mount = new Mount(secret.toString(), "/custom", false);
        var container = new Container(Optional.empty(), List.of(mount), List.of());
        var launch = launch(container, Optional.of(OTHER), "echo ran");
        if (isRefusedWhereItMustBe(launch.job().spec())) return;
        engine.launch(launch);
        assertEquals(OptionalInt.of(126), exit(launch));
        assertEquals(
                "fairlead: cannot mount "
                        + secret
                        + " at /custom: there is no such folder, or it may not be seen\n",
                log(launch));
    }

    private boolean isRefusedWhereItMustBe(JobSpec spec) throws Exception {
        var refusal = engine.refuses(spec);
        assertEquals(!Root.mayMount(OTHER), refusal.isPresent(), refusal::toString);
        return refusal.isPresent();
    }

    private static void assumeRoot() {
        assumeTrue(
                Libc.effectiveUser() == 0, "not root: only root can run tasks as another account");
    }

    private Container mounts(String... targets) {
        var mounts =
                List.of(targets).stream()
                        .map(target -> new Mount(folder.toString(), target, false))
                        .toList();
        return new Container(Optional.empty(), mounts, List.of());
    }

    private static JobSpec spec(Container container) {
        return launch(container, Optional.empty(), "true").job().spec();
    }

    private static Effect.Launch launch(
            Container container, Optional<String> account, String script) {
        var id = CrashingServer.job(script.hashCode());
        var plain = Jobs.single(id, "/", List.of("/bin/sh", "-c", script));
        var spec = plain.job().spec();
        var own =
                spec.with(
                        edit -> {
                            edit.environment = Map.of("X", "it's $X");
                            edit.user = account;
                            edit.container = container;
                        });
        var job =
                Job.submitted(
                        id, own, "me", plain.job().submitted(), Optional.empty(), Optional.empty());
        return new Effect.Launch(job, plain.place());
    }

    private OptionalInt exit(Effect.Launch launch) throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() - deadline < 0) {
            for (var seen : engine.observe()) {
                boolean isIt = seen.attempt().equals(launch.attempt());
                if (isIt && seen.exits().containsKey(MAIN)) return seen.exits().get(MAIN).code();
            }
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
        throw new AssertionError("never ended: " + launch.attempt());
    }

    private String log(Effect.Launch launch) throws Exception {
        return new String(
                engine.log(launch.attempt(), MAIN).read(0, 1 << 20), StandardCharsets.UTF_8);
    }
}

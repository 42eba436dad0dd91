package fairlead.engines.local.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.job.Resources;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** What is written where, on a plain folder that looks like a mount of version 2. */
class CgroupsTest {
    @TempDir Path mount;

    @Test
    void theNearestGroupThatHandsDownBothControllersIsUsed() throws Exception {
        group("", "cpu memory pids");
        group("user.slice", "memory");
        group("user.slice/session", "");
        var found = Cgroups.find(mount, "0::/user.slice/session\n");
        assertEquals(Optional.of(new Cgroups(mount.resolve("fairlead"))), found);
        assertEquals("+cpu +memory", read("fairlead/cgroup.subtree_control"));
    }

    @Test
    void aDelegatedGroupIsLeftByTheServerSoThatItCanHandDown() throws Exception {
        group("", "");
        group("unit", "");
        Files.writeString(mount.resolve("unit/cgroup.controllers"), "cpu memory pids\n");
        Cgroups.find(mount, "0::/unit\n");
        long self = ProcessHandle.current().pid();
        assertEquals(Long.toString(self), read("unit/fairlead-server/cgroup.procs"));
        assertEquals("+cpu +memory", read("unit/cgroup.subtree_control"));
    }

    @Test
    void withoutVersionTwoThereAreNoLimits() throws Exception {
        assertEquals(Optional.empty(), Cgroups.find(mount, "4:memory:/\n1:name=systemd:/\n"));
        group("", "pids");
        assertEquals(Optional.empty(), Cgroups.find(mount, "0::/\n"));
    }

    @Test
    void aGroupHoldsItsTaskToWhatItAskedFor() throws Exception {
        var cgroups = new Cgroups(mount);
        Path procs = cgroups.create("a.1.main-0", new Resources(0, 2, 1 << 20));
        assertEquals(mount.resolve("a.1.main-0/cgroup.procs"), procs);
        assertEquals("200000 100000", read("a.1.main-0/cpu.max"));
        assertEquals("1048576", read("a.1.main-0/memory.max"));
        assertEquals("1", read("a.1.main-0/memory.oom.group"));
        cgroups.create("a.1.main-0", new Resources(0, 2, 1 << 20));
    }

    @Test
    void whatIsNotAskedForIsNotLimited() throws Exception {
        new Cgroups(mount).create("a", new Resources(0, 1, 0));
        assertFalse(Files.exists(mount.resolve("a/memory.max")));
    }

    @Test
    void aKillForMemoryIsSeen() throws Exception {
        var cgroups = new Cgroups(mount);
        assertFalse(cgroups.ranOutOfMemory("a"));
        cgroups.create("a", new Resources(0, 1, 0));
        Files.writeString(mount.resolve("a/memory.events"), "oom 0\noom_kill 0\n");
        assertFalse(cgroups.ranOutOfMemory("a"));
        Files.writeString(mount.resolve("a/memory.events"), "oom 1\noom_kill 1\n");
        assertTrue(cgroups.ranOutOfMemory("a"));
    }

    private void group(String name, String handedDown) throws Exception {
        Path group = Files.createDirectories(mount.resolve(name));
        Files.writeString(group.resolve("cgroup.subtree_control"), handedDown + "\n");
        Files.writeString(group.resolve("cgroup.procs"), "");
    }

    private String read(String file) throws Exception {
        return Files.readString(mount.resolve(file));
    }
}

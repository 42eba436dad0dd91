package fairlead.server.openpai;

import static org.junit.jupiter.api.Assertions.assertEquals;

import fairlead.dialects.openpai.Invalid;
import fairlead.dialects.openpai.JobFile;
import fairlead.dialects.openpai.PaiSpec;
import fairlead.job.JobSpec;
import fairlead.server.TestEngine;
import fairlead.wire.Specs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;

/** The programs of a machine are files of a folder here. */
class SshNoteTest {
    @TempDir Path root;

    private void install(String program) throws IOException {
        Path file = root.resolve(program);
        Files.createDirectories(file.getParent());
        Files.createFile(
                file,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    }

    private static JobSpec spec() throws Invalid {
        return Specs.read(
                PaiSpec.of(JobFile.ofRequest(Pai.file("one", "")), "ann"),
                new Specs.Defaults("ann", "default", "/", false, "local"));
    }

    @Test
    void o79WhatTheMachineLacksIsNamed() throws Exception {
        var engine = new TestEngine(1);
        install("usr/bin/ssh");
        install("usr/bin/ssh-keygen");
        assertEquals(
                Optional.of(
                        "nobody can log in to its tasks by ssh: this machine has no /usr/sbin/sshd"
                                + " (OpenSSH)"),
                SshNote.of(spec(), engine, root));
        install("usr/sbin/sshd");
        assertEquals(Optional.empty(), SshNote.of(spec(), engine, root));
    }

    @Test
    void o79AnAccountWithoutAShellIsNamed() throws Exception {
        var engine = new TestEngine(1);
        for (String program : List.of("usr/bin/ssh", "usr/bin/ssh-keygen", "usr/sbin/sshd"))
            install(program);
        install("usr/sbin/nologin");
        install("bin/bash");
        String me = System.getProperty("user.name");
        for (String good : List.of("/bin/bash", "")) {
            shellOf(me, good);
            assertEquals(Optional.empty(), SshNote.of(spec(), engine, root), good);
        }
        for (String bad : List.of("/usr/sbin/nologin", "/bin/false", "/bin/gone")) {
            shellOf(me, bad);
            assertEquals(
                    Optional.of(
                            "nobody can log in to its tasks by ssh: the login shell of "
                                    + me
                                    + " is "
                                    + bad),
                    SshNote.of(spec(), engine, root));
        }
        shellOf("other", "/usr/sbin/nologin");
        assertEquals(Optional.empty(), SshNote.of(spec(), engine, root));
    }

    private void shellOf(String account, String shell) throws IOException {
        Path file = Files.createDirectories(root.resolve("etc")).resolve("passwd");
        Files.writeString(file, "daemon:x:1:1::/:/bin/false\n" + account + ":x:7:7::/:" + shell);
    }

    @Test
    void o79OtherJobsAndImagesAreNotJudged() throws Exception {
        var plain = spec().withoutImage("/").renamed("");
        assertEquals(Optional.empty(), SshNote.of(spec(), new TestEngine(1).runningImages(), root));
        assertEquals(true, SshNote.of(plain, new TestEngine(1), root).isPresent());
    }
}

package fairlead.server.openpai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

final class SshKeysTest {
    private static final String JOB = "mnist_1700000000_0a1b2c3d";
    private static final String OTHER = "mnist_1700000000_0a1b2c3e";

    @TempDir Path folder;

    @Test
    void o79EachJobHasAPairOfItsOwnThatARestartDoesNotChange() {
        var keys = new SshKeys("secret");
        assertEquals(keys.publicKey(JOB), new SshKeys("secret").publicKey(JOB));
        assertNotEquals(blob(keys, JOB), blob(keys, OTHER));
        assertNotEquals(blob(keys, JOB), blob(new SshKeys("another"), JOB));
        assertTrue(keys.publicKey(JOB).startsWith("ssh-ed25519 AAAA"), keys.publicKey(JOB));
    }

    private static String blob(SshKeys keys, String job) {
        return keys.publicKey(job).split(" ")[1];
    }

    /** Goal: OpenSSH itself reads the private key, and finds the same public one in it. */
    @Test
    void o77OpenSshReadsTheKeyFile() throws Exception {
        var keys = new SshKeys("secret");
        Path file = folder.resolve("key");
        Files.createFile(
                file,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, keys.privateKey(JOB));
        Process keygen =
                new ProcessBuilder("ssh-keygen", "-y", "-P", "", "-f", file.toString())
                        .redirectErrorStream(true)
                        .start();
        String said =
                new String(keygen.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertEquals(0, keygen.waitFor(), said);
        assertEquals(blob(keys, JOB), said.split(" ")[1], said);
    }
}

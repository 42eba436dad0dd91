package fairlead.engines.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.testing.Root;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;

/** An engine in a chroot: the file system of its home has no entry in the mount table there. */
class ChrootTest {
    /** Arguments: the new root, then the command. All folders of the machine are shown in it. */
    private static final String SHOW =
            """
            root=$1
            shift
            for each in /*; do
                if [ -L "$each" ]; then ln -s "$(readlink "$each")" "$root$each"
                elif [ -d "$each" ]; then mkdir "$root$each" && mount --rbind "$each" "$root$each"
                fi || exit 1
            done
            exec chroot "$root" "$@"
            """;

    @TempDir Path root;
    @TempDir Path folder;

    @Test
    void anEngineRunsTasksWhereTheMountTableDoesNotKnowItsHome() throws Exception {
        Root.neededToMount();
        var process =
                new ProcessBuilder(
                                "unshare",
                                "--mount",
                                "sh",
                                "-c",
                                SHOW,
                                "show",
                                root.toString(),
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                CrashingServer.class.getName(),
                                "/home-of-the-engine",
                                folder.toString(),
                                "1",
                                "1",
                                "0")
                        .redirectErrorStream(true)
                        .start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertEquals("open\nlaunched 1\n", said);
        assertEquals(0, process.waitFor());
        Path ran = folder.resolve("ran");
        String wait = "until [ -s " + ran + " ]; do sleep 0.05; done";
        assertTrue(Root.succeeds("timeout", "60", "sh", "-c", wait), "the task has run");
        assertEquals("1\n", Files.readString(ran));
    }
}

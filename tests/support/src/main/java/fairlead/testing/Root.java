package fairlead.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** What only root may do on this machine. A test that needs it is skipped for everybody else. */
public final class Root {
    private static final int SECONDS_MAX = 60;

    /** The root of most containers may not, and so is no root to these tests. */
    private static final boolean MAY_MOUNT = succeeds("unshare", "--mount", "true");

    private Root() {}

    /** Skips the test for an account that may not mount. For root a mount that fails is a bug. */
    public static void neededToMount() {
        assumeTrue(MAY_MOUNT, "not root: this account may not mount anything");
    }

    public static boolean mayMount() {
        return MAY_MOUNT;
    }

    /**
     * Whether a task that root starts as this account may mount, in a user namespace of its own.
     * Not in a chroot, and not where the kernel is set to forbid it.
     */
    public static boolean mayMount(String account) {
        return succeeds(
                "setpriv",
                "--reuid=" + account,
                "--regid=65534",
                "--clear-groups",
                "unshare",
                "--user",
                "--map-root-user",
                "--mount",
                "true");
    }

    /** Whether the command ends well; one that cannot be started does not. */
    public static boolean succeeds(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            try {
                return process.waitFor(SECONDS_MAX, TimeUnit.SECONDS) && process.exitValue() == 0;
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException _) {
            return false;
        } catch (InterruptedException e) {
            throw new AssertionError("nobody interrupts a test", e);
        }
    }
}

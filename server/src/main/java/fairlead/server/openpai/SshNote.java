package fairlead.server.openpai;

import fairlead.engine.Engine;
import fairlead.job.JobSpec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Why nobody can log in to the tasks of a job of OpenPAI (O79), where that is known beforehand: for
 * processes of this machine. What an image has shows when its tasks run.
 */
public final class SshNote {
    /** As the tasks look for them. */
    private static final List<String> PROGRAMS =
            List.of("usr/bin/ssh", "usr/bin/ssh-keygen", "usr/sbin/sshd");

    private static final String NOBODY = "nobody can log in to its tasks by ssh: ";

    /** Of a line of /etc/passwd; the last is the shell. */
    private static final int PASSWD_PARTS = 7;

    private SshNote() {}

    public static Optional<String> of(JobSpec spec, Engine engine) {
        return of(spec, engine, Path.of("/"));
    }

    /**
     * @param root of the machine
     */
    static Optional<String> of(JobSpec spec, Engine engine, Path root) {
        boolean isOfOpenPai = PaiName.origin(spec).isPresent();
        boolean isContained = spec.container().image().isPresent() && engine.terms().runsImages();
        if (!isOfOpenPai || isContained || !engine.terms().runsHere()) return Optional.empty();
        var missing = new ArrayList<String>();
        for (String program : PROGRAMS) {
            if (!Files.isExecutable(root.resolve(program))) missing.add("/" + program);
        }
        if (!missing.isEmpty())
            return Optional.of(
                    NOBODY + "this machine has no " + String.join(", ", missing) + " (OpenSSH)");
        String account = spec.user().orElse(System.getProperty("user.name"));
        return shell(account, root)
                .filter(shell -> !opens(shell, root))
                .map(shell -> NOBODY + "the login shell of " + account + " is " + shell);
    }

    /** Empty for accounts of which the machine's file does not know: nothing is known of them. */
    private static Optional<String> shell(String account, Path root) {
        try {
            for (String line : Files.readAllLines(root.resolve("etc/passwd"))) {
                String[] parts = line.split(":", -1);
                boolean isMeant = parts.length == PASSWD_PARTS && parts[0].equals(account);
                if (isMeant) return Optional.of(parts[PASSWD_PARTS - 1]);
            }
        } catch (IOException _) {
            // A machine without such a file has its accounts elsewhere.
        }
        return Optional.empty();
    }

    /** SSH servers refuse a shell that is not there; the others of these end each login at once. */
    private static boolean opens(String shell, Path root) {
        if (shell.isEmpty()) return true;
        String program = shell.substring(shell.lastIndexOf('/') + 1);
        boolean ends = program.equals("nologin") || program.equals("false");
        return !ends && Files.isExecutable(root.resolve(shell.replaceFirst("^/+", "")));
    }
}

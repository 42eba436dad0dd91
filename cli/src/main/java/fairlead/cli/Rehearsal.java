package fairlead.cli;

import fairlead.cli.server.PersonalServer;
import fairlead.cli.server.ServerProgram;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/**
 * The usual verbs once through in one process, against the server in FAIRLEAD_HOME, which it stops
 * at the end. The build runs it to train the AOT caches of the command and of the server.
 */
final class Rehearsal {
    /** Without any cache a server on a busy machine takes seconds; where there is none we go on. */
    private static final Duration SERVER_MAX = Duration.ofSeconds(20);

    private static final Duration POLL = Duration.ofMillis(50);

    private static final List<List<String>> LINES =
            List.of(
                    List.of("--help"),
                    List.of("list", "--help"),
                    List.of("version"),
                    List.of("-n", "1", "submit", "--name", "rehearsal", "echo one; echo two"),
                    List.of("-n", "0", "run", "--name", "rehearsal", "echo", "three"),
                    List.of("submit", "--array", "0-9", "echo {i}"),
                    List.of("list"),
                    List.of("list", "--json"),
                    List.of("nodes"),
                    List.of("whoami"),
                    List.of("project", "list"),
                    List.of("stats"),
                    List.of("server", "status"),
                    List.of("submit", "--tiem", "1"),
                    List.of("submit", "--epochs", "2", "--deadline", "8h", "echo five"),
                    List.of("run-scheduler", "--max_epochs", "2", "--batch_size", "0", "rehearsal"),
                    List.of("scheduler-state"),
                    List.of("query"));

    /** The verbs for one job; the last word is its id. */
    private static final List<List<String>> JOB_LINES =
            List.of(
                    List.of("wait"),
                    List.of("query"),
                    List.of("describe"),
                    List.of("logs"),
                    List.of("logs", "-f"),
                    List.of("why"),
                    List.of("profile"),
                    List.of("spec"),
                    List.of("abort"),
                    List.of("resubmit"));

    private Rehearsal() {}

    public static void main(String[] words) throws InterruptedException {
        Main.withoutServices();
        var server =
                new PersonalServer(
                        Path.of(System.getenv("FAIRLEAD_HOME")), ServerProgram.installed());
        long deadline = System.nanoTime() + SERVER_MAX.toNanos();
        while (!server.answers() && System.nanoTime() < deadline) Thread.sleep(POLL);
        if (!server.answers()) {
            run(List.of("--help"));
            return;
        }
        LINES.forEach(Rehearsal::run);
        String id = run(List.of("-n", "0", "submit", "echo four")).strip();
        for (List<String> line : JOB_LINES) {
            var whole = new ArrayList<>(line);
            whole.add(id);
            run(whole);
        }
        run(List.of("server", "stop"));
    }

    private static String run(List<String> line) {
        var out = new ByteArrayOutputStream();
        var environment = new HashMap<>(System.getenv());
        environment.put("AML_LOG_FOLDER", environment.get("FAIRLEAD_HOME") + "/assets");
        var terminal =
                new Terminal(
                        InputStream.nullInputStream(),
                        out,
                        new ByteArrayOutputStream(),
                        false,
                        true,
                        false,
                        environment,
                        Path.of(System.getProperty("user.dir")),
                        InstantSource.system());
        Main.run(line.toArray(String[]::new), terminal, ServerProgram.installed());
        return out.toString(StandardCharsets.UTF_8);
    }
}

package fairlead.cli;

import fairlead.cli.server.PersonalServer;
import fairlead.cli.server.Places;
import fairlead.cli.server.ServerProgram;
import fairlead.cli.terminal.Terminal;
import fairlead.cli.terminal.UsageException;
import fairlead.dialects.act.config.ConfigPlaces;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The usual verbs once through in one process, against the server in FAIRLEAD_HOME, which it stops
 * at the end. The build runs it to train the AOT caches of the command and of the server.
 */
final class CommandCacheRehearsal {
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

    private static final String JOB_FILE =
            """
            name: rehearsal
            gpus: 0
            env: {SEED: 7}
            training: {epochs: 2}
            command: [echo, seven]
            """;

    /** The verbs that read config files of ACT. */
    private static final List<List<String>> ACT_LINES =
            List.of(
                    List.of("-n", "0", "submit", "echo", "six"),
                    List.of("clusters"),
                    List.of("config", "check"));

    /**
     * A store elsewhere would be asked, and Java's encryption be in the cache of every command:
     * each class there is linked at every start.
     */
    private static final String ACT_CONFIG =
            """
            engine: local
            config_param:
              code_path: {storage: 'file:/nowhere', path: code.zip}
              data_folder: {storage: 'file:/nowhere', path: data}
            """;

    /** An empty one: whoever builds may have a config file of their own. */
    private static final Map<String, String> NO_CONFIG = Map.of(ConfigPlaces.VARIABLE, "");

    private CommandCacheRehearsal() {}

    public static void main(String[] words)
            throws InterruptedException, IOException, UsageException {
        Main.withoutServices();
        var places = Places.of(System.getenv(), Path.of(""));
        Path home = places.home();
        var server = new PersonalServer(places, ServerProgram.installed());
        long deadline = System.nanoTime() + SERVER_MAX.toNanos();
        while (!server.answers() && System.nanoTime() < deadline) Thread.sleep(POLL);
        if (!server.answers()) {
            run(List.of("--help"));
            return;
        }
        LINES.forEach(CommandCacheRehearsal::run);
        String id = run(List.of("-n", "0", "submit", "echo four")).strip();
        for (List<String> line : JOB_LINES) {
            var whole = new ArrayList<>(line);
            whole.add(id);
            run(whole);
        }
        Path job = Files.writeString(home.resolve("job.yaml"), JOB_FILE);
        run(List.of("submit", "--dry-run", "-f", job.toString()));
        Path config = Files.writeString(home.resolve("act.yaml"), ACT_CONFIG);
        for (List<String> line : ACT_LINES) {
            run(line, Map.of(ConfigPlaces.VARIABLE, config.toString()));
        }
        run(List.of("server", "stop"));
    }

    private static String run(List<String> line) {
        return run(line, NO_CONFIG);
    }

    private static String run(List<String> line, Map<String, String> variables) {
        var environment = new HashMap<>(System.getenv());
        environment.putAll(variables);
        var out = new ByteArrayOutputStream();
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

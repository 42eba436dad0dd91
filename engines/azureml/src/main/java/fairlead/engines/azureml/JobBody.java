package fairlead.engines.azureml;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.engine.TaskEnvironment;
import fairlead.job.Container;
import fairlead.job.Effect;
import fairlead.job.JobSpec;
import fairlead.job.Role;

import java.time.Duration;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * The command job of an attempt, in Azure's words. It follows from the launch and the record alone,
 * so that a repeated call says the same: Azure takes the same job once, and refuses another one
 * under its name.
 */
final class JobBody {
    /** Linux takes no longer variable. */
    private static final int VARIABLE_BYTES_MAX = 128 << 10;

    /** Azure shows it on a page; it is only for people. */
    private static final int DESCRIPTION_CHARACTERS_MAX = 1_000;

    /** Ends a job whose server is away; the server itself is more exact. */
    private static final Duration LIMIT_MARGIN = Duration.ofMinutes(10);

    private static final int MEGABYTE = 1 << 20;

    private final AzureMlSettings settings;
    private final Effect.Launch launch;
    private final JobSpec spec;
    private final AttemptRecord record;

    JobBody(AzureMlSettings settings, Effect.Launch launch, AttemptRecord record) {
        this.settings = settings;
        this.launch = launch;
        this.spec = launch.job().spec();
        this.record = record;
    }

    /** A folder of a datastore, as a mount names it: {@code /DATASTORE/PATH}, or a claim. */
    record Place(String datastore, String path) {
        static Place of(Container.Mount mount) {
            return switch (mount.source()) {
                case Container.Claim claim -> new Place(claim.name(), "");
                case Container.Folder folder -> {
                    String[] parts = folder.path().replaceFirst("^/+", "").split("/+", 2);
                    yield new Place(parts[0], parts.length > 1 ? parts[1] : "");
                }
                case Container.NewClaim _ ->
                        throw new IllegalArgumentException("refused before: a new claim");
            };
        }

        String uri() {
            String end = path.isEmpty() || path.endsWith("/") ? path : path + "/";
            return "azureml://datastores/" + datastore + "/paths/" + end;
        }
    }

    /**
     * @param tag the key by which our jobs are listed
     * @throws IllegalArgumentException in words for the owner
     */
    Map<String, Object> properties(String tag, String environmentId) {
        var body = new LinkedHashMap<String, Object>();
        body.put("jobType", "Command");
        body.put("displayName", launch.attempt().toString());
        body.put("experimentName", spec.name());
        body.put("description", description());
        body.put(
                "tags",
                Map.of(
                        tag,
                        launch.attempt().toString(),
                        "fairlead-owner",
                        launch.job().owner(),
                        "fairlead-project",
                        spec.project()));
        body.put("computeId", settings.path() + "/computes/" + settings.compute());
        body.put("environmentId", environmentId);
        body.put("command", mountVariables() + TaskScripts.COMMAND);
        body.put("environmentVariables", variables());
        body.put("inputs", mounts(true));
        body.put("outputs", mounts(false));
        if (record.tasks().size() > 1) {
            body.put(
                    "distribution",
                    Map.of(
                            "distributionType",
                            settings.distribution().word,
                            "processCountPerInstance",
                            record.shape().perMachine()));
        }
        body.put("resources", resources());
        spec.timeLimit()
                .ifPresent(
                        limit ->
                                body.put(
                                        "limits",
                                        Map.of(
                                                "jobLimitsType",
                                                "Command",
                                                "timeout",
                                                Duration.ofSeconds(
                                                                limit.plus(LIMIT_MARGIN)
                                                                        .toSeconds())
                                                        .toString())));
        return body;
    }

    private String description() {
        String words =
                spec.roles().stream()
                        .map(role -> String.join(" ", role.command()))
                        .collect(Collectors.joining("; "));
        int end = Math.min(words.length(), DESCRIPTION_CHARACTERS_MAX);
        return words.substring(0, end);
    }

    private Map<String, Object> resources() {
        var resources = new LinkedHashMap<String, Object>();
        resources.put("instanceCount", record.shape().machines());
        long shm = spec.container().details().shmBytes();
        if (shm > 0) resources.put("shmSize", Math.ceilDiv(shm, MEGABYTE) + "m");
        return resources;
    }

    private Map<String, String> variables() {
        var hosts = Collections.nCopies(record.tasks().size(), TaskScripts.HEAD);
        var environment =
                new TaskEnvironment(launch, hosts, record.ports(), _ -> List.of(), settings.more());
        var variables = new LinkedHashMap<>(spec.environment());
        variables.put(TaskScripts.WORD, record.word());
        variables.put(TaskScripts.EXITS, failTogether() ? "own" : "0");
        variables.put(TaskScripts.VARIABLE, coded(TaskScripts.START));
        for (int rank = 0; rank < record.tasks().size(); rank++) {
            variables.put(
                    TaskScripts.VARIABLE + "_" + rank,
                    coded(TaskScripts.task(spec, record, environment, rank)));
        }
        return variables;
    }

    /**
     * Whether one failed task fails them all. Then Azure may end the others and call the job
     * failed; else it must not notice, as its launchers end all processes when one fails.
     */
    private boolean failTogether() {
        return record.tasks().size() == 1
                || spec.roles().stream().map(Role::minFailed).allMatch(OptionalInt.of(1)::equals);
    }

    private static String coded(String script) {
        String text = Base64.getEncoder().encodeToString(script.getBytes(UTF_8));
        if (text.length() > VARIABLE_BYTES_MAX)
            throw new IllegalArgumentException(
                    "its command and variables are too long for Azure ML: %d bytes of at most %d"
                            .formatted(text.length(), VARIABLE_BYTES_MAX));
        return text;
    }

    private Map<String, Object> mounts(boolean readOnly) {
        var places = new LinkedHashMap<String, Object>();
        List<Container.Mount> mounts = spec.container().mounts();
        for (int i = 0; i < mounts.size(); i++) {
            if (mounts.get(i).readOnly() != readOnly) continue;
            places.put(
                    "mount" + i,
                    Map.of(
                            readOnly ? "jobInputType" : "jobOutputType",
                            "uri_folder",
                            "mode",
                            readOnly ? "ReadOnlyMount" : "ReadWriteMount",
                            "uri",
                            Place.of(mounts.get(i)).uri()));
        }
        return places;
    }

    /** Azure puts the path where it has mounted the folder into the command. */
    private String mountVariables() {
        var lines = new StringBuilder();
        List<Container.Mount> mounts = spec.container().mounts();
        for (int i = 0; i < mounts.size(); i++) {
            String kind = mounts.get(i).readOnly() ? "inputs" : "outputs";
            lines.append(
                    "export %s%d=\"${{%s.mount%d}}\"; ".formatted(TaskScripts.MOUNT, i, kind, i));
        }
        return lines.toString();
    }
}

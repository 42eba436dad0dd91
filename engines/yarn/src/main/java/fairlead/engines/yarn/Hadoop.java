package fairlead.engines.yarn;

import fairlead.engine.EngineException;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.client.api.YarnClientApplication;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.ApplicationNotFoundException;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.util.Records;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The cluster's resource manager and file system, with failures in words for people. */
final class Hadoop implements Closeable {
    private static final List<String> FILES =
            List.of("core-site.xml", "yarn-site.xml", "hdfs-site.xml", "resource-types.xml");

    /** A cluster may do without the others. */
    private static final List<String> NEEDED = List.of("core-site.xml", "yarn-site.xml");

    /** Whoever waits should be told soon that nobody answers; the next look tries again. */
    private static final Duration AWAY_AFTER = Duration.ofSeconds(5);

    private static final Duration TRY_EVERY = Duration.ofMillis(500);
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(20);
    private static final Duration ACCEPTED_LOOK_EVERY = Duration.ofMillis(20);

    static final Set<YarnApplicationState> FINAL =
            EnumSet.of(
                    YarnApplicationState.FINISHED,
                    YarnApplicationState.FAILED,
                    YarnApplicationState.KILLED);

    private static final EnumSet<YarnApplicationState> LIVE =
            EnumSet.complementOf(EnumSet.copyOf(FINAL));

    private final String cluster;
    private final Configuration configuration;
    private final YarnClient client;
    private final FileSystem files;

    private interface Question<T> {
        T ask() throws IOException, YarnException;
    }

    private Hadoop(
            String cluster, Configuration configuration, YarnClient client, FileSystem files) {
        this.cluster = cluster;
        this.configuration = configuration;
        this.client = client;
        this.files = files;
    }

    static Hadoop open(YarnSettings settings) throws EngineException {
        Configuration configuration = configuration(settings);
        YarnClient client = YarnClient.createYarnClient();
        try {
            // Else a report's GPUs would be passed over: Hadoop looks for their name on its own
            // path.
            ResourceUtils.resetResourceTypes(configuration);
            client.init(configuration);
            client.start();
            // Whoever makes the first record gives all of them its class loader.
            Records.newRecord(ApplicationReport.class);
            return new Hadoop(
                    settings.cluster(),
                    configuration,
                    client,
                    FileSystem.newInstance(FileSystem.getDefaultUri(configuration), configuration));
        } catch (IOException | RuntimeException problem) {
            client.stop();
            throw new EngineException(
                    "the cluster %s cannot be used: %s"
                            .formatted(settings.cluster(), deepest(problem)),
                    problem);
        }
    }

    private static Configuration configuration(YarnSettings settings) throws EngineException {
        var configuration = new YarnConfiguration();
        configuration.setClassLoader(Hadoop.class.getClassLoader());
        for (String name : FILES) {
            java.nio.file.Path file = settings.conf().resolve(name);
            if (Files.isReadable(file)) configuration.addResource(new Path(file.toUri()));
            else if (NEEDED.contains(name))
                throw new EngineException(
                        "the cluster %s has no %s; '%s.conf' names the folder with Hadoop's settings"
                                .formatted(settings.cluster(), file, settings.cluster()));
        }
        configuration.setLong(
                YarnConfiguration.RESOURCEMANAGER_CONNECT_MAX_WAIT_MS, AWAY_AFTER.toMillis());
        configuration.setLong(
                YarnConfiguration.RESOURCEMANAGER_CONNECT_RETRY_INTERVAL_MS, TRY_EVERY.toMillis());
        configuration.setInt("ipc.client.connect.max.retries", 1);
        configuration.setInt("ipc.client.connect.max.retries.on.timeouts", 1);
        configuration.setLong("ipc.client.connect.timeout", AWAY_AFTER.toMillis());
        configuration.setLong("ipc.client.rpc-timeout.ms", ANSWER_WITHIN.toMillis());
        configuration.setBoolean("dfs.client.retry.policy.enabled", true);
        configuration.set("dfs.client.retry.policy.spec", "500,4");
        configuration.setLong(
                YarnConfiguration.YARN_CLIENT_APPLICATION_CLIENT_PROTOCOL_POLL_INTERVAL_MS,
                ACCEPTED_LOOK_EVERY.toMillis());
        return configuration;
    }

    Configuration configuration() {
        return configuration;
    }

    YarnClient client() {
        return client;
    }

    FileSystem files() {
        return files;
    }

    private <T> T ask(Question<T> question) throws EngineException {
        try {
            return question.ask();
        } catch (IOException | YarnException problem) {
            throw failed(problem);
        }
    }

    EngineException failed(Exception problem) {
        return new EngineException(
                "the cluster %s does not answer as it should: %s"
                        .formatted(cluster, deepest(problem)),
                problem);
    }

    static String deepest(Throwable problem) {
        Throwable cause = problem;
        while (cause.getCause() != null && cause.getCause() != cause) cause = cause.getCause();
        String words = cause.getMessage() == null ? cause.toString() : cause.getMessage();
        return words.lines().findFirst().orElse(cause.toString());
    }

    YarnClientApplication newApplication() throws EngineException {
        return ask(client::createApplication);
    }

    /** Those with the tag that have not come to an end. */
    List<ApplicationReport> live(String tag) throws EngineException {
        return ask(() -> client.getApplications(Set.of(), LIVE, Set.of(tag)));
    }

    /** Empty for one that YARN does not know. */
    Optional<ApplicationReport> report(ApplicationId id) throws EngineException {
        try {
            return Optional.of(client.getApplicationReport(id));
        } catch (ApplicationNotFoundException _) {
            return Optional.empty();
        } catch (IOException | YarnException problem) {
            throw failed(problem);
        }
    }

    List<NodeReport> nodes() throws EngineException {
        return ask(() -> client.getNodeReports(NodeState.values()));
    }

    /** One that has ended or that YARN does not know is fine. */
    void kill(ApplicationId id, String why) throws EngineException {
        try {
            client.killApplication(id, why);
        } catch (ApplicationNotFoundException _) {
            // Never accepted, or long gone.
        } catch (IOException | YarnException problem) {
            throw failed(problem);
        }
    }

    @Override
    public void close() {
        client.stop();
        try {
            files.close();
        } catch (IOException _) {
            // Everything that was written has been closed before.
        }
    }
}

package fairlead.engines.yarn;

import fairlead.cluster.Gpu;
import fairlead.engine.EngineException;
import fairlead.engine.TaskEnvironment;
import fairlead.engines.yarn.master.Master;
import fairlead.engines.yarn.relay.Orders;
import fairlead.engines.yarn.relay.TaskOrder;
import fairlead.job.Effect;
import fairlead.job.JobSpec;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.TaskPlacement;

import org.apache.hadoop.yarn.api.ApplicationConstants;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.util.Records;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Makes the application of an attempt and hands it to YARN. */
final class Submission {
    static final String TYPE = "FAIRLEAD";

    /** A master keeps some pages of state and passes bytes on. */
    static final int MASTER_MEGABYTES = 256;

    private static final String MASTER =
            "exec %s -Xmx160m -Xss512k -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData"
                    + " %s 1>%s/master.log 2>&1";

    /** One may die without harm; an application whose masters keep dying is not worth more. */
    private static final int MASTERS_MAX = 3;

    private static final Duration MASTERS_COUNT_FOR = Duration.ofMinutes(10);

    /** Of a keeper beside its task. */
    private static final int KEEPER_MEGABYTES = 64;

    private static final int MEGABYTE = 1 << 20;
    private static final Duration HEARTBEAT = Duration.ofMillis(250);

    private final YarnSettings settings;
    private final Hadoop hadoop;
    private final Staging staging;
    private final String tag;
    private final Function<String, List<Gpu>> gpusOf;

    Submission(
            YarnSettings settings,
            Hadoop hadoop,
            Staging staging,
            String tag,
            Function<String, List<Gpu>> gpusOf) {
        this.settings = settings;
        this.hadoop = hadoop;
        this.staging = staging;
        this.tag = tag;
        this.gpusOf = gpusOf;
    }

    static Resource master() {
        return Resource.newInstance(MASTER_MEGABYTES, 1);
    }

    /** Hands it over; a repeat under the same id is fine. */
    void submit(AttemptRecord record, Effect.Launch launch) throws EngineException, IOException {
        JobSpec spec = launch.job().spec();
        Optional<Path> code = code(spec);
        String archive =
                code.isEmpty() ? "" : staging.code(record.application(), code.get()).toString();
        var orders =
                new Orders(
                        record.secret(),
                        java(),
                        settings.startPatience().toMillis(),
                        settings.linger().toMillis(),
                        Math.min(HEARTBEAT.toMillis(), settings.poll().toMillis()),
                        archive,
                        tasks(record, launch));
        try {
            hadoop.client().submitApplication(context(record, launch, orders));
        } catch (YarnException problem) {
            throw hadoop.failed(problem);
        }
    }

    /**
     * The folder of this machine in which the tasks begin, if it is one that is brought to them.
     */
    private Optional<Path> code(JobSpec spec) {
        if (spec.workingFolder().isEmpty()) return Optional.empty();
        Path folder = Path.of(spec.workingFolder());
        return settings.code().filter(folder::startsWith).map(_ -> folder);
    }

    private String java() {
        return settings.java()
                .orElse(ApplicationConstants.Environment.JAVA_HOME.$$() + "/bin/java");
    }

    private ApplicationSubmissionContext context(
            AttemptRecord record, Effect.Launch launch, Orders orders) throws IOException {
        var context = Records.newRecord(ApplicationSubmissionContext.class);
        context.setApplicationId(ApplicationId.fromString(record.application()));
        context.setApplicationName(launch.attempt().toString());
        context.setApplicationType(TYPE);
        context.setApplicationTags(Set.of(tag));
        context.setQueue(settings.queue().replace("{project}", launch.job().spec().project()));
        context.setMaxAppAttempts(MASTERS_MAX);
        context.setAttemptFailuresValidityInterval(MASTERS_COUNT_FOR.toMillis());
        context.setKeepContainersAcrossApplicationAttempts(true);
        context.setResource(master());
        var jar = staging.jar();
        var files =
                Map.of(Orders.JAR, jar, Orders.FILE, staging.orders(record.application(), orders));
        var environment = new HashMap<String, String>();
        environment.put("CLASSPATH", classPath());
        environment.put(Orders.FOLDER, staging.folder(record.application()).toString());
        environment.put(Orders.JAR_ADDRESS, Staging.path(jar).toString());
        String command =
                MASTER.formatted(
                        java(), Master.class.getName(), ApplicationConstants.LOG_DIR_EXPANSION_VAR);
        context.setAMContainerSpec(
                ContainerLaunchContext.newInstance(
                        files, environment, List.of(command), null, null, null));
        return context;
    }

    /** Ours before the nodes' own settings and classes. */
    private String classPath() {
        String[] places =
                hadoop.configuration()
                        .getTrimmedStrings(
                                YarnConfiguration.YARN_APPLICATION_CLASSPATH,
                                YarnConfiguration
                                        .DEFAULT_YARN_CROSS_PLATFORM_APPLICATION_CLASSPATH);
        return Stream.concat(Stream.of(Orders.JAR), Stream.of(places))
                .collect(Collectors.joining(ApplicationConstants.CLASS_PATH_SEPARATOR));
    }

    private List<TaskOrder> tasks(AttemptRecord record, Effect.Launch launch) {
        List<TaskPlacement> places = launch.place().placement().tasks();
        JobSpec spec = launch.job().spec();
        var hosts = places.stream().map(place -> Nodes.host(place.node())).toList();
        var common = new TaskEnvironment(launch, hosts, record.ports(), gpusOf, settings.more());
        var tasks = new ArrayList<TaskOrder>();
        for (int rank = 0; rank < places.size(); rank++) {
            TaskPlacement place = places.get(rank);
            Role role = spec.role(place.task().role());
            var command = TaskCommand.of(settings, spec, role.command());
            var environment = new LinkedHashMap<>(spec.environment());
            environment.putAll(common.of(rank));
            tasks.add(
                    new TaskOrder(
                            place.task().toString(),
                            place.node(),
                            megabytes(role.resources()),
                            Math.max(1, role.resources().cpus()),
                            place.gpus().size(),
                            command.words(),
                            environment,
                            code(spec).isPresent() ? Orders.CODE : command.folder(),
                            command.setting()));
        }
        return tasks;
    }

    /** A task that asks for memory gets it, and the keeper has its own. */
    private int megabytes(Resources asked) {
        long bytes = asked.memoryBytes() > 0 ? asked.memoryBytes() : settings.taskMemoryBytes();
        return (int) Math.min(Integer.MAX_VALUE, Math.ceilDiv(bytes, MEGABYTE) + KEEPER_MEGABYTES);
    }
}

package fairlead.engines.yarn;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.engine.EngineException;
import fairlead.engine.Observation;
import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.Exit;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.Placement;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;
import fairlead.testing.Eventually;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** An engine on a test cluster, and attempts on it as tests need them. */
final class Attempts implements AutoCloseable {
    private final TestHadoop hadoop;
    private final Path home;
    private final List<AttemptId> launched = new ArrayList<>();
    private YarnEngine engine;

    /** The first task of an attempt. */
    record Launched(AttemptId attempt, TaskId task, JobSpec spec) {
        TaskId task(int index) {
            return new TaskId(task.role(), index);
        }
    }

    private Attempts(TestHadoop hadoop, Path home) throws EngineException {
        this.hadoop = hadoop;
        this.home = home;
        this.engine = YarnEngine.open(hadoop.settings(home));
    }

    static Attempts open(TestHadoop hadoop, Path home) throws EngineException {
        return new Attempts(hadoop, home);
    }

    YarnEngine engine() {
        return engine;
    }

    /** As a server that is killed and started again. */
    void reopen() throws EngineException {
        engine.close();
        engine = YarnEngine.open(hadoop.settings(home));
    }

    Launched launch(String folder, String script) throws EngineException {
        return launch(folder, script, List.of(engine.nodes().getFirst().name()), 0);
    }

    /** A gang with a task on each of the nodes. */
    Launched launch(String folder, String script, List<String> nodes, int gpus)
            throws EngineException {
        var launch = effect(folder, script, nodes, gpus);
        engine.launch(launch);
        return new Launched(launch.attempt(), new TaskId(Role.MAIN, 0), launch.job().spec());
    }

    Effect.Launch effect(String folder, String script, List<String> nodes, int gpus) {
        var edit = new JobSpec.Edit();
        edit.name = "test";
        edit.cluster = "hadoop";
        edit.project = "default";
        edit.workingFolder = folder;
        edit.roles =
                List.of(
                        new Role(
                                Role.MAIN,
                                nodes.size(),
                                List.of("sh", "-c", script),
                                new Resources(gpus, 0, 0),
                                OptionalInt.empty(),
                                OptionalInt.empty()));
        var spec = edit.spec();
        var id = JobId.of(spec.name(), Instant.now(), ThreadLocalRandom.current().nextInt());
        var job = Job.submitted(id, spec, "me", Instant.now(), Optional.empty(), Optional.empty());
        var places = new ArrayList<TaskPlacement>();
        for (int i = 0; i < nodes.size(); i++) {
            var slots = IntStream.range(0, gpus).boxed().toList();
            places.add(TaskPlacement.whole(new TaskId(Role.MAIN, i), nodes.get(i), slots));
        }
        var attempt = new AttemptId(id, 1);
        launched.add(attempt);
        return new Effect.Launch(job, new Attempt(attempt, new Placement(places)));
    }

    /** The id of its application. */
    String application(Launched which) throws IOException {
        String name = which.attempt().job() + "." + which.attempt().number() + ".attempt";
        return AttemptRecord.parse(Files.readString(home.resolve("live").resolve(name)))
                .application();
    }

    /** Its master, by the folder in which it works. */
    Optional<ProcessHandle> master(Launched which) throws IOException {
        String application = application(which);
        return ProcessHandle.allProcesses()
                .filter(ProcessHandle::isAlive)
                .filter(each -> each.info().commandLine().orElse("").contains("master.Master"))
                .filter(each -> folder(each).contains(application))
                .findFirst();
    }

    private static String folder(ProcessHandle process) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/" + process.pid() + "/cwd")).toString();
        } catch (IOException _) {
            return "";
        }
    }

    Observation seen(Launched which) throws EngineException {
        return engine.observe().stream()
                .filter(each -> each.attempt().equals(which.attempt()))
                .findFirst()
                .orElseThrow();
    }

    Exit exit(Launched which, int index) throws Exception {
        Eventually.when(
                which.attempt() + " ended",
                () -> seen(which).exits().containsKey(which.task(index)));
        return seen(which).exits().get(which.task(index));
    }

    String log(Launched which) throws EngineException, IOException {
        return log(which, 0);
    }

    String log(Launched which, int index) throws EngineException, IOException {
        var log = engine.log(which.attempt(), which.task(index));
        return new String(log.read(log.start(), 1 << 20), UTF_8);
    }

    @Override
    public void close() throws EngineException {
        for (AttemptId attempt : launched) engine.forget(attempt);
        engine.close();
    }
}

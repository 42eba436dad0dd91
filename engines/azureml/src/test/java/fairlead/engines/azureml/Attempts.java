package fairlead.engines.azureml;

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
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** An engine on a test service, and attempts on it as tests need them. */
final class Attempts implements AutoCloseable {
    private final AzureMlSettings settings;
    private AzureMlEngine engine;

    record Launched(Effect.Launch effect) {
        AttemptId attempt() {
            return effect.attempt();
        }

        TaskId task(int index) {
            return new TaskId(Role.MAIN, index);
        }

        /** Its job's name in Azure. */
        String name() {
            return attempt().job() + "-" + attempt().number();
        }
    }

    Attempts(TestService service, Path home) throws EngineException {
        this(service.settings(home));
    }

    Attempts(AzureMlSettings settings) throws EngineException {
        this.settings = settings;
        this.engine = AzureMlEngine.open(settings, new TestTokens());
    }

    AzureMlEngine engine() {
        return engine;
    }

    /** As a server that is killed and started again. */
    void reopen() throws EngineException {
        engine.close();
        engine = AzureMlEngine.open(settings, new TestTokens());
    }

    Launched effect(String script) {
        return effect(script, 1, 0, _ -> {});
    }

    Launched effect(String script, int tasks, int gpus, Consumer<JobSpec.Edit> change) {
        var edit = new JobSpec.Edit();
        edit.name = "test";
        edit.cluster = "azure";
        edit.project = "default";
        edit.workingFolder = "/";
        edit.roles =
                List.of(
                        new Role(
                                Role.MAIN,
                                tasks,
                                List.of("sh", "-c", script),
                                new Resources(gpus, 0, 0),
                                OptionalInt.empty(),
                                OptionalInt.empty()));
        change.accept(edit);
        var spec = edit.spec();
        var id = JobId.of(spec.name(), Instant.now(), ThreadLocalRandom.current().nextInt());
        var job = Job.submitted(id, spec, "me", Instant.now(), Optional.empty(), Optional.empty());
        var places = new ArrayList<TaskPlacement>();
        for (int i = 0; i < tasks; i++) {
            var slots = IntStream.range(i * gpus, (i + 1) * gpus).boxed().toList();
            places.add(TaskPlacement.whole(new TaskId(Role.MAIN, i), settings.compute(), slots));
        }
        var attempt = new Attempt(new AttemptId(id, 1), new Placement(places));
        return new Launched(new Effect.Launch(job, attempt));
    }

    Launched launch(Launched launched) throws EngineException {
        engine.launch(launched.effect());
        return launched;
    }

    /** Empty while the service does not answer. */
    Optional<Observation> seen(Launched which) {
        try {
            return engine.observe().stream()
                    .filter(each -> each.attempt().equals(which.attempt()))
                    .findFirst();
        } catch (EngineException _) {
            return Optional.empty();
        }
    }

    Exit exit(Launched which) throws Exception {
        return exit(which, 0);
    }

    Exit exit(Launched which, int index) throws Exception {
        var ends = new ArrayList<Exit>();
        Eventually.when(
                which.attempt() + " ended",
                () -> {
                    seen(which).map(it -> it.exits().get(which.task(index))).ifPresent(ends::add);
                    return !ends.isEmpty();
                });
        return ends.getFirst();
    }

    String log(Launched which) throws EngineException, IOException {
        var log = engine.log(which.attempt(), which.task(0));
        return new String(log.read(log.start(), 1 << 20), UTF_8);
    }

    @Override
    public void close() {
        engine.close();
    }
}

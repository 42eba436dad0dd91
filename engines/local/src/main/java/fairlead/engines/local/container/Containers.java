package fairlead.engines.local.container;

import fairlead.job.JobSpec;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * What runs containers on this machine, if anything does. It is tried once, beside the start of the
 * server: whoever asks first may wait for it. Safe for all threads.
 */
public final class Containers {
    private static final List<String> KNOWN = List.of("podman", "docker");

    /**
     * They answer within one, and on a machine that is busy with the start of everything else
     * within ten; whoever asks the server first waits for it.
     */
    private static final long SECONDS_MAX = 20;

    /** Answered from the program's own state: nothing is fetched. */
    private static final List<String> PROBE = List.of("info", "--format", "{{.Host.Arch}}");

    private static final List<String> DOCKER_PROBE =
            List.of("info", "--format", "{{.ServerVersion}}");

    /**
     * @param isBroken there is one, and it does not work
     * @param trouble why images cannot be used; empty where nobody expects that they are
     */
    private record Found(Optional<ContainerProgram> program, boolean isBroken, String trouble) {}

    private final ContainerSettings settings;
    private final CompletableFuture<Found> found;

    private Containers(ContainerSettings settings, CompletableFuture<Found> found) {
        this.settings = settings;
        this.found = found;
    }

    /**
     * @param search folders of programs, as PATH has them
     */
    public static Containers find(ContainerSettings settings, String search) {
        if (settings.program().equals(ContainerSettings.NONE)) {
            var none = new Found(Optional.empty(), false, "");
            return new Containers(settings, CompletableFuture.completedFuture(none));
        }
        var names = settings.program().isEmpty() ? KNOWN : List.of(settings.program());
        var found = new CompletableFuture<Found>();
        Thread.ofVirtual().name("container-probe").start(() -> complete(found, names, search));
        return new Containers(settings, found);
    }

    private static void complete(
            CompletableFuture<Found> found, List<String> names, String search) {
        try {
            found.complete(tried(names, search));
        } catch (RuntimeException bug) {
            found.completeExceptionally(bug);
        }
    }

    private static Found tried(List<String> names, String search) {
        var troubles = new ArrayList<String>();
        for (String name : names) {
            var path = located(name, search);
            if (path.isEmpty()) continue;
            String version =
                    ContainerProgram.call(path.get(), List.of("--version"), SECONDS_MAX).reason();
            var program = new ContainerProgram(path.get(), version);
            var probe = program.isPodman() ? PROBE : DOCKER_PROBE;
            var answer = ContainerProgram.call(path.get(), probe, SECONDS_MAX);
            if (answer.code() == 0) return new Found(Optional.of(program), false, "");
            troubles.add(name + " does not work here: " + answer.reason());
        }
        String missing = String.join(" nor ", names) + " is installed";
        String none = names.size() == 1 ? "no " + missing : "neither " + missing;
        return troubles.isEmpty()
                ? new Found(Optional.empty(), false, none)
                : new Found(Optional.empty(), true, String.join("; ", troubles));
    }

    private static Optional<String> located(String name, String search) {
        var candidates = new ArrayList<Path>();
        if (name.startsWith("/")) candidates.add(Path.of(name));
        else
            for (String folder : search.split(":"))
                if (folder.startsWith("/")) candidates.add(Path.of(folder, name));
        return candidates.stream()
                .filter(path -> Files.isRegularFile(path) && Files.isExecutable(path))
                .map(Path::toString)
                .findFirst();
    }

    public Optional<ContainerProgram> program() {
        return found.join().program();
    }

    /** What the tasks of the spec run in; empty when they are processes. */
    public Optional<ContainerProgram> of(JobSpec spec) {
        return spec.container().image().isEmpty() ? Optional.empty() : program();
    }

    /** Why a job with an image may not run here without it. */
    public Optional<String> refusal(JobSpec spec) {
        if (!settings.required() || spec.container().image().isEmpty()) return Optional.empty();
        if (program().isPresent()) return Optional.empty();
        String why = found.join().trouble();
        return Optional.of(
                "this cluster has nothing that runs images, and may not run the job without its"
                        + " image"
                        + (why.isEmpty() ? "" : ": " + why));
    }

    /** What is said of an image that is not used. */
    public Optional<String> passedOver(JobSpec spec) {
        var image = spec.container().image();
        if (image.isEmpty() || program().isPresent()) return Optional.empty();
        String why = found.join().trouble();
        return Optional.of(
                "image "
                        + image.get()
                        + " is ignored: this cluster runs without containers"
                        + (why.isEmpty() ? "" : " (" + why + ")"));
    }

    /** What everybody may know. */
    public Optional<String> note() {
        return program()
                .map(program -> "tasks with an image run in containers (" + program.version() + ")")
                .or(
                        () ->
                                Optional.of("images are ignored: " + found.join().trouble())
                                        .filter(_ -> found.join().isBroken()));
    }
}

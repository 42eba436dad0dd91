package fairlead.engines.local.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.engine.EngineException;
import fairlead.engine.ExecRequest;
import fairlead.engine.ExecSession;
import fairlead.engines.local.linux.Cgroups;
import fairlead.engines.local.linux.Descriptor;
import fairlead.engines.local.linux.Inherited;
import fairlead.engines.local.linux.Libc;
import fairlead.engines.local.linux.MountScript;
import fairlead.engines.local.linux.Processes;
import fairlead.engines.local.linux.Shim;
import fairlead.engines.local.linux.Spawner;
import fairlead.engines.local.task.ContainerRef;
import fairlead.engines.local.task.Keeper;
import fairlead.engines.local.task.LiveTask;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** Starts commands beside running tasks. Any thread. */
public final class Execs {
    /** A task needs some 50 ms to make its mounts and become its command; slow disks take more. */
    private static final int LOOKS_MAX = 100;

    private static final Duration LOOK_PAUSE = Duration.ofMillis(20);

    private final Keeper keeper;
    private final Optional<Cgroups> cgroups;
    private final Inherited inherited;

    public Execs(Keeper keeper, Optional<Cgroups> cgroups, Inherited inherited) {
        this.keeper = keeper;
        this.cgroups = cgroups;
        this.inherited = inherited;
    }

    public ExecSession start(ExecRequest request) throws EngineException {
        for (int look = 0; look < LOOKS_MAX; look++) {
            var started = tried(request);
            if (started.isPresent()) return started.get();
            LockSupport.parkNanos(LOOK_PAUSE.toNanos());
        }
        throw new EngineException(reach(request) + " has not begun yet; try again in a moment");
    }

    /** Empty when the task is still on its way to becoming its command. */
    private Optional<ExecSession> tried(ExecRequest request) throws EngineException {
        Reach reach = reach(request);
        var attempt = reach.find(keeper);
        // Inside the monitor nobody ends the task: a command that is started bears a living mark.
        synchronized (attempt) {
            LiveTask task = reach.running(attempt);
            if (task.shim == null) return Optional.empty();
            try {
                if (ContainerRef.isContained(task)) return contained(task, request);
                var command = Processes.childOf(task.shim.pid());
                if (command.isEmpty()) return Optional.empty();
                String arguments = Processes.arguments(command.get());
                if (arguments.isEmpty()
                        || Shim.isOnItsWay(arguments)
                        || MountScript.isOnItsWay(arguments)) return Optional.empty();
                String group =
                        cgroups.flatMap(all -> all.entrance(task.groupName()))
                                .map(Path::toString)
                                .orElse("");
                var entrance = Entrance.of(command.get(), task.mark, group, request);
                return Optional.of(spawned(entrance, task.mark, request));
            } catch (IOException problem) {
                throw new EngineException(
                        "cannot run a command in " + reach + ": " + problem.getMessage(), problem);
            }
        }
    }

    private Optional<ExecSession> contained(LiveTask task, ExecRequest request) throws IOException {
        var container = ContainerRef.of(task);
        if (container.isEmpty()) return Optional.empty();
        var entrance = Entrance.into(container.get(), task.mark, inherited, request);
        return Optional.of(spawned(entrance, task.mark, request));
    }

    private static ExecSession spawned(Entrance entrance, String mark, ExecRequest request)
            throws IOException {
        return request.window().isPresent()
                ? onTerminal(entrance, mark, request.window().get())
                : onPipes(entrance, mark);
    }

    private static ExecSession onTerminal(Entrance entrance, String mark, ExecRequest.Window window)
            throws IOException {
        var terminal = Descriptor.terminal();
        try {
            terminal.master().resize(window.rows(), window.columns());
            if (entrance.account().isPresent()) {
                // So that the command may open its own terminal by name.
                int uid = entrance.account().get().uid();
                Files.setAttribute(Path.of(terminal.path()), "unix:uid", uid);
            }
            int pid = spawn(entrance, new Spawner.Streams.OnTerminal(terminal.path()));
            return LocalSession.onTerminal(pid, mark, entrance.beside(), terminal.master());
        } catch (IOException problem) {
            terminal.master().close();
            throw problem;
        }
    }

    private static ExecSession onPipes(Entrance entrance, String mark) throws IOException {
        var input = Descriptor.pipe();
        var output = Descriptor.pipe();
        var errors = Descriptor.pipe();
        try (var in = input.read();
                var out = output.write();
                var err = errors.write()) {
            input.write().neverWait();
            output.read().neverWait();
            errors.read().neverWait();
            var ends = new Spawner.Streams.Ends(in.number(), out.number(), err.number());
            int pid = spawn(entrance, ends);
            return LocalSession.onPipes(
                    pid, mark, entrance.beside(), input.write(), output.read(), errors.read());
        } catch (IOException problem) {
            input.write().close();
            output.read().close();
            errors.read().close();
            throw problem;
        }
    }

    private static int spawn(Entrance entrance, Spawner.Streams streams) throws IOException {
        var arguments = entrance.arguments().stream().map(word -> word.getBytes(UTF_8)).toList();
        int pid = Spawner.spawn(Shim.PROGRAM, arguments, entrance.variables(), streams);
        if (pid == -Libc.E2BIG)
            throw new IOException("command and environment together are too long");
        if (pid < 0) throw new IOException(Libc.errorText(-pid));
        return pid;
    }

    private static Reach reach(ExecRequest request) {
        return new Reach(request.attempt(), request.task());
    }
}

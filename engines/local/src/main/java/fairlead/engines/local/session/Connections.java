package fairlead.engines.local.session;

import fairlead.engine.EngineException;
import fairlead.engine.ExecSession;
import fairlead.engines.local.linux.Cgroups;
import fairlead.engines.local.linux.Listeners;
import fairlead.engines.local.linux.Processes;
import fairlead.engines.local.task.Keeper;
import fairlead.engines.local.task.LiveTask;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Connections to running tasks: to their streams, and to the ports that they listen on. Any thread.
 *
 * <p>All tasks share the machine's one network, and the server may reach what a user may not. So a
 * connection is made only where every listener that could take it is held by the task itself.
 */
public final class Connections {
    private final Keeper keeper;
    private final Optional<Cgroups> cgroups;

    public Connections(Keeper keeper, Optional<Cgroups> cgroups) {
        this.keeper = keeper;
        this.cgroups = cgroups;
    }

    public ExecSession attach(Reach reach) throws EngineException {
        var attempt = reach.find(keeper);
        synchronized (attempt) {
            try {
                return Attachment.to(reach.running(attempt));
            } catch (IOException problem) {
                throw new EngineException(
                        "cannot attach to " + reach + ": " + problem.getMessage(), problem);
            }
        }
    }

    public ExecSession forward(Reach reach, int port) throws EngineException {
        try {
            Listeners before = Listeners.on(port);
            var held = held(reach, before);
            if (held.isEmpty())
                throw new EngineException("no process of " + reach + " listens on port " + port);
            if (!held.containsAll(before.inodes()))
                throw new EngineException(
                        "others than "
                                + reach
                                + " listen on port "
                                + port
                                + " too, so nobody can say who would answer");
            return checked(connected(before, port), before, port);
        } catch (IOException problem) {
            throw new EngineException(
                    "cannot reach port " + port + " of " + reach + ": " + problem.getMessage(),
                    problem);
        }
    }

    /** A task may listen for one connection only, but nobody else may have taken its place. */
    private static ExecSession checked(Forwarding connection, Listeners before, int port)
            throws EngineException, IOException {
        boolean isTheTasks = false;
        try {
            isTheTasks = before.inodes().containsAll(Listeners.on(port).inodes());
        } finally {
            if (!isTheTasks) connection.close();
        }
        if (isTheTasks) return connection;
        throw new EngineException("who listens on port " + port + " has just changed; try again");
    }

    private static Forwarding connected(Listeners listeners, int port) throws IOException {
        if (!listeners.four()) return Forwarding.to("::1", port);
        try {
            return Forwarding.to("127.0.0.1", port);
        } catch (IOException refused) {
            if (!listeners.six()) throw refused;
            return Forwarding.to("::1", port);
        }
    }

    /** Which of the listeners processes of the task hold. */
    private Set<String> held(Reach reach, Listeners listeners) throws EngineException, IOException {
        var held = new HashSet<String>();
        var attempt = reach.find(keeper);
        // Inside the monitor the task does not end, so that its process keeps its number.
        synchronized (attempt) {
            for (int pid : processes(reach.running(attempt))) held.addAll(listeners.heldBy(pid));
        }
        return held;
    }

    private List<Integer> processes(LiveTask task) throws IOException {
        var pids = new ArrayList<Integer>();
        for (var found : Processes.all()) {
            boolean isInSession = task.shim != null && found.session() == task.shim.pid();
            if (isInSession || found.mark().equals(task.mark)) pids.add(found.pid());
        }
        Optional<Path> group = cgroups.flatMap(all -> all.entrance(task.groupName()));
        if (group.isPresent())
            for (String pid : Files.readAllLines(group.get())) pids.add(Integer.parseInt(pid));
        return pids;
    }
}

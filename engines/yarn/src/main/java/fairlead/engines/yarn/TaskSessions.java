package fairlead.engines.yarn;

import fairlead.engine.EngineException;
import fairlead.engine.ExecRequest;
import fairlead.engine.ExecSession;
import fairlead.engine.Sessions;
import fairlead.engine.remote.RemoteAttempts;
import fairlead.engines.yarn.relay.Call;
import fairlead.engines.yarn.relay.Verbs;
import fairlead.job.AttemptId;
import fairlead.job.Exit;
import fairlead.job.TaskId;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Ways into running tasks: over the master to the keeper beside the task. Any thread. */
final class TaskSessions implements Sessions {
    private static final Duration EXIT_LOOK_EVERY = Duration.ofMillis(50);

    /** Of a task that is lost, or no longer known. */
    private static final int HANGUP = 129;

    private final YarnSettings settings;
    private final RemoteAttempts<LiveAttempt> attempts;
    private final Map<AttemptId, Watch> watches;

    TaskSessions(
            YarnSettings settings,
            RemoteAttempts<LiveAttempt> attempts,
            Map<AttemptId, Watch> watches) {
        this.settings = settings;
        this.attempts = attempts;
        this.watches = watches;
    }

    @Override
    public void note(AttemptId id, String line) throws EngineException {
        var attempt = attempts.find(id);
        if (attempt.isEmpty()) return;
        for (LiveTask task : attempt.get().tasks) {
            if (!task.isStarted || task.exit != null) continue;
            try (var _ = open(id, task, Verbs.NOTE, line)) {
                // It is in the log when the keeper has answered.
                continue;
            }
        }
    }

    @Override
    public ExecSession exec(ExecRequest request) throws EngineException {
        LiveAttempt attempt = live(request.attempt(), request.task());
        LiveTask task = running(attempt, request.task());
        var words = new ArrayList<String>(List.of(Verbs.EXEC));
        request.window()
                .ifPresentOrElse(
                        window -> {
                            words.add(Integer.toString(window.rows()));
                            words.add(Integer.toString(window.columns()));
                            words.add(window.kind());
                        },
                        () -> words.addAll(List.of("", "", "")));
        words.addAll(TaskCommand.of(settings, request.spec(), request.command()).words());
        return new CommandSession(open(request.attempt(), task, words.toArray(new String[0])));
    }

    @Override
    public ExecSession attach(AttemptId id, TaskId which) throws EngineException {
        LiveAttempt attempt = live(id, which);
        LiveTask task = running(attempt, which);
        try {
            long now = attempt.files.log(which).end();
            Call call = open(id, task, Verbs.LOG, Long.toString(now));
            // Where the log begins, which is known.
            call.in().readLong();
            return new StreamSession(call, false, () -> exit(id, task, call));
        } catch (IOException problem) {
            throw failed(id, task, problem);
        }
    }

    private int exit(AttemptId id, LiveTask task, Call call) throws InterruptedException {
        try {
            LogFollower.taken(call);
        } catch (IOException _) {
            // It has gone, which is what is awaited.
        }
        while (task.exit == null && attempts.find(id).isPresent()) Thread.sleep(EXIT_LOOK_EVERY);
        Exit exit = task.exit;
        return exit == null ? HANGUP : exit.code().orElse(HANGUP);
    }

    @Override
    public ExecSession forward(AttemptId id, TaskId which, int port) throws EngineException {
        LiveTask task = running(live(id, which), which);
        Call call = open(id, task, Verbs.FORWARD, Integer.toString(port));
        return new StreamSession(call, true, () -> 0);
    }

    private LiveAttempt live(AttemptId id, TaskId which) throws EngineException {
        return attempts.find(id)
                .orElseThrow(() -> new EngineException(name(id, which) + " does not run"));
    }

    private static String name(AttemptId id, TaskId which) {
        return "task " + which + " of " + id.job();
    }

    private static LiveTask running(LiveAttempt attempt, TaskId which) throws EngineException {
        String name = name(attempt.id, which);
        LiveTask task =
                attempt.tasks.stream()
                        .filter(each -> each.record.id().equals(which))
                        .findFirst()
                        .orElseThrow(() -> new EngineException(name + " does not run"));
        if (task.exit != null) throw new EngineException(name + " has ended");
        if (!task.isStarted)
            throw new EngineException(name + " has not begun yet; try again in a moment");
        return task;
    }

    private Call open(AttemptId id, LiveTask task, String... words) throws EngineException {
        Watch watch = watches.get(id);
        try {
            if (watch == null) throw new IOException("it does not run");
            return watch.openTask(task.rank, words);
        } catch (IOException problem) {
            throw failed(id, task, problem);
        }
    }

    private static EngineException failed(AttemptId id, LiveTask task, IOException problem) {
        return new EngineException(
                "task %s of %s: %s".formatted(task.record.id(), id.job(), problem.getMessage()),
                problem);
    }
}

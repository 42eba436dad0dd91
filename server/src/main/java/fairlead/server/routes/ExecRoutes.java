package fairlead.server.routes;

import fairlead.api.AttachBody;
import fairlead.api.ErrorCode;
import fairlead.api.ExecAnswer;
import fairlead.api.ExecBody;
import fairlead.api.ForwardBody;
import fairlead.api.PortAnswer;
import fairlead.api.client.Frame;
import fairlead.engine.Engine;
import fairlead.engine.EngineException;
import fairlead.engine.ExecRequest;
import fairlead.engine.Sessions;
import fairlead.job.AttemptId;
import fairlead.job.Job;
import fairlead.job.JobState;
import fairlead.job.Limits;
import fairlead.job.TaskId;
import fairlead.journal.JournalException;
import fairlead.server.http.Call;
import fairlead.server.http.Problem;
import fairlead.server.portal.PortPages;
import fairlead.server.portal.PortTickets;
import fairlead.server.sessions.ExecConnection;
import fairlead.server.sessions.ExecSessions;
import fairlead.server.sessions.ExecSessions.Kind;
import fairlead.server.sessions.ExecUpgrade;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Commands beside running tasks, and ways to the tasks themselves and their ports: how they begin.
 * {@link ExecConnection} carries them on.
 */
final class ExecRoutes {
    /** Names of terminals are short words, such as xterm-256color. */
    private static final Pattern TERMINAL = Pattern.compile("[A-Za-z0-9][A-Za-z0-9+._-]{0,63}");

    private static final int PORT_MAX = 65_535;

    private final JobFinder finder;
    private final Map<String, Engine> engines;
    private final ExecSessions sessions;
    private final PortTickets tickets;

    ExecRoutes(
            JobFinder finder,
            Map<String, Engine> engines,
            ExecSessions sessions,
            PortTickets tickets) {
        this.tickets = tickets;
        this.finder = finder;
        this.engines = engines;
        this.sessions = sessions;
    }

    void exec(Call call) throws Exception {
        Job job = finder.find(call);
        call.onlyInPerson(job, "run commands in");
        ExecBody body = call.body(ExecBody.class);
        checkCommand(body.command());
        TaskId task = LogRoutes.task(Optional.ofNullable(body.task()), job);
        AttemptId attempt = attempt(job, "takes commands");
        var request = new ExecRequest(attempt, task, job.ownSpec(), body.command(), window(body));
        Sessions into = sessions(job);
        begin(call, Kind.COMMAND, attempt, task, true, () -> into.exec(request));
    }

    void attach(Call call) throws Exception {
        Job job = finder.find(call);
        call.onlyInPerson(job, "attach to");
        AttachBody body = call.body(AttachBody.class);
        TaskId task = LogRoutes.task(Optional.ofNullable(body.task()), job);
        AttemptId attempt = attempt(job, "can be attached to");
        Sessions into = sessions(job);
        boolean reads = job.spec().container().details().stdin();
        begin(call, Kind.ATTACHMENT, attempt, task, reads, () -> into.attach(attempt, task));
    }

    void forward(Call call) throws Exception {
        Job job = finder.find(call);
        call.onlyInPerson(job, "reach the ports of");
        ForwardBody body = call.body(ForwardBody.class);
        int port = Optional.ofNullable(body.port()).orElse(0);
        if (port < 1 || port > PORT_MAX)
            throw Problem.invalid("port", "port: must be a whole number from 1 to " + PORT_MAX);
        TaskId task = LogRoutes.task(Optional.ofNullable(body.task()), job);
        AttemptId attempt = attempt(job, "has ports to reach");
        Sessions into = sessions(job);
        begin(call, Kind.FORWARD, attempt, task, true, () -> into.forward(attempt, task, port));
    }

    /** Where a browser finds the page that a task serves on a port. */
    void openPort(Call call) throws Exception {
        Job job = finder.find(call);
        call.onlyInPerson(job, "reach the ports of");
        String text = call.inPath("port").orElse("");
        int port = text.matches("\\d{1,5}") ? Integer.parseInt(text) : 0;
        if (port < 1 || port > PORT_MAX)
            throw Problem.invalid("port", "port: must be a whole number from 1 to " + PORT_MAX);
        TaskId task = LogRoutes.task(Optional.ofNullable(call.body(AttachBody.class).task()), job);
        attempt(job, "has ports to reach");
        String ticket =
                tickets.give(new PortTickets.Ticket(call.caller().name(), job.id(), task, port));
        call.send(201, new PortAnswer(PortPages.path(ticket)));
    }

    private Sessions sessions(Job job) throws EngineException {
        return LogRoutes.engine(engines, job)
                .sessions()
                .orElseThrow(
                        () ->
                                new EngineException(
                                        "the cluster "
                                                + job.spec().cluster()
                                                + " lets nobody into its tasks"));
    }

    private void begin(
            Call call,
            Kind kind,
            AttemptId attempt,
            TaskId task,
            boolean readsInput,
            ExecSessions.Start start)
            throws Exception {
        try {
            var open =
                    sessions.begin(
                            kind,
                            attempt.job(),
                            task,
                            call.caller().name(),
                            () -> runs(attempt, task),
                            start);
            call.send(201, new ExecAnswer(open.name, readsInput));
        } catch (EngineException refused) {
            // The engine's word that the task does not run is newer than the job's state.
            throw new Problem(ErrorCode.CONFLICT, refused.getMessage());
        }
    }

    private boolean runs(AttemptId attempt, TaskId task) {
        try {
            return finder.current(attempt.job())
                    .filter(
                            job ->
                                    job.state() instanceof JobState.Running running
                                            && running.attempt().id().equals(attempt)
                                            && !running.exits().containsKey(task))
                    .isPresent();
        } catch (JournalException _) {
            // It only decides on a word of explanation.
            return true;
        }
    }

    private static void checkCommand(List<String> command) {
        if (command == null || command.isEmpty() || command.getFirst().isEmpty())
            throw Problem.invalid("command", "command: is missing");
        long bytes = 0;
        for (String word : command) {
            int length = word.getBytes(StandardCharsets.UTF_8).length;
            bytes += length + 1;
            if (word.indexOf('\0') >= 0)
                throw Problem.invalid("command", "command: has a zero byte in it");
            if (length > Limits.ARGUMENT_BYTES_MAX
                    || bytes > Limits.COMMAND_AND_ENVIRONMENT_BYTES_MAX)
                throw Problem.invalid("command", "command: is too long for Linux");
        }
    }

    private static AttemptId attempt(Job job, String what) {
        return switch (job.state()) {
            case JobState.Running running -> running.attempt().id();
            case JobState.Starting _ -> throw notNow(job, "try again in a moment");
            case JobState.Queued _, JobState.Stopping _, JobState.Finished _ ->
                    throw notNow(job, "only a running job " + what);
        };
    }

    private static Problem notNow(Job job, String words) {
        return new Problem(ErrorCode.CONFLICT, "%s %s; %s".formatted(job.id(), shown(job), words));
    }

    private static String shown(Job job) {
        String word = JobFinder.word(job);
        return (word.equals("succeeded") || word.equals("failed") ? "has " : "is ") + word;
    }

    private static Optional<ExecRequest.Window> window(ExecBody body) {
        if (body.terminal() == null) {
            if (body.rows() != null || body.columns() != null)
                throw Problem.invalid("terminal", "terminal: rows and columns need its kind");
            return Optional.empty();
        }
        if (!TERMINAL.matcher(body.terminal()).matches())
            throw Problem.invalid(
                    "terminal",
                    "terminal: must be a kind such as xterm, but is '%.40s'"
                            .formatted(body.terminal()));
        return Optional.of(
                new ExecRequest.Window(
                        side("rows", body.rows()),
                        side("columns", body.columns()),
                        body.terminal()));
    }

    private static int side(String field, Integer length) {
        if (length == null || length < 1 || length > ExecRequest.SIDE_MAX)
            throw Problem.invalid(
                    field,
                    "%s: must be a whole number from 1 to %d"
                            .formatted(field, ExecRequest.SIDE_MAX));
        return length;
    }

    /** Reached only by a call that {@link ExecUpgrade} has not taken. */
    void connect(Call call) {
        if (sessions.awaits(call.session(), call.caller().name()))
            throw Problem.invalid(
                    "Upgrade",
                    "this call needs the headers 'Connection: Upgrade' and 'Upgrade: "
                            + Frame.PROTOCOL
                            + "'");
        throw new Problem(
                ErrorCode.NOT_FOUND,
                "no such session of yours: it is connected already, or nobody came within %d s"
                        .formatted(ExecSessions.CONNECT_WITHIN.toSeconds()));
    }
}

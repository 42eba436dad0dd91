package fairlead.engines.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.engine.EngineException;
import fairlead.engine.ExecRequest;
import fairlead.engine.ExecSession;
import fairlead.engine.remote.RemoteAttempts;
import fairlead.engines.kubernetes.apiserver.PodSession;
import fairlead.engines.kubernetes.apiserver.PodSocket;
import fairlead.engines.kubernetes.apiserver.Problems;
import fairlead.job.AttemptId;
import fairlead.job.TaskId;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.client.http.WebSocketHandshakeException;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Ways into running pods, over the API server: commands, the task itself, its ports. Any thread.
 */
final class PodSessions {
    /** The newest first: only the fifth version can tell a command the end of its input. */
    private static final List<String> PROTOCOLS = List.of("v5.channel.k8s.io", "v4.channel.k8s.io");

    private static final List<String> PORT_PROTOCOLS = List.of("v4.channel.k8s.io");

    /** Each of a port's channels begins with the port's number. */
    private static final int PORT_BYTES = 2;

    private final Cluster cluster;
    private final RemoteAttempts<LiveAttempt> attempts;
    private final Looker looker;

    PodSessions(Cluster cluster, RemoteAttempts<LiveAttempt> attempts, Looker looker) {
        this.cluster = cluster;
        this.attempts = attempts;
        this.looker = looker;
    }

    /**
     * A task that runs.
     *
     * @param name for messages
     */
    private record Place(
            LiveAttempt attempt,
            LiveTask task,
            String namespace,
            String pod,
            boolean hasInput,
            boolean hasTerminal,
            String name) {}

    ExecSession exec(ExecRequest request) throws EngineException {
        var place = place(request.attempt(), request.task());
        boolean tty = request.window().isPresent();
        var command = new ArrayList<String>();
        // The API has no place for variables, so a program of the image sets the one.
        request.window()
                .ifPresent(window -> command.addAll(List.of("env", "TERM=" + window.kind())));
        command.addAll(request.command());
        var query = new StringBuilder(streams(true, tty));
        for (String word : command) query.append("&command=").append(encoded(word));
        var channels = PodSession.Channels.OF_COMMAND;
        var socket = open(place, "exec", query.toString(), PROTOCOLS, channels, 0);
        var session = new PodSession(socket, channels, new PodSessionKinds.Command(socket, tty));
        request.window().ifPresent(window -> session.resize(window.rows(), window.columns()));
        return session;
    }

    ExecSession attach(AttemptId attempt, TaskId task) throws EngineException {
        var place = place(attempt, task);
        var query = streams(place.hasInput(), place.hasTerminal());
        var channels = PodSession.Channels.OF_COMMAND;
        var socket = open(place, "attach", query, PROTOCOLS, channels, 0);
        var kind = new PodSessionKinds.Task(socket, place.attempt(), place.task());
        return new PodSession(socket, channels, kind);
    }

    ExecSession forward(AttemptId attempt, TaskId task, int port) throws EngineException {
        var place = place(attempt, task);
        var channels = PodSession.Channels.OF_PORT;
        var socket =
                open(place, "portforward", "ports=" + port, PORT_PROTOCOLS, channels, PORT_BYTES);
        return new PodSession(socket, channels, new PodSessionKinds.Port(socket));
    }

    private static String streams(boolean stdin, boolean tty) {
        return "container=%s&stdin=%b&stdout=true&stderr=%b&tty=%b"
                .formatted(Marks.CONTAINER, stdin, !tty, tty);
    }

    private Place place(AttemptId id, TaskId task) throws EngineException {
        String name = "task " + task + " of " + id.job();
        var attempt = attempts.find(id).orElseThrow(() -> not(name, "does not run"));
        synchronized (attempt) {
            LiveTask live =
                    attempt.tasks.stream()
                            .filter(each -> each.record.id().equals(task))
                            .findFirst()
                            .orElseThrow(() -> not(name, "does not run"));
            if (live.seen != null) throw not(name, "has ended");
            if (attempt.stop.isPresent()) throw not(name, "is being stopped");
            var pod = looker.pod(attempt, live);
            if (!live.isStarted || pod.isEmpty())
                throw not(
                        name,
                        live.trouble.isEmpty()
                                ? "has not begun yet; try again in a moment"
                                : "has not begun yet: " + live.trouble);
            Container container = pod.get().getSpec().getContainers().getFirst();
            return new Place(
                    attempt,
                    live,
                    attempt.record.namespace(),
                    live.record.pod(),
                    Boolean.TRUE.equals(container.getStdin()),
                    Boolean.TRUE.equals(container.getTty()),
                    name);
        }
    }

    private static EngineException not(String name, String why) {
        return new EngineException(name + " " + why);
    }

    private PodSocket open(
            Place place,
            String what,
            String query,
            List<String> protocols,
            PodSession.Channels channels,
            int skip)
            throws EngineException {
        var client = cluster.client();
        String base = client.getMasterUrl().toString().replaceAll("/$", "");
        String path = "/api/v1/namespaces/%s/pods/%s/%s?%s";
        var uri = URI.create(base + path.formatted(place.namespace(), place.pod(), what, query));
        IOException refused = null;
        for (String protocol : protocols) {
            try {
                return PodSocket.open(
                        client.getHttpClient(),
                        uri,
                        protocol,
                        List.of(channels.output(), channels.errors()),
                        skip);
            } catch (IOException problem) {
                refused = problem;
                // An older cluster knows only the older protocol, and says so in its own way.
                if (code(problem).isEmpty()) break;
            }
        }
        throw failed(place, what, refused);
    }

    private static Optional<Integer> code(IOException problem) {
        return problem.getCause() instanceof WebSocketHandshakeException answer
                ? Optional.of(answer.getResponse().code())
                : Optional.empty();
    }

    private EngineException failed(Place place, String what, IOException problem) {
        Function<Integer, String> words =
                code ->
                        switch (code) {
                            case Problems.NOT_FOUND -> "the pod of " + place.name() + " is gone";
                            case Problems.FORBIDDEN ->
                                    "the cluster does not let this server's account use pods/"
                                            + what
                                            + " in the namespace "
                                            + place.namespace();
                            default ->
                                    "the cluster opens no way into the pod of "
                                            + place.name()
                                            + " (HTTP status "
                                            + code
                                            + "); its container may just have ended";
                        };
        String text =
                code(problem).map(words).orElseGet(() -> cluster.unreachable(problem.getMessage()));
        return new EngineException(text, problem);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }
}

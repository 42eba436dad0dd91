package fairlead.cli.admin;

import fairlead.api.client.Refused;
import fairlead.api.client.Unreachable;
import fairlead.api.clusters.ClusterBody;
import fairlead.api.clusters.ServerBody;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.server.PersonalServer;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.Paint;
import fairlead.cli.terminal.Table;
import fairlead.cli.terminal.UsageException;
import fairlead.cli.terminal.Words;

import java.io.IOException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Starts, stops and looks after the server. */
public final class Server implements Verb {
    private static final Option GPUS =
            Option.valued(
                    "--gpus",
                    null,
                    "N",
                    "start: how many GPUs there are, instead of asking the driver");
    private static final Option GPU_MEMORY =
            Option.valued(
                    "--gpu-memory",
                    null,
                    "SIZE",
                    "start: memory of each declared GPU, such as 16G");
    private static final Option URL =
            Option.valued(
                    "--url",
                    null,
                    "URL",
                    "start: where other machines find it, such as http://gpu-box:7300");
    private static final Option PORT =
            Option.valued("--port", null, "N", "start: listen here; by default any free port");
    private static final Option POLICY =
            Option.valued(
                    "--policy",
                    null,
                    "NAME",
                    "start: elastic (default), fair, fifo or one for comparison");
    private static final Option HOST =
            Option.valued(
                    "--host",
                    null,
                    "ADDRESS",
                    "start: listen there, encrypted; 0.0.0.0 is for everyone");
    private static final Option TLS =
            Option.valued(
                    "--tls", null, "yes|no", "start: encrypt; by default yes, but on loopback no");
    private static final Option UNDISTURBED =
            Option.valued(
                    "--undisturbed", null, "T", "start: no preemption in a job's first 5m, or T");
    private static final Option MEMORY =
            Option.valued(
                    "--memory",
                    null,
                    "SIZE",
                    "start: the server's own memory, such as 4G; by default a quarter of the"
                            + " machine's");
    private static final Option NEW_JOURNAL =
            Option.flag(
                    "--new-journal",
                    null,
                    "start: begin with an empty journal where the old one is lost");
    private static final Option FORGET =
            Option.flag("--forget", null, "start: forget the flags of the last start");
    private static final Option FOLLOW =
            Option.flag("--follow", "-f", "logs: keep showing new lines");
    private static final List<Option> STARTING =
            List.of(GPUS, GPU_MEMORY, HOST, PORT, TLS, URL, POLICY, UNDISTURBED, MEMORY);
    private static final Actions ACTIONS =
            Actions.of("server", "start", "stop", "status", "logs", "backup", "doctor");

    @Override
    public Usage usage() {
        return new Usage(
                List.of("server"),
                "start|stop|status|logs|backup|doctor [FILE]",
                2,
                false,
                "start, stop and look after the server",
                "Any verb that needs a server starts a personal one by itself. It lives in the"
                        + " home, which\n"
                        + "'fairlead config' shows. A start without flags takes those of the last"
                        + " 'server start' there; running jobs\n"
                        + "go on when it stops. 'fairlead login', or FAIRLEAD_SERVER and\n"
                        + "FAIRLEAD_TOKEN, name another server instead.",
                List.of(
                        GPUS,
                        GPU_MEMORY,
                        HOST,
                        PORT,
                        TLS,
                        URL,
                        POLICY,
                        UNDISTURBED,
                        MEMORY,
                        NEW_JOURNAL,
                        FORGET,
                        FOLLOW,
                        Option.JSON),
                List.of(
                        Example.of(
                                "fairlead server start --gpus 4 --policy fair",
                                "with four declared GPUs"),
                        Example.of("fairlead server status", "exits 3 when none runs"),
                        Example.of("fairlead server logs", "the end of its log"),
                        Example.of(
                                "fairlead server backup ${TMPDIR:-/tmp}/fairlead-$$.db",
                                "a copy of its journal, while it runs"),
                        Example.of("fairlead server stop", "running jobs go on")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        String action = Actions.typed(arguments);
        if (!action.equals("backup") && arguments.operands().size() > 1) {
            throw new UsageException("'" + arguments.operands().get(1) + "' is one word too many");
        }
        return switch (action) {
            case "start" -> start(arguments, session);
            case "stop" -> stop(session);
            case "status" -> status(arguments.has(Option.JSON), session);
            case "logs" -> {
                session.onlyPersonal("server logs");
                yield new ServerLogs(session)
                        .show(session.personal().logs(), arguments.has(FOLLOW));
            }
            case "backup" -> backup(arguments, session);
            case "doctor" -> {
                Doctor doctor = Doctor.look(session.client(), session.isPersonal());
                session.out().print(doctor.text());
                yield doctor.isWell() ? ExitCode.OK : ExitCode.JOB_FAILED;
            }
            default -> throw ACTIONS.unknown(action);
        };
    }

    private static int start(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        session.onlyPersonal("server start");
        arguments.number(GPUS, 0);
        arguments.number(PORT, 0);
        var words = new ArrayList<String>();
        for (Option option : STARTING) {
            arguments.text(option).ifPresent(value -> words.addAll(List.of(option.name(), value)));
        }
        if (arguments.has(NEW_JOURNAL)) words.add(NEW_JOURNAL.name());
        PersonalServer personal = session.personal();
        List<String> kept =
                words.isEmpty() && !arguments.has(FORGET) ? personal.keptFlags() : List.of();
        boolean started = personal.start(words, arguments.has(FORGET), session::say);
        if (started && !kept.isEmpty())
            session.say(
                    "with %s, as the last time ('fairlead server start --forget' drops that)"
                            .formatted(String.join(" ", kept)));
        boolean isUnused = !started && (!words.isEmpty() || arguments.has(FORGET));
        String unused =
                isUnused
                        ? "\n"
                                + (words.isEmpty()
                                        ? "the flags of the last start were not forgotten"
                                        : "the options were not applied")
                                + "; to change them: 'fairlead server stop', then start again"
                        : "";
        session.out()
                .line(
                        (started ? "started at " : "already running at ")
                                + personal.locate()
                                + unused);
        if (started) sayForOthers(session);
        return ExitCode.OK;
    }

    /** Also for those whose logins are from before the server was encrypted. */
    private static void sayForOthers(Session session)
            throws UsageException, Failure, Refused, IOException {
        try (var client = session.another()) {
            ServerBody server = client.server().value();
            if (server.address() == null) return;
            session.out().line("others log in to " + server.address());
            session.out().line("its certificate is " + server.fingerprint());
            session.say(
                    "logins to http:// from before must be made again, to https://; '--tls no'"
                            + " stays with plain HTTP");
        }
    }

    private static int stop(Session session) throws UsageException, Failure, Refused, IOException {
        if (!session.isPersonal()) {
            try (var client = session.another()) {
                client.stop();
            }
            session.out().line("stopping");
            return ExitCode.OK;
        }
        PersonalServer personal = session.personal();
        if (!personal.answers()) {
            refuseSilent(session);
            session.out().line("not running");
            return ExitCode.OK;
        }
        personal.stop();
        session.out().line("stopped; running jobs go on");
        return ExitCode.OK;
    }

    private static int status(boolean json, Session session)
            throws UsageException, Failure, Refused, IOException {
        try (var client = session.another()) {
            var answer = client.server();
            if (json) {
                session.json(answer);
                return ExitCode.OK;
            }
            ServerBody server = answer.value();
            var table =
                    new Table()
                            .row("Server", server.url())
                            .row("Version", server.version())
                            .row("Process", String.valueOf(server.pid()))
                            .row("Home", server.home())
                            .row("Policy", server.policy())
                            .row("Up", Words.age(server.started(), session.now()))
                            .row("Journal", journal(server, session.terminal().zone()));
            if (server.address() != null) table.row("Address", server.address());
            if (server.fingerprint() != null) table.row("Certificate", server.fingerprint());
            if (server.journalCopy() != null) table.row("Copy", server.journalCopy());
            for (ClusterBody cluster : clustersOf(server)) table.row("Cluster", words(cluster));
            session.out().print(table.text());
            return ExitCode.OK;
        } catch (Unreachable e) {
            refuseSilent(session);
            throw new Failure(
                    ExitCode.UNREACHABLE,
                    session.isPersonal()
                            ? e.getMessage() + "; 'fairlead server start' starts one"
                            : e.getMessage());
        }
    }

    /**
     * One that is starting, or has the home folder and does not answer, is neither there nor not.
     */
    private static void refuseSilent(Session session) throws UsageException, Failure {
        if (!session.isPersonal()) return;
        Optional<String> absent = session.personal().absent();
        if (absent.isPresent()) throw new Failure(ExitCode.UNREACHABLE, absent.get());
    }

    private static String journal(ServerBody server, ZoneId zone) {
        String bytes = Words.bytes(server.journalBytes());
        return server.journalCheck() == null
                ? bytes
                : bytes
                        + ", "
                        + Paint.plain(
                                Words.localTimes(server.journalCheck(), zone), Integer.MAX_VALUE);
    }

    /** An older server does not say. */
    private static List<ClusterBody> clustersOf(ServerBody server) {
        return server.clusters() == null ? List.of() : server.clusters();
    }

    private static String words(ClusterBody cluster) {
        String words = cluster.name() + " (" + cluster.engine() + ")";
        return cluster.reachable()
                ? words
                : words
                        + ", cannot be reached: "
                        + Paint.plain(cluster.trouble(), Integer.MAX_VALUE);
    }

    /** The clusters in one line after something else; empty where the server does not say. */
    static String clusters(ServerBody server) {
        var all = new ArrayList<String>();
        for (ClusterBody cluster : clustersOf(server)) all.add(words(cluster));
        return all.isEmpty() ? "" : ", clusters: " + String.join("; ", all);
    }

    private static int backup(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        if (arguments.operands().size() < 2)
            throw new UsageException("backup needs a file to write");
        String file = arguments.operands().get(1);
        // The server has another working folder, so it needs the whole path.
        String path =
                session.isPersonal()
                        ? session.terminal().folder().resolve(file).normalize().toString()
                        : file;
        session.client().backup(path);
        session.out().line("saved to " + path);
        return ExitCode.OK;
    }
}

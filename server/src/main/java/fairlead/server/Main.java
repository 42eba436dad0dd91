package fairlead.server;

import fairlead.api.client.HomeFolder;
import fairlead.engine.Engine;
import fairlead.engine.EngineException;
import fairlead.engines.local.linux.Accounts;
import fairlead.journal.JournalException;
import fairlead.journals.sqlite.JournalCare;
import fairlead.journals.sqlite.JournalCopies;
import fairlead.journals.sqlite.SqliteJournal;
import fairlead.server.auth.JobAccounts;
import fairlead.server.http.Memory;
import fairlead.server.tls.ServerTls;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.logging.Level;

/** The server's process. Jobs that run outlive it, however it ends. */
public final class Main {
    /** Short enough that a dead peer gives its stream back soon. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);

    /** Six beats of a command's user: they are gone then, or stopped, and the command goes too. */
    private static final Duration SILENCE = Duration.ofSeconds(60);

    /** As sysexits.h has it for a bug: whoever starts the server again may tell it from a stop. */
    private static final int BUG_CODE = 70;

    /** Let go of when memory has ended, so that the log can still say so. */
    private static final int RESERVE_BYTES = 1 << 20;

    /** Without asking the network, which may not be there. */
    private static final Path MACHINE_NAME = Path.of("/proc/sys/kernel/hostname");

    private static final System.Logger LOG = System.getLogger(Main.class.getName());

    private Main() {}

    public static void main(String[] arguments) {
        try {
            serve(Settings.read(List.of(arguments)));
        } catch (StartException refusal) {
            fail(refusal.exitCode(), refusal.getMessage());
        } catch (IOException failure) {
            fail(StartException.REFUSED, HomeFolder.reason(failure));
        } catch (JournalException | EngineException failure) {
            fail(StartException.REFUSED, failure.getMessage());
        } catch (InterruptedException _) {
            fail(StartException.REFUSED, "interrupted while it was starting");
        } catch (Throwable bug) {
            if (Memory.hasEnded(bug))
                fail(BUG_CODE, tooLittleMemory(Runtime.getRuntime().maxMemory()));
            try {
                bug.printStackTrace();
            } finally {
                fail(BUG_CODE, "a bug: " + bug);
            }
        }
    }

    private static String tooLittleMemory(long heapBytes) {
        return "the unfinished jobs of this home need more memory than the server has (%d MiB); start it with more, as in 'fairlead server start --memory %dM'"
                .formatted(heapBytes >> 20, (heapBytes >> 20) * 2);
    }

    private static void serve(Settings.Start start)
            throws StartException,
                    IOException,
                    JournalException,
                    EngineException,
                    InterruptedException {
        Home home = Home.open(start.home());
        var copies = new JournalCopies(home.path().resolve("copies"), start.settings().copies());
        // Before all else that is made in a home: a start that fails here leaves no trace of use.
        SqliteJournal journal = HomeJournal.open(home, start, copies);
        Settings settings = AddedClusters.with(journal, start.settings());
        JsonLog log = JsonLog.begin(home.log(), start.isLoggedTwice());
        home.change().ifPresent(words -> log.say(Level.WARNING, words, null));
        String token = home.token();
        String secret = home.secret();
        var hooks = Dialects.hooks(settings, home.path(), secret);
        Map<String, Engine> engines = Engines.open(settings, home, hooks);
        var around =
                new Server.Surroundings(
                        home.path(),
                        token,
                        secret,
                        Optional.of(home.addressFile()),
                        tls(settings, home),
                        System.getProperty("user.name"),
                        System.getProperty("user.home"),
                        machineName(),
                        new JobAccounts.Machine(
                                Accounts.isRoot(),
                                name -> Accounts.find(name).isPresent(),
                                Accounts::isRoot),
                        version(),
                        HEARTBEAT,
                        SILENCE,
                        () -> bytes(journal),
                        journal::backup,
                        new JournalCare(journal, copies, Instant::now, onBug(log)),
                        cluster -> Engines.open(cluster, settings, home, hooks),
                        Main::exitSoon,
                        onBug(log));
        // A request's thread may die of anything, and a library's of anything but this.
        Thread.setDefaultUncaughtExceptionHandler(
                (thread, death) -> {
                    if (Memory.hasEnded(death) && !thread.isVirtual()) around.bug().accept(death);
                    else LOG.log(System.Logger.Level.ERROR, thread.getName() + " has died", death);
                });
        warnOfOtherMemory(settings);
        Server server;
        try {
            server = new Server(settings, journal, engines, around);
        } catch (JournalException failure) {
            throw HomeJournal.told(failure, copies);
        }
        server.start();
        stopWithTheProcess(server, home, log);
        home.announce(server.url(), token);
        LOG.log(System.Logger.Level.INFO, "serves {0} on {1}", home.path(), server.address());
        around.tls()
                .ifPresent(
                        tls ->
                                LOG.log(
                                        System.Logger.Level.INFO,
                                        "has the certificate {0}; others log in to {1}, and plain"
                                                + " HTTP from them needs ''tls = no''",
                                        tls.fingerprint(),
                                        server.forOthers()));
    }

    private static Optional<ServerTls> tls(Settings settings, Home home)
            throws IOException, StartException {
        TeamSettings team = settings.team();
        if (!team.isEncrypted(settings.host())) return Optional.empty();
        try {
            if (team.certificate().isPresent())
                return Optional.of(
                        ServerTls.of(team.certificate().get(), team.key().orElseThrow()));
        } catch (IOException wrong) {
            throw new StartException(StartException.USAGE, HomeFolder.reason(wrong));
        }
        var names = new TreeSet<>(settings.names());
        names.addAll(List.of("localhost", "127.0.0.1", machineName()));
        settings.url().map(url -> URI.create(url).getHost()).ifPresent(names::add);
        if (!List.of("0.0.0.0", "::").contains(settings.host())) names.add(settings.host());
        return Optional.of(ServerTls.own(home.path().resolve("tls"), names, Instant.now()));
    }

    private static String machineName() throws IOException {
        return Files.readString(MACHINE_NAME).strip();
    }

    /** The heap of a process is as it was started; only its starter can follow the setting. */
    private static void warnOfOtherMemory(Settings settings) {
        long heap = Runtime.getRuntime().maxMemory();
        if (settings.memoryBytes().isEmpty()) return;
        long asked = settings.memoryBytes().getAsLong();
        if (Math.abs(asked - heap) > asked / 8)
            LOG.log(
                    System.Logger.Level.WARNING,
                    "memory = {0} MiB is set, but this process has {1} MiB: start it with 'fairlead"
                            + " server start', or with -Xmx{0}m",
                    asked >> 20,
                    heap >> 20);
    }

    private static long bytes(SqliteJournal journal) {
        try {
            return journal.bytes();
        } catch (JournalException unreadable) {
            LOG.log(System.Logger.Level.WARNING, "{0}", unreadable.getMessage());
            return 0;
        }
    }

    /** Whoever asked for the stop gets an answer first, so it happens on another thread. */
    private static void exitSoon() {
        Thread.ofPlatform().name("stop").start(() -> System.exit(0));
    }

    /** A stop by signal is as good as one by request, so both end with code 0. */
    private static void stopWithTheProcess(Server server, Home home, JsonLog log) {
        Runtime.getRuntime()
                .addShutdownHook(
                        Thread.ofPlatform()
                                .name("shutdown")
                                .unstarted(
                                        () -> {
                                            stop(server, home, log);
                                            Runtime.getRuntime().halt(0);
                                        }));
    }

    private static void stop(Server server, Home home, JsonLog log) {
        try {
            home.withdraw();
            server.stop();
            home.close();
            log.say(Level.INFO, "stopped; running tasks go on", null);
        } catch (IOException | InterruptedException failure) {
            log.say(Level.WARNING, "did not stop cleanly; nothing is lost", failure);
        }
    }

    /** Ends at once, without a graceful stop: after a bug nothing in memory is to be trusted. */
    private static Consumer<Throwable> onBug(JsonLog log) {
        var isFirst = new AtomicBoolean(true);
        var reserve = new AtomicReference<>(new byte[RESERVE_BYTES]);
        return bug -> {
            if (!isFirst.getAndSet(false)) return;
            try {
                reserve.set(null);
                log.say(Level.SEVERE, "a bug stops the server; jobs go on", bug);
            } finally {
                // Whatever becomes of the line: half a server is worse than none.
                Runtime.getRuntime().halt(BUG_CODE);
            }
        };
    }

    private static void fail(int code, String message) {
        System.err.println("fairlead server: " + message);
        // Threads that were started before the failure must not keep the process.
        Runtime.getRuntime().halt(code);
    }

    static String version() throws IOException {
        try (InputStream in = Main.class.getResourceAsStream("version")) {
            if (in == null) throw new IllegalStateException("the build lacks its version");
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        }
    }
}

package fairlead.server;

import fairlead.cluster.Rules;
import fairlead.control.Cluster;
import fairlead.control.Controller;
import fairlead.control.Inbox;
import fairlead.control.Interpreter;
import fairlead.control.MemoryBounds;
import fairlead.control.Message;
import fairlead.control.Predictions;
import fairlead.engine.Engine;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;
import fairlead.journals.sqlite.JournalCare;
import fairlead.policies.Policies;
import fairlead.server.admission.Admission;
import fairlead.server.audit.AuditTrail;
import fairlead.server.auth.Access;
import fairlead.server.auth.BrowserAccess;
import fairlead.server.auth.JobAccounts;
import fairlead.server.auth.JobKeys;
import fairlead.server.auth.Logins;
import fairlead.server.auth.Roster;
import fairlead.server.auth.Secrets;
import fairlead.server.bodies.JobBodies;
import fairlead.server.http.HttpFront;
import fairlead.server.http.PersonLimits;
import fairlead.server.http.Streams;
import fairlead.server.http.Visitors;
import fairlead.server.launch.CodeElsewhere;
import fairlead.server.launch.CodeFolders;
import fairlead.server.launch.InformedEngine;
import fairlead.server.launch.JobEnvironment;
import fairlead.server.launch.LaunchHooks;
import fairlead.server.launch.LaunchSteps;
import fairlead.server.launch.LaunchedJobs;
import fairlead.server.launch.OwnFolders;
import fairlead.server.launch.PlannedCommands;
import fairlead.server.launch.RegistryLogins;
import fairlead.server.launch.Storages;
import fairlead.server.launch.WorkingFolders;
import fairlead.server.openpai.JobParts;
import fairlead.server.openpai.OpenPai;
import fairlead.server.openpai.SshKeys;
import fairlead.server.openpai.SshNote;
import fairlead.server.routes.Parts;
import fairlead.server.routes.Routes;
import fairlead.server.runtime.DiskRoom;
import fairlead.server.runtime.Explanations;
import fairlead.server.runtime.Facts;
import fairlead.server.runtime.GpuUseHistory;
import fairlead.server.runtime.ListenerWatch;
import fairlead.server.runtime.Loop;
import fairlead.server.runtime.Measurements;
import fairlead.server.runtime.NotifyingJournal;
import fairlead.server.runtime.Observer;
import fairlead.server.runtime.Predictor;
import fairlead.server.runtime.Questions;
import fairlead.server.runtime.Retention;
import fairlead.server.runtime.Timekeeper;
import fairlead.server.sessions.ExecSessions;
import fairlead.server.tls.ServerTls;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** A whole server over a journal and engines that are its own from now on: it closes them. */
final class Server {
    /** For whatever is under way when a stop comes: a tick, a call to an engine, a look. */
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(5);

    private static final String LOOPBACK = "127.0.0.1";

    private final Journal journal;
    private final Map<String, Engine> engines = new ConcurrentSkipListMap<>();
    private final List<Observer> observers = new CopyOnWriteArrayList<>();
    private final Facts facts = new Facts();
    private final Loop loop;
    private final Retention retention;
    private final AuditTrail audit;
    private final Predictor predictor;
    private final Measurements measurements;
    private final GpuUseHistory gpuUse;
    private final ListenerWatch watch;
    private final Streams streams;
    private final ExecSessions execs;
    private final JobParts paiJobs;
    private final HttpFront front;
    private final Optional<HttpFront> local;
    private final Optional<ServerTls> tls;
    private final String host;
    private final Optional<String> url;
    private final String machineName;
    private final JournalCare care;
    private final Controller controller;
    private final Timekeeper timekeeper;
    private final DiskRoom disk;

    /** Where, once that is known. */
    private final CompletableFuture<String> listens = new CompletableFuture<>();

    /** The same for those who come from other machines. */
    private final CompletableFuture<String> listensToAll = new CompletableFuture<>();

    /**
     * What differs between a real server and one in a test.
     *
     * @param secret what the keys of jobs are derived from
     * @param addressFile says where the server is; for jobs that see the server's files
     * @param tls how the server is known where it encrypts
     * @param machineName what the machine calls itself
     * @param machine which accounts of this machine are root's
     * @param heartbeat the longest silence of a stream
     * @param silence after so long without a sign of life a command's user is gone
     * @param care over the journal's file; started and stopped with the server
     * @param opener of clusters that are made while the server runs
     * @param stop begins the graceful stop of the whole process
     * @param bug called with what must not happen; the server is useless from then on
     */
    record Surroundings(
            Path home,
            String token,
            String secret,
            Optional<Path> addressFile,
            Optional<ServerTls> tls,
            String user,
            String userHome,
            String machineName,
            JobAccounts.Machine machine,
            String version,
            Duration heartbeat,
            Duration silence,
            LongSupplier journalBytes,
            Parts.Backup backup,
            JournalCare care,
            AddedClusters.Opener opener,
            Runnable stop,
            Consumer<Throwable> bug) {}

    Server(Settings settings, Journal real, Map<String, Engine> engines, Surroundings around)
            throws JournalException {
        var journal = new NotifyingJournal(real);
        this.journal = journal;
        this.host = settings.host();
        this.url = settings.url();
        this.machineName = around.machineName();
        this.care = around.care();
        this.timekeeper = new Timekeeper(around.home().resolve("clock"), around.bug());
        var clock = timekeeper.clock();
        var inbox = new Inbox();
        var policy = Policies.byName(settings.policy());
        var clusters = engines.keySet().stream().map(name -> new Cluster(name, policy)).toList();
        var controller =
                new Controller(
                        journal,
                        clusters,
                        new Rules(
                                Map.of(),
                                settings.undisturbed(),
                                Rules.RESTART,
                                settings.stopGrace()),
                        new SecureRandom(),
                        timekeeper.jump(),
                        timekeeper.before(),
                        MemoryBounds.of(Runtime.getRuntime().maxMemory()));
        this.controller = controller;
        var keys = new JobKeys(around.secret());
        var secrets = new Secrets(journal, around.secret());
        var launched = new LaunchedJobs(keys, controller);
        var hooks = Dialects.hooks(settings, around.home(), around.secret());
        BiFunction<ClusterSettings, Engine, Engine> informer =
                informer(
                        new JobEnvironment(
                                keys,
                                around.addressFile(),
                                () -> around.tls().flatMap(ServerTls::pin),
                                secrets),
                        launched,
                        settings,
                        around.home(),
                        hooks);
        for (ClusterSettings each : settings.clusters())
            this.engines.put(each.name(), informer.apply(each, engines.get(each.name())));
        var interpreter = new Interpreter(this.engines, settings.stopGrace(), inbox::offer);
        BiFunction<String, Engine, Observer> observing =
                (name, engine) ->
                        new Observer(
                                name,
                                engine,
                                interpreter::acknowledgements,
                                inbox::offer,
                                around.bug());
        this.loop =
                new Loop(controller, inbox, interpreter, this.engines, facts, clock, around.bug());
        this.engines.forEach((name, engine) -> observers.add(observing.apply(name, engine)));
        this.retention =
                new Retention(
                        journal, this.engines, inbox::offer, clock, settings.keep(), around.bug());
        var predictions = new Predictions(controller);
        var explanations = new Explanations(controller, predictions, clock);
        this.predictor =
                new Predictor(predictions, explanations, inbox::offer, clock, around.bug());
        this.measurements = new Measurements(journal);
        this.gpuUse = new GpuUseHistory(this.engines, clock);
        var limits = new PersonLimits(settings.team().limits(), around.user());
        this.streams = new Streams(around.heartbeat(), limits);
        this.execs = new ExecSessions(around.silence());
        var folders =
                new WorkingFolders(OwnFolders.in(around.home()).toString(), around.userHome());
        this.disk = new DiskRoom(around.home());
        var questions = new Questions(inbox::offer, () -> care.damage().or(disk::trouble));
        var added =
                new AddedClusters(
                        journal,
                        settings,
                        around.opener(),
                        (cluster, engine) -> {
                            var informed = informer.apply(cluster, engine);
                            questions.ask(
                                    new Message.AddCluster(
                                            new Cluster(cluster.name(), policy),
                                            new CompletableFuture<>()));
                            this.engines.put(cluster.name(), informed);
                            var observer = observing.apply(cluster.name(), informed);
                            observers.add(observer);
                            observer.start();
                            observer.awaitFirstLook();
                        });
        var about =
                new Parts.About(
                        around.version(),
                        around.home(),
                        Instant.now(),
                        settings.policy(),
                        folders,
                        () ->
                                around.tls()
                                        .map(
                                                known ->
                                                        new Parts.Encrypted(
                                                                forOthers(), known.fingerprint())),
                        added::places);
        var parts =
                new Parts(
                        controller,
                        inbox,
                        journal,
                        this.engines,
                        interpreter,
                        explanations,
                        facts,
                        loop,
                        retention,
                        measurements,
                        gpuUse,
                        streams,
                        execs,
                        launched,
                        new JobBodies(Dialects.views()),
                        Dialects.forms(),
                        clock,
                        about,
                        around.journalBytes(),
                        around.backup(),
                        care,
                        added,
                        around.stop(),
                        this::trouble);
        var logins = new Logins(around.secret());
        this.audit = new AuditTrail(journal, clock, settings.team().keepAudit(), around.bug());
        var roster = new Roster(journal);
        var access =
                new Access(
                        around.token(),
                        around.user(),
                        controller::people,
                        keys,
                        logins,
                        roster,
                        clock);
        var browsers = new BrowserAccess(access, around.secret(), clock);
        var accounts = new JobAccounts(around.machine(), settings.accounts());
        var admission =
                new Admission(
                        controller,
                        questions,
                        added::names,
                        this.engines,
                        access,
                        accounts,
                        folders,
                        hooks,
                        secrets);
        this.paiJobs =
                JobParts.over(
                        journal,
                        this.engines,
                        retention,
                        name -> this.engines.get(name).terms().runsHere(),
                        new SshKeys(around.secret()),
                        around.home().resolve("openpai"),
                        admission,
                        () -> settings.url().orElseGet(this::url),
                        around.bug());
        var visitors =
                Visitors.of(
                        host,
                        settings.url(),
                        settings.guests(),
                        settings.names(),
                        settings.origins(),
                        around.machineName());
        var openPai =
                new OpenPai(
                        controller,
                        settings.clusters().getFirst().name(),
                        questions,
                        access,
                        visitors,
                        logins,
                        clock,
                        paiJobs);
        Routes.Listeners listeners =
                Routes.listeners(
                        parts,
                        limits,
                        audit,
                        roster,
                        secrets,
                        access,
                        browsers,
                        admission,
                        visitors,
                        questions,
                        openPai,
                        settings.url().filter(url -> url.startsWith("https:")).isPresent(),
                        this::url);
        this.tls = around.tls();
        this.front = listeners.on(host, settings.port(), tls.map(ServerTls::context));
        // What runs on this machine needs no encryption, and much of it cannot speak it.
        this.local = tls.map(_ -> listeners.on(LOOPBACK, 0, Optional.empty()));
        this.watch = new ListenerWatch(front::reachable, around.bug());
    }

    /** What gives an engine all that is done around a launch. */
    private BiFunction<ClusterSettings, Engine, Engine> informer(
            JobEnvironment environment,
            LaunchedJobs launched,
            Settings settings,
            Path home,
            LaunchHooks hooks) {
        // Tasks of this machine reach the server where it listens, in containers too.
        var elsewhere =
                settings.url().map(CompletableFuture::completedFuture).orElse(this.listensToAll);
        var storages = new Storages(settings.openPaiFolder(home));
        var code = new CodeFolders(CodeFolders.in(home), hooks, storages);
        var folders = new OwnFolders(OwnFolders.in(home));
        return (cluster, engine) -> {
            String name = cluster.name();
            boolean isHere = engine.terms().runsHere();
            boolean takesCode = isHere || takesCode(cluster);
            var fetching = takesCode ? code : new CodeElsewhere(name, hooks);
            var logins = new RegistryLogins(engine, hooks, storages, fetching);
            return new InformedEngine(
                    engine,
                    environment,
                    launched,
                    isHere ? listens : elsewhere,
                    isHere ? Optional.empty() : outOfReach(settings, name),
                    new LaunchSteps(List.of(logins, new PlannedCommands(hooks), folders)),
                    spec -> SshNote.of(spec, engine));
        };
    }

    /** Whether the engine itself brings the folder in which tasks begin to them. */
    private static boolean takesCode(ClusterSettings cluster) {
        return cluster.engine().equals(ClusterSettings.Loaded.YARN);
    }

    /** Why tasks on other machines cannot reach this server. */
    private static Optional<String> outOfReach(Settings settings, String cluster) {
        boolean isHere = settings.host().matches("127\\..*|localhost|::1|0\\.0\\.0\\.0|::");
        return settings.url().isEmpty() && isHere
                ? Optional.of(
                        "tasks of the cluster %s cannot reach this server, so their training reports are lost; set 'url' in its settings to where they can"
                                .formatted(cluster))
                : Optional.empty();
    }

    /** Serves when this returns. */
    void start() throws StartException, InterruptedException {
        // The engines are seen before the first tick: whatever still runs is then not taken for
        // gone.
        observers.forEach(Observer::start);
        for (Observer observer : observers) observer.awaitFirstLook();
        loop.start();
        streams.start();
        audit.start();
        try {
            front.start();
            if (local.isPresent()) local.get().start();
        } catch (IOException refused) {
            throw new StartException(StartException.REFUSED, refused.getMessage());
        }
        listens.complete(url());
        listensToAll.complete(address());
        tls.ifPresent(ServerTls::start);
        retention.start();
        paiJobs.start();
        predictor.start();
        measurements.start();
        gpuUse.start();
        care.start();
        timekeeper.start(controller::uncounted);
        watch.start();
    }

    /** Why jobs cannot be submitted or run; empty when they can. */
    private Optional<String> trouble() {
        return loop.trouble()
                .or(
                        () ->
                                observers.stream()
                                        .map(Observer::trouble)
                                        .flatMap(Optional::stream)
                                        .findFirst())
                .or(care::damage)
                .or(disk::trouble);
    }

    /** Where whatever runs on this machine finds it. */
    String url() {
        return local.map(plain -> "http://" + LOOPBACK + ":" + plain.port())
                .orElseGet(this::address);
    }

    /** What people on other machines log in to: as set, or by the name of the machine. */
    String forOthers() {
        boolean isAnywhere = host.equals("0.0.0.0") || host.equals("::");
        return url.orElseGet(
                () -> isAnywhere ? "https://" + machineName + ":" + front.port() : address());
    }

    /** Where it listens for others. */
    String address() {
        String name = host.contains(":") ? "[" + host + "]" : host;
        return (tls.isPresent() ? "https://" : "http://")
                + (host.equals("0.0.0.0") ? LOOPBACK : name)
                + ":"
                + front.port();
    }

    HttpFront front() {
        return front;
    }

    /**
     * Ends streams, lets requests and the tick under way finish, and closes journal and engines.
     * Running tasks go on.
     */
    void stop() throws InterruptedException {
        watch.stop(STOP_PATIENCE);
        streams.close();
        facts.close();
        tls.ifPresent(ServerTls::stop);
        front.stop();
        local.ifPresent(HttpFront::stop);
        execs.close();
        audit.stop(STOP_PATIENCE);
        care.stop(STOP_PATIENCE);
        paiJobs.stop(STOP_PATIENCE);
        retention.stop(STOP_PATIENCE);
        predictor.stop(STOP_PATIENCE);
        gpuUse.stop();
        measurements.stop();
        for (Observer observer : observers) observer.stop(STOP_PATIENCE);
        loop.stop(STOP_PATIENCE);
        timekeeper.stop(STOP_PATIENCE);
        engines.values().forEach(Engine::close);
        journal.close();
    }
}

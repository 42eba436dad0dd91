package fairlead.transfer;

import fairlead.dialects.act.config.ClusterConfig;
import fairlead.dialects.act.config.ConfigPlaces;
import fairlead.storage.StorageException;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * The program that moves code and data: does one verb and exits. The command starts it with its own
 * terminal.
 */
public final class Main {
    /** As long as in ACT: for sending it to a colleague, who is on holiday. */
    private static final Duration URL_VALID = Duration.ofDays(30);

    /** To remove what no later call can use; somebody waits for the prompt. */
    private static final Duration CLEAR_UP = Duration.ofSeconds(2);

    private static final int OUT_BUFFER_BYTES = 32 * 1024;

    private final Screen screen;

    private Main(Screen screen) {
        this.screen = screen;
    }

    public static void main(String[] words) {
        String terminals = System.getProperty("fairlead.terminal", "");
        var out = new FileOutputStream(FileDescriptor.out);
        var err = new FileOutputStream(FileDescriptor.err);
        var screen =
                new Screen(
                        new FileInputStream(FileDescriptor.in),
                        new PrintStream(
                                new java.io.BufferedOutputStream(out, OUT_BUFFER_BYTES),
                                false,
                                StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        terminals.contains("0"),
                        terminals.contains("2"),
                        System.getenv(),
                        Path.of(System.getProperty("user.dir")));
        var call = new FutureTask<>(() -> run(List.of(words), screen));
        // Virtual, because an interrupt of such a thread also ends its waiting for a network.
        Thread work = Thread.ofVirtual().name("work").unstarted(call);
        var onSignal = new Thread(() -> interrupted(work, screen), "interrupted");
        Runtime.getRuntime().addShutdownHook(onSignal);
        work.start();
        int code = code(call);
        try {
            Runtime.getRuntime().removeShutdownHook(onSignal);
        } catch (IllegalStateException _) {
            // A signal came just now; its code is the one that counts.
            return;
        }
        Runtime.getRuntime().halt(code);
    }

    private static int code(FutureTask<Integer> call) {
        try {
            return call.get();
        } catch (ExecutionException bug) {
            throw new IllegalStateException(bug.getCause());
        } catch (InterruptedException unasked) {
            throw new IllegalStateException(unasked);
        }
    }

    private static void interrupted(Thread work, Screen screen) {
        if (screen.interruption().clearsUp()) {
            work.interrupt();
            try {
                work.join(CLEAR_UP);
            } catch (InterruptedException _) {
                // It has had its time.
                Thread.currentThread().interrupt();
            }
        }
        screen.err().println();
        screen.say(screen.interruption().words());
    }

    /** Does what the words say, and returns the exit code. */
    static int run(List<String> words, Screen screen) {
        Path root = ConfigPlaces.root(screen.folder(), screen.environment());
        try {
            Request request = Request.of(words);
            if (!root.equals(screen.folder()))
                screen.say("this is about " + root + ", where aux_data is: all paths begin there");
            return new Main(screen.in(root)).run(request);
        } catch (Failed e) {
            screen.say(e.getMessage());
            return e.exitCode();
        } catch (StorageException e) {
            boolean isOurs = Thread.currentThread().isInterrupted();
            if (!isOurs) screen.say(e.getMessage());
            return Failed.REFUSED;
        } finally {
            screen.out().flush();
        }
    }

    private int run(Request request) throws Failed, StorageException {
        boolean isRead = List.of("ls", "url").contains(request.verb());
        if (isRead) screen.interruption().means("interrupted");
        try (var stores = new Stores()) {
            switch (request.verb()) {
                case "ls" -> list(request, stores);
                case "upload" -> upload(request, stores);
                case "download" -> download(request, stores);
                case "rm" -> remove(request, stores);
                case "url" -> url(request, stores);
                case "init", "initi" -> new Init(screen, stores).pack(config(request));
                case "initc", "initic" -> compile(request, stores);
                default -> throw Failed.usage("there is no verb '" + request.verb() + "'");
            }
        }
        return 0;
    }

    private ClusterConfig config(Request request) throws Failed {
        var clusters = new Clusters(screen);
        return request.philly()
                ? clusters.philly(request.cluster())
                : clusters.act(request.cluster());
    }

    /** All are looked at before the first is touched, so that a slip of the pen changes nothing. */
    private List<DataPath> paths(Request request) throws Failed {
        var paths = new ArrayList<DataPath>();
        for (String word : request.paths()) paths.add(DataPath.of(word, screen.folder()));
        if (paths.isEmpty()) throw Failed.usage("which path? None is given.");
        return paths;
    }

    private static List<Stores.Place> places(
            Stores stores, ClusterConfig config, List<DataPath> paths)
            throws Failed, StorageException {
        var places = new ArrayList<Stores.Place>();
        for (DataPath path : paths) places.add(stores.place(config, path));
        return places;
    }

    private void list(Request request, Stores stores) throws Failed, StorageException {
        List<DataPath> paths = paths(request);
        List<Stores.Place> places = places(stores, config(request), paths);
        for (int i = 0; i < paths.size(); i++) {
            if (paths.size() > 1) screen.out().println(paths.get(i) + ":");
            ListFiles.print(places.get(i), paths.get(i).isFolder(), screen);
        }
    }

    private void upload(Request request, Stores stores) throws Failed, StorageException {
        List<DataPath> paths = paths(request);
        List<Stores.Place> to = places(stores, config(request), paths);
        if (request.from().isEmpty()) {
            new Move(screen).upload(paths, to);
            return;
        }
        ClusterConfig source = new Clusters(screen).act("-f", request.from());
        List<Stores.Place> from = places(stores, source, paths);
        var copy = new CopyBetween(screen);
        for (int i = 0; i < paths.size(); i++) copy.copy(paths.get(i), from.get(i), to.get(i));
    }

    private void download(Request request, Stores stores) throws Failed, StorageException {
        List<DataPath> paths = paths(request);
        List<Stores.Place> from = places(stores, config(request), paths);
        new Move(screen).download(paths, from);
    }

    private void remove(Request request, Stores stores) throws Failed, StorageException {
        List<DataPath> paths = paths(request);
        new Remove(screen, request.yes()).all(paths, places(stores, config(request), paths));
    }

    private void compile(Request request, Stores stores) throws Failed, StorageException {
        ClusterConfig config = config(request);
        var init = new Init(screen, stores);
        init.pack(config);
        new Compile(screen, init).run(config);
    }

    private void url(Request request, Stores stores) throws Failed, StorageException {
        for (Stores.Place place : places(stores, config(request), paths(request))) {
            screen.out().println(place.storage().signedUrl(place.address(), URL_VALID));
        }
    }
}

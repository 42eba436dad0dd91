package fairlead.cli.act.assets;

import fairlead.api.JobBody;
import fairlead.api.JobDetail;
import fairlead.api.LogEnd;
import fairlead.api.TaskBody;
import fairlead.api.client.LogQuery;
import fairlead.api.client.Refused;
import fairlead.cli.line.Session;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;
import fairlead.cli.terminal.Words;
import fairlead.dialects.act.ActJob;
import fairlead.dialects.act.ActOrigin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The folder of one job below {@code ./assets}, and its logs. Each call fetches only what is new
 * since the last one; a call that breaks off is made good by the next.
 */
public final class JobAssets {
    /** The server sends 256 logs at once to all its clients, and more at once are not faster. */
    private static final int PARALLEL_MAX = 8;

    private final AssetFolder root;
    private final JobDetail detail;
    private final JobBody job;
    private final Layout layout;
    private final Path folder;
    private final Path logs;
    private final boolean isOver;

    public JobAssets(AssetFolder root, JobDetail detail, Layout layout) throws Failure {
        this.root = root;
        this.detail = detail;
        this.job = detail.job();
        this.layout = layout;
        this.folder = root.job(job.id());
        this.logs = layout == Layout.ACT ? folder.resolve(AssetFolder.LOGS) : folder;
        this.isOver = Words.isOver(job.state());
    }

    /** Which files there are. */
    public enum Layout {
        /** A file for each rank and one for each task, in {@code azureml-logs}. */
        ACT,
        /** {@code log.txt}, and a file for each further task. */
        PHILLY
    }

    /** Whether the lines of its ranks bear tags. */
    public static boolean isTagged(JobDetail detail) {
        return ActOrigin.of(detail).map(ActJob::mpi).orElse(false);
    }

    /**
     * Fetches what is new.
     *
     * @param status the job's, in ACT's words
     */
    public void fetch(Session session, String status)
            throws UsageException, Failure, Refused, IOException {
        if (job.attempts() == 0) return;
        LogStatus before = prepared();
        if (before.isFull() && before.status().equals(status)) return;
        var tasks = new TreeMap<>(before.tasks());
        try {
            fetchAll(session, tasks);
        } catch (Refused | IOException e) {
            keep(new LogStatus(status, false, job.attempts(), tasks));
            throw e;
        }
        keep(new LogStatus(status, isOver, job.attempts(), tasks));
    }

    /** What is here already; not full where something of it is missing. */
    private LogStatus prepared() throws Unkept {
        try {
            LogStatus before = LogStatus.read(folder);
            if (before.attempt() != job.attempts()) before = setAside(before);
            Files.createDirectories(logs);
            boolean isFull = before.isFull() && isThere(before);
            return new LogStatus(before.status(), isFull, job.attempts(), before.tasks());
        } catch (IOException e) {
            throw new Unkept(e);
        }
    }

    private void keep(LogStatus status) throws Unkept {
        try {
            status.write(folder);
        } catch (IOException e) {
            throw new Unkept(e);
        }
    }

    private boolean isThere(LogStatus status) throws IOException {
        for (TaskPart part : status.tasks().values()) {
            if (!RankFiles.has(logs, part)) return false;
        }
        return true;
    }

    /** The logs of an earlier attempt stay, in a folder of their own. */
    private LogStatus setAside(LogStatus before) throws IOException {
        if (before.attempt() == 0) return LogStatus.NEW;
        Path aside = folder.resolve("attempt-" + before.attempt());
        if (!Files.exists(aside)) {
            if (layout == Layout.ACT) {
                if (Files.exists(logs)) Files.move(logs, aside);
            } else {
                Files.createDirectories(aside);
                for (TaskPart part : before.tasks().values()) {
                    for (String name : part.files().keySet()) {
                        Files.move(logs.resolve(name), aside.resolve(name));
                    }
                }
            }
        }
        return LogStatus.NEW;
    }

    private void fetchAll(Session session, Map<String, TaskPart> parts)
            throws UsageException, Failure, Refused, IOException {
        List<TaskBody> tasks = detail.tasks() == null ? List.of() : detail.tasks();
        boolean isTagged = isTagged(detail);
        ConcurrentMap<String, String> claims = new ConcurrentHashMap<>();
        var fetches = new ArrayList<Fetch>();
        for (int i = 0; i < tasks.size(); i++) {
            String task = tasks.get(i).task();
            TaskPart part = parts.getOrDefault(task, TaskPart.NOTHING);
            if (!RankFiles.has(logs, part)) part = TaskPart.NOTHING;
            fetches.add(new Fetch(session, task, file(task, i, isTagged), isTagged, claims, part));
        }
        if (fetches.size() == 1) {
            Fetch only = fetches.getFirst();
            parts.put(only.task(), fetch(only));
            return;
        }
        try (var threads = Executors.newFixedThreadPool(PARALLEL_MAX)) {
            var running = new ArrayList<Future<TaskPart>>();
            for (Fetch fetch : fetches) {
                Callable<TaskPart> call = () -> fetch(fetch);
                running.add(threads.submit(call));
            }
            for (int i = 0; i < running.size(); i++) {
                parts.put(fetches.get(i).task(), await(running.get(i)));
            }
        }
    }

    /** One task's log on its way here. */
    private record Fetch(
            Session session,
            String task,
            String file,
            boolean isTagged,
            ConcurrentMap<String, String> claims,
            TaskPart before) {}

    private TaskPart fetch(Fetch fetch) throws UsageException, Failure, Refused, IOException {
        var query = new LogQuery(fetch.task(), job.attempts(), null, null);
        try (var files =
                        new RankFiles(
                                logs,
                                fetch.file(),
                                fetch.isTagged() && layout == Layout.ACT,
                                fetch.claims(),
                                fetch.before());
                var client = fetch.session().another()) {
            LogEnd end = client.logs(job.id(), query, fetch.before().offset(), files);
            return files.done(end.offset(), isOver);
        }
    }

    private static TaskPart await(Future<TaskPart> running)
            throws UsageException, Failure, Refused, IOException {
        try {
            return running.get();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new Failure(ExitCode.REFUSED, "interrupted");
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case Refused refused -> throw refused;
                case IOException broken -> throw broken;
                case Failure failure -> throw failure;
                case UsageException misuse -> throw misuse;
                case RuntimeException bug -> throw bug;
                default -> throw new IllegalStateException(e.getCause());
            }
        }
    }

    private String file(String task, int index, boolean isTagged) {
        String safe = task.replace('/', '-');
        if (layout == Layout.PHILLY)
            return index == 0 ? AssetFolder.PHILLY_LOG : "log-" + safe + ".txt";
        return isTagged ? "55_batchai_execution-" + safe + ".txt" : RankFiles.rankFile(index);
    }

    /** The files of this job's logs, the ranks in their order first. */
    public List<Path> files() throws IOException {
        return root.logFiles(logs);
    }

    public Path folder() {
        return folder;
    }
}

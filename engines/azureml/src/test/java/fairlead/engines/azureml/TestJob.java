package fairlead.engines.azureml;

import fairlead.engine.MountSteps;
import fairlead.engines.azureml.rest.Doc;
import fairlead.job.Container;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** A command job of the test service, whose processes are real ones. */
final class TestJob {
    /** Mounts a job's folders in a container of its own: a root in memory that it may write to. */
    private static final String WRITABLE = "mount -n -o remount,bind,rw none / && exec \"$@\"";

    final String name;
    final Doc body;
    private final Path folder;
    private final Path storage;
    private final long graceMillis;
    private final List<Process> processes = new ArrayList<>();
    private boolean isCancelled;
    private String status = "Starting";

    /**
     * @param folder where its logs are
     * @param storage has a folder for each datastore
     */
    TestJob(String name, Doc body, Path folder, Path storage, long graceMillis) {
        this.name = name;
        this.body = body;
        this.folder = folder;
        this.storage = storage;
        this.graceMillis = graceMillis;
    }

    synchronized String status() {
        return status;
    }

    synchronized void status(String word) {
        status = word;
    }

    boolean isEnded() {
        return JobStatus.of(status()).isEnd();
    }

    /** Its log files, by their names. */
    Map<String, Path> logs() throws IOException {
        var files = new TreeMap<String, Path>();
        if (!Files.exists(folder)) return files;
        try (var all = Files.walk(folder)) {
            all.filter(Files::isRegularFile)
                    .forEach(file -> files.put(folder.relativize(file).toString(), file));
        }
        return files;
    }

    synchronized void start() throws IOException {
        if (isCancelled) return;
        Doc properties = body.at("properties");
        int perMachine =
                Math.max(1, properties.at("distribution", "processCountPerInstance").number());
        int count = properties.at("resources", "instanceCount").number() * perMachine;
        Files.createDirectories(folder.resolve("user_logs"));
        for (int rank = 0; rank < count; rank++) {
            String log = count == 1 ? "std_log.txt" : "std_log_process_" + rank + ".txt";
            var builder = new ProcessBuilder(command(properties));
            builder.directory(folder.toFile());
            var environment = builder.environment();
            environment.keySet().retainAll(List.of("PATH"));
            properties
                    .at("environmentVariables")
                    .map()
                    .forEach((key, value) -> environment.put((String) key, (String) value));
            if (properties.at("distribution").value() != null) {
                environment.put("RANK", Integer.toString(rank));
                environment.put("LOCAL_RANK", Integer.toString(rank % perMachine));
                environment.put("WORLD_SIZE", Integer.toString(count));
                environment.put("MASTER_ADDR", "localhost");
            }
            builder.redirectErrorStream(true);
            builder.redirectOutput(folder.resolve("user_logs").resolve(log).toFile());
            processes.add(builder.start());
        }
        status = "Running";
        Thread.startVirtualThread(this::awaitEnd);
    }

    private List<String> command(Doc properties) {
        String text = properties.at("command").text();
        var mounts = new ArrayList<Container.Mount>();
        for (String kind : List.of("inputs", "outputs")) {
            for (var each : properties.at(kind).map().entrySet()) {
                String uri = new Doc(each.getValue()).at("uri").text();
                String[] parts = uri.substring("azureml://datastores/".length()).split("/", 3);
                Path source = storage.resolve(parts[0]).resolve(parts.length > 2 ? parts[2] : "");
                String target = "/azureml-mounts/" + each.getKey();
                mounts.add(new Container.Mount(source.toString(), target, kind.equals("inputs")));
                text = text.replace("${{" + kind + "." + each.getKey() + "}}", target);
            }
        }
        if (text.contains("${{")) throw new IllegalArgumentException("unbound: " + text);
        if (mounts.isEmpty()) return List.of("sh", "-c", text);
        var words =
                new ArrayList<>(
                        List.of("unshare", "--mount", "--", "/bin/sh", "-c", MountSteps.SCRIPT));
        words.addAll(List.of("fairlead", "mount", "umount", "pivot_root", ""));
        words.addAll(
                MountSteps.arguments(
                        mounts, "/", List.of("sh", "-c", WRITABLE, "sh", "sh", "-c", text)));
        return words;
    }

    private void awaitEnd() {
        try {
            boolean isGood = true;
            for (Process process : processes) isGood &= process.waitFor() == 0;
            synchronized (this) {
                status = isCancelled ? "Canceled" : isGood ? "Completed" : "Failed";
            }
        } catch (InterruptedException e) {
            throw new AssertionError("nobody interrupts it", e);
        }
    }

    /** As Azure: a signal, some time, and force. */
    synchronized void cancel() {
        if (isEnded() || isCancelled) return;
        isCancelled = true;
        if (processes.isEmpty()) {
            status = "Canceled";
            return;
        }
        status = "CancelRequested";
        processes.forEach(Process::destroy);
        Thread.startVirtualThread(
                () -> {
                    try {
                        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(graceMillis);
                        for (Process process : processes) {
                            process.waitFor(
                                    Math.max(0, until - System.nanoTime()), TimeUnit.NANOSECONDS);
                        }
                    } catch (InterruptedException e) {
                        throw new AssertionError("nobody interrupts it", e);
                    }
                    kill();
                });
    }

    void kill() {
        for (Process process : processes) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}

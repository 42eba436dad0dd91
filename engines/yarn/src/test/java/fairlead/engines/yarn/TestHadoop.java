package fairlead.engines.yarn;

import fairlead.engine.MoreVariables;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.MiniYARNCluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/**
 * Real daemons in this process: a NameNode, a DataNode, a ResourceManager and some NodeManagers
 * with declared GPUs, and a folder with the settings that lead to them. Started once for all tests.
 */
public final class TestHadoop implements AutoCloseable {
    private static final int NODES = 2;
    private static final int GPUS = 2;
    private static final int MEMORY_MEGABYTES = 8_192;
    private static final int CPUS = 8;

    private static TestHadoop shared;

    private final Path folder;
    private final MiniDFSCluster dfs;
    private final MiniYARNCluster yarn;

    private TestHadoop(Path folder, MiniDFSCluster dfs, MiniYARNCluster yarn) {
        this.folder = folder;
        this.dfs = dfs;
        this.yarn = yarn;
    }

    /** The one of this process; it ends with it. */
    public static synchronized TestHadoop shared() throws Exception {
        if (shared == null) {
            Path folder = Files.createTempDirectory("fairlead-hadoop");
            shared = start(folder, NODES);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(folder)));
        }
        return shared;
    }

    private static void remove(Path folder) {
        try (var all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList())
                Files.deleteIfExists(each);
        } catch (IOException _) {
            // The daemons may still write there; it is in the folder for temporary files.
        }
    }

    public static TestHadoop start(Path folder, int nodes) throws Exception {
        System.setProperty("test.build.data", folder.resolve("data").toString());
        System.setProperty("test.build.dir", folder.resolve("build").toString());
        System.setProperty("hadoop.log.dir", folder.resolve("logs").toString());
        var hdfs = new Configuration();
        hdfs.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, folder.resolve("hdfs").toString());
        hdfs.setBoolean("dfs.namenode.edits.noeditlogchannelflush", true);
        var dfs = new MiniDFSCluster.Builder(hdfs).numDataNodes(1).build();
        dfs.waitActive();
        var configuration = configuration(folder, dfs);
        var yarn = new MiniYARNCluster("fairlead", nodes, 1, 1);
        yarn.init(configuration);
        yarn.start();
        if (!yarn.waitForNodeManagersToConnect(30_000))
            throw new IOException("the node managers did not come");
        var hadoop = new TestHadoop(folder, dfs, yarn);
        hadoop.writeConf();
        return hadoop;
    }

    private static YarnConfiguration configuration(Path folder, MiniDFSCluster dfs)
            throws IOException {
        var configuration = new YarnConfiguration();
        own(folder, dfs).forEach(configuration::set);
        configuration.set("yarn.nodemanager.resource-type.yarn.io/gpu", "" + GPUS);
        configuration.set("yarn.nodemanager.resource.memory-mb", "" + MEMORY_MEGABYTES);
        configuration.set("yarn.nodemanager.resource.cpu-vcores", "" + CPUS);
        configuration.set(
                "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage",
                "99.9");
        // The usual second would make each test last some.
        configuration.set("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "100");
        configuration.set("yarn.nodemanager.sleep-delay-before-sigkill.ms", "50");
        configuration.set("yarn.scheduler.capacity.root.queues", "default");
        configuration.set("yarn.scheduler.capacity.root.default.capacity", "100");
        configuration.set("yarn.scheduler.capacity.maximum-am-resource-percent", "1");
        configuration.set("yarn.scheduler.capacity.node-locality-delay", "-1");
        configuration.set(
                "yarn.scheduler.capacity.resource-calculator",
                "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator");
        configuration.set("yarn.scheduler.minimum-allocation-mb", "64");
        configuration.set("yarn.log-aggregation-enable", "true");
        configuration.set("yarn.resourcemanager.am.max-attempts", "3");
        configuration.set("yarn.resourcemanager.recovery.enabled", "true");
        configuration.set("yarn.resourcemanager.work-preserving-recovery.enabled", "true");
        configuration.set("yarn.resourcemanager.work-preserving-recovery.scheduling-wait-ms", "0");
        configuration.set(
                "yarn.resourcemanager.store.class",
                "org.apache.hadoop.yarn.server.resourcemanager.recovery.FileSystemRMStateStore");
        configuration.set(
                "yarn.resourcemanager.fs.state-store.uri", folder.resolve("rm").toUri().toString());
        configuration.set("yarn.resourcemanager.connect.retry-interval.ms", "200");
        // Else it would be elsewhere after a restart, and the node managers would not notice.
        configuration.set("yarn.minicluster.use-rpc", "true");
        configuration.set("yarn.minicluster.fixed.ports", "true");
        for (String part : List.of("", "scheduler.", "resource-tracker.", "admin.", "webapp."))
            configuration.set(
                    "yarn.resourcemanager." + part + "address",
                    MiniYARNCluster.getHostname() + ":" + freePort());
        return configuration;
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** What clients and masters must know too. */
    private static Map<String, String> own(Path folder, MiniDFSCluster dfs) throws IOException {
        return Map.of(
                "fs.defaultFS",
                dfs.getURI().toString(),
                "yarn.resource-types",
                "yarn.io/gpu",
                "yarn.scheduler.include-port-in-node-name",
                "true",
                "yarn.log-aggregation-enable",
                "true",
                "yarn.application.classpath",
                String.join(",", classPath(folder)),
                "dfs.client.block.write.locateFollowingBlock.initial.delay.ms",
                "5");
    }

    private static List<String> classPath(Path folder) throws IOException {
        var places = new ArrayList<String>();
        places.add(folder.resolve("conf.jar").toString());
        for (String name :
                List.of(
                        "org.apache.hadoop.conf.Configuration",
                        "org.apache.hadoop.shaded.com.google.common.base.Preconditions",
                        "org.slf4j.Logger",
                        "org.apache.commons.logging.Log")) {
            try {
                var place = Class.forName(name).getProtectionDomain().getCodeSource();
                places.add(Path.of(place.getLocation().toURI()).toString());
            } catch (ClassNotFoundException | URISyntaxException e) {
                throw new IOException(e);
            }
        }
        return places;
    }

    private void writeConf() throws IOException {
        Files.createDirectories(conf());
        var own = own(folder, dfs);
        var core = new Configuration(false);
        core.set("fs.defaultFS", own.get("fs.defaultFS"));
        var site = new Configuration(false);
        own.forEach(site::set);
        var running = yarn.getConfig();
        for (String key :
                List.of(
                        "yarn.resourcemanager.address",
                        "yarn.resourcemanager.scheduler.address",
                        "yarn.resourcemanager.hostname",
                        "yarn.nodemanager.remote-app-log-dir"))
            if (running.get(key) != null) site.set(key, running.get(key));
        write(core, "core-site.xml");
        write(site, "yarn-site.xml");
        packConf();
    }

    /** For masters, whose Java shares its classes only where its path has no folders. */
    private void packConf() throws IOException {
        try (var jar = new JarOutputStream(Files.newOutputStream(folder.resolve("conf.jar")))) {
            for (String name : List.of("core-site.xml", "yarn-site.xml")) {
                jar.putNextEntry(new JarEntry(name));
                Files.copy(conf().resolve(name), jar);
            }
        }
    }

    private void write(Configuration configuration, String name) throws IOException {
        try (var out = Files.newOutputStream(conf().resolve(name))) {
            configuration.writeXml(out);
        }
    }

    public Path conf() {
        return folder.resolve("conf");
    }

    /** Stops the resource manager and starts it again where it was, with what it has stored. */
    void restartResourceManager() throws InterruptedException {
        yarn.restartResourceManager(0);
    }

    public MiniYARNCluster yarn() {
        return yarn;
    }

    /** The address of the file system, such as {@code hdfs://localhost:9000}. */
    public String files() {
        return "hdfs://localhost:" + dfs.getNameNodePort();
    }

    public void write(String path, String text) throws IOException {
        try (var out = dfs.getFileSystem().create(new org.apache.hadoop.fs.Path(path))) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        dfs.getFileSystem()
                .setPermission(new org.apache.hadoop.fs.Path(path), new FsPermission((short) 0755));
    }

    public String read(String path) throws IOException {
        try (var in = dfs.getFileSystem().open(new org.apache.hadoop.fs.Path(path))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    public MiniDFSCluster dfs() {
        return dfs;
    }

    /**
     * Starts what is started so often here with the classes as the first one has left them: half of
     * a master's time is to load them.
     */
    public Path java() {
        Path script = folder.resolve("java");
        if (Files.exists(script)) return script;
        try {
            Files.writeString(
                    script,
                    """
                    #!/bin/sh
                    case $* in
                    *master.Master*) name=master ;;
                    *) name=keeper ;;
                    esac
                    exec %s/bin/java -XX:+AutoCreateSharedArchive \
                        -XX:SharedArchiveFile=%s/$name.jsa -Xlog:disable -Xlog:all=off "$@"
                    """
                            .formatted(System.getProperty("java.home"), folder));
            Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
            return script;
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    /** Of an engine with this home. */
    YarnSettings settings(Path home) {
        return new YarnSettings(
                home,
                "hadoop",
                conf(),
                YarnSettings.QUEUE,
                Optional.empty(),
                Optional.of(java().toString()),
                false,
                256 << 20,
                Duration.ofSeconds(60),
                Duration.ofMinutes(1),
                Duration.ofMillis(100),
                Optional.of(home.resolve("work")),
                1 << 20,
                MoreVariables.NONE);
    }

    @Override
    public void close() {
        yarn.stop();
        dfs.shutdown(true);
    }
}

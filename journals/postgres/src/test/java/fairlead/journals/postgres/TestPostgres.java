package fairlead.journals.postgres;

import fairlead.testing.Eventually;

import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A real PostgreSQL on a free port of this machine, that syncs its commits. It runs as nobody where
 * the tests are root's, because PostgreSQL refuses root.
 */
public final class TestPostgres implements AutoCloseable {
    private static final String PACKED = "/postgres-linux-x86_64.txz";
    private static final boolean IS_ROOT = "root".equals(System.getProperty("user.name"));
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private final Path folder;
    private final int port;
    private Process process;

    private TestPostgres(Path folder, int port) {
        this.folder = folder;
        this.port = port;
    }

    public static TestPostgres start() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("fairlead-postgres-data");
        if (IS_ROOT) run(List.of("chown", "nobody:", folder.toString()));
        var postgres = new TestPostgres(folder, freePort());
        Runtime.getRuntime().addShutdownHook(new Thread(postgres::close));
        run(
                asOther(
                        "initdb",
                        "-D",
                        postgres.data(),
                        "--auth=trust",
                        "--username=fairlead",
                        "--encoding=UTF8",
                        "--locale=C",
                        "--no-sync"));
        postgres.restart();
        return postgres;
    }

    private String data() {
        return folder.resolve("data").toString();
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** Starts the process again, with the data as they are. */
    public void restart() throws IOException, InterruptedException {
        process =
                new ProcessBuilder(
                                asOther(
                                        "postgres",
                                        "-D",
                                        data(),
                                        "-p",
                                        "" + port,
                                        "-k",
                                        folder.toString(),
                                        "-c",
                                        "listen_addresses=127.0.0.1",
                                        "-c",
                                        "fsync=on",
                                        "-c",
                                        "shared_buffers=16MB"))
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("log").toFile())
                        .start();
        Eventually.when(() -> "PostgreSQL listens: " + log(), this::isUp);
    }

    private boolean isUp() throws IOException {
        if (!process.isAlive()) throw new IOException("PostgreSQL did not start: " + log());
        try (var _ = DriverManager.getConnection(jdbc("postgres"))) {
            return true;
        } catch (SQLException _) {
            return false;
        }
    }

    private String log() {
        try {
            return Files.readString(folder.resolve("log"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private String jdbc(String database) {
        return "jdbc:postgresql://127.0.0.1:%d/%s?user=fairlead".formatted(port, database);
    }

    /**
     * The address of a journal with nothing in it: a schema, which is made faster than a database.
     */
    public String newDatabase() throws SQLException {
        String name = "test" + DATABASES.incrementAndGet();
        try (var connection = DriverManager.getConnection(jdbc("postgres"));
                var statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA " + name);
        }
        return "postgres://fairlead@127.0.0.1:%d/postgres?currentSchema=%s".formatted(port, name);
    }

    public int port() {
        return port;
    }

    /** As a power cut would: nothing is tidied up. */
    public void kill() throws InterruptedException {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        try {
            if (process != null) kill();
            run(List.of("rm", "-rf", folder.toString()));
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<String> asOther(String program, String... arguments) throws IOException {
        var command = new ArrayList<String>();
        if (IS_ROOT)
            command.addAll(
                    List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"));
        command.add(programs().resolve("bin").resolve(program).toString());
        command.addAll(List.of(arguments));
        return command;
    }

    private static void run(List<String> command) throws IOException, InterruptedException {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        if (process.waitFor() != 0) throw new IOException(command + " failed: " + output);
    }

    /** Unpacked once for all tests, where any account may run them. */
    private static synchronized Path programs() throws IOException {
        Path place =
                Path.of(
                        System.getProperty("java.io.tmpdir"),
                        "fairlead-postgres-14.22-" + System.getProperty("user.name"));
        if (Files.exists(place)) return place;
        Path part = Files.createTempDirectory(place.getParent(), "fairlead-postgres-part");
        Files.setPosixFilePermissions(part, PosixFilePermissions.fromString("rwxr-xr-x"));
        unpack(part);
        try {
            Files.move(part, place);
        } catch (FileAlreadyExistsException | DirectoryNotEmptyException _) {
            // Another process was faster.
        }
        return place;
    }

    private static void unpack(Path target) throws IOException {
        try (InputStream packed = TestPostgres.class.getResourceAsStream(PACKED);
                var tar =
                        new TarArchiveInputStream(
                                new XZCompressorInputStream(new BufferedInputStream(packed)))) {
            for (var entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                Path file = target.resolve(entry.getName()).normalize();
                if (!file.startsWith(target)) throw new IOException("bad name: " + entry.getName());
                if (entry.isDirectory()) Files.createDirectories(file);
                else {
                    Files.createDirectories(file.getParent());
                    if (entry.isSymbolicLink())
                        Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
                    else {
                        Files.copy(tar, file);
                        boolean mayRun = (entry.getMode() & 0100) != 0;
                        Files.setPosixFilePermissions(
                                file,
                                PosixFilePermissions.fromString(
                                        mayRun ? "rwxr-xr-x" : "rw-r--r--"));
                    }
                }
            }
        }
    }
}

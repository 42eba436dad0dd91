package fairlead.cli.pods;

import fairlead.api.client.HomeFolder;
import fairlead.cli.line.Session;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a user of Run:ai has configured, in a file beside {@code login.json}: {@code project = lab},
 * {@code cluster = big} and {@code pvc.CLAIM = /folder}, a line each. It is here and not in
 * Run:ai's room, because pod files name the same claims, and Run:ai's verbs use ours, which read
 * pod files.
 */
public final class RunaiFile {
    private static final String NAME = "runai.settings";
    private static final String PROJECT = "project";
    private static final String CLUSTER = "cluster";
    private static final String CLAIM = "pvc.";

    private final Path path;
    private final Map<String, String> lines = new TreeMap<>();

    private RunaiFile(Path path) {
        this.path = path;
    }

    public static RunaiFile of(Session session) throws UsageException, Failure, IOException {
        var file = new RunaiFile(session.loginFile().path().resolveSibling(NAME));
        if (Files.exists(file.path)) file.read();
        return file;
    }

    private void read() throws Failure, IOException {
        for (String line : Files.readAllLines(path)) {
            String[] parts = line.split("=", 2);
            String key = parts[0].strip();
            boolean known = key.equals(PROJECT) || key.equals(CLUSTER) || key.startsWith(CLAIM);
            if (parts.length < 2 || !known || parts[1].isBlank()) {
                throw new Failure(
                        ExitCode.USAGE,
                        path + " has a line that says nothing: '" + line + "'; remove it");
            }
            lines.put(key, parts[1].strip());
        }
    }

    /** Null where none is set. */
    public String project() {
        return lines.get(PROJECT);
    }

    /** Null where none is set: then it is the server's own choice. */
    public String cluster() {
        return lines.get(CLUSTER);
    }

    /** Folders by the names of claims. */
    public Map<String, String> claims() {
        var claims = new TreeMap<String, String>();
        lines.forEach(
                (key, value) -> {
                    if (key.startsWith(CLAIM)) claims.put(key.substring(CLAIM.length()), value);
                });
        return claims;
    }

    public void project(String name) throws IOException {
        lines.put(PROJECT, name);
        write();
    }

    public void cluster(String name) throws IOException {
        lines.put(CLUSTER, name);
        write();
    }

    public void claim(String name, String folder) throws IOException {
        lines.put(CLAIM + name, folder);
        write();
    }

    /** Readers see the old file or the whole new one. */
    private void write() throws IOException {
        var text = new ArrayList<String>();
        lines.forEach((key, value) -> text.add(key + " = " + value));
        HomeFolder.own(path.toAbsolutePath().getParent());
        Path fresh = path.resolveSibling(NAME + ".new");
        Files.write(fresh, text);
        Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE);
    }
}

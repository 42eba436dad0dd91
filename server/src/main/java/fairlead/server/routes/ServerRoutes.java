package fairlead.server.routes;

import fairlead.api.ErrorCode;
import fairlead.api.clusters.BackupRequest;
import fairlead.api.clusters.ServerBody;
import fairlead.journal.JournalException;
import fairlead.server.http.Call;
import fairlead.server.http.Problem;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/** The server itself: what it is, whether it works, and what an owner may tell it. */
final class ServerRoutes {
    private final Parts parts;
    private final Clusters clusters;
    private final Supplier<String> url;

    ServerRoutes(Parts parts, Clusters clusters, Supplier<String> url) {
        this.parts = parts;
        this.clusters = clusters;
        this.url = url;
    }

    void about(Call call) {
        var about = parts.about();
        call.send(
                200,
                new ServerBody(
                        about.version(),
                        ProcessHandle.current().pid(),
                        url.get(),
                        about.home().toString(),
                        about.started().toString(),
                        about.policy(),
                        parts.journalBytes().getAsLong(),
                        parts.care().words(),
                        parts.care().newestCopy().map(Path::toString).orElse(null),
                        about.certificate().get().map(Parts.Encrypted::address).orElse(null),
                        about.certificate().get().map(Parts.Encrypted::fingerprint).orElse(null),
                        clusters.bodies()));
    }

    void stop(Call call) {
        call.onlyAdmin("stop the server");
        call.sendNothing(202);
        parts.stop().run();
    }

    void backup(Call call) throws IOException, InterruptedException, JournalException {
        call.onlyAdmin("copy the journal");
        Path file = file(call.body(BackupRequest.class).file());
        parts.backup().to(file);
        call.sendNothing(201);
    }

    private static Path file(String text) {
        if (text == null) throw Problem.invalid("file", "file: is missing");
        Path file;
        try {
            file = Path.of(text);
        } catch (InvalidPathException bad) {
            throw Problem.invalid("file", "file: " + bad.getReason());
        }
        if (!file.isAbsolute())
            throw Problem.invalid("file", "file: must be an absolute path, but is '" + text + "'");
        if (Files.exists(file))
            throw new Problem(ErrorCode.CONFLICT, file + " exists already; nothing was written");
        if (!Files.isDirectory(file.getParent()))
            throw Problem.invalid(
                    "file",
                    "file: there is no folder "
                            + file.getParent()
                            + " on the server's machine; make it first");
        return file;
    }

    void health(Call call) {
        call.sendText("ok\n");
    }

    void ready(Call call) {
        Optional<String> trouble = parts.trouble().get();
        if (trouble.isPresent()) throw new Problem(ErrorCode.UNAVAILABLE, trouble.get());
        call.sendText("ok\n");
    }

    void openapi(Call call) throws IOException {
        call.sendJson(200, resource("openapi.json"));
    }

    void jobSchema(Call call) throws IOException {
        call.sendJson(200, resource("job.schema.json"));
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = ServerRoutes.class.getResourceAsStream("/fairlead/server/" + name)) {
            if (in == null) throw new IllegalStateException("the build lacks " + name);
            return in.readAllBytes();
        }
    }
}

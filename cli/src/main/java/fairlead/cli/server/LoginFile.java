package fairlead.cli.server;

import fairlead.api.client.HomeFolder;
import fairlead.api.client.Login;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/** Where a user's login lies; only its owner can read it. */
public record LoginFile(Path path) {
    public static LoginFile in(Path home) {
        return new LoginFile(home.resolve(Login.NAME));
    }

    public Optional<Login> read() throws Failure {
        // Also where the home is no folder at all, which whoever starts a server says better.
        if (!Files.exists(path)) return Optional.empty();
        try {
            Login login = Login.read(Files.readAllBytes(path));
            login.endpoint();
            return Optional.of(login);
        } catch (IOException | IllegalArgumentException | NullPointerException e) {
            throw new Failure(
                    ExitCode.USAGE,
                    path + " cannot be read; 'fairlead logout' removes it (" + e + ")");
        }
    }

    /** Readers see the old file or the whole new one. */
    public void write(Login login) throws IOException {
        Path home = path.toAbsolutePath().getParent();
        HomeFolder.own(home);
        Path fresh = path.resolveSibling(path.getFileName() + ".new");
        Files.deleteIfExists(fresh);
        HomeFolder.create(fresh);
        Files.write(fresh, login.json());
        Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Whether there was one. */
    public boolean delete() throws IOException {
        return Files.deleteIfExists(path);
    }
}

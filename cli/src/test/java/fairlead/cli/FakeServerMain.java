package fairlead.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** The fake server as a process of its own, with the arguments and the file of the real one. */
final class FakeServerMain {
    private FakeServerMain() {}

    public static void main(String[] words) throws IOException {
        List<String> arguments = List.of(words);
        Path home = Path.of(arguments.get(arguments.indexOf("--home") + 1));
        if (arguments.contains("--policy")) {
            System.err.println("fairlead server: there is no policy '" + arguments.getLast() + "'");
            System.exit(2);
        }
        Path file = home.resolve("server.json");
        // Each process leaves a mark, so that a test can count them.
        Files.createFile(home.resolve("started-" + ProcessHandle.current().pid()));
        var server = new FakeServer(0, () -> stop(file));
        String json =
                "{\"url\":\"%s\",\"token\":\"%s\",\"pid\":%d}"
                        .formatted(server.url(), FakeServer.TOKEN, ProcessHandle.current().pid());
        Path whole = Files.writeString(home.resolve("server.json.new"), json);
        Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void stop(Path file) {
        Thread.ofPlatform()
                .start(
                        () -> {
                            try {
                                Files.deleteIfExists(file);
                            } catch (IOException e) {
                                throw new java.io.UncheckedIOException(e);
                            }
                            System.exit(0);
                        });
    }
}

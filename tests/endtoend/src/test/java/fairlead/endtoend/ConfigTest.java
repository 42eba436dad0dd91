package fairlead.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A new user's folders, and what the command says of them. */
class ConfigTest {
    @TempDir Path user;

    @Test
    void aNewUsersServerHasTheSettingsOfTheConfigFolder() throws IOException {
        Path file = Files.createDirectories(user.resolve(".config/fairlead")).resolve("settings");
        Files.writeString(file, "# mine\ngpus = 3\n");
        // An empty variable counts as none.
        var environment =
                Map.of(
                        "HOME", user.toString(),
                        "FAIRLEAD_HOME", "",
                        "XDG_STATE_HOME", "",
                        "XDG_CONFIG_HOME", "");
        try (var fairlead = Installation.withSettings(user.resolve("another"))) {
            try {
                String shown = fairlead.run(user, environment, "config").expect(0).out();
                Path home = user.resolve(".local/state/fairlead");
                assertTrue(row(shown, "home").matches(home + " +default"), shown);
                assertTrue(row(shown, "gpus").matches("3 +" + file + " line 2"), shown);
                assertTrue(row(shown, "keep").matches("30d +default"), shown);
                String nodes = fairlead.run(user, environment, "nodes").expect(0).out();
                assertTrue(nodes.contains("3 of 3"), "the server has read the file: " + nodes);
                assertTrue(Files.exists(home.resolve("server.json")));
                fairlead.run(user, environment, "server", "stop").expect(0);
                fairlead.run(user, environment, "server", "start", "--gpus", "2").expect(0);
                String flags = fairlead.run(user, environment, "config").expect(0).out();
                assertTrue(row(flags, "gpus").matches("2 +flag of 'server start'"), flags);
                Files.writeString(file, "gpus = many\n");
                var wrong = fairlead.run(user, environment, "config").expect(0);
                assertEquals(flags, wrong.out(), "a flag goes before the file");
                Files.writeString(file, "gpsu = 1\n");
                String mistake = fairlead.run(user, environment, "config").expect(2).err();
                assertTrue(mistake.contains(file + " line 1: unknown key 'gpsu'"), mistake);
            } finally {
                fairlead.run(user, environment, "server", "stop");
            }
        }
        try (var left = Files.list(user)) {
            assertEquals(
                    List.of(),
                    left.filter(path -> path.endsWith(".fairlead")).toList(),
                    "the old place is not made");
        }
    }

    /** What follows a setting's name in its line. */
    private static String row(String table, String name) {
        return table.lines()
                .filter(line -> line.startsWith(name + " "))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + name + " in " + table))
                .substring(name.length())
                .strip();
    }
}

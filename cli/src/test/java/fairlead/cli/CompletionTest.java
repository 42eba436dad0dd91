package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/** What the tab key gives, and the scripts for it, run by the shells that they are for. */
class CompletionTest {
    @TempDir Path folder;
    private FakeServer server;
    private Shell shell;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer();
        shell = Shell.of(server);
        server.add(new FakeJob("train_1_0000000a", "running"));
        server.stateOfNew = "queued";
        shell.type("submit", "--array", "0-2", "echo {i}");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String completed(String typed) {
        var words = new ArrayList<>(List.of("__complete"));
        words.addAll(List.of(typed.split(" ", -1)));
        var result = shell.type(words.toArray(String[]::new));
        assertEquals("", result.err());
        assertEquals(0, result.code());
        return String.join(" ", result.out().lines().toList());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "sub                      | submit",
                "-n 2 desc                | describe",
                "server st                | start stop status",
                "list --st                | --state",
                "list --state ab          | aborted",
                "list --state = ab        | aborted",
                "list --state=ab          | --state=aborted",
                "list -o y                | yaml",
                "list --sort own          | owner",
                "list --array 0           | 000a77a1",
                "port                     | port-forward",
                "port-forward --a         | --address",
                "attach train_            | train_1_0000000a",
                "wait 000a                | 000a77a1",
                "logs @                   | @last",
                "-c lab submit --me       | --memory",
                "-c lo                    | local",
                "submit --project def     | default",
                "submit --after-ok @      | @last",
                "project set def          | default",
                "completion f             | fish",
                "config c                 | check",
                "help sched               | scheduler-state scheduler-cancel-job scheduler-get-logs"
                        + " scheduling",
                "q train_                 | train_1_0000000a",
                "submit python3 tr        | ''",
                "nosuch tr                | ''",
                "run-scheduler --cus      | --custom_dir",
            })
    void verbsOptionsAndNames(String typed, String expected) {
        assertEquals(expected.replace("''", ""), completed(typed));
    }

    @Test
    void theTabKeyStartsNoServerAndSaysNothing() throws IOException {
        shell.environment.clear();
        shell.environment.put("FAIRLEAD_HOME", folder.resolve("home").toString());
        assertEquals("", completed("logs "));
        assertTrue(Files.notExists(folder.resolve("home")), "no server is started");
        shell.environment.put("FAIRLEAD_SERVER", "not a url");
        assertEquals("", completed("logs "));
    }

    /** A command {@code fairlead} in the folder, for shells. */
    private String run(String... command) throws IOException, InterruptedException {
        Path launcher = folder.resolve("fairlead");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Files.writeString(
                launcher,
                "#!/bin/sh\nexec '%s' -XX:TieredStopAtLevel=1 -Dfairlead.completion.millis=20000 -cp '%s' fairlead.cli.Main \"$@\"\n"
                        .formatted(java, System.getProperty("java.class.path")));
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.directory(folder.toFile());
        builder.environment().putAll(shell.environment);
        builder.environment().put("HOME", folder.toString());
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), out);
        return out;
    }

    private Path script(String name) throws IOException {
        var result = shell.type("completion", name);
        assertEquals(0, result.code(), result.err());
        return Files.writeString(folder.resolve("completion." + name), result.out());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "./fairlead list --state ab        | _fairlead      | aborted",
                "~/fairlead wait train_            | _fairlead      | train_1_0000000a",
                "./scheduler-cancel-job train_     | _fairlead_verb | train_1_0000000a",
            })
    void bashAsksTheCommandThatIsTyped(String typed, String function, String expected)
            throws IOException, InterruptedException {
        String program =
                """
                source '%s'
                COMP_WORDS=(%s)
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                %s
                echo "${COMPREPLY[*]}"
                complete -p fairlead run-scheduler
                """
                        .formatted(script("bash"), typed.replace("~", "'~'"), function);
        assertEquals(
                expected
                        + "\ncomplete -F _fairlead fairlead\n"
                        + "complete -F _fairlead_verb run-scheduler\n",
                run("bash", "-c", program));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "./fairlead list --state ab        | _fairlead      | aborted",
                "~/fairlead wait train_            | _fairlead      | train_1_0000000a",
                "./scheduler-cancel-job train_     | _fairlead_verb | train_1_0000000a",
                "./fairlead submit -f x            | _fairlead      | files",
            })
    void zshAsksTheCommandThatIsTyped(String typed, String function, String expected)
            throws IOException, InterruptedException {
        String program =
                """
                compdef() { :; }
                compadd() { print -rl -- "${(@P)2}"; }
                _files() { print files; }
                source '%s'
                words=(%s)
                CURRENT=$#words
                %s
                """
                        .formatted(script("zsh"), typed.replace("~", "'~'"), function);
        assertEquals(expected + "\n", run("zsh", "-f", "-c", program));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "./fairlead list --state ab     | aborted",
                "~/fairlead wait train_         | train_1_0000000a",
                "./scheduler-cancel-job train_  | train_1_0000000a",
                "./fairlead submit -f compl     | completion.fish",
            })
    void fishAsksTheCommandThatIsTyped(String typed, String expected)
            throws IOException, InterruptedException {
        Files.createSymbolicLink(
                folder.resolve("scheduler-cancel-job"), folder.resolve("fairlead"));
        String program = "source '%s'; complete -C '%s'".formatted(script("fish"), typed);
        assertEquals(expected + "\n", run("fish", "--no-config", "-c", program));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh", "fish"})
    void theShellAcceptsTheScript(String name) throws IOException, InterruptedException {
        run(name, "-n", script(name).toString());
    }
}

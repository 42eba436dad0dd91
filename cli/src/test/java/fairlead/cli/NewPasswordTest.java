package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A password typed at a real terminal, which python3 holds open. */
final class NewPasswordTest {
    /** Types the next of its first two words at each prompt, and prints all that was shown. */
    private static final String TYPIST =
            """
            import os, pty, sys
            words = [word.encode() + b'\\n' for word in sys.argv[1:3]]
            pid, terminal = pty.fork()
            if pid == 0:
                os.execv(sys.argv[3], sys.argv[3:])
            shown = b''
            prompts = 0
            while True:
                try:
                    read = os.read(terminal, 1000)
                except OSError:
                    break
                if not read:
                    break
                shown += read
                if words and shown.count(b': ') > prompts:
                    prompts += 1
                    os.write(terminal, words.pop(0))
            print(shown.decode())
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
            """;

    private FakeServer server;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer(0, () -> {});
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Shell.Result type(String first, String second) throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var words = new ArrayList<>(List.of("python3", "-c", TYPIST, first, second, java));
        words.addAll(List.of("-Dfairlead.terminal=012", "-cp"));
        words.add(System.getProperty("java.class.path"));
        words.addAll(List.of("fairlead.cli.Main", "user", "password", "bob"));
        var builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().put("FAIRLEAD_SERVER", server.url().toString());
        builder.environment().put("FAIRLEAD_TOKEN", FakeServer.TOKEN);
        Process typist = builder.start();
        try {
            typist.getOutputStream().close();
            byte[] shown = typist.getInputStream().readAllBytes();
            assertTrue(typist.waitFor(60, TimeUnit.SECONDS));
            return new Shell.Result(
                    typist.exitValue(), new String(shown, StandardCharsets.UTF_8), "");
        } finally {
            typist.destroyForcibly();
        }
    }

    @Test
    void aPasswordIsTypedTwiceAndNeverShown() throws Exception {
        Shell.Result right = type("correct horse", "correct horse");
        assertEquals(0, right.code(), right.out());
        assertTrue(right.out().contains("New password of bob: "), right.out());
        assertTrue(right.out().contains("bob has a new password"), right.out());
        assertFalse(right.out().contains("horse"), right.out());
        assertEquals("{\"password\":\"correct horse\"}", server.asked.getLast());
        int asked = server.asked.size();
        Shell.Result wrong = type("correct horse", "another");
        assertEquals(2, wrong.code(), wrong.out());
        assertTrue(wrong.out().contains("the two are not the same"), wrong.out());
        assertEquals(asked, server.asked.size());
    }
}

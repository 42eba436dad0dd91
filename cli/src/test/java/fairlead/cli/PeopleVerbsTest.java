package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.ErrorBody;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** Users, logins, projects and priorities on the command line, letter by letter. */
class PeopleVerbsTest {
    private static final String JOB = "train_1763179200_0000000a";

    @TempDir Path home;
    private FakeServer server;
    private Shell shell;
    private final InputStream stdin = System.in;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer();
        shell = Shell.of(server);
        shell.environment.put("FAIRLEAD_HOME", home.resolve("new").toString());
        server.add(new FakeJob(JOB, "queued"));
    }

    @AfterEach
    void stop() {
        System.setIn(stdin);
        server.close();
    }

    private String output(String... words) {
        return shell.type(words).output();
    }

    private void refused(String words, int code, String... line) {
        var result = shell.type(line);
        assertEquals(code, result.code(), result.err());
        assertTrue(result.err().startsWith("fairlead: " + words), result.err());
    }

    @Test
    void usersAreMadeKnownAndListed() {
        var created = shell.type("user", "create", "bob", "--project", "vision");
        assertEquals("b0b\n", created.out());
        assertTrue(created.err().contains("the account 'bob' of its machine"), created.err());
        assertEquals("{\"admin\":false,\"project\":\"vision\"}", server.asked.getLast());
        assertEquals("b0b\n", shell.type("user", "create", "--admin", "bob").out());
        assertEquals("{\"admin\":true}", server.asked.getLast());
        assertEquals("b0b\n", output("user", "token", "bob"));
        assertEquals(
                """
                USER  ADMIN  PROJECT
                ann   yes    default
                bob   no     vision
                """,
                output("user", "list"));
        refused("which user?", 2, "user", "create");
        refused("there is no 'user creat'. Did you mean 'create'?", 2, "user", "creat", "bob");
    }

    @Test
    void usersAreChangedAndDeleted() {
        String table =
                """
                USER  ADMIN  PROJECT
                bob   no     vision
                """;
        assertEquals(table, output("user", "set", "bob", "--admin"));
        assertEquals("{\"admin\":true}", server.asked.getLast());
        assertEquals(table, output("user", "set", "bob", "--no-admin", "--project", "vision"));
        assertEquals("{\"admin\":false,\"project\":\"vision\"}", server.asked.getLast());
        output("user", "set", "bob", "--project=vision");
        assertEquals("{\"project\":\"vision\"}", server.asked.getLast());
        assertEquals("PATCH /v1/people/bob", server.requests.getLast());
        assertEquals(
                "{\"name\":\"bob\",\"admin\":false,\"project\":\"vision\"}\n",
                output("user", "set", "bob", "--admin", "--json"));
        assertEquals("bob deleted\n", output("user", "delete", "bob"));
        assertEquals("DELETE /v1/people/bob", server.requests.getLast());
        refused(
                "set what? Say --admin, --no-admin, --viewer, --no-viewer or --project NAME.",
                2,
                "user",
                "set",
                "bob");
        refused(
                "say one of --admin and --no-admin",
                2,
                "user",
                "set",
                "bob",
                "--admin",
                "--no-admin");
        refused(
                "'--no-admin' has no meaning for 'user create'",
                2,
                "user",
                "create",
                "bob",
                "--no-admin");
        refused("'--admin' has no meaning for 'user delete'", 2, "user", "delete", "--admin");
        refused("'--json' has no meaning for 'user delete'", 2, "--json", "user", "delete", "bob");
        refused("which user? 'user delete' needs a name.", 2, "user", "delete");
        refused("which user? 'user set' needs a name.", 2, "user", "set", "--admin");
        refused("no such path", 2, "user", "delete", "eve");
    }

    @Test
    void aPasswordComesThroughAPipe() {
        System.setIn(input("correct horse\n"));
        assertEquals(
                "bob has a new password\n", output("user", "password", "bob", "--password-stdin"));
        assertEquals("{\"password\":\"correct horse\"}", server.asked.getLast());
        System.setIn(input("\n"));
        refused(
                "the standard input holds no password",
                2,
                "user",
                "password",
                "bob",
                "--password-stdin");
        refused("there is no terminal to type a password", 2, "user", "password", "bob");
        refused("which user? 'user password' needs a name.", 2, "user", "password");
        refused(
                "'--password-stdin' has no meaning for 'user token'",
                2,
                "user",
                "token",
                "bob",
                "--password-stdin");
    }

    @Test
    void promisesToAProjectEndAndTheProjectGoes() {
        output("project", "set", "vision", "--no-quota");
        assertEquals("{\"unset\":[\"quota\"]}", server.asked.getLast());
        output("project", "set", "vision", "--no-interactive-max", "--no-quota");
        assertEquals("{\"unset\":[\"quota\",\"interactiveMax\"]}", server.asked.getLast());
        output("project", "set", "vision", "--no-interactive-max", "--quota", "3");
        assertEquals("{\"quota\":3,\"unset\":[\"interactiveMax\"]}", server.asked.getLast());
        output("project", "set", "vision", "--stop");
        assertEquals("{\"stopped\":true}", server.asked.getLast());
        output("project", "set", "vision", "--start");
        assertEquals("{\"stopped\":false}", server.asked.getLast());
        refused(
                "say one of --stop and --start",
                2,
                "project",
                "set",
                "vision",
                "--stop",
                "--start");
        assertEquals("vision deleted\n", output("project", "delete", "vision"));
        assertEquals("DELETE /v1/projects/vision", server.requests.getLast());
        refused(
                "say one of --quota and --no-quota",
                2,
                "project",
                "set",
                "vision",
                "--quota=1",
                "--no-quota");
        refused(
                "'--no-quota' has no meaning for 'project create'",
                2,
                "project",
                "create",
                "a",
                "--no-quota");
        refused(
                "'--no-quota' has no meaning for 'project members'",
                2,
                "project",
                "members",
                "vision",
                "--no-quota");
        refused(
                "'--add' has no meaning for 'project delete'",
                2,
                "project",
                "delete",
                "vision",
                "--add=ann");
        refused("which project? 'project delete' needs its name.", 2, "project", "delete");
        refused("there is no 'project delet'. Did you mean 'delete'?", 2, "project", "delet", "a");
    }

    @Test
    void projectsAreMadeChangedAndListed() {
        String table =
                """
                PROJECT  QUOTA  HELD  WAITING  INTERACTIVE  MEMBERS
                vision   4      2.5   0        1 for 8h     ann, bob
                """;
        assertEquals(table, output("project", "create", "vision", "--quota", "4"));
        assertEquals("{\"quota\":4}", server.asked.getLast());
        assertTrue(server.requests.contains("PUT /v1/projects/vision?create=true"));
        assertTrue(
                shell.type("project", "set", "vision", "--quota", "9")
                        .err()
                        .endsWith("the quota is more than the 4 GPUs that there are now\n"));
        assertEquals(
                table,
                output(
                        "project",
                        "set",
                        "vision",
                        "--interactive-max=1",
                        "--interactive-limit",
                        "8h"));
        assertEquals("{\"interactiveMax\":1,\"interactiveLimit\":\"8h\"}", server.asked.getLast());
        assertTrue(server.requests.getLast().endsWith("/vision"));
        output("project", "members", "vision", "--add", "ann,bob", "--remove", "eve");
        assertEquals("{\"add\":[\"ann\",\"bob\"],\"remove\":[\"eve\"]}", server.asked.getLast());
        assertEquals("ann, bob\n", output("project", "members", "vision"));
        assertEquals("everyone\n", output("project", "members", "default"));
        assertEquals(
                """
                PROJECT  QUOTA  HELD  WAITING  INTERACTIVE  MEMBERS
                default  -      0     3        12h          everyone
                vision   4      2.5   0        1 for 8h     ann, bob
                """,
                output("project", "list"));
        refused("no project 'none'", 2, "project", "members", "none");
    }

    @Test
    void r49APriorityIsChangedOrSet() {
        assertEquals(JOB + " priority 0\n", output("priority", "000a", "+1"));
        assertEquals("{\"change\":1}", server.asked.getLast());
        output("priority", "000a", "-2");
        assertEquals("{\"change\":-2}", server.asked.getLast());
        output("priority", "000a", "5");
        assertEquals("{\"priority\":5}", server.asked.getLast());
        output("priority", "000a", "=-5");
        assertEquals("{\"priority\":-5}", server.asked.getLast());
        refused("a priority is +1, -1, =5 or 5", 2, "priority", "000a", "high");
        refused("which priority?", 2, "priority", "000a");
    }

    @Test
    void aSubmitSaysHowMuchOfAGpuItWantsAndForWhom() {
        output("submit", "--gpu", "0.5", "--gpu-type", "a100", "--priority", "-3", "true");
        var spec = server.submitted.getLast();
        assertEquals(List.of("0.5", "a100"), List.of(spec.gpu(), spec.gpuType()));
        assertEquals(-3, spec.priority());
        output("submit", "--gpu-memory", "8G", "--interactive", "--as", "bob", "true");
        spec = server.submitted.getLast();
        assertEquals("8G", spec.gpuMemory());
        assertEquals(true, spec.interactive());
        assertEquals("bob", server.as);
        refused("say one of -n, --gpu and --gpu-memory", 2, "submit", "--gpu=1", "-n", "1", "true");
    }

    @Test
    void anUnknownProjectIsAMistakeOfTheCommandLine() {
        server.refusal =
                new ErrorBody(
                        "not-found",
                        "jobs[0].project: no project 'x'; known: default",
                        "jobs[0].project",
                        null);
        var result = shell.type("submit", "--project", "x", "true");
        assertEquals(2, result.code());
        assertEquals("fairlead: project: no project 'x'; known: default\n", result.err());
    }

    @Test
    void aLoginIsKeptForItsOwnerAlone() throws IOException {
        String url = shell.environment.remove("FAIRLEAD_SERVER");
        shell.environment.remove("FAIRLEAD_TOKEN");
        System.setIn(input(FakeServer.TOKEN + "\n"));
        assertEquals("logged in to " + url + " as ann\n", output("login", url, "--token-stdin"));
        Path file = home.resolve("new/login.json");
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        assertEquals(
                "rwx------",
                PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())));
        assertEquals(
                """
                User     ann
                Server   %s
                Project  default
                Admin    yes
                """
                        .formatted(url),
                output("whoami"));
        assertTrue(output("list").contains(JOB));
        refused(
                "'server start' is for a personal server, but you are logged in to " + url,
                2,
                "server",
                "start");
        assertEquals("logged out\n", output("logout"));
        assertFalse(Files.exists(file));
        assertEquals("not logged in\n", output("logout"));
    }

    @Test
    void aWrongTokenIsNotKept() throws IOException {
        String url = shell.environment.remove("FAIRLEAD_SERVER");
        System.setIn(input("wrong"));
        refused("the token is missing or wrong", 4, "login", url, "--token-stdin");
        assertFalse(Files.exists(home.resolve("new/login.json")));
        System.setIn(input(" \n"));
        refused("the standard input holds no token", 2, "login", url, "--token-stdin");
        refused("say --user NAME to log in with a password", 2, "login", url);
        refused("not an http or https url", 2, "login", "lab", "--token-stdin");
    }

    @Test
    void aDamagedLoginSaysHowToGetRidOfIt() throws IOException {
        shell.environment.remove("FAIRLEAD_SERVER");
        Files.createDirectories(home.resolve("new"));
        Files.writeString(home.resolve("new/login.json"), "{");
        var result = shell.type("list");
        assertEquals(2, result.code());
        assertTrue(result.err().contains("'fairlead logout' removes it"), result.err());
        assertEquals("logged out\n", output("logout"));
    }

    private static InputStream input(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }
}

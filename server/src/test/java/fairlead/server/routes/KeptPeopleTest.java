package fairlead.server.routes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.people.TokenAnswer;
import fairlead.job.Person;
import fairlead.journals.sqlite.SqliteJournal;
import fairlead.server.TestServer;
import fairlead.server.auth.Passwords;
import fairlead.server.auth.Token;
import fairlead.wire.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** What is known of people is only changed where somebody asked for it. */
final class KeptPeopleTest {
    @TempDir Path folder;

    @Test
    void aNewTokenLeavesEverythingElseAsItWas() throws Exception {
        String token;
        try (var server = new TestServer(folder)) {
            server.put("/v1/projects/vision?create=true", "{}");
            server.person("bob", "{\"admin\":true,\"project\":\"vision\"}");
            assertEquals(
                    204,
                    server.put("/v1/people/bob/password", "{\"password\":\"correct horse\"}")
                            .statusCode());
            var answer = server.post("/v1/people/bob/token", "");
            token = Json.read(TokenAnswer.class, answer.body()).token();
        }
        Person bob = kept("bob");
        assertEquals(Token.hash(token), bob.tokenHash());
        assertTrue(bob.admin());
        assertEquals("vision", bob.project());
        assertTrue(Passwords.matches("correct horse", bob.passwordHash()));
    }

    private Person kept(String name) throws Exception {
        try (var journal = SqliteJournal.open(folder.resolve("journal.db"))) {
            return journal.people().stream()
                    .filter(person -> person.name().equals(name))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void aJobForSomebodyElseGoesToTheirProjectNotToTheAdmins() throws Exception {
        try (var server = new TestServer(folder)) {
            server.put("/v1/projects/vision?create=true", "{}");
            server.put("/v1/projects/speech?create=true", "{}");
            server.patch("/v1/people/ann", "{\"project\":\"speech\"}");
            server.person("bob", "{\"project\":\"vision\"}");
            String job = "{\"command\":\"true\",\"gpus\":1}";
            String body = "{\"as\":\"%s\",\"jobs\":[" + job + "]}";
            String bobs = server.submit(body.formatted("bob"), 201).ids().getFirst();
            assertEquals("vision", server.detail(bobs).spec().project());
            String strangers = server.submit(body.formatted("dan"), 201).ids().getFirst();
            assertEquals("default", server.detail(strangers).spec().project());
            String own = server.submit(body.formatted("ann"), 201).ids().getFirst();
            assertEquals("speech", server.detail(own).spec().project());
        }
    }
}

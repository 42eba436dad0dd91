package fairlead.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;

/** What people are told about jobs that wait, on a real server with two GPUs. */
class WhyTest {
    @TempDir Path home;
    private Installation fairlead;
    private Caller caller;

    @BeforeEach
    void start() throws IOException {
        fairlead = Installation.withSettings(home, "gpus = 2", "undisturbed = 1s");
        fairlead.run("server", "start").expect(0);
        caller = new Caller(fairlead);
    }

    @AfterEach
    void stop() {
        fairlead.close();
    }

    @Test
    void aProjectWithoutQuotaBesideOthersStartsNoInteractiveJob() {
        fairlead.run("project", "create", "lab", "--quota", "2").expect(0);
        var submitted = submitted("ann", "\"interactive\":true,");
        String reason =
                "cannot start while project default has no quota: interactive jobs run only inside"
                        + " one";
        assertTrue(submitted.body().contains("the job " + reason), submitted.body());
        String why = why(submitted.id());
        assertTrue(why.contains("- " + reason), why);
        assertTrue(why.contains("nobody can say when it will start"), why);
        assertTrue(why.contains("it would start now in project lab"), why);
    }

    @Test
    void atTheCapOfItsProjectAnInteractiveJobIsToldWhatMustEnd() {
        fairlead.run("project", "create", "lab", "--quota", "2", "--interactive-max", "1")
                .expect(0);
        String first = submit("ann", "\"project\":\"lab\",\"interactive\":true,");
        awaitState(first, "running");
        var second = submitted("bob", "\"project\":\"lab\",\"interactive\":true,");
        String reason =
                "project lab has its 1 interactive job running: it starts once one of them has"
                        + " ended";
        assertTrue(second.body().contains("the job waits: " + reason), second.body());
        String why = why(second.id());
        assertTrue(why.contains("- " + reason), why);
        assertFalse(why.contains("expected to start in ~0s"), why);
        fairlead.run("abort", first).expect(0);
        awaitState(second.id(), "running");
    }

    @Test
    void aFullQuotaIsToldToWhoSitsBeforeTheJob() {
        fairlead.run("project", "create", "lab", "--quota", "1").expect(0);
        String first = submit("bob", "\"project\":\"lab\",\"interactive\":true,");
        awaitState(first, "running");
        var second = submitted("ann", "\"project\":\"lab\",\"interactive\":true,");
        String reason = "project lab holds 1 of its 1 GPUs, and interactive jobs run only inside";
        assertTrue(second.body().contains("the job waits: " + reason), second.body());
        String why = why(second.id());
        assertTrue(why.contains("- " + reason), why);
        assertFalse(why.contains("expected to start in ~0s"), why);
    }

    @Test
    void anOwnersTrainingGivesWayToTheOwnersInteractiveJob() {
        fairlead.run("project", "create", "lab", "--quota", "2").expect(0);
        String dear = submit("ann", "\"project\":\"lab\",\"priority\":3,");
        String cheap = submit("ann", "\"project\":\"lab\",");
        awaitState(dear, "running");
        awaitState(cheap, "running");
        String waiting = submit("ann", "\"project\":\"lab\",\"priority\":9,");
        var shell = submitted("ann", "\"project\":\"lab\",\"interactive\":true,");
        assertFalse(shell.body().contains("the job waits"), shell.body());
        awaitState(shell.id(), "running");
        assertEquals("running", state(dear));
        assertEquals("queued", state(cheap));
        assertEquals("queued", state(waiting));
    }

    private String why(String job) {
        return fairlead.run("why", job).expect(0).out();
    }

    private String submit(String owner, String fields) {
        return submitted(owner, fields).id();
    }

    /** On a server of root's, somebody else's job must name its account. */
    private Caller.Reply submitted(String owner, String fields) {
        String account = System.getProperty("user.name").equals("root") ? "\"user\":\"root\"," : "";
        String body =
                "{\"as\":\"%s\",\"jobs\":[{\"name\":\"%s\",%s%s\"command\":[\"sleep\",\"600\"],\"gpus\":1,\"workdir\":\"/tmp\"}]}"
                        .formatted(owner, owner, account, fields);
        var reply = caller.call("POST", "/v1/jobs", body).orElseThrow();
        assertEquals(201, reply.status(), reply.body());
        return reply;
    }

    private String state(String job) {
        return caller.get("/v1/jobs/" + job).field("state");
    }

    private void awaitState(String job, String state) {
        Installation.await(job + " to be " + state, () -> state(job).equals(state));
    }
}

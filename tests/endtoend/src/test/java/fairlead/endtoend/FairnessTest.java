package fairlead.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Everyday cases of four GPUs and several people: one's first GPU goes before anyone's second. */
class FairnessTest {
    @TempDir Path home;
    private Installation fairlead;
    private Caller caller;

    @BeforeEach
    void start() throws IOException {
        fairlead = Installation.withSettings(home, "gpus = 4", "undisturbed = 1s");
        fairlead.run("server", "start").expect(0);
        caller = new Caller(fairlead);
    }

    @AfterEach
    void stop() {
        fairlead.close();
    }

    @Test
    void r48AFullQuotaIsSharedFairlyInsideItsProject() {
        fairlead.run("project", "create", "lab", "--quota", "4").expect(0);
        List<String> anns = fourOf("ann", "\"project\":\"lab\",");
        String bobs = submit("bob", "\"project\":\"lab\",");
        caller.awaitState(bobs, "running");
        assertEquals(3, running(anns));
    }

    @Test
    void r42AnOwnerGivesUpTheLowestPriorityFirst() {
        String least = submit("ann", "\"priority\":-1,");
        List<String> others =
                Stream.of(0, 5, 5).map(it -> submit("ann", "\"priority\":" + it + ",")).toList();
        for (String job : others) caller.awaitState(job, "running");
        caller.awaitState(least, "running");
        caller.awaitState(submit("bob", ""), "running");
        assertEquals("queued", state(least));
        assertEquals(3, running(others));
    }

    @Test
    void aNewcomersTrainingJobGetsItsFirstGpu() {
        String training =
                "\"training\":{\"epochs\":1000,\"batchSize\":1,\"trainingSetSize\":1,\"sharing\":false},";
        List<String> anns = fourOf("ann", training);
        String bobs = submit("bob", training);
        caller.awaitState(bobs, "running");
        assertEquals(3, running(anns));
    }

    @Test
    void projectsWithoutQuotasAreNoWalls() {
        for (String name : List.of("x", "y")) fairlead.run("project", "create", name).expect(0);
        List<String> anns = fourOf("ann", "\"project\":\"x\",");
        caller.awaitState(submit("bob", "\"project\":\"y\","), "running");
        assertEquals(3, running(anns));
    }

    private List<String> fourOf(String owner, String fields) {
        var jobs = new ArrayList<String>();
        for (int i = 0; i < 4; i++) jobs.add(submit(owner, fields));
        for (String job : jobs) caller.awaitState(job, "running");
        return jobs;
    }

    /** On a server of root's, somebody else's job must name its account. */
    private String submit(String owner, String fields) {
        String account = System.getProperty("user.name").equals("root") ? "\"user\":\"root\"," : "";
        String body =
                "{\"as\":\"%s\",\"jobs\":[{\"name\":\"fair\",%s%s\"command\":[\"sleep\",\"600\"],\"gpus\":1,\"workdir\":\"/tmp\"}]}"
                        .formatted(owner, account, fields);
        var reply = caller.call("POST", "/v1/jobs", body).orElseThrow();
        assertEquals(201, reply.status(), reply.body());
        return reply.id();
    }

    private String state(String job) {
        return caller.get("/v1/jobs/" + job).field("state");
    }

    private long running(List<String> jobs) {
        return jobs.stream().filter(job -> state(job).equals("running")).count();
    }
}

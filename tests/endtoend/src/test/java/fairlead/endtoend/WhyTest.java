package fairlead.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What people are told about jobs that wait, on a real server with two GPUs. */
class WhyTest {
    @TempDir Path home;
    private Installation fairlead;
    private Caller caller;

    private void start(String undisturbed) throws IOException {
        fairlead = Installation.withSettings(home, "gpus = 2", "undisturbed = " + undisturbed);
        fairlead.run("server", "start").expect(0);
        caller = new Caller(fairlead);
    }

    @AfterEach
    void stop() {
        fairlead.close();
    }

    @Test
    void aProjectWithoutQuotaBesideOthersStartsNoInteractiveJob() throws IOException {
        start("1s");
        fairlead.run("project", "create", "lab", "--quota", "2").expect(0);
        var submitted = submitted("ann", "\"interactive\":true,");
        String reason =
                "cannot start while project default has no quota: interactive jobs run only inside"
                        + " one";
        assertTrue(submitted.body().contains("the job " + reason), submitted.body());
        String why = why(submitted.id());
        assertTrue(why.contains("- " + reason), why);
        assertTrue(why.contains("nobody can say when it will start"), why);
        assertFalse(why.contains("in the queue"), "it has none in the queue: " + why);
        assertTrue(why.contains("it would start now in project lab"), why);
    }

    @Test
    void aJobThatWaitsForOthersSaysForWhichAndEndsWithThem() throws IOException {
        start("1s");
        String first = typed("--name", "prep", "sleep 600");
        caller.awaitState(first, "running");
        String then = typed("--name", "train", "--after-ok", "prep", "true");
        String last = typed("--after-any", "train", "--after", first, "true");
        String why = why(then);
        assertTrue(
                why.contains("- it waits until " + first + " has succeeded; that is running"), why);
        assertFalse(why.contains("place"), "it has none in the queue: " + why);
        fairlead.run("server", "stop").expect(0);
        fairlead.run("server", "start").expect(0);
        fairlead.run("abort", first).expect(0);
        fairlead.run("wait", last).expect(0);
        String told = fairlead.run("describe", then).expect(0).out();
        assertTrue(
                told.contains(
                        "it was to run once "
                                + first
                                + " has succeeded, which can no longer happen"),
                told);
        String err = fairlead.run("submit", "--after-ok", first, "true").expect(4).err();
        assertTrue(err.contains("so a job that waits until " + first), err);
    }

    private String typed(String... words) {
        var line = new ArrayList<>(List.of("submit"));
        line.addAll(List.of(words));
        return fairlead.run(line.toArray(String[]::new)).expect(0).out().strip();
    }

    @Test
    void atTheCapOfItsProjectAnInteractiveJobIsToldWhatMustEnd() throws IOException {
        start("1s");
        fairlead.run("project", "create", "lab", "--quota", "2", "--interactive-max", "1")
                .expect(0);
        String first = running("ann", "\"project\":\"lab\",\"interactive\":true,");
        var second = submitted("bob", "\"project\":\"lab\",\"interactive\":true,");
        String reason =
                "project lab has its 1 interactive job running: it starts once one of them has"
                        + " ended";
        assertTrue(second.body().contains("the job waits: " + reason), second.body());
        String why = why(second.id());
        assertTrue(why.contains("- " + reason), why);
        assertFalse(why.contains("expected to start in ~0s"), why);
        fairlead.run("abort", first).expect(0);
        caller.awaitState(second.id(), "running");
    }

    @Test
    void aFullQuotaIsToldToWhoSitsBeforeTheJob() throws IOException {
        start("1s");
        fairlead.run("project", "create", "lab", "--quota", "1").expect(0);
        String first = running("bob", "\"project\":\"lab\",\"interactive\":true,");
        var second = submitted("ann", "\"project\":\"lab\",\"interactive\":true,");
        String reason = "project lab holds 1 of its 1 GPUs, and interactive jobs run only inside";
        assertTrue(second.body().contains("the job waits: " + reason), second.body());
        String why = why(second.id());
        assertTrue(why.contains("- " + reason), why);
        assertFalse(why.contains("expected to start in ~0s"), why);
    }

    @Test
    void r29AnOwnersTrainingGivesWayToTheOwnersInteractiveJob() throws IOException {
        start("1s");
        fairlead.run("project", "create", "lab", "--quota", "2").expect(0);
        String dear = running("ann", "\"project\":\"lab\",\"priority\":3,");
        String cheap = running("ann", "\"project\":\"lab\",");
        String waiting = submit("ann", "\"project\":\"lab\",\"priority\":9,");
        var shell = submitted("ann", "\"project\":\"lab\",\"interactive\":true,");
        assertFalse(shell.body().contains("the job waits"), shell.body());
        caller.awaitState(shell.id(), "running");
        assertEquals("running", state(dear));
        assertEquals("queued", state(cheap));
        assertEquals("queued", state(waiting));
    }

    @Test
    void whoeverWaitsIsToldWhoHoldsWhatAndUntilWhen() throws IOException {
        start("10m");
        String kept = running("ann", "\"priority\":1,");
        String given = running("ann", "");
        String waiting = submit("bob", "");
        String behind = submit("cyd", "");
        String why = why(waiting);
        assertTrue(why.contains("queued, next in the queue, needs 1 GPU"), why);
        assertTrue(why.contains("  ann's " + given + " has held 1 GPU for "), why);
        assertTrue(why.contains(": will be asked to stop in "), why);
        assertTrue(why.contains("(undisturbed until then)"), why);
        assertTrue(why.contains("expected to start in ~"), why);
        assertFalse(why.contains("stopped for it"), "nobody stops yet: " + why);
        var first = caller.get("/v1/jobs/" + waiting + "/why");
        Instant asked = Instant.parse(first.field("at"));
        Instant since = Instant.parse(first.field("since"));
        assertEquals(10, Math.round(Duration.between(since, asked).toSeconds() / 60.0));
        Instant latest = Instant.parse(first.field("predictedLatest"));
        // Nobody knows when ann's jobs end: only who foresees the stop can name a time near it.
        assertTrue(latest.isAfter(asked), "not before the stop: " + first.body());
        assertTrue(latest.isBefore(asked.plusSeconds(600)), "soon after it: " + first.body());
        assertTrue(why(behind).contains("in its place now:"), why(behind));
    }

    @Test
    void theQueueShowsTheRankByWhichEachStands() throws IOException {
        start("10m");
        fairlead.run("project", "create", "lab", "--quota", "2").expect(0);
        String first = running("ann", "\"project\":\"lab\",");
        String second = running("ann", "\"project\":\"lab\",");
        String third = submit("ann", "\"project\":\"lab\",");
        String bobs = submit("bob", "\"project\":\"lab\",");
        List<String> lines =
                fairlead.run("queue").expect(0).out().lines().map(line -> line.strip()).toList();
        assertTrue(lines.getFirst().contains("USER'S GPU"), lines.toString());
        assertTrue(line(lines, first).contains(" 1st "), lines.toString());
        assertTrue(line(lines, second).contains(" 2nd "), lines.toString());
        // A part of the full quota is bob's, as he has none of it yet.
        assertTrue(line(lines, bobs).contains(" 1st  "), lines.toString());
        assertTrue(line(lines, third).contains(" 3rd, borrows "), lines.toString());
        assertTrue(
                lines.indexOf(line(lines, bobs)) < lines.indexOf(line(lines, third)),
                "a first GPU goes before a third: " + lines);
        assertTrue(caller.get("/queue").body().contains("User's GPU"));
    }

    @Test
    void whatAJobWasToldIsJudgedWhenItStarts() throws IOException {
        start("10m");
        String one = running("ann", "\"time\":\"4s\",");
        String two = running("ann", "\"time\":\"4s\",");
        String waiting = submit("ann", "");
        String told = why(waiting);
        assertTrue(told.contains("expected to start in ~"), told);
        caller.awaitState(waiting, "running");
        String stats = fairlead.run("stats").expect(0).out();
        assertTrue(stats.contains(" of 1 fell into their 80 % band"), stats);
    }

    private static String line(List<String> lines, String job) {
        return lines.stream().filter(line -> line.startsWith(job)).findFirst().orElseThrow();
    }

    private String why(String job) {
        return fairlead.run("why", job).expect(0).out();
    }

    private String running(String owner, String fields) {
        String job = submit(owner, fields);
        caller.awaitState(job, "running");
        return job;
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
}

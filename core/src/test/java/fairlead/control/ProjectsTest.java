package fairlead.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.JobState;
import fairlead.job.Person;
import fairlead.job.Project;
import fairlead.journal.JournalException;
import fairlead.policies.Policies;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

class ProjectsTest extends OneNode {
    @Test
    void aStoppedProjectTakesNoNewJobAndKeepsThoseThatItHas() throws Exception {
        JobId id = request("ann", "r1", ONE_GPU).jobs().getFirst();
        set(Project.named(Project.DEFAULT).withStopped(true));
        var late = new CompletableFuture<Message.Submitted>();
        tick(submitMessage("ann", Optional.empty(), late, ONE_GPU));
        assertRefused("project default is stopped: it takes no new jobs", late);
        assertInstanceOf(JobState.Starting.class, job(id).state());
        set(Project.named(Project.DEFAULT));
        assertEquals(1, request("ann", "r2", ONE_GPU).jobs().size());
    }

    @Test
    void onlyAProjectThatNobodyUsesIsDeleted() throws Exception {
        set(Project.named("vision"));
        var bob = new Person("bob", "ab".repeat(32), false, "vision");
        tick(new Message.SetPerson(bob, new CompletableFuture<>()));
        var inside =
                JobSpec.of(
                        edit -> {
                            edit.name = "sample";
                            edit.cluster = "local";
                            edit.project = "vision";
                            edit.roles = ONE_GPU.roles();
                            edit.workingFolder = "/tmp";
                        });
        String stillUsed =
                "project vision still has unfinished jobs (1); abort them, or wait for their end";
        var submitted = new CompletableFuture<Message.Submitted>();
        var early = new CompletableFuture<String>();
        tick(
                submitMessage("ann", Optional.empty(), submitted, inside),
                new Message.DeleteProject("vision", early));
        assertRefused(stillUsed, early);
        JobId id = submitted.get().jobs().getFirst();
        cancel(id);
        assertRefused(stillUsed, deleteProject("vision"));
        tick(new Message.Acknowledged(new Effect.Stop(new AttemptId(id, 1)), 1));
        tick(new Message.Observed("local", List.of(), 1));
        assertRefused(
                "the jobs of bob go to project vision by default; give them another one first",
                deleteProject("vision"));
        tick(new Message.DeletePerson("bob", new CompletableFuture<>()));
        assertEquals("vision", deleteProject("vision").get());
        assertRefused("the project default always exists", deleteProject(Project.DEFAULT));
        var late = new CompletableFuture<Message.Submitted>();
        tick(submitMessage("ann", Optional.empty(), late, inside));
        assertThrows(ExecutionException.class, late::get);
        controller = start(Policies.byName("fair"));
        assertEquals(Map.of(), controller.rules().projects());
        assertEquals(Map.of(), controller.people());
    }

    private void set(Project project) throws Exception {
        var answer = new CompletableFuture<Project>();
        tick(new Message.SetProject(project, answer));
        answer.get();
    }

    private CompletableFuture<String> deleteProject(String name) throws JournalException {
        var answer = new CompletableFuture<String>();
        tick(new Message.DeleteProject(name, answer));
        return answer;
    }

    private static void assertRefused(String words, CompletableFuture<?> answer) {
        var refusal = assertThrows(ExecutionException.class, answer::get);
        assertEquals(words, refusal.getCause().getMessage());
        assertEquals(Refused.Kind.CONFLICT, ((Refused) refusal.getCause()).kind());
    }
}

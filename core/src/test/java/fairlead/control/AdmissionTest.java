package fairlead.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.Person;
import fairlead.job.Project;
import fairlead.job.Samples;
import fairlead.journal.JournalFixtures;
import fairlead.policies.Policies;

import org.junit.jupiter.api.Test;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Which submits are refused, in which words, and what is done instead of an old job. */
class AdmissionTest {
    private static final JobSpec ONE_GPU = Samples.spec(Samples.role("main", 1, 1));

    private final Loop loop;

    AdmissionTest() throws Exception {
        loop = new Loop();
    }

    @Test
    void anUnknownClusterOrProjectIsNamed() throws Exception {
        assertRefused(
                Refused.Kind.NOT_FOUND, "no cluster moon", List.of(ONE_GPU, in("moon", "default")));
        set(Project.named("vision"));
        assertRefused(
                Refused.Kind.NOT_FOUND,
                "no project 'speech'; known: default, vision",
                List.of(in("local", "speech")));
        assertTrue(loop.controller.unfinished().isEmpty());
    }

    @Test
    void aProjectWithMembersTakesJobsOfNobodyElse() throws Exception {
        set(Project.named("vision").withMembers(Set.of("bob")));
        assertRefused(
                Refused.Kind.FORBIDDEN,
                "ann is not a member of project vision",
                List.of(in("local", "vision")));
        assertEquals(1, loop.submit("bob", List.of(in("local", "vision"))).get().jobs().size());
    }

    @Test
    void aProjectIsDeletedWhateverGoesOnInOthers() throws Exception {
        set(Project.named("vision"));
        set(Project.named("speech"));
        var bob = new Person("bob", "ab".repeat(32), false, "speech");
        loop.tick(new Message.SetPerson(bob, new CompletableFuture<>()));
        loop.submit(in("local", "speech"));
        var deleted = new CompletableFuture<String>();
        loop.tick(new Message.DeleteProject("vision", deleted));
        assertEquals("vision", deleted.get());
        assertEquals(Set.of("speech"), loop.controller.rules().projects().keySet());
    }

    @Test
    void noMoreJobsAreTakenThanMemoryHolds() throws Exception {
        assertRefused(
                Refused.Kind.BUSY,
                "more than 200000 jobs would be unfinished; try again later",
                Collections.nCopies(200_001, ONE_GPU));
    }

    @Test
    void aNameOfAnotherSystemIsTakenUntilItsJobIsDeleted() throws Exception {
        JobSpec named = elsewhere("ann~mnist");
        assertRefused(
                Refused.Kind.CONFLICT,
                "two jobs of this request are called 'ann~mnist'",
                List.of(named, named));
        JobId first = loop.submit(named);
        String taken =
                "the job 'ann~mnist' already exists: it is "
                        + first
                        + "; delete that job to free the name";
        assertRefused(Refused.Kind.CONFLICT, taken, List.of(named));
        loop.submit(elsewhere("ann~other"));
        loop.tick(new Message.Cancel(first, "ann", new CompletableFuture<>()));
        assertRefused(Refused.Kind.CONFLICT, taken, List.of(named));
    }

    @Test
    void aPodHasItsNameAloneInItsProject() throws Exception {
        set(Project.named("lab"));
        JobSpec pod = JournalFixtures.withPod(1, "lab", "web").spec();
        assertRefused(
                Refused.Kind.CONFLICT,
                "two jobs of this request call their pod 'web'",
                List.of(pod, pod));
        JobId first = loop.submit(pod);
        assertRefused(
                Refused.Kind.CONFLICT,
                "the pod 'web' already exists in project 'lab': it is "
                        + first
                        + "; delete that job to free the name",
                List.of(pod));
        assertEquals(1, loop.submit("ann", List.of(pod.inProject("default"))).get().jobs().size());
    }

    @Test
    void idsThatAreTakenAreTriedAgainAndNotForEver() throws Exception {
        var stuck = new Loop(Policies.byName("fair"), () -> 7L << 32);
        stuck.submit(ONE_GPU);
        assertThrows(IllegalStateException.class, () -> stuck.submit(ONE_GPU));
    }

    @Test
    void aNameIsTakenAlsoWithinOneTick() throws Exception {
        var one = new CompletableFuture<Message.Submitted>();
        var two = new CompletableFuture<Message.Submitted>();
        JobSpec named = elsewhere("ann~mnist");
        loop.tick(submit(named, one), submit(named, two));
        assertEquals(1, one.get().jobs().size());
        assertThrows(ExecutionException.class, two::get);
        assertEquals(1, loop.controller.unfinished().size());
    }

    @Test
    void theJobsOfAnArrayShareItsNameAndCountFromItsFirstIndex() throws Exception {
        var answer = new CompletableFuture<Message.Submitted>();
        var message =
                new Message.Submit(
                        "ann",
                        List.of(ONE_GPU, ONE_GPU),
                        Optional.of("r1"),
                        OptionalInt.of(3),
                        List.of(),
                        answer);
        loop.tick(message);
        String array = answer.get().array().orElseThrow();
        assertEquals(
                List.of(new Job.ArrayPlace(array, 3), new Job.ArrayPlace(array, 4)),
                answer.get().jobs().stream()
                        .map(id -> loop.job(id).array().orElseThrow())
                        .toList());
        var again = new CompletableFuture<Message.Submitted>();
        loop.tick(
                new Message.Submit(
                        "ann",
                        List.of(ONE_GPU, ONE_GPU),
                        Optional.of("r1"),
                        OptionalInt.of(3),
                        List.of(),
                        again));
        assertEquals(Optional.of(array), again.get().array(), "a repeat tells the same array");
    }

    private static Message submit(JobSpec spec, CompletableFuture<Message.Submitted> answer) {
        return new Message.Submit(
                "ann", List.of(spec), Optional.empty(), OptionalInt.empty(), List.of(), answer);
    }

    private void set(Project project) throws Exception {
        loop.tick(new Message.SetProject(project, new CompletableFuture<>()));
    }

    private void assertRefused(Refused.Kind kind, String words, List<JobSpec> specs)
            throws Exception {
        var answer = loop.submit("ann", specs);
        var refusal = assertThrows(ExecutionException.class, answer::get).getCause();
        assertEquals(words, refusal.getMessage());
        assertEquals(kind, ((Refused) refusal).kind());
    }

    private static JobSpec elsewhere(String key) {
        return JournalFixtures.fromElsewhere(1, key).spec();
    }

    private static JobSpec in(String cluster, String project) {
        var spec = new JobSpec.Edit();
        spec.name = "sample";
        spec.cluster = cluster;
        spec.project = project;
        spec.roles = ONE_GPU.roles();
        spec.workingFolder = "/tmp";
        return spec.spec();
    }
}

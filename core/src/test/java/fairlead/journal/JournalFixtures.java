package fairlead.journal;

import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Container;
import fairlead.job.Event;
import fairlead.job.Exit;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobMachine;
import fairlead.job.JobSpec;
import fairlead.job.Origin;
import fairlead.job.Placement;
import fairlead.job.Resources;
import fairlead.job.RetryPolicy;
import fairlead.job.Role;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;
import fairlead.job.Verdict;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Small jobs and the facts of their lives, for tests of journals. */
public final class JournalFixtures {
    public static final Instant NOON = Instant.parse("2026-11-15T12:00:00.123456789Z");
    public static final TaskId MAIN = new TaskId(Role.MAIN, 0);

    private JournalFixtures() {}

    public static JobSpec spec() {
        var role =
                new Role(
                        Role.MAIN,
                        1,
                        List.of("python3", "train.py", "--lr", "0.1"),
                        new Resources(1, 2, 3L << 30),
                        OptionalInt.of(1),
                        OptionalInt.empty());
        var spec = new JobSpec.Edit();
        spec.name = "mnist";
        spec.cluster = "local";
        spec.project = "default";
        spec.roles = List.of(role);
        spec.environment = Map.of("SEED", "7");
        spec.retries = 2;
        spec.timeLimit = Optional.of(Duration.ofHours(4));
        spec.workingFolder = "/home/ann";
        return spec.spec();
    }

    /** Numbers give different ids; each job is submitted one second after the one before. */
    public static Job job(int number) {
        return job(number, "ann", Optional.empty(), Optional.empty());
    }

    public static Job job(
            int number, String owner, Optional<String> request, Optional<Job.ArrayPlace> array) {
        Instant at = NOON.plusSeconds(number);
        return Job.submitted(JobId.of("mnist", at, number), spec(), owner, at, request, array);
    }

    /** One whose first pod is called so. */
    public static Job withPod(int number, String project, String podName) {
        var details = Container.Details.of(edit -> edit.podName = Optional.of(podName));
        JobSpec plain = spec().inProject(project);
        var spec =
                plain.with(
                        edit ->
                                edit.container =
                                        new Container(
                                                Optional.empty(), List.of(), List.of(), details));
        Instant at = NOON.plusSeconds(number);
        return Job.submitted(
                JobId.of("mnist", at, number), spec, "ann", at, Optional.empty(), Optional.empty());
    }

    /** One that was made from a file of OpenPAI. */
    public static Job fromElsewhere(int number, String key) {
        JobSpec plain = spec();
        var spec =
                plain.with(
                        edit -> {
                            edit.retries = 0;
                            edit.retry =
                                    Optional.of(
                                            new RetryPolicy(
                                                    3, Map.of(205, RetryPolicy.Kind.TRANSIENT)));
                            edit.origin =
                                    Optional.of(
                                            new Origin(
                                                    "openpai",
                                                    "{\n \"jobName\": \"mnist\"}\n",
                                                    key));
                            edit.secrets = Set.of("SEED");
                        });
        Instant at = NOON.plusSeconds(number);
        return Job.submitted(
                JobId.of("mnist", at, number), spec, "ann", at, Optional.empty(), Optional.empty());
    }

    /** A job and everything that happened to it so far. */
    public record Life(Job job, List<Fact> facts) {
        public static Life of(Job submitted) {
            var fact = new Fact(submitted.id(), new Event.Submitted(submitted.submitted()));
            return new Life(submitted, List.of(fact));
        }

        public Life then(Event event) {
            var more = new ArrayList<>(facts);
            more.add(new Fact(job.id(), event));
            return new Life(JobMachine.next(job, event), more);
        }

        public Life started() {
            Instant at = job.submitted().plusMillis(10);
            return then(new Event.AttemptPlaced(at, attempt()))
                    .then(new Event.AttemptStarted(at.plusMillis(5), attempt().id()));
        }

        /**
         * Ends the running attempt; a code other than 0 fails the job once its retries are used up.
         */
        public Life ended(int code, Instant at) {
            var id = new AttemptId(job.id(), job.attempts());
            Verdict verdict =
                    code == 0
                            ? new Verdict.Succeeded()
                            : new Verdict.Failed(code, "main/0 exited with " + code);
            return then(new Event.TasksEnded(at, id, Map.of(MAIN, Exit.of(code, at))))
                    .then(new Event.AttemptEnded(at, id, verdict));
        }

        public Life cancelled(Instant at) {
            return then(new Event.CancelRequested(at, "ann"));
        }

        public Fact last() {
            return facts.getLast();
        }

        private Attempt attempt() {
            return new Attempt(
                    new AttemptId(job.id(), job.attempts() + 1),
                    new Placement(List.of(TaskPlacement.whole(MAIN, "node1", List.of(3)))));
        }
    }
}

package fairlead.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.cluster.Gpu;
import fairlead.cluster.Node;
import fairlead.cluster.View;
import fairlead.control.Message;
import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.JobState;
import fairlead.job.Outcome;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.TaskId;
import fairlead.job.Verdict;
import fairlead.journal.MemoryJournal;
import fairlead.policies.Policies;
import fairlead.policy.Explanation;
import fairlead.policy.Plan;
import fairlead.policy.Policy;
import fairlead.testing.Seeds;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * Goal: no job is lost, none runs twice at once, no GPU is given twice, and every job ends as it
 * should, whatever breaks. Method: the real controller in virtual time, with people who submit,
 * cancel and repeat their requests, and dice that lose calls, answers, tasks, nodes and the server
 * itself.
 */
class SimulationTest {
    private static final int JOBS = 40;
    private static final Faults TROUBLE = new Faults(50, 50, 30, 15, 10, 15, 20);

    @Seeds(200)
    void nothingIsLostWhateverBreaks(long seed) throws Exception {
        var world = new World(seed, TROUBLE);
        world.peopleSubmit();
        world.simulation.run(Duration.ofMinutes(10));
        world.simulation.calm();
        world.simulation.run(Duration.ofHours(2));
        world.check();
    }

    @Test
    void theTroubleIsReal() throws Exception {
        int crashes = 0;
        int losses = 0;
        int preemptions = 0;
        for (long seed = 0; seed < 20; seed++) {
            var world = new World(seed, TROUBLE);
            world.peopleSubmit();
            world.simulation.run(Duration.ofMinutes(10));
            crashes += world.simulation.crashes();
            for (Job job : world.everyJob()) {
                for (var fact : world.journal.history(job.id())) {
                    if (fact.event() instanceof Event.AttemptEnded ended
                            && ended.verdict() instanceof Verdict.Lost) losses++;
                    if (fact.event() instanceof Event.PreemptRequested) preemptions++;
                }
            }
        }
        assertTrue(crashes > 20, "crashes: " + crashes);
        assertTrue(losses > 20, "losses: " + losses);
        assertTrue(preemptions > 20, "preemptions: " + preemptions);
    }

    @Test
    void theSameSeedGivesTheSameHistory() throws Exception {
        assertEquals(historyOf(7), historyOf(7));
    }

    private static List<String> historyOf(long seed) throws Exception {
        var world = new World(seed, TROUBLE);
        world.peopleSubmit();
        world.simulation.run(Duration.ofMinutes(10));
        var lines = new ArrayList<String>();
        for (Job job : world.everyJob()) {
            world.journal.history(job.id()).forEach(fact -> lines.add(fact.toString()));
        }
        return lines;
    }

    /**
     * Preempts now and then, for no reason: the machine must cope. A function of the view all the
     * same.
     */
    private record Restless(Policy calm) implements Policy {
        @Override
        public Plan plan(View view) {
            Plan plan = calm.plan(view);
            long second = view.now().getEpochSecond();
            var waiting = view.queues().stream().flatMap(q -> q.gpuJobs().stream()).findFirst();
            if (second % 7 != 0 || waiting.isEmpty() || !plan.starts().isEmpty()) return plan;
            return new Plan(
                    plan.starts(),
                    view.active().stream()
                            .filter(job -> job.state() instanceof JobState.Running)
                            .limit(1)
                            .map(job -> new Plan.Preempt(job.id(), waiting.get().id(), "restless"))
                            .toList());
        }

        @Override
        public List<Explanation> explain(View view) {
            return calm.explain(view);
        }
    }

    /** The people, what they were promised, and what their jobs do. */
    private static final class World implements SimulatedEngine.Behaviour {
        final MemoryJournal journal = new MemoryJournal();
        final SplittableRandom dice;
        final Simulation simulation;
        final Map<String, JobId> promised = new HashMap<>();

        World(long seed, Faults faults) throws Exception {
            dice = new SplittableRandom(seed);
            List<Node> nodes =
                    IntStream.range(0, 3)
                            .mapToObj(
                                    i ->
                                            new Node(
                                                    "node-" + i,
                                                    IntStream.range(0, 4)
                                                            .mapToObj(
                                                                    g -> new Gpu(g, "declared", 0))
                                                            .toList(),
                                                    4,
                                                    1L << 34,
                                                    true))
                            .toList();
            simulation =
                    new Simulation(
                            seed,
                            faults,
                            nodes,
                            this,
                            new Restless(policy(seed)),
                            journal,
                            _ -> {});
        }

        /** Each policy in turn, so that those that preempt by themselves meet every fault too. */
        private static Policy policy(long seed) {
            var names = List.copyOf(Policies.names());
            return Policies.byName(names.get((int) (seed % names.size())));
        }

        void peopleSubmit() {
            for (int i = 0; i < JOBS; i++) {
                String request = "request-" + i;
                JobSpec spec = randomSpec();
                String owner = "owner-" + dice.nextInt(3);
                simulation.after(
                        Duration.ofMillis(dice.nextInt(300_000)),
                        () -> submit(owner, request, spec));
            }
        }

        /** A person repeats the request until it is answered; the answer is a promise. */
        private void submit(String owner, String request, JobSpec spec) {
            var answer = new CompletableFuture<Message.Submitted>();
            simulation.offer(
                    new Message.Submit(
                            owner,
                            List.of(spec),
                            Optional.of(request),
                            OptionalInt.empty(),
                            List.of(),
                            answer));
            simulation.after(
                    Duration.ofSeconds(5),
                    () -> {
                        if (!answer.isDone() || answer.isCompletedExceptionally()) {
                            submit(owner, request, spec);
                            return;
                        }
                        JobId id = answer.join().jobs().getFirst();
                        JobId before = promised.putIfAbsent(request, id);
                        assertTrue(before == null || before.equals(id), request + " made two jobs");
                        if (dice.nextInt(10) == 0) {
                            simulation.after(
                                    Duration.ofSeconds(dice.nextInt(60)),
                                    () ->
                                            simulation.offer(
                                                    new Message.Cancel(
                                                            id, owner, new CompletableFuture<>())));
                        }
                    });
        }

        private JobSpec randomSpec() {
            var roles = new ArrayList<Role>();
            for (int r = 0; r <= dice.nextInt(2); r++) {
                int gpus = dice.nextInt(3);
                roles.add(
                        new Role(
                                "role" + r,
                                dice.nextInt(1, 4),
                                List.of("true"),
                                new Resources(gpus, gpus == 0 ? 1 : 0, 0),
                                OptionalInt.of(1),
                                dice.nextInt(4) == 0 ? OptionalInt.of(1) : OptionalInt.empty()));
            }
            Map<String, String> behaviour =
                    Map.of(
                            "SECONDS", String.valueOf(dice.nextInt(1, 60)),
                            "CODE", dice.nextInt(4) == 0 ? "3" : "0",
                            "OBEYS", String.valueOf(dice.nextInt(60)));
            Optional<Duration> limit =
                    dice.nextInt(6) == 0 ? Optional.of(Duration.ofSeconds(20)) : Optional.empty();
            var spec = new JobSpec.Edit();
            spec.name = "sim";
            spec.cluster = Simulation.CLUSTER;
            spec.project = "default";
            spec.priority = dice.nextInt(-1, 2);
            spec.roles = roles;
            spec.environment = behaviour;
            spec.retries = dice.nextInt(3);
            spec.timeLimit = limit;
            spec.workingFolder = "/tmp";
            return spec.spec();
        }

        @Override
        public Duration runTime(JobSpec spec, TaskId task) {
            return Duration.ofSeconds(
                    Integer.parseInt(spec.environment().get("SECONDS")) + task.index());
        }

        @Override
        public int exitCode(JobSpec spec, TaskId task) {
            return Integer.parseInt(spec.environment().get("CODE"));
        }

        @Override
        public Duration obedience(JobSpec spec, TaskId task) {
            return Duration.ofSeconds(Integer.parseInt(spec.environment().get("OBEYS")));
        }

        List<Job> everyJob() throws Exception {
            var jobs = new ArrayList<Job>();
            for (JobId id : journal.endingWith("", Integer.MAX_VALUE))
                jobs.add(journal.find(id).orElseThrow());
            return jobs;
        }

        void check() throws Exception {
            assertEquals(JOBS, promised.size(), "everyone got an answer");
            assertEquals(JOBS, everyJob().size(), "no request made two jobs");
            for (JobId id : promised.values()) check(journal.find(id).orElseThrow());
            assertTrue(simulation.machines().isEmpty(), "nothing is left on the engine");
            View view = simulation.controller().view(Simulation.CLUSTER);
            assertEquals(12, view.nodes().stream().mapToInt(node -> node.freeGpus().size()).sum());
        }

        private void check(Job job) throws Exception {
            assertTrue(job.isFinished(), job + " never ended");
            Outcome outcome = ((JobState.Finished) job.state()).outcome();
            int code = exitCode(job.spec(), new TaskId("role0", 0));
            switch (outcome.kind()) {
                case SUCCEEDED -> assertEquals(0, code, "succeeded by its own code");
                case FAILED ->
                        assertTrue(
                                code == 3
                                        || outcome.exitCode() == 124
                                        || outcome.reason().startsWith("lost"),
                                outcome.toString());
                case CANCELLED -> assertTrue(outcome.reason().startsWith("cancelled by owner-"));
            }
            long lostAttempts =
                    journal.history(job.id()).stream()
                            .filter(
                                    fact ->
                                            fact.event() instanceof Event.AttemptEnded ended
                                                    && ended.verdict() instanceof Verdict.Lost)
                            .count();
            long allowed = (code == 0 ? 1 : job.spec().retries() + 1) + lostAttempts;
            assertTrue(
                    simulation.machines().completions(job.id()) <= allowed,
                    job.id() + " ran to its end too often");
            assertEquals(
                    job.attempts(),
                    journal.history(job.id()).stream()
                            .filter(fact -> fact.event() instanceof Event.AttemptPlaced)
                            .count());
        }
    }
}

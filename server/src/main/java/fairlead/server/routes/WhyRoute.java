package fairlead.server.routes;

import fairlead.api.AheadBody;
import fairlead.api.WhyBody;
import fairlead.control.Cluster;
import fairlead.control.Controller;
import fairlead.control.Interpreter;
import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.JobState;
import fairlead.job.Verdict;
import fairlead.journal.Fact;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;
import fairlead.policy.Explanation;
import fairlead.policy.Obstacle;
import fairlead.policy.forecast.Advice;
import fairlead.policy.forecast.Forecast;
import fairlead.policy.forecast.Holder;
import fairlead.server.bodies.Bodies;
import fairlead.server.http.Call;
import fairlead.server.runtime.Explanations;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Why a job is where it is: who is before it, what is in its way, and what would help. */
final class WhyRoute {
    /** This many people, and this many holders, are named; the rest are counted together. */
    private static final int NAMED_MAX = 5;

    private final JobFinder finder;
    private final Journal journal;
    private final Controller controller;
    private final Explanations explanations;
    private final Interpreter interpreter;

    WhyRoute(
            JobFinder finder,
            Journal journal,
            Controller controller,
            Explanations explanations,
            Interpreter interpreter) {
        this.finder = finder;
        this.journal = journal;
        this.controller = controller;
        this.explanations = explanations;
        this.interpreter = interpreter;
    }

    void why(Call call) throws JournalException {
        Job job = finder.find(call);
        Optional<Explanation> explanation = explanations.of(job);
        Optional<Bodies.Standing> standing = explanations.standing(job);
        Optional<Forecast.Band> start = standing.flatMap(Bodies.Standing::start);
        // Whoever can never start waits for nobody.
        Optional<Explanation> queue =
                explanation.filter(it -> it.obstacles().stream().noneMatch(Obstacle::isForGood));
        List<Holder> holders = queue.map(_ -> explanations.holders(job)).orElse(List.of());
        int more = Math.max(0, holders.size() - NAMED_MAX);
        call.send(
                200,
                new WhyBody(
                        job.id().text(),
                        job.state().word(),
                        standing.map(Bodies.Standing::place).orElse(null),
                        queue.map(_ -> ahead(job)).orElse(List.of()),
                        explanation.map(_ -> Needs.words(job.spec())).orElse(null),
                        withWhoPasses(job, withLastLoss(job, reasons(job, explanation))),
                        HolderWords.bodies(
                                holders, NAMED_MAX, job, controller.view(job.spec().cluster())),
                        more == 0 ? null : more,
                        start.map(band -> band.expected().toString()).orElse(null),
                        start.map(band -> band.earliest().toString()).orElse(null),
                        start.map(band -> band.latest().toString()).orElse(null),
                        explanation.flatMap(place -> advice(job, place)).orElse(null)));
    }

    /** A later place with an earlier start would otherwise look like a mistake. */
    private List<String> withWhoPasses(Job job, List<String> reasons) {
        if (!(job.state() instanceof JobState.Queued) || job.isHeld()) return reasons;
        Optional<Job> other = explanations.passedBy(job);
        if (other.isEmpty()) return reasons;
        boolean isSmaller = other.get().spec().milliGpus() < job.spec().milliGpus();
        String why = isSmaller ? "it asks for fewer GPUs" : "turns change as jobs end";
        var all = new ArrayList<>(reasons);
        all.add(other.get().id() + " stands behind it but may well start sooner: " + why);
        return all;
    }

    /**
     * Whoever is queued again because nobody would take it wants to know who would not, and why.
     */
    private List<String> withLastLoss(Job job, List<String> reasons) throws JournalException {
        if (!(job.state() instanceof JobState.Queued) || job.losses() == 0) return reasons;
        var all = new ArrayList<>(reasons);
        for (Fact fact : journal.history(job.id()).reversed()) {
            if (fact.event() instanceof Event.AttemptEnded(_, _, Verdict.Lost(String why))) {
                all.add("its last attempt was lost: " + why);
                break;
            }
        }
        return all;
    }

    private List<String> reasons(Job job, Optional<Explanation> explanation) {
        return switch (job.state()) {
            case JobState.Queued _, JobState.Starting _ -> {
                List<String> obstacles = obstacles(job, explanation);
                yield obstacles.isEmpty() ? List.of("it is being started") : obstacles;
            }
            case JobState.Running running ->
                    List.of("it has been running since " + running.since());
            case JobState.Stopping _ -> List.of("it is being stopped: " + reason(job));
            case JobState.Finished over ->
                    over.outcome().reason().isEmpty()
                            ? List.of()
                            : List.of("it has ended: " + reason(job));
        };
    }

    private static String reason(Job job) {
        String reason = Bodies.reason(job.state());
        return reason == null ? job.state().word() : reason;
    }

    /** What keeps the job from running; none for one that runs or has run. */
    List<String> obstacles(Job job, Optional<Explanation> explanation) {
        return switch (job.state()) {
            case JobState.Queued queued when queued.isHeld() -> awaited(job);
            case JobState.Queued _ ->
                    explanation.isEmpty() || explanation.get().obstacles().isEmpty()
                            ? List.of("it is about to start")
                            : explanation.get().obstacles().stream().map(this::words).toList();
            case JobState.Starting _ -> trouble(job).map(List::of).orElse(List.of());
            case JobState.Running _, JobState.Stopping _, JobState.Finished _ -> List.of();
        };
    }

    private List<String> awaited(Job job) {
        var words = new ArrayList<String>();
        for (JobSpec.After after : job.spec().after()) {
            List<Job> open = controller.awaited(after);
            if (open.isEmpty()) continue;
            boolean isArray = !open.getFirst().id().text().equals(after.job());
            words.add(
                    "it waits until %s; %s"
                            .formatted(
                                    (isArray ? "every job of " : "") + after,
                                    isArray
                                            ? open.size() + " of them have not"
                                            : "that is " + open.getFirst().state().word()));
        }
        return words.isEmpty() ? List.of("it is about to enter the queue") : words;
    }

    /** A plan that is about to be made is no stop yet. */
    private String words(Obstacle obstacle) {
        if (!(obstacle instanceof Obstacle.BeingFreed(List<JobId> stopping)))
            return obstacle.words();
        List<JobId> running =
                stopping.stream()
                        .filter(
                                id ->
                                        controller
                                                .unfinished(id)
                                                .filter(
                                                        it ->
                                                                it.state()
                                                                        instanceof JobState.Running)
                                                .isPresent())
                        .toList();
        if (running.isEmpty()) return obstacle.words();
        return running.size() == 1
                ? running.getFirst() + " is the next to be asked to stop for it"
                : running.size() + " jobs are the next to be asked to stop for it";
    }

    /** What is wrong with a job that has its place and does not run yet, as far as is known. */
    Optional<String> trouble(Job job) {
        return job.state() instanceof JobState.Starting starting
                ? interpreter.trouble(starting.attempt().id()).or(() -> controller.trouble(job))
                : Optional.empty();
    }

    /** Planning for one changed job costs as much as planning for all, so only who asks pays. */
    private Optional<String> advice(Job job, Explanation explanation) {
        if (explanation.obstacles().isEmpty()) return Optional.empty();
        String name = job.spec().cluster();
        if (controller.unreachable(name).isPresent()) return Optional.empty();
        for (Cluster cluster : controller.clusters()) {
            if (cluster.name().equals(name))
                return Advice.cheapest(controller.view(name), cluster.policy(), job.id());
        }
        return Optional.empty();
    }

    /**
     * The owners of the jobs before this one, in the order of the queue. Work without GPUs is in
     * nobody's way who wants GPUs.
     */
    private List<AheadBody> ahead(Job job) {
        Map<String, Sum> byOwner = new LinkedHashMap<>();
        boolean wantsGpus = job.spec().gpus() > 0;
        for (Explanation each : explanations.queue(job)) {
            if (each.job().equals(job.id())) break;
            if (each.isForGood()) continue;
            Optional<Job> other = controller.unfinished(each.job());
            if (other.isEmpty() || wantsGpus != other.get().spec().gpus() > 0) continue;
            byOwner.merge(other.get().owner(), Sum.of(other.get()), Sum::plus);
        }
        var ahead = new ArrayList<AheadBody>();
        Sum rest = Sum.NONE;
        int people = 0;
        for (var entry : byOwner.entrySet()) {
            if (ahead.size() < NAMED_MAX) {
                ahead.add(entry.getValue().body(entry.getKey(), 1));
            } else {
                rest = rest.plus(entry.getValue());
                people++;
            }
        }
        if (people > 0) ahead.add(rest.body(null, people));
        return ahead;
    }

    /** Jobs of one owner, and what they ask for together. */
    private record Sum(int jobs, long milliGpus) {
        static final Sum NONE = new Sum(0, 0);

        static Sum of(Job job) {
            return new Sum(1, job.spec().milliGpus());
        }

        Sum plus(Sum more) {
            return new Sum(jobs + more.jobs, milliGpus + more.milliGpus);
        }

        AheadBody body(String owner, int people) {
            return new AheadBody(owner, people, jobs, milliGpus / 1000.0);
        }
    }
}

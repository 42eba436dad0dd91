package fairlead.justice;

import fairlead.cluster.OwnerQueue;
import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.Placement;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Watches the decisions about one cluster from its first to its last day: which injustices stood
 * how long, and who was stopped for whom.
 */
public final class Judge {
    private final List<Wrong> wrongs = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private final Map<JobId, Wrong> standing = new HashMap<>();

    /** By the job for which others were asked to stop, who they were. */
    private final Map<JobId, Set<JobId>> owed = new HashMap<>();

    private final Map<JobId, List<Instant>> stops = new HashMap<>();
    private final boolean resizes;

    /** By the job that waits, what is wrong if it does not start in the same instant after all. */
    private final Map<JobId, Suspicion> suspicions = new HashMap<>();

    private record Suspicion(Instant at, String words) {}

    /**
     * @param resizes whether training jobs are given other sizes than they ask for, so that they
     *     may be asked to go on with fewer GPUs
     */
    public Judge(boolean resizes) {
        this.resizes = resizes;
    }

    /**
     * An injustice and how long it stood.
     *
     * @param bound how long it may stand: until those who might stop may be disturbed, and have
     *     come to a checkpoint
     */
    public record Wrong(Injustice injustice, Instant from, Instant until, Duration bound) {
        public Duration beyond() {
            Duration time = Duration.between(from, until).minus(bound);
            return time.isNegative() ? Duration.ZERO : time;
        }

        private Wrong until(Instant later) {
            return new Wrong(injustice, from, later, bound);
        }

        /**
         * What is under way for anyone comes first, so it may take as long as that takes, if that
         * began in time.
         */
        private Wrong waitingFor(List<Job> stopping, View view) {
            Duration longer = Judge.bound(view, stopping.stream());
            boolean isInTime = !until(view.now()).beyond().isPositive();
            return isInTime && longer.compareTo(bound) > 0
                    ? new Wrong(injustice, from, until, longer)
                    : this;
        }
    }

    /** One job is asked to stop for another. */
    public record Stop(JobId victim, JobId beneficiary) {}

    /**
     * What was decided on this view.
     *
     * @param starts the jobs that start now, and where
     * @param asked who is asked to stop; a job that only changes its size stops for itself
     */
    public void decided(View view, Map<JobId, Placement> starts, List<Stop> asked) {
        Set<JobId> started = starts.keySet();
        List<Stop> forOthers =
                asked.stream().filter(stop -> !stop.victim().equals(stop.beneficiary())).toList();
        Map<JobId, List<Stop>> byBeneficiary =
                forOthers.stream()
                        .collect(
                                Collectors.groupingBy(
                                        Stop::beneficiary, TreeMap::new, Collectors.toList()));
        started.forEach(job -> close(job, view.now()));
        judgeSuspicions(view, started);
        owed.keySet().removeAll(started);
        byBeneficiary.keySet().forEach(job -> close(job, view.now()));
        boolean isPending = Justice.isPending(view);
        if (!isPending) {
            judgeWaits(view, started, asked);
            judgePromises(view, started, byBeneficiary.keySet());
            // Where somebody is to make room, whoever waits for it need not have it here.
            if (resizes && asked.isEmpty()) judgeSizes(view, starts);
        }
        if (!isPending && started.isEmpty() && byBeneficiary.size() == 1) {
            judgeVictims(resizes ? Portions.asking(view) : view, byBeneficiary);
        }
        for (Stop stop : forOthers) {
            stops.computeIfAbsent(stop.victim(), _ -> new ArrayList<>()).add(view.now());
            if (isOwn(stop, view)) continue;
            owed.computeIfAbsent(stop.beneficiary(), _ -> new HashSet<>()).add(stop.victim());
        }
    }

    /** What owners do among their own jobs is no promise to anybody. */
    private static boolean isOwn(Stop stop, View view) {
        String owner = waiting(view).get(stop.beneficiary()).owner();
        return view.active().stream()
                .anyMatch(job -> job.id().equals(stop.victim()) && job.owner().equals(owner));
    }

    private void judgeWaits(View view, Set<JobId> started, List<Stop> asked) {
        // A job that only changes its size is among these, but it does not wait.
        Set<JobId> helped = asked.stream().map(Stop::beneficiary).collect(Collectors.toSet());
        Set<JobId> victims = asked.stream().map(Stop::victim).collect(Collectors.toSet());
        Map<JobId, Injustice> now = new HashMap<>();
        View counted = resizes ? Portions.of(view) : view;
        for (Injustice each : Justice.in(counted)) now.put(each.waiting().id(), each);
        for (JobId job : Set.copyOf(standing.keySet())) {
            if (!now.containsKey(job)) close(job, view.now());
        }
        List<Job> stopping =
                view.active().stream().filter(job -> victims.contains(job.id())).toList();
        now.forEach(
                (job, injustice) -> {
                    if (started.contains(job) || helped.contains(job)) return;
                    standing.compute(
                            job,
                            (_, wrong) ->
                                    wrong == null
                                            ? begun(view, injustice, stopping)
                                            : wrong.waitingFor(stopping, view));
                });
    }

    private static Wrong begun(View view, Injustice injustice, List<Job> stopping) {
        Stream<Job> all = Stream.concat(injustice.stops().stream(), stopping.stream());
        return new Wrong(injustice, view.now(), view.now(), bound(view, all));
    }

    /** Nobody starts with more than the least while somebody waits for what the rule gives them. */
    private void judgeSizes(View view, Map<JobId, Placement> starts) {
        boolean anyoneIsSized =
                starts.keySet().stream()
                        .map(waiting(view)::get)
                        .anyMatch(job -> job != null && job.spec().training().isPresent());
        if (!anyoneIsSized) return;
        for (Injustice each : Justice.in(Portions.after(view, starts))) {
            if (Portions.areOf(each.stops(), starts.keySet())) {
                suspect(
                        each.waiting().id(),
                        view,
                        "somebody starts with more than the least, but " + each);
            }
        }
    }

    private void suspect(JobId job, View view, String words) {
        suspicions.putIfAbsent(job, new Suspicion(view.now(), view.now() + ": " + words));
    }

    /** Who has started in the same instant after all has lost nothing. */
    private void judgeSuspicions(View view, Set<JobId> started) {
        suspicions.keySet().removeAll(started);
        suspicions
                .values()
                .removeIf(
                        each -> {
                            boolean isLater = view.now().isAfter(each.at);
                            if (isLater) faults.add(each.words);
                            return isLater;
                        });
    }

    private void close(JobId job, Instant now) {
        Wrong wrong = standing.remove(job);
        if (wrong != null) wrongs.add(wrong.until(now));
    }

    private static Duration bound(View view, Stream<Job> stops) {
        Duration patience =
                stops.filter(Job::stopsAtCheckpoint)
                        .map(Job::patience)
                        .max(Duration::compareTo)
                        .orElse(Duration.ZERO);
        return view.rules().undisturbed().plus(patience);
    }

    /**
     * Whoever others have stopped for has started by now. One that came to its end before it was
     * stopped has lost nothing, so nothing is owed for it; and what is owed to one that borrows
     * goes to a job inside its quota if there is such a job by now, one that trains with as few
     * GPUs as it can.
     */
    private void judgePromises(View view, Set<JobId> started, Set<JobId> helped) {
        Map<JobId, Job> waiting = waiting(view);
        Set<JobId> unfinished = new HashSet<>(waiting.keySet());
        view.active().forEach(job -> unfinished.add(job.id()));
        var books = new Books(view);
        Map<JobId, Job> asking = resizes ? waiting(Portions.asking(view)) : waiting;
        boolean isQuotaServed =
                view.rules().hasQuotas()
                        && started.stream()
                                .map(asking::get)
                                .anyMatch(job -> job != null && books.isInsideQuota(job));
        for (JobId job : Set.copyOf(owed.keySet())) {
            if (helped.contains(job)) continue;
            Set<JobId> stopped = owed.remove(job);
            stopped.retainAll(unfinished);
            if (started.contains(job) || !waiting.containsKey(job) || stopped.isEmpty()) continue;
            if (!isQuotaServed || books.isInsideQuota(waiting.get(job))) {
                suspect(job, view, "others have stopped for " + job + " in vain");
            }
        }
    }

    private void judgeVictims(View view, Map<JobId, List<Stop>> byBeneficiary) {
        byBeneficiary.forEach(
                (id, asked) -> {
                    Set<JobId> ids = new HashSet<>();
                    asked.forEach(stop -> ids.add(stop.victim()));
                    List<Job> victims =
                            view.active().stream().filter(job -> ids.contains(job.id())).toList();
                    Job job = waiting(view).get(id);
                    if (job == null) return;
                    Optional<Job> rather = Justice.givenRather(view, job, victims);
                    rather.ifPresent(
                            other ->
                                    faults.add(
                                            "%s: %s stop for %s, though their owner would give %s"
                                                    .formatted(view.now(), ids, id, other.id())));
                });
    }

    private static Map<JobId, Job> waiting(View view) {
        Map<JobId, Job> waiting = new HashMap<>();
        for (OwnerQueue queue : view.queues()) {
            queue.gpuJobs().forEach(job -> waiting.put(job.id(), job));
        }
        return waiting;
    }

    /** All injustices that stood for a while, those that still stand among them. */
    public List<Wrong> wrongs(Instant now) {
        var all = new ArrayList<>(wrongs);
        standing.values().forEach(wrong -> all.add(wrong.until(now)));
        return all;
    }

    /**
     * What is to be said of all decisions.
     *
     * @param unjust how long somebody waited unjustly for longer than may be
     * @param worst the longest time that one did
     * @param stops of one job for another
     */
    public record Summary(Duration unjust, Duration worst, int stops, int faults) {}

    public Summary summary(Instant now) {
        List<Wrong> tooLong =
                wrongs(now).stream()
                        .filter(wrong -> wrong.beyond().isPositive())
                        .sorted(Comparator.comparing(wrong -> wrong.from().plus(wrong.bound())))
                        .toList();
        Duration unjust = Duration.ZERO;
        Duration worst = Duration.ZERO;
        Instant counted = Instant.MIN;
        for (Wrong wrong : tooLong) {
            if (wrong.beyond().compareTo(worst) > 0) worst = wrong.beyond();
            Instant from = wrong.from().plus(wrong.bound());
            if (counted.isAfter(from)) from = counted;
            if (!wrong.until().isAfter(from)) continue;
            unjust = unjust.plus(Duration.between(from, wrong.until()));
            counted = wrong.until();
        }
        return new Summary(unjust, worst, stops(), faults.size());
    }

    /** Stops that were in vain or hit the wrong job, in words. */
    public List<String> faults() {
        return faults;
    }

    public int stops() {
        return stops.values().stream().mapToInt(List::size).sum();
    }

    /** How often one job was stopped for others within so long, at most. */
    public int stopsWithin(Duration span) {
        int most = 0;
        for (List<Instant> times : stops.values()) {
            for (int i = 0, from = 0; i < times.size(); i++) {
                while (times.get(from).plus(span).isBefore(times.get(i))) from++;
                most = Math.max(most, i - from + 1);
            }
        }
        return most;
    }
}

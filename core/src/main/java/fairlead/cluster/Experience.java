package fairlead.cluster;

import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobState;
import fairlead.job.Outcome;
import fairlead.job.Profile;
import fairlead.job.Setup;
import fairlead.job.Training;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What the past has shown about jobs of the same owner and script. Of a training job, how long its
 * epochs take on what; of any other, the median run time of the last few with the same name that
 * succeeded. Without either, what the owner has declared is all that is known; for forecasts also
 * how long other jobs have run. Immutable.
 */
public final class Experience implements Foresight {
    public static final Experience NONE = new Experience(Map.of(), List.of());

    /** Enough for a median that one outlier does not move; few enough to follow a change. */
    private static final int TIMES_KEPT = 9;

    /** Scripts of one owner; beyond that the owner's jobs are too different to foresee. */
    private static final int KINDS_PER_OWNER_MAX = 500;

    /** Enough for a shape; few enough to follow a change of what people do. */
    private static final int RUNS_KEPT = 200;

    private static final int RUNS_ALIKE_MAX = 100;

    /** So few say less than more that are not so much alike. */
    private static final int RUNS_ALIKE_MIN = 3;

    private final Map<String, Known> byOwner;
    private final List<Run> runs;

    /** One job that has ended, by itself or not. */
    private record Run(int gpus, Duration time, boolean isCutShort) {}

    /** What is known of one owner's scripts and jobs, the latest last. */
    private record Known(
            Map<String, List<Duration>> times, Map<String, Profile> profiles, List<Run> runs) {
        static final Known NOTHING = new Known(Map.of(), Map.of(), List.of());
    }

    private Experience(Map<String, Known> byOwner, List<Run> runs) {
        this.byOwner = byOwner;
        this.runs = runs;
    }

    @Override
    public Optional<Duration> runTime(Job job) {
        Optional<Training> training = job.spec().training();
        Optional<Duration> known =
                training.flatMap(asked -> byEpochs(job, asked))
                        .or(() -> median(job))
                        .or(() -> training.flatMap(Training::estimate));
        Optional<Duration> limit = job.spec().timeLimit();
        if (known.isEmpty() || limit.isEmpty()) return known.or(() -> limit);
        return known.get().compareTo(limit.get()) < 0 ? known : limit;
    }

    /** What it has run until its last epoch, and the epochs that are left. */
    private Optional<Duration> byEpochs(Job job, Training asked) {
        Setup setup =
                job.state() instanceof JobState.Active alive
                        ? Setup.alone(alive.attempt().placement())
                        : Setup.alone(1, asked.gpus());
        int left = asked.epochs() - job.progress().epochsDone();
        return speed(job, setup)
                .or(() -> nearest(profile(job), setup))
                .map(speed -> Duration.ofMillis((long) (1_000 * speed.epochSeconds() * left)))
                .map(time -> time.plus(job.served()).plus(untilLastEpoch(job)));
    }

    private static Duration untilLastEpoch(Job job) {
        if (!(job.state() instanceof JobState.Running running)) return Duration.ZERO;
        return job.progress()
                .safe()
                .filter(running.since()::isBefore)
                .map(safe -> Duration.between(running.since(), safe))
                .orElse(Duration.ZERO);
    }

    /** As measured on the most similar number of GPUs. */
    private static Optional<Profile.Speed> nearest(Profile profile, Setup setup) {
        return profile.speeds().entrySet().stream()
                .min(
                        Comparator.comparingInt(
                                entry -> Math.abs(entry.getKey().gpus() - setup.gpus())))
                .map(Map.Entry::getValue);
    }

    private Optional<Duration> median(Job job) {
        var sorted = new ArrayList<>(of(job).times().getOrDefault(kind(job), List.of()));
        Collections.sort(sorted);
        return sorted.isEmpty() ? Optional.empty() : Optional.of(sorted.get(sorted.size() / 2));
    }

    @Override
    public RunTimes runTimes(Job job) {
        for (List<Run> some : List.of(of(job).runs(), runs)) {
            RunTimes ofSize =
                    times(some.stream().filter(run -> run.gpus() == job.spec().gpus()).toList());
            if (ofSize.ended().size() >= RUNS_ALIKE_MIN) return ofSize;
            RunTimes ofAny = times(some);
            if (ofAny.ended().size() >= RUNS_ALIKE_MIN) return ofAny;
        }
        return times(runs);
    }

    private static RunTimes times(List<Run> runs) {
        Map<Boolean, List<Duration>> byCut =
                runs.subList(Math.max(0, runs.size() - RUNS_ALIKE_MAX), runs.size()).stream()
                        .collect(
                                Collectors.partitioningBy(
                                        Run::isCutShort,
                                        Collectors.mapping(Run::time, Collectors.toList())));
        return new RunTimes(byCut.get(false), byCut.get(true));
    }

    @Override
    public Profile profile(Job job) {
        Profile own = job.progress().profile();
        return of(job).profiles().getOrDefault(job.script(), own).withMemory(own.memoryBytes());
    }

    @Override
    public Experience after(Job job) {
        if (!(job.state() instanceof JobState.Finished over)) return this;
        if (job.served().isZero()) return this;
        var run = new Run(job.spec().gpus(), job.served(), over.outcome().isCutShort());
        Known known = of(job);
        var more = new Known(known.times(), known.profiles(), plus(known.runs(), run));
        Experience seen = with(job, more, plus(runs, run));
        return over.outcome().kind() == Outcome.Kind.SUCCEEDED ? seen.afterSuccess(job) : seen;
    }

    private static List<Run> plus(List<Run> runs, Run run) {
        var more = new ArrayList<>(runs);
        if (more.size() == RUNS_KEPT) more.removeFirst();
        more.add(run);
        return more;
    }

    private Experience afterSuccess(Job job) {
        Known known = of(job);
        var times = new ArrayList<>(of(job).times().getOrDefault(kind(job), List.of()));
        times.add(job.served());
        if (times.size() > TIMES_KEPT) times.removeFirst();
        return with(
                job,
                new Known(
                        put(known.times(), kind(job), List.copyOf(times)),
                        known.profiles(),
                        known.runs()),
                runs);
    }

    @Override
    public Experience after(Job job, Event.EpochEnded ended) {
        if (!(job.state() instanceof JobState.Active alive)) return this;
        Profile before = of(job).profiles().getOrDefault(job.script(), Profile.NONE);
        return with(job, before.after(alive.attempt().placement(), ended.epoch()));
    }

    /** All that a job had measured before this server began. */
    @Override
    public Experience recalling(Job job) {
        Profile own = job.progress().profile();
        if (own.equals(Profile.NONE)) return this;
        return with(job, of(job).profiles().getOrDefault(job.script(), Profile.NONE).plus(own));
    }

    private Known of(Job job) {
        return byOwner.getOrDefault(job.owner(), Known.NOTHING);
    }

    private Experience with(Job job, Profile profile) {
        Known known = of(job);
        return with(
                job,
                new Known(
                        known.times(), put(known.profiles(), job.script(), profile), known.runs()),
                runs);
    }

    private Experience with(Job job, Known known, List<Run> all) {
        var owners = new HashMap<>(byOwner);
        owners.put(job.owner(), known);
        return new Experience(owners, all);
    }

    private static <T> Map<String, T> put(Map<String, T> kinds, String kind, T value) {
        var more = new HashMap<>(kinds);
        if (more.size() >= KINDS_PER_OWNER_MAX && !more.containsKey(kind)) more.clear();
        more.put(kind, value);
        return more;
    }

    private static String kind(Job job) {
        return job.spec().name() + " " + job.script();
    }
}

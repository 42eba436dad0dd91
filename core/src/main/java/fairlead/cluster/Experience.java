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

/**
 * What the past has shown about jobs of the same owner and script. Of a training job, how long its
 * epochs take on what; of any other, the median run time of the last few with the same name that
 * succeeded. Without either, what the owner has declared is all that is known. Immutable.
 */
public final class Experience implements Foresight {
    public static final Experience NONE = new Experience(Map.of());

    /** Enough for a median that one outlier does not move; few enough to follow a change. */
    private static final int TIMES_KEPT = 9;

    /** Scripts of one owner; beyond that the owner's jobs are too different to foresee. */
    private static final int KINDS_PER_OWNER_MAX = 500;

    private final Map<String, Known> byOwner;

    /** What is known of one owner's scripts. */
    private record Known(Map<String, List<Duration>> times, Map<String, Profile> profiles) {
        static final Known NOTHING = new Known(Map.of(), Map.of());
    }

    private Experience(Map<String, Known> byOwner) {
        this.byOwner = byOwner;
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
        return nearest(profile(job), setup)
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

    /** As measured there, or on the most similar number of GPUs. */
    private static Optional<Profile.Speed> nearest(Profile profile, Setup setup) {
        Optional<Profile.Speed> exact = profile.speed(setup);
        if (exact.isPresent()) return exact;
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
    public Profile profile(Job job) {
        Profile own = job.progress().profile();
        return of(job).profiles().getOrDefault(job.script(), own).withMemory(own.memoryBytes());
    }

    @Override
    public Experience after(Job job) {
        if (!(job.state() instanceof JobState.Finished over)) return this;
        if (over.outcome().kind() != Outcome.Kind.SUCCEEDED) return this;
        var times = new ArrayList<>(of(job).times().getOrDefault(kind(job), List.of()));
        times.add(job.served());
        if (times.size() > TIMES_KEPT) times.removeFirst();
        return with(
                job,
                new Known(put(of(job).times(), kind(job), List.copyOf(times)), of(job).profiles()));
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
        return with(
                job, new Known(of(job).times(), put(of(job).profiles(), job.script(), profile)));
    }

    private Experience with(Job job, Known known) {
        var owners = new HashMap<>(byOwner);
        owners.put(job.owner(), known);
        return new Experience(owners);
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

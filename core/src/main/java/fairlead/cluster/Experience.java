package fairlead.cluster;

import fairlead.job.Job;
import fairlead.job.JobState;
import fairlead.job.Outcome;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How long jobs of the same owner with the same name and script have run lately: the median of the
 * last few that succeeded. Without any, the time limit is all that is known. Immutable.
 */
public final class Experience implements Foresight {
    public static final Experience NONE = new Experience(Map.of());

    /** Enough for a median that one outlier does not move; few enough to follow a change. */
    private static final int TIMES_KEPT = 9;

    /** Scripts of one owner; beyond that the owner's jobs are too different to foresee. */
    private static final int KINDS_PER_OWNER_MAX = 500;

    private final Map<String, Map<String, List<Duration>>> byOwner;

    private Experience(Map<String, Map<String, List<Duration>>> byOwner) {
        this.byOwner = byOwner;
    }

    @Override
    public Optional<Duration> runTime(Job job) {
        List<Duration> times =
                byOwner.getOrDefault(job.owner(), Map.of()).getOrDefault(kind(job), List.of());
        Optional<Duration> limit = job.spec().timeLimit();
        if (times.isEmpty()) return limit;
        var sorted = new ArrayList<>(times);
        Collections.sort(sorted);
        Duration median = sorted.get(sorted.size() / 2);
        return limit.filter(most -> most.compareTo(median) < 0).or(() -> Optional.of(median));
    }

    @Override
    public Experience after(Job job) {
        if (!(job.state() instanceof JobState.Finished over)) return this;
        if (over.outcome().kind() != Outcome.Kind.SUCCEEDED) return this;
        var kinds = new HashMap<>(byOwner.getOrDefault(job.owner(), Map.of()));
        if (kinds.size() >= KINDS_PER_OWNER_MAX && !kinds.containsKey(kind(job))) kinds.clear();
        var times = new ArrayList<>(kinds.getOrDefault(kind(job), List.of()));
        times.add(job.served());
        if (times.size() > TIMES_KEPT) times.removeFirst();
        kinds.put(kind(job), List.copyOf(times));
        var owners = new HashMap<>(byOwner);
        owners.put(job.owner(), kinds);
        return new Experience(owners);
    }

    /** Its name and the first two words of its command, such as {@code python train.py}. */
    private static String kind(Job job) {
        List<String> command = job.spec().roles().getFirst().command();
        boolean isShell = command.size() == 3 && command.get(1).equals("-c");
        List<String> words = isShell ? List.of(command.get(2).split("\\s+", 3)) : command;
        return job.spec().name()
                + " "
                + String.join(" ", words.subList(0, Math.min(2, words.size())));
    }
}

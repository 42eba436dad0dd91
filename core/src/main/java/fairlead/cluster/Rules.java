package fairlead.cluster;

import fairlead.job.Job;
import fairlead.job.Project;
import fairlead.job.Resources;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a cluster has promised its people.
 *
 * @param projects by name; one that is not listed has no quota
 * @param undisturbed how long an attempt runs at least before it may be preempted
 * @param restart how long a training job takes from its start to its first step
 * @param stopGrace how long a task has to end by itself, once it was asked to
 */
public record Rules(
        Map<String, Project> projects, Duration undisturbed, Duration restart, Duration stopGrace) {
    /** Short jobs end by themselves sooner than a preemption would pay. */
    public static final Duration UNDISTURBED = Duration.ofMinutes(5);

    /** To load a framework, the data's index and a checkpoint: what published results assume. */
    public static final Duration RESTART = Duration.ofSeconds(30);

    public static final Duration STOP_GRACE = Duration.ofSeconds(30);

    public static final Rules NONE = new Rules(Map.of(), UNDISTURBED);

    public Rules {
        projects = Collections.unmodifiableMap(new TreeMap<>(projects));
    }

    public Rules(Map<String, Project> projects, Duration undisturbed) {
        this(projects, undisturbed, RESTART, STOP_GRACE);
    }

    /** The same for these projects. */
    public Rules with(Map<String, Project> others) {
        return new Rules(others, undisturbed, restart, stopGrace);
    }

    public Project project(String name) {
        return projects.getOrDefault(name, Project.named(name));
    }

    /**
     * In thousandths of a GPU. Where no project has a quota, the cluster is everybody's; where some
     * have one, the others have none and live on what is idle.
     */
    public long quota(String project) {
        if (!hasQuotas()) return Long.MAX_VALUE;
        return (long) project(project).quota().orElse(0) * Resources.GPU;
    }

    public boolean hasQuotas() {
        return projects.values().stream().anyMatch(project -> project.quota().isPresent());
    }

    /** How long each attempt of the job may run. */
    public Optional<Duration> timeLimit(Job job) {
        Optional<Duration> own = job.spec().timeLimit();
        if (!job.spec().interactive()) return own;
        Duration limit = project(job.spec().project()).interactiveLimit();
        return own.filter(shorter -> shorter.compareTo(limit) < 0).or(() -> Optional.of(limit));
    }
}

package fairlead.cli.philly;

import fairlead.api.JobDetail;
import fairlead.api.client.Refused;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;
import fairlead.cli.terminal.Words;
import fairlead.dialects.act.config.ClusterConfig;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * The cluster that a job goes to, and why: the one with most of its quota free, if that is more
 * than twice what the job needs; otherwise the one where the fewest of the caller's jobs wait.
 * Among equals it is the first of the config file.
 */
record PhillyChoice(ClusterConfig config, String reason) {
    /** Room for the job, and for one that somebody submits at the same moment. */
    private static final int ROOM = 2;

    static PhillyChoice of(PhillyClusters clusters, int gpus)
            throws UsageException, Failure, Refused, IOException {
        List<ClusterConfig> usable = clusters.usable();
        if (usable.size() == 1) {
            return new PhillyChoice(
                    usable.getFirst(),
                    "to " + usable.getFirst().name() + ", " + clusters.whyOnly());
        }
        PhillyClusters.Usage most = null;
        for (PhillyClusters.Usage usage : clusters.usages()) {
            if (most == null || usage.free() > most.free()) most = usage;
        }
        if (most != null && most.free() > ROOM * gpus) {
            return new PhillyChoice(
                    named(usable, most.name()),
                    "to "
                            + most.name()
                            + ", where "
                            + Words.count(most.free(), "GPU")
                            + (most.free() == 1 ? " is free" : " are free"));
        }
        String fewest = null;
        Map<String, List<JobDetail>> queued = clusters.queued();
        for (ClusterConfig config : usable) {
            String name = config.name();
            if (fewest == null || queued.get(name).size() < queued.get(fewest).size()) {
                fewest = name;
            }
        }
        int waiting = queued.get(fewest).size();
        return new PhillyChoice(
                named(usable, fewest),
                "to "
                        + fewest
                        + ", where "
                        + (waiting == 0 ? "no job" : Words.count(waiting, "job"))
                        + " of yours "
                        + (waiting > 1 ? "wait" : "waits"));
    }

    private static ClusterConfig named(List<ClusterConfig> configs, String name) {
        for (ClusterConfig config : configs) {
            if (config.name().equals(name)) return config;
        }
        throw new IllegalStateException("no config for " + name);
    }
}

package fairlead.policy.elastic;

import fairlead.cluster.Guest;
import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobState;
import fairlead.job.Resources;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Among whom training jobs share GPUs out: all owners alike; where projects have quotas, the owners
 * of each project share its quota.
 */
record Shareholders(View view) {
    /** Who has no quota lives on what is idle. */
    private static final double WEIGHT_MIN = 1e-3;

    String name(Job job) {
        return view.rules().hasQuotas() ? job.spec().project() + " " + job.owner() : job.owner();
    }

    Map<String, Double> weights(Collection<Job> jobs) {
        if (!view.rules().hasQuotas()) return Map.of();
        var owners = new HashMap<String, Set<String>>();
        for (Job job : jobs) {
            owners.computeIfAbsent(job.spec().project(), _ -> new HashSet<>()).add(job.owner());
        }
        var weights = new HashMap<String, Double>();
        for (Job job : jobs) {
            String project = job.spec().project();
            double quota = (double) view.rules().quota(project) / Resources.GPU;
            double part = quota / owners.get(project).size();
            weights.put(name(job), Math.max(part, WEIGHT_MIN));
        }
        return weights;
    }

    /** What their jobs hold that do not take part, the parts rounded up. */
    Map<String, Integer> heldElsewhere(Collection<Job> takingPart) {
        Set<JobId> ids = new HashSet<>();
        for (Job job : takingPart) ids.add(job.id());
        var held = new HashMap<String, Integer>();
        for (Job job : view.active()) {
            boolean isGoing = job.state() instanceof JobState.Stopping;
            if (!isGoing && !ids.contains(job.id()))
                held.merge(name(job), job.spec().gpus(), Integer::sum);
        }
        // Guests count in nobody's quota.
        if (view.rules().hasQuotas()) return held;
        for (Guest guest : view.guests()) {
            int gpus = (int) (guest.milliGpusHeld() / Resources.GPU);
            held.merge(guest.owner(), gpus, Integer::sum);
        }
        return held;
    }
}

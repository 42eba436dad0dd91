package fairlead.server.http;

import fairlead.cluster.View;
import fairlead.control.Cluster;
import fairlead.control.Controller;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.policy.Explanation;
import fairlead.policy.Policy;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Why waiting jobs wait, worked out once for each published view and only when somebody asks. Any
 * thread.
 */
final class Explanations {
    private final Controller controller;
    private final Map<String, Shelf> shelves = new HashMap<>();

    /** The last explanation of one cluster. */
    private static final class Shelf {
        final Policy policy;
        View view;
        Map<JobId, Explanation> made = Map.of();

        Shelf(Policy policy) {
            this.policy = policy;
        }

        /** One at a time: those who come meanwhile want the same answer. */
        synchronized Map<JobId, Explanation> of(View wanted) {
            if (view != wanted) {
                var fresh = new HashMap<JobId, Explanation>();
                for (Explanation each : policy.explain(wanted)) fresh.put(each.job(), each);
                made = fresh;
                view = wanted;
            }
            return made;
        }
    }

    Explanations(Controller controller) {
        this.controller = controller;
        for (Cluster cluster : controller.clusters())
            shelves.put(cluster.name(), new Shelf(cluster.policy()));
    }

    /** Empty when the job does not wait, or has begun to after the last published view. */
    Optional<Explanation> of(Job job) {
        String cluster = job.spec().cluster();
        return Optional.ofNullable(shelves.get(cluster).of(controller.view(cluster)).get(job.id()));
    }
}

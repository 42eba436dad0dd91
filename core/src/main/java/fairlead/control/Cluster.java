package fairlead.control;

import fairlead.cluster.Experience;
import fairlead.cluster.Foresight;
import fairlead.policy.Policy;

/** A named place to run, the rule by which its queue is served, and what that rule may foresee. */
public record Cluster(String name, Policy policy, Foresight foresight) {
    public Cluster(String name, Policy policy) {
        this(name, policy, Experience.NONE);
    }
}

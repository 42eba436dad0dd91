package fairlead.control;

import fairlead.policy.Policy;

/** A named place to run, and the rule by which its queue is served. */
public record Cluster(String name, Policy policy) {}

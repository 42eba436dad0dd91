package fairlead.control;

import fairlead.job.Effect;

/** An effect and the cluster whose engine it is for. */
public record Owed(String cluster, Effect effect) {}

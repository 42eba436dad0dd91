/**
 * The loop that owns job state: ticks, owns no thread.
 *
 * <p>Touches: cluster, engine, job, journal, policy, policy.forecast.
 */
package fairlead.control;

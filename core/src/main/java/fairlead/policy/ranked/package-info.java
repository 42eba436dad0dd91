/**
 * Policies that rank all jobs in one order, to compare with.
 *
 * <p>Touches: cluster, job, policy.
 */
package fairlead.policy.ranked;

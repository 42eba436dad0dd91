/**
 * When waiting jobs will start, by running their policy forward, and what would start them now.
 *
 * <p>Touches: cluster, job, policy, policy.elastic, policy.fair.
 */
package fairlead.policy.forecast;

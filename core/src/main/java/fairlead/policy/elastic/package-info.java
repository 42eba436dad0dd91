/**
 * The policy {@code elastic}: fair first; what is then idle goes to training jobs, which grow,
 * shrink and share GPUs.
 *
 * <p>Touches: cluster, job, policy, policy.fair.
 */
package fairlead.policy.elastic;

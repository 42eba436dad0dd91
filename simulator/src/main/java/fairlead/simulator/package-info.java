/**
 * The real loop in virtual time, from one seed: with faults, or over traces.
 *
 * <p>Touches: cluster, control, engine, job, journal, justice, policies, policy, policy.forecast.
 */
package fairlead.simulator;

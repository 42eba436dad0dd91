/**
 * What ACT reads from the logs of its jobs: ranks, errors, speed.
 *
 * <p>Touches: nothing.
 */
package fairlead.dialects.act.log;

/**
 * What engines whose tasks run elsewhere have in common: their live attempts, and what they keep on
 * the server's disk: what was ordered, how tasks ended, and their logs.
 *
 * <p>Touches: engine, job.
 */
package fairlead.engine.remote;

/**
 * What engines whose tasks run elsewhere keep on the server's disk: what was ordered, how tasks
 * ended, and their logs.
 *
 * <p>Touches: engine, job.
 */
package fairlead.engine.remote;

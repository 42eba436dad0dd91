/**
 * What people open into a running task: shells, its streams, its ports.
 *
 * <p>Touches: engine, engines.local.linux, engines.local.task, job.
 */
package fairlead.engines.local.session;

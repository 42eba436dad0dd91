/**
 * Tasks that run: their files, processes, ends and logs, also those that an earlier server started.
 *
 * <p>Touches: engine, engines.local.container, engines.local.gpu, engines.local.linux, job.
 */
package fairlead.engines.local.task;

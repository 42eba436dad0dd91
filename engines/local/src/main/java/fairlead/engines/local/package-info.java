/**
 * The engine: tasks as processes of this machine.
 *
 * <p>Touches: cluster, engine, engines.local.container, engines.local.gpu, engines.local.linux,
 * engines.local.session, engines.local.task, job.
 */
package fairlead.engines.local;

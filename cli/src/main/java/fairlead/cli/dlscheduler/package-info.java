/**
 * The commands of the Kubernetes DL scheduler.
 *
 * <p>Touches: api, cli, cli.job, cli.verb, dialects.dlscheduler.
 */
package fairlead.cli.dlscheduler;

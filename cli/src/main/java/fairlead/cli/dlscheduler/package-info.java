/**
 * The commands of the Kubernetes DL scheduler.
 *
 * <p>Touches: api, api.client, api.people, api.spec, cli.job, cli.line, cli.terminal, cli.verb,
 * dialects.dlscheduler.
 */
package fairlead.cli.dlscheduler;

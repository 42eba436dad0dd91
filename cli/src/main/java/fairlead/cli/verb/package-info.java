/**
 * One class for each verb of the command line.
 *
 * <p>Touches: api, cli, cli.act, cli.job, cli.openpai, cli.pods, cli.server, cli.spec,
 * dialects.act, dialects.dlscheduler.
 */
package fairlead.cli.verb;

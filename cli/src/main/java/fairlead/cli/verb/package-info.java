/**
 * One class for each verb of the command line.
 *
 * <p>Touches: api, api.client, api.people, api.spec, api.words, cli.act, cli.job, cli.line,
 * cli.openpai, cli.pods, cli.server, cli.spec, cli.terminal, dialects.act, dialects.dlscheduler.
 */
package fairlead.cli.verb;

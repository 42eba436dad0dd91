/**
 * One class for each verb of the command line.
 *
 * <p>Touches: api, cli, cli.assets, cli.server, cli.spec, dialects.act, dialects.act.log,
 * dialects.dlscheduler, dialects.openpai, dialects.runai, org.snakeyaml.engine.
 */
package fairlead.cli.verb;

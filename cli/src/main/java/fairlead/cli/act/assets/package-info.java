/**
 * The folder {@code ./assets} with the logs of jobs, as ACT keeps it.
 *
 * <p>Touches: api, cli, dialects.act, dialects.act.log.
 */
package fairlead.cli.act.assets;

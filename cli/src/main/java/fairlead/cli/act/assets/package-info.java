/**
 * The folder {@code ./assets} with the logs of jobs, as ACT keeps it.
 *
 * <p>Touches: api, api.client, cli.line, cli.terminal, dialects.act, dialects.act.config,
 * dialects.act.log.
 */
package fairlead.cli.act.assets;

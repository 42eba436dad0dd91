/**
 * The folder {@code ./assets} with the logs of jobs, as ACT keeps it.
 *
 * <p>Touches: cli.line, cli.terminal, dialects.act, dialects.act.config, dialects.act.log, api,
 * api.client.
 */
package fairlead.cli.act.assets;

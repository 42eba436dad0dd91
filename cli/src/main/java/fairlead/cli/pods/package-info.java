/**
 * Pod files on their way to the server.
 *
 * <p>Touches: api.client, api.people, api.spec, cli.job, cli.line, cli.spec, cli.terminal,
 * dialects.runai.
 */
package fairlead.cli.pods;

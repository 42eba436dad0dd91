/**
 * Pod files on their way to the server.
 *
 * <p>Touches: api, cli, cli.job, cli.server, cli.spec, dialects.runai.
 */
package fairlead.cli.pods;

/**
 * Pod files on their way to the server, and the claims that they and Run:ai's users name.
 *
 * <p>Touches: api.client, api.people, api.spec, cli.job, cli.line, cli.server, cli.spec,
 * cli.terminal, dialects.runai.
 */
package fairlead.cli.pods;

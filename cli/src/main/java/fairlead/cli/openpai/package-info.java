/**
 * Job files of OpenPAI on their way to the server.
 *
 * <p>Touches: api.client, api.people, api.spec, cli.line, cli.spec, cli.terminal, dialects.openpai.
 */
package fairlead.cli.openpai;

/**
 * Job files of OpenPAI on their way to the server.
 *
 * <p>Touches: api, cli, cli.spec, dialects.openpai.
 */
package fairlead.cli.openpai;

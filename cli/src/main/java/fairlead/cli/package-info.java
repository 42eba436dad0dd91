/**
 * The command line: words in, exit code out. Light: no engine, no server.
 *
 * <p>Touches: api, cli.server, cli.verb.
 */
package fairlead.cli;

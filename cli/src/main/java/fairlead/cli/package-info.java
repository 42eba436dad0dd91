/**
 * The command line: words in, exit code out. Light: no engine, no server.
 *
 * <p>Touches: api, cli.act.verb, cli.dlscheduler, cli.philly, cli.runai, cli.server, cli.verb,
 * dialects.act.
 */
package fairlead.cli;

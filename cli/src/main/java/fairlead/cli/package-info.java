/**
 * The command line: words in, exit code out. It alone sees all verbs. Light: no engine, no server.
 *
 * <p>Touches: api.client, api.words, cli.act.verb, cli.admin, cli.dlscheduler, cli.line,
 * cli.philly, cli.runai, cli.server, cli.shell, cli.terminal, cli.verb, dialects.act.config.
 */
package fairlead.cli;

/**
 * The command line: words in, exit code out. It alone sees all verbs. Light: no engine, no server.
 *
 * <p>Touches: api, api.client, api.clusters, api.people, api.words, cli.act, cli.act.verb,
 * cli.admin, cli.dlscheduler, cli.help, cli.line, cli.philly, cli.runai, cli.server, cli.shell,
 * cli.terminal, cli.verb, dialects.act.config.
 */
package fairlead.cli;

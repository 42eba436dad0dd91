/**
 * What the verbs of all dialects share: where a command is typed, jobs on their way to the server,
 * and lists of jobs.
 *
 * <p>Touches: api, api.client, api.spec, api.words, cli.line, cli.server, cli.spec, cli.terminal.
 */
package fairlead.cli.job;

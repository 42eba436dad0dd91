/**
 * What the verbs of all dialects share: where a command is typed, jobs on their way to the server,
 * and lists of jobs.
 *
 * <p>Touches: api, api.client, api.clusters, api.spec, api.words, cli.line, cli.spec, cli.terminal,
 * dialects.jobfile.
 */
package fairlead.cli.job;

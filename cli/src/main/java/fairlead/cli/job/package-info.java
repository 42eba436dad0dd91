/**
 * What the verbs of all dialects share: where a command is typed, jobs on their way to the server,
 * and lists of jobs.
 *
 * <p>Touches: api, cli, cli.spec.
 */
package fairlead.cli.job;

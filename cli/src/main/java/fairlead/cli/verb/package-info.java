/**
 * Our own verbs about jobs: submitting, watching, explaining, changing them.
 *
 * <p>Touches: api, api.client, api.report, api.spec, api.words, cli.job, cli.line, cli.openpai,
 * cli.pods, cli.spec, cli.terminal, dialects.jobfile.
 */
package fairlead.cli.verb;

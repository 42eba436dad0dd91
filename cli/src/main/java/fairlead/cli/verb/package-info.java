/**
 * Our own verbs about jobs: submitting, watching, explaining, changing them.
 *
 * <p>Touches: api, api.client, api.spec, api.words, cli.job, cli.line, cli.openpai, cli.pods,
 * cli.spec, cli.terminal.
 */
package fairlead.cli.verb;

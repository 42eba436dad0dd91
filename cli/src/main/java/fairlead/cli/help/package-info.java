/**
 * The pages of docs in a terminal, and the man pages.
 *
 * <p>Touches: cli.line, cli.terminal.
 */
package fairlead.cli.help;

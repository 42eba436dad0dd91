/**
 * What people see: output, tables, colours, the words of failures, and how a command ends.
 *
 * <p>Touches: api, api.client, api.spec, api.words.
 */
package fairlead.cli.terminal;

/**
 * The command line: words in, exit code out. Light: no engine, no server. Touches api, dialects.
 */
package fairlead.cli;

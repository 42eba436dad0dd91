/** One class for each verb of the command line. Touches cli, api, dialects. */
package fairlead.cli.verb;

/** One class for each verb of the command line. Touches cli, api. */
package fairlead.cli.verb;

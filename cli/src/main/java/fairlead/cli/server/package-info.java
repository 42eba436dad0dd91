/** The personal server of a user: finding, starting and stopping it. Touches api. */
package fairlead.cli.server;

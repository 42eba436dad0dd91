/**
 * The jobs of ACT and Philly at their launch: their tasks run the program that prepares a node
 * around the user's command. Touches runtime, wire, the ACT dialect and core.
 */
package fairlead.server.act;

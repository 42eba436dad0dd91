/**
 * The jobs of ACT and Philly at their launch: their tasks run the program that prepares a node
 * around the user's command.
 *
 * <p>Touches: dialects.act, engine, job, server.runtime, server.wire.
 */
package fairlead.server.act;

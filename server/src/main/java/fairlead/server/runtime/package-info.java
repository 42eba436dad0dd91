/**
 * The threads around the controller: they carry messages, time and effects.
 *
 * <p>Touches: nothing.
 */
package fairlead.server.runtime;

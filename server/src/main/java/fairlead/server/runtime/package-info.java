/**
 * The threads around the controller: they carry messages, time and effects. Touches core and wire.
 */
package fairlead.server.runtime;

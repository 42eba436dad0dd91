/**
 * Whether jobs may be submitted, and as what: the same for every interface.
 *
 * <p>Touches: nothing.
 */
package fairlead.server.admission;

/**
 * Whether jobs may be submitted, and as what: the same for every interface. Touches core, api,
 * auth, launch, runtime and wire.
 */
package fairlead.server.admission;

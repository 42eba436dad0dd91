/** Between the wire's records and the words of core: JSON, specs, units. Touches core and api. */
package fairlead.server.wire;

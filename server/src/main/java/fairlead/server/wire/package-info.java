/**
 * Between the wire's records and the words of core: JSON, specs, units.
 *
 * <p>Touches: api, dialects.act, dialects.dlscheduler, dialects.openpai, dialects.runai, engine,
 * job, journal, policy, io.avaje.json, io.avaje.jsonb.
 */
package fairlead.server.wire;

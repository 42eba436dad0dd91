/**
 * Between the wire's records and the words of core: JSON, specs, units.
 *
 * <p>Touches: api, api.json, api.spec, api.words, dialects.act, dialects.dlscheduler,
 * dialects.openpai, dialects.runai, engine, job, journal, policy.forecast, io.avaje.json,
 * io.avaje.jsonb.
 */
package fairlead.server.wire;

/**
 * The client of a server: its address and login, its calls, streams of logs, events and shells.
 *
 * <p>Touches: api, api.clusters, api.json, api.people, api.report, api.spec, io.avaje.json,
 * io.avaje.jsonb.
 */
package fairlead.api.client;

/**
 * OpenPAI's REST interface over our people, projects and jobs, which are its users, virtual
 * clusters and jobs. Keeps nothing of its own but which jobs are to go once they have stopped.
 *
 * <p>Touches: api, api.json, cluster, control, dialects.openpai, engine, job, journal,
 * server.admission, server.auth, server.http, server.runtime, io.avaje.json, io.avaje.jsonb,
 * io.helidon, org.bouncycastle.
 */
package fairlead.server.openpai;

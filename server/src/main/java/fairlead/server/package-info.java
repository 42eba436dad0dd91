/**
 * The program: settings, home folder, log, and the wiring of everything. The one room that sees
 * all.
 *
 * <p>Touches: api.client, cluster, control, dialects.act, dialects.openpai, engine,
 * engines.kubernetes, engines.local, engines.local.container, engines.local.linux, job, journal,
 * journals.sqlite, policies, server.admission, server.auth, server.http, server.launch,
 * server.openpai, server.routes, server.runtime, server.sessions, storage, wire.
 */
package fairlead.server;

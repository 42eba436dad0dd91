/**
 * The program: settings, home folder, log, and the wiring of everything. The one room that sees
 * all.
 *
 * <p>Touches: api, api.client, api.clusters, api.view, cluster, control, dialects.act,
 * dialects.dlscheduler, dialects.jobfile, dialects.openpai, dialects.runai, engine,
 * engines.kubernetes, engines.local, engines.local.container, engines.local.linux, job, journal,
 * journals.sqlite, policies, server.admission, server.audit, server.auth, server.bodies,
 * server.http, server.launch, server.openpai, server.routes, server.runtime, server.sessions,
 * server.tls, storage, wire.
 */
package fairlead.server;

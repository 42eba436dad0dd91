/**
 * The program: settings, home folder, log, and the wiring of everything. The one room that sees
 * all.
 *
 * <p>Touches: api, cluster, control, dialects.act, dialects.openpai, engine, engines.kubernetes,
 * engines.local, engines.local.container, engines.local.linux, job, journal, policy,
 * server.admission, server.auth, server.http, server.journal, server.launch, server.openpai,
 * server.runtime, server.wire, storage.
 */
package fairlead.server;

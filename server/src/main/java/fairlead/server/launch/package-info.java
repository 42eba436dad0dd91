/**
 * What is done around the launch of an attempt: the hooks of dialects, folders, code, logins and
 * the variables that all tasks have.
 *
 * <p>Touches: api.launch, cluster, control, engine, job, journal, server.auth, storage,
 * storage.file, wire.
 */
package fairlead.server.launch;

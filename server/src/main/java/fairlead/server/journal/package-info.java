/**
 * Where a server keeps its facts: SQLite in one file.
 *
 * <p>Touches: api.client, api.json, api.spec, job, journal, server.parts, server.wire,
 * io.avaje.json, org.sqlite.
 */
package fairlead.server.journal;

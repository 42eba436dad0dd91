/**
 * Where a server keeps its facts: SQLite in one file.
 *
 * <p>Touches: api.client, api.json, api.spec, job, journal, wire, wire.parts, io.avaje.json,
 * org.sqlite.
 */
package fairlead.journals.sqlite;

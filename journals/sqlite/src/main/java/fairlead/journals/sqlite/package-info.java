/**
 * Where a server keeps its facts: SQLite in one file.
 *
 * <p>Touches: api.client, journal, journals.sql, org.sqlite.
 */
package fairlead.journals.sqlite;

/**
 * What the journals in SQL databases have in common: jobs and facts as rows, the queries over them,
 * and the JSON that is stored. Each database has its own tables, connections and failures.
 *
 * <p>Touches: api.json, api.spec, job, journal, wire, wire.parts, io.avaje.json.
 */
package fairlead.journals.sql;

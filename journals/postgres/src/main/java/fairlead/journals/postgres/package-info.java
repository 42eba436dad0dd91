/**
 * Where servers that share a journal keep their facts: PostgreSQL, with a lease whose epoch fences
 * every write.
 *
 * <p>Touches: journal, journals.sql, org.postgresql.
 */
package fairlead.journals.postgres;

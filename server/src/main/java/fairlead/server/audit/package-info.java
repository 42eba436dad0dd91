/**
 * Who did what, and from where: every call that changes something becomes a line that stays.
 *
 * <p>Touches: journal, server.http.
 */
package fairlead.server.audit;

/**
 * How dialects read jobs that are posted to a server in forms of their own: mounted by the server,
 * answered in plain values.
 *
 * <p>Touches: api, api.spec.
 */
package fairlead.api.submit;

/**
 * Who calls, and what they may do. The one place that knows secrets.
 *
 * <p>Touches: control, job, journal, org.bouncycastle.
 */
package fairlead.server.auth;

/**
 * Who calls, and what they may do. The one place that knows secrets.
 *
 * <p>Touches: control, job, org.bouncycastle.
 */
package fairlead.server.auth;

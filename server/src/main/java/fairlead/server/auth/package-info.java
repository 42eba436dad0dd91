/** Who calls, and what they may do. The one place that knows secrets. Touches job, control. */
package fairlead.server.auth;

/** Who calls, and what they may do. The one place that knows tokens. Touches job. */
package fairlead.server.auth;

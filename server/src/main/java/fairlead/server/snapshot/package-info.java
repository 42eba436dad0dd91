/** A cluster's view as a file that can be sent and planned again. Touches core, api, parts. */
package fairlead.server.snapshot;

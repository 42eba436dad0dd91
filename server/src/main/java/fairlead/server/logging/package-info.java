/** Where libraries log to. Touches SLF4J only. */
package fairlead.server.logging;

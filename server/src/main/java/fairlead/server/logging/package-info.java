/**
 * Where libraries log to.
 *
 * <p>Touches: org.slf4j.
 */
package fairlead.server.logging;

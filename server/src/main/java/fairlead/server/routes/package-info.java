/**
 * Our own interface /v1 and its pages: a class for each group of routes.
 *
 * <p>Touches: nothing.
 */
package fairlead.server.routes;

/**
 * The certificate by which the server is known on encrypted connections: read from PEM files, or
 * made by itself.
 *
 * <p>Touches: api.client, org.bouncycastle.
 */
package fairlead.server.tls;

/**
 * The program behind the verbs that move code and data, a JVM of its own.
 *
 * <p>Touches: data.pack, dialects.act, storage, storage.file, com.sun.net.httpserver.
 */
package fairlead.transfer;

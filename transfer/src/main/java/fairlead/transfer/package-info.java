/**
 * The program behind the verbs that move code and data, a JVM of its own.
 *
 * <p>Touches: dialects.act, dialects.act.config, dialects.philly, dialects.yaml, storage,
 * storage.file, transfer.pack, com.sun.net.httpserver.
 */
package fairlead.transfer;

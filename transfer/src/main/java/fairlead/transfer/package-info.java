/**
 * The program behind the verbs that move code and data, a JVM of its own.
 *
 * <p>Touches: dialects.act, dialects.act.config, dialects.philly, dialects.yaml, transfer.pack,
 * com.sun.net.httpserver, storage, storage.file.
 */
package fairlead.transfer;

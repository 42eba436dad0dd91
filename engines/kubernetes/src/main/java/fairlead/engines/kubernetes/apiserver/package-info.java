/**
 * How the API server is talked to: streams of pods over a WebSocket, and its failures in one line.
 *
 * <p>Touches: engine, io.fabric8.
 */
package fairlead.engines.kubernetes.apiserver;

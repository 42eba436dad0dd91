/**
 * What a dialect adds to the launch of its jobs: one hook, asked by the server and answered in
 * plain values.
 *
 * <p>Touches: api.spec.
 */
package fairlead.api.launch;

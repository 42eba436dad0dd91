/**
 * What a dialect says when its jobs are shown: one hook, asked by the server and answered in plain
 * values.
 *
 * <p>Touches: api.spec.
 */
package fairlead.api.view;

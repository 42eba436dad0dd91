/**
 * The commands of Run:ai: words in, a spec out, and jobs told in its words.
 *
 * <p>Touches: api, api.spec, api.view, api.words.
 */
package fairlead.dialects.runai;

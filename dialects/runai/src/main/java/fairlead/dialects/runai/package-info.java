/**
 * The commands of Run:ai: words in, a spec out, and jobs described in its words.
 *
 * <p>Touches: api, api.spec, api.view, api.words.
 */
package fairlead.dialects.runai;

/** The commands of Run:ai: words in, a spec out, and jobs told in its words. Touches api. */
package fairlead.dialects.runai;

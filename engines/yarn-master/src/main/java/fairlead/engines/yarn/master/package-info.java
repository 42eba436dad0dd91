/**
 * The application master: asks YARN for the containers of one attempt, starts a keeper in each, and
 * tells the server what became of them.
 *
 * <p>Touches: engines.yarn.keeper, engines.yarn.relay, org.apache.hadoop.
 */
package fairlead.engines.yarn.master;

/**
 * Engine: tasks as containers of a YARN cluster.
 *
 * <p>Touches: cluster, engine, engine.remote, engines.yarn.master, engines.yarn.relay, job,
 * org.apache.hadoop.
 */
package fairlead.engines.yarn;

/**
 * The config files of ACT and Philly: read, checked, and turned into what a job is made from; the
 * origin and the launch of such a job.
 *
 * <p>Touches: api, api.json, api.launch, api.spec, api.words, org.snakeyaml.engine.
 */
package fairlead.dialects.act;

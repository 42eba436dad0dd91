/**
 * The config files of ACT, and what a job of ACT or Philly is made from them; the origin and the
 * launch of such a job.
 *
 * <p>Touches: api, api.json, api.launch, api.spec, api.view, dialects.act.config, dialects.yaml,
 * org.snakeyaml.engine.
 */
package fairlead.dialects.act;

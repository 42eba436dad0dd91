/**
 * The GPUs of this machine, as NVIDIA's driver reports them.
 *
 * <p>Touches: cluster, engines.local.linux.
 */
package fairlead.engines.local.gpu;

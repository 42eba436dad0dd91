/**
 * The program that runs containers (podman or docker), and what it can do.
 *
 * <p>Touches: job.
 */
package fairlead.engines.local.container;

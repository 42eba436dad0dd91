/**
 * What Linux offers to start, name, limit and end processes: calls of libc, /proc, cgroups,
 * accounts, mounts.
 *
 * <p>Touches: engine, job.
 */
package fairlead.engines.local.linux;

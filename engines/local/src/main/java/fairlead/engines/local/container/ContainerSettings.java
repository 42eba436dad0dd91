package fairlead.engines.local.container;

/**
 * Whether tasks with an image become containers.
 *
 * @param program what runs them: a name on the server's PATH or an absolute path; {@link #NONE};
 *     empty: podman or docker, the first that works
 * @param required a job whose image cannot be used is refused, instead of running without it
 */
public record ContainerSettings(String program, boolean required) {
    public static final String NONE = "none";

    /** Images are not used. */
    public static final ContainerSettings NEVER = new ContainerSettings(NONE, false);

    /** Images are used where podman or docker works. */
    public static final ContainerSettings IF_POSSIBLE = new ContainerSettings("", false);
}

package fairlead.job;

/**
 * A GPU that a task holds, whole or in part.
 *
 * @param gpu the index on its node
 * @param units bytes of its memory, or thousandths where its memory is unknown; zero for the whole
 */
public record Share(int gpu, long units) {
    public static Share whole(int gpu) {
        return new Share(gpu, 0);
    }

    public boolean isWhole() {
        return units == 0;
    }
}

package fairlead.dialects.dlscheduler;

/** Names of experiments, which may hold anything, as names of specs, which may not. */
final class JobName {
    private static final int CHARACTERS_MAX = 63;

    private JobName() {}

    static String legal(String name) {
        String legal = name.strip().replaceAll("[^A-Za-z0-9._-]+", "-").replaceFirst("^[._-]+", "");
        if (legal.length() > CHARACTERS_MAX) legal = legal.substring(0, CHARACTERS_MAX);
        return legal.isEmpty() ? "job" : legal;
    }
}

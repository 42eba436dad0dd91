package fairlead.cli.line;

/**
 * One option that a verb understands.
 *
 * @param name with its dashes, such as {@code --tail}
 * @param letter the short form, such as {@code -f}, or null
 * @param value what stands for its value in help, or null for a switch
 * @param other what another system calls it, or null
 */
public record Option(String name, String letter, String value, String help, String other) {
    public static final Option HELP = flag("--help", "-h", "show this help");
    public static final Option JSON = flag("--json", null, "print the server's answer as JSON");
    public static final Option CLUSTER = valued("--cluster", "-c", "NAME", "the cluster to use");
    public static final Option GPUS =
            new Option(
                    "--gpus", "-n", "N", "GPUs for each task; 0 is a job without GPU", "--num_gpu");

    public static Option flag(String name, String letter, String help) {
        return new Option(name, letter, null, help, null);
    }

    public static Option valued(String name, String letter, String value, String help) {
        return new Option(name, letter, value, help, null);
    }

    boolean takesValue() {
        return value != null;
    }

    boolean is(String word) {
        return word.equals(name) || word.equals(letter) || word.equals(other);
    }

    /** By name. What Java makes for records is linked at run time, which costs each start 5 ms. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Option option && option.name.equals(name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }
}

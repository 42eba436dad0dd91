package fairlead.engine;

/**
 * How the scripts around a task find out that its program is missing. A shell, and the program that
 * is to become it, would name themselves.
 */
public final class CommandFound {
    /** Shell text that succeeds where the command in the positional parameters can be found. */
    public static final String TEST =
            "case $1 in */*) [ -e \"$1\" ] ;; *) command -v \"$1\" >/dev/null ;; esac";

    private CommandFound() {}
}

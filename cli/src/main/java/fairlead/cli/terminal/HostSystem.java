package fairlead.cli.terminal;

/** The system that the command runs on: servers need Linux, the command itself does not. */
public final class HostSystem {
    private HostSystem() {}

    /** Whether jobs of a server may know the folders and programs that are here. */
    public static boolean isLinux() {
        return name().equals("Linux");
    }

    public static boolean isWindows() {
        return name().startsWith("Windows");
    }

    /** As Java calls it, such as {@code Mac OS X}. */
    public static String name() {
        return System.getProperty("os.name");
    }
}

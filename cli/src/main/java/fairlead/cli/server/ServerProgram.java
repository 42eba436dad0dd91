package fairlead.cli.server;

import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.HostSystem;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The command that is a server, without its arguments; its last word is the class. No words where
 * the command alone is installed.
 */
public record ServerProgram(List<String> command) {
    private static final String SERVER = "fairlead.server.Main";

    /** Planning a large past takes more than serving, and longer: worth compiling well. */
    private static final List<String> TOOL_OPTIONS =
            List.of("-Xmx2g", "-XX:TieredStopAtLevel=4", "-XX:+UseSerialGC");

    /** Where the launcher's build is. */
    public static final String DIST_PROPERTY = "fairlead.dist";

    public ServerProgram {
        command = List.copyOf(command);
    }

    /** The server of this installation, on the Java that runs this command. */
    public static ServerProgram installed() {
        String dist = System.getProperty(DIST_PROPERTY);
        Path home = Path.of(System.getProperty("java.home"));
        Path image = home.resolveSibling("lib");
        var command = new ArrayList<String>();
        command.add(home.resolve("bin").resolve("java").toString());
        if (dist != null && !Files.exists(Path.of(dist, "server.jvm")))
            return new ServerProgram(List.of());
        // The file holds the options that the training run of the cache had: both must agree.
        if (dist != null) {
            command.add("@" + dist + File.separator + "server.jvm");
        } else if (Files.exists(image.resolve("server.jar"))) {
            command.add("-XX:SharedArchiveFile=" + image.resolve("server.jsa"));
            command.addAll(List.of("-cp", "" + image.resolve("server.jar")));
        } else {
            command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        }
        command.add(SERVER);
        return new ServerProgram(command);
    }

    void requireHere() throws Failure {
        String problem =
                HostSystem.isLinux()
                        ? "this is the command alone, without a server"
                        : "a server needs Linux, and this is " + HostSystem.name();
        if (HostSystem.isLinux() && !command.isEmpty()) return;
        throw new Failure(
                ExitCode.UNREACHABLE,
                problem + "; 'fairlead login URL' uses one on another machine");
    }

    /** The same with one more option for Java. */
    List<String> with(String option) {
        var more = new ArrayList<>(command);
        more.add(command.size() - 1, option);
        return more;
    }

    /** Another program with the same class path: this one has neither policies nor a journal. */
    public List<String> tool(String main) {
        var tool = new ArrayList<>(command.subList(0, command.size() - 1));
        tool.addAll(TOOL_OPTIONS);
        tool.add(main);
        return tool;
    }
}

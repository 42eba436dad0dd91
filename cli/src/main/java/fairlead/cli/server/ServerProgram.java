package fairlead.cli.server;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command that is a server, without its arguments. */
public record ServerProgram(List<String> command) {
    /** Where the launcher's build is. */
    public static final String DIST_PROPERTY = "fairlead.dist";

    public ServerProgram {
        command = List.copyOf(command);
    }

    /** The server of this installation, on the Java that runs this command. */
    public static ServerProgram installed() {
        String dist = System.getProperty(DIST_PROPERTY);
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // The file holds the options that the training run of the cache had: both must agree.
        if (dist != null && Files.exists(Path.of(dist, "server.jvm"))) {
            command.add("@" + dist + File.separator + "server.jvm");
        } else {
            command.add("-cp");
            command.add(System.getProperty("java.class.path"));
        }
        command.add("fairlead.server.Main");
        return new ServerProgram(command);
    }
}

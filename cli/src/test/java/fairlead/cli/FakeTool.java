package fairlead.cli;

import fairlead.cli.server.ServerProgram;

import java.util.List;

/**
 * In the place of the server's Java: a program that prints its words, one on a line, instead of
 * planning or simulating anything.
 */
final class FakeTool {
    private FakeTool() {}

    /** Prints the words from the class on: those before it are options of Java. */
    static ServerProgram printing() {
        return running("while [ \"${1#-}\" != \"$1\" ]; do shift; done; printf '%s\\n' \"$@\"");
    }

    /**
     * @param script of a shell; it sees Java's options, the class and the arguments
     */
    static ServerProgram running(String script) {
        return new ServerProgram(List.of("sh", "-c", script, "java", "fairlead.server.Main"));
    }
}

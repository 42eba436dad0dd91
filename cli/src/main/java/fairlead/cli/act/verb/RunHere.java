package fairlead.cli.act.verb;

import fairlead.cli.act.Configs;
import fairlead.cli.line.ActOptions;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;
import fairlead.dialects.act.ActRequest;
import fairlead.dialects.act.config.ClusterConfig;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs a command on this machine as the cluster would: in the config's image with its folders where
 * there is a container program, and otherwise as it is, with a warning.
 */
public final class RunHere implements Verb {
    @Override
    public Usage usage() {
        return new Usage(
                List.of("local"),
                "COMMAND...",
                Usage.MANY,
                true,
                "run a command here, in the config's image",
                "Every word after 'local' belongs to the command. Its exit code is the command's.",
                List.of(Option.CLUSTER, Option.GPUS, ActOptions.SINGLE, ActOptions.COMPILE_ARGS),
                List.of(
                        Example.of(
                                "fairlead local echo hello",
                                "without a config file, the command as it is")));
    }

    @Override
    public boolean isVerbatim(Arguments globals, Session session) {
        return true;
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, IOException {
        List<String> words = ActRequest.words(arguments.operands());
        if (words.isEmpty()) {
            throw new UsageException("what should run? The command is missing.");
        }
        Optional<ClusterConfig> config = Configs.only(arguments, session);
        var here = new LocalCommand(session.terminal());
        Optional<List<String>> inImage = here.inImage(config, words);
        if (inImage.isEmpty() && config.flatMap(ClusterConfig::image).isPresent()) {
            session.say(
                    "there is no podman and no docker here, so the command runs without the image "
                            + config.get().image().get());
        }
        session.flush();
        Map<String, String> variables = config.map(ClusterConfig::env).orElse(Map.of());
        return run(inImage.orElse(words), variables, session);
    }

    private static int run(List<String> command, Map<String, String> variables, Session session)
            throws Failure {
        var builder =
                new ProcessBuilder(command)
                        .directory(session.terminal().folder().toFile())
                        .inheritIO();
        // The user's own: the launcher changes the locale for Java.
        builder.environment().clear();
        builder.environment().putAll(session.terminal().environment());
        builder.environment().putAll(variables);
        try {
            return builder.start().waitFor();
        } catch (IOException e) {
            // Java gives the system's reason in its message alone.
            boolean isMissing = e.getMessage().contains("No such file or directory");
            boolean isForbidden = e.getMessage().contains("Permission denied");
            String why =
                    isMissing ? "not found" : isForbidden ? "permission denied" : e.getMessage();
            throw new Failure(
                    isForbidden ? LocalCommand.NOT_RUNNABLE : LocalCommand.NOT_FOUND,
                    command.getFirst() + ": " + why);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new Failure(ExitCode.REFUSED, "interrupted");
        }
    }
}

package fairlead.cli;

import fairlead.api.client.Refused;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.util.List;

/** Prints what a shell needs to complete words of our command line. */
public final class Completion implements Verb {
    @Override
    public Usage usage() {
        return Usage.acts(
                List.of("completion"),
                "bash|zsh|fish",
                1,
                "print a completion script for a shell",
                List.of(),
                List.of(
                        Example.of(
                                "fairlead completion bash",
                                "for ~/.bashrc: source <(fairlead completion bash)"),
                        Example.of(
                                "fairlead completion zsh",
                                "for ~/.zshrc: source <(fairlead completion zsh)"),
                        Example.of(
                                "fairlead completion fish",
                                "for ~/.config/fish/config.fish: fairlead completion fish |"
                                        + " source")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        String shell = arguments.some("shell").getFirst();
        String script =
                switch (shell) {
                    case "bash" -> CompletionScript.bash();
                    case "zsh" -> CompletionScript.zsh();
                    case "fish" -> CompletionScript.fish();
                    default ->
                            throw new UsageException(
                                    "no completion for '"
                                            + shell
                                            + "', only for bash, zsh and fish");
                };
        session.out().print(script);
        return ExitCode.OK;
    }
}

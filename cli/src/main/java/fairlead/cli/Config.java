package fairlead.cli;

import fairlead.api.client.Refused;
import fairlead.api.words.Suggestion;
import fairlead.cli.act.verb.CheckConfig;
import fairlead.cli.admin.ShowConfig;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.util.List;

/** Shows the settings, or checks the config files of ACT and Philly. */
final class Config implements Verb {
    private static final String CHECK = "check";

    @Override
    public Usage usage() {
        return Usage.reads(
                List.of("config"),
                "[check]",
                1,
                "show every setting, its value and where it comes from; or check config files",
                List.of(Option.CLUSTER),
                List.of(
                        Example.of("fairlead config", "what is set, and by whom"),
                        Example.of(
                                "(cd examples/act && fairlead config check)",
                                "the files of ACT and Philly; exits 2 where one has a mistake"),
                        Example.of(
                                "(cd examples/act && fairlead config check -c aml)",
                                "only aux_data/aml/aml.yaml")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        boolean json = arguments.has(Option.JSON);
        String action = arguments.operands().isEmpty() ? "" : arguments.operands().getFirst();
        if (action.isEmpty() && arguments.has(Option.CLUSTER) || action.equals(CHECK) && json) {
            throw new UsageException(
                    json ? "'config check' prints no JSON" : "-c is for 'fairlead config check'");
        }
        return switch (action) {
            case "" -> ShowConfig.show(json, session);
            case CHECK -> CheckConfig.check(arguments.text(Option.CLUSTER), session);
            default ->
                    throw new UsageException(
                            "'config' knows 'check' alone, not '"
                                    + action
                                    + "'."
                                    + Suggestion.of(action, List.of(CHECK)));
        };
    }
}

package fairlead.cli.philly;

import fairlead.api.client.Refused;
import fairlead.cli.act.ActSubmit;
import fairlead.cli.line.ActOptions;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Family;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.UnavailableVerb;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The command of Philly, with its verbs, for the clusters that philly_vc.yaml names. */
public final class Philly implements Verb {
    /** What may stand before its verbs. */
    private static List<Option> before() {
        var options =
                new ArrayList<>(
                        List.of(Option.CLUSTER, ActOptions.GPUS_OF_ALL, ActOptions.WITH_LOGS));
        options.addAll(ActSubmit.OPTIONS);
        options.addAll(ActOptions.FORGOTTEN);
        return options;
    }

    private static Family family() {
        return new Family(
                "p",
                before(),
                List.of(
                        new PQuery(),
                        new PAbort(),
                        new PResubmit(),
                        new PSsh(),
                        new PSubmit(),
                        new PInit("init"),
                        new PInit("initc"),
                        new PSummary(),
                        new PBlame(),
                        new UnavailableVerb(
                                List.of("p sync"),
                                "'p init' uploads the code; data goes by 'fairlead upload', with a"
                                        + " config file of ACT for the same store"),
                        new UnavailableVerb(
                                List.of("p update_config"),
                                "files in aux_data/configs are read anew by each command, and"
                                        + " 'fairlead config check' says what is wrong in them"),
                        new UnavailableVerb(
                                List.of("p gc"),
                                "nodes keep nothing of a job that has ended; 'fairlead delete JOB'"
                                        + " removes its log"),
                        new UnavailableVerb(
                                List.of("p monitor"),
                                "a line 'retries: N' in philly_vc.yaml tries again what failed"),
                        moved("upload", "p u"),
                        moved("download", "p d"),
                        moved("ls"),
                        moved("rm"),
                        new UnavailableVerb(
                                List.of("p inject", "p i"),
                                "the server keeps every job: 'p q' and 'fairlead list --all' show"
                                        + " them")));
    }

    /** A verb for data, of which Philly's command had none. */
    private static Verb moved(String verb, String... letters) {
        var names = new ArrayList<>(List.of("p " + verb));
        names.addAll(List.of(letters));
        return new UnavailableVerb(
                names,
                "'fairlead " + verb + "' does it, with a config file of ACT for the same store");
    }

    @Override
    public Usage usage() {
        return family().usage(
                        "query|abort|resubmit|ssh|submit|init|initc|summary|blame ...",
                        "the verbs of Philly's command",
                        "Options stand before the verb: 'p -n 8 submit ssh'.");
    }

    /** Its own options stand before its verb. */
    @Override
    public boolean isVerbatim(Arguments globals, Session session) {
        return true;
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        return family().run(arguments, arguments.operands(), session);
    }
}

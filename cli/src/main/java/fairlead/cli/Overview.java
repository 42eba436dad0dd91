package fairlead.cli;

import fairlead.cli.help.Topics;
import fairlead.cli.line.HelpText;

import java.io.IOException;

/** What {@code fairlead help} says: the verbs of every day, or all of them. */
final class Overview {
    private static final String USAGE =
            """
            fairlead runs deep-learning jobs on shared GPUs, this machine's to begin with.

            usage: fairlead [-c CLUSTER] [-n GPUS] [--json] VERB ...

            """;

    private static final String EXAMPLES =
            """

            examples:
              fairlead run python3 examples/hello.py
              fairlead -n 2 submit python3 train.py --lr 0.1
            """;

    private static final String MORE =
            """

            'fairlead VERB --help' says more, with examples; 'fairlead help --all' shows all verbs.
            """;

    private static final String CODES =
            """

            'fairlead VERB --help' says more, with examples. Exit codes: 0 ok, 1 job failed, 2 usage,
            3 server unreachable, 4 refused; 'run' exits with the job's own code.
            """;

    private static final int WIDTH = 100;

    private Overview() {}

    static String daily() throws IOException {
        return USAGE + HelpText.verbs(Verbs.daily()) + EXAMPLES + MORE + topics();
    }

    private static String topics() throws IOException {
        var text = new StringBuilder("'fairlead help TOPIC' shows a page:");
        int column = text.length();
        for (String topic : Topics.names()) {
            if (column + 1 + topic.length() > WIDTH) {
                text.append("\n ");
                column = 1;
            }
            text.append(' ').append(topic);
            column += 1 + topic.length();
        }
        return text.append('\n').toString();
    }

    static String all() throws IOException {
        return USAGE
                + HelpText.verbs(Verbs.own())
                + "\nverbs of the Kubernetes DL scheduler, which are also commands in bin/:\n"
                + HelpText.verbs(Verbs.dlscheduler())
                + "\nthe command of Run:ai, which is also in bin/:\n"
                + HelpText.verbs(Verbs.runai())
                + "\nthe command of Philly, which is also in bin/:\n"
                + HelpText.verbs(Verbs.philly())
                + "\noptions before the verb:\n"
                + HelpText.options(Main.GLOBALS)
                + "  ACT's own, such as -rt and -no-wl: the verbs that take them show them\n"
                + EXAMPLES
                + CODES
                + topics();
    }
}

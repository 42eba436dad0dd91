package fairlead.cli;

import fairlead.cli.line.HelpText;

/** What {@code fairlead help} says: all verbs, and the options before them. */
final class Overview {
    private Overview() {}

    static String text() {
        var text = new StringBuilder();
        text.append(
                "fairlead runs deep-learning jobs on shared GPUs, this machine's to begin"
                        + " with.\n\n");
        text.append("usage: fairlead [-c CLUSTER] [-n GPUS] [--json] VERB ...\n\n");
        text.append(HelpText.verbs(Verbs.own()));
        text.append("\nverbs of the Kubernetes DL scheduler, which are also commands in bin/:\n");
        text.append(HelpText.verbs(Verbs.dlscheduler()));
        text.append("\nthe command of Run:ai, which is also in bin/:\n");
        text.append(HelpText.verbs(Verbs.runai()));
        text.append("\nthe command of Philly, which is also in bin/:\n");
        text.append(HelpText.verbs(Verbs.philly())).append("\noptions before the verb:\n");
        text.append(HelpText.options(Main.GLOBALS));
        text.append("  ACT's own, such as -rt and -no-wl: the verbs that take them show them\n");
        text.append("\nexamples:\n");
        text.append("  fairlead run python3 examples/hello.py\n");
        text.append("  fairlead -n 2 submit python3 train.py --lr 0.1\n");
        text.append(
                "\n"
                        + "'fairlead VERB --help' says more, with examples. Exit codes: 0 ok, 1 job"
                        + " failed, 2 usage,\n");
        text.append("3 server unreachable, 4 refused; 'run' exits with the job's own code.\n");
        return text.toString();
    }
}

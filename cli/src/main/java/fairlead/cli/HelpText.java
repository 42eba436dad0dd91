package fairlead.cli;

import java.util.ArrayList;
import java.util.List;

/** Help for people, made from the same tables that parse the command line. */
final class HelpText {
    private HelpText() {}

    static String overview() {
        var text = new StringBuilder();
        text.append(
                "fairlead runs deep-learning jobs on shared GPUs, this machine's to begin"
                        + " with.\n\n");
        text.append("usage: fairlead [-c CLUSTER] [-n GPUS] [--json] VERB ...\n\n");
        text.append(verbs(Verbs.own()));
        text.append("\nverbs of the Kubernetes DL scheduler, which are also commands in bin/:\n");
        text.append(verbs(Verbs.dlscheduler()));
        text.append("\nthe command of Run:ai, which is also in bin/:\n");
        text.append(verbs(Verbs.runai()));
        text.append("\nthe command of Philly, which is also in bin/:\n");
        text.append(verbs(Verbs.philly())).append("\noptions before the verb:\n");
        text.append(options(Main.GLOBALS));
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

    private static String verbs(List<Verb> verbs) {
        var table = new Table();
        for (Verb verb : verbs) {
            Usage usage = verb.usage();
            table.row("  " + String.join(", ", usage.names()), usage.summary());
        }
        return table.text();
    }

    static String of(Usage usage) {
        var text = new StringBuilder("usage: fairlead ");
        if (usage.takes(Option.GPUS)) text.append("[-c CLUSTER] [-n GPUS] ");
        text.append(usage.name()).append(" [OPTIONS]");
        if (!usage.operands().isEmpty()) text.append(' ').append(usage.operands());
        text.append("\n\n").append(capital(usage.summary())).append(".\n");
        if (usage.names().size() > 1) {
            text.append("Short: ");
            text.append(String.join(", ", usage.names().subList(1, usage.names().size())));
            text.append(".\n");
        }
        if (!usage.notes().isEmpty()) text.append('\n').append(usage.notes()).append('\n');
        var options = new ArrayList<>(usage.options());
        options.add(Option.HELP);
        text.append("\noptions:\n").append(options(options));
        text.append("\nexamples:\n");
        for (Example example : usage.examples()) {
            text.append("  # ").append(example.says()).append('\n');
            text.append("  ").append(example.line()).append('\n');
        }
        return text.toString();
    }

    private static String options(List<Option> options) {
        var table = new Table();
        for (Option option : options) {
            String letter = option.letter() == null ? "    " : option.letter() + ", ";
            String value = option.value() == null ? "" : " " + option.value();
            table.row("  " + letter + option.name() + value, option.help());
        }
        return table.text();
    }

    private static String capital(String sentence) {
        return sentence.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + sentence.substring(1);
    }
}

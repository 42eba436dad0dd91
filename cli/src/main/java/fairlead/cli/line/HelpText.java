package fairlead.cli.line;

import fairlead.cli.terminal.Table;

import java.util.ArrayList;
import java.util.List;

/** Help for people, made from the same tables that parse the command line. */
public final class HelpText {
    private HelpText() {}

    public static String verbs(List<Verb> verbs) {
        var table = new Table();
        for (Verb verb : verbs) {
            Usage usage = verb.usage();
            table.row("  " + String.join(", ", usage.names()), usage.summary());
        }
        return table.text();
    }

    public static String of(Verb verb) {
        return verb instanceof UnavailableVerb gone ? gone.words() + "\n" : of(verb.usage());
    }

    private static String of(Usage usage) {
        var text = new StringBuilder("usage: fairlead ");
        if (usage.takes(Option.GPUS)) text.append("[-c CLUSTER] [-n GPUS] ");
        text.append(usage.name()).append(" [OPTIONS]");
        if (!usage.operands().isEmpty()) text.append(' ').append(usage.operands());
        text.append("\n\n").append(capital(usage.summary())).append(".\n");
        if (usage.names().size() > 1) {
            text.append("Also: ");
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

    public static String options(List<Option> options) {
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

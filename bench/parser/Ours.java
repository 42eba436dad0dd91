package fairlead.cli;

import fairlead.cli.line.ActOptions;
import fairlead.cli.line.ArgumentParser;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Option;
import fairlead.cli.line.Usage;
import fairlead.cli.terminal.UsageException;

import java.util.ArrayList;

/** Reads one command line as {@code fairlead} does, and ends; with no words it lists the verbs. */
final class Ours {
    private Ours() {}

    public static void main(String[] words) throws UsageException {
        if (words.length == 0) {
            list();
            return;
        }
        var before = new ArrayList<>(Main.GLOBALS);
        before.addAll(ActOptions.ALL);
        var globals = ArgumentParser.globals(before, words);
        Usage usage = Verbs.named(words[globals.verb()]).orElseThrow().usage();
        var known = new ArrayList<>(usage.options());
        known.add(Option.HELP);
        Arguments arguments =
                ArgumentParser.verb(usage, known, globals.arguments(), words, globals.verb() + 1);
        Runtime.getRuntime().halt(arguments.has(Option.JSON) ? 0 : 1);
    }

    /** A line for each verb, and below it one for each of its options: the names, and the value. */
    private static void list() {
        for (String name : Verbs.names()) {
            Usage usage = Verbs.named(name).orElseThrow().usage();
            if (!usage.name().equals(name)) continue;
            System.out.println("verb " + String.join(" ", usage.names()));
            for (Option option : usage.options()) {
                var line = new StringBuilder(option.takesValue() ? "value" : "flag");
                for (String word : new String[] {option.name(), option.letter(), option.other()}) {
                    if (word != null) line.append(' ').append(word);
                }
                System.out.println(line);
            }
        }
    }
}

package fairlead.cli.line;

import fairlead.api.words.Suggestion;
import fairlead.cli.terminal.UsageException;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Sorts words into options and operands. It is our own because picocli costs each command more than
 * 20 ms of its start: docs/adr/0011 has the figures, {@code bench/parser.py} measures them.
 */
public final class ArgumentParser {
    private final String subject;
    private final List<Option> known;
    private final Map<Option, List<String>> options = new LinkedHashMap<>();
    private final Map<Option, String> typed = new LinkedHashMap<>();
    private final List<String> operands = new ArrayList<>();
    private int dashes = -1;

    private ArgumentParser(String subject, List<Option> known) {
        this.subject = subject;
        this.known = known;
    }

    /** What stands before the verb, and where the verb stands (the length if there is none). */
    public record Globals(Arguments arguments, int verb) {}

    public static Globals globals(List<Option> known, String[] words) throws UsageException {
        return globals(known, Arguments.NONE, words);
    }

    /** The same, after options that were found already. */
    public static Globals globals(List<Option> known, Arguments outer, String[] words)
            throws UsageException {
        var parser = new ArgumentParser("fairlead", known);
        for (Option option : outer.options()) {
            parser.options.put(option, new ArrayList<>(outer.all(option)));
            parser.typed.put(option, outer.typed(option));
        }
        int next = 0;
        while (next < words.length && words[next].startsWith("-")) {
            next = parser.option(words, next);
        }
        var arguments = new Arguments(parser.options, parser.typed, List.of(), 0);
        // A forgotten number has swallowed the verb, and the next word would be taken for it.
        arguments.number(Option.GPUS, 0);
        return new Globals(arguments, next);
    }

    /** A forgotten value has swallowed the verb, and the next word would be taken for it. */
    public static UsageException forgotten(String option, String verb) {
        return forgotten(option, verb, "a verb");
    }

    private static UsageException forgotten(String option, String word, String what) {
        return new UsageException(
                "%s must be followed by its value, but '%s' is %s. Is the value missing?"
                        .formatted(option, word, what));
    }

    private static UsageException valueless(String typed, Option option) {
        return new UsageException("'" + typed + "' needs a value: " + option.value());
    }

    /** The words after the verb. Options of the globals are the verb's, where it takes them. */
    public static Arguments verb(
            Usage usage, List<Option> known, Arguments globals, String[] words, int start)
            throws UsageException {
        var parser = new ArgumentParser("fairlead " + usage.name(), known);
        for (Option option : globals.options()) {
            parser.options.put(option, new ArrayList<>(globals.all(option)));
            parser.typed.put(option, globals.typed(option));
        }
        parser.sort(usage, words, start);
        if (parser.operands.size() > usage.most()) {
            throw new UsageException(
                    "'"
                            + parser.operands.get(usage.most())
                            + "' is one word too many for '"
                            + parser.subject
                            + "'");
        }
        int dashes = parser.dashes < 0 ? parser.operands.size() : parser.dashes;
        return new Arguments(parser.options, parser.typed, parser.operands, dashes);
    }

    /** All words after the verb as operands, whatever they look like. */
    public static Arguments verbatim(Arguments globals, String[] words, int start) {
        List<String> operands = List.of(words).subList(start, words.length);
        return globals.with(operands);
    }

    private void sort(Usage usage, String[] words, int start) throws UsageException {
        for (int next = start; next < words.length; ) {
            String word = words[next];
            boolean ends = word.equals("--");
            if (ends) dashes = operands.size();
            boolean isCommand = usage.command() && operands.size() >= usage.before();
            if (ends || isCommand && !isOption(word)) {
                operands.addAll(List.of(words).subList(ends ? next + 1 : next, words.length));
                return;
            }
            // A negative number is a word wherever no command of the user may begin.
            if (isOption(word) && (usage.command() || !word.matches("-\\d+"))) {
                next = option(words, next);
            } else {
                operands.add(word);
                next++;
            }
        }
    }

    /** A dash alone is a word: by custom it names the standard input. */
    private static boolean isOption(String word) {
        return word.length() > 1 && word.startsWith("-");
    }

    private int option(String[] words, int at) throws UsageException {
        String word = words[at];
        String name = word;
        String value = null;
        int equals = word.indexOf('=');
        // ACT has letters such as -no-wl, which are not -n with a value.
        if (isKnown(word)) {
            name = word;
        } else if (equals > 0 && (word.startsWith("--") || isKnown(word.substring(0, equals)))) {
            // -n=8 is -n 8, as Python's argparse and Go's pflag read it.
            name = word.substring(0, equals);
            value = word.substring(equals + 1);
        } else if (!word.startsWith("--") && word.length() > 2) {
            name = word.substring(0, 2);
            value = word.substring(2);
        }
        // A mistyped one of these would be taken for '-n o-wx'.
        boolean isTypo = !isKnown(word) && word.startsWith("-no-");
        Option option = find(name);
        if (option == null || isTypo) throw unknown(word.startsWith("--") ? name : word);
        int next = at + 1;
        if (!option.takesValue()) {
            if (value != null && areSwitches(word)) {
                // Letters may stand together: -it is -i -t.
                for (char letter : word.substring(1).toCharArray()) {
                    option(new String[] {"-" + letter}, 0);
                }
                return next;
            }
            if (value != null && !word.startsWith("--")) throw unknown(word);
            if (value != null) {
                throw new UsageException("'" + name + "' takes no value: '" + word + "'");
            }
            value = "";
        } else if (value == null) {
            if (next == words.length) {
                throw valueless(word, option);
            }
            value = words[next++];
            if (isKnown(value)) throw forgotten(name, value, "an option");
        }
        // A cluster without a name would be looked for all the same.
        if (value.isEmpty() && option.equals(Option.CLUSTER)) throw valueless(name, option);
        options.computeIfAbsent(option, _ -> new ArrayList<>()).add(value);
        typed.put(option, name);
        return next;
    }

    private boolean areSwitches(String word) {
        if (word.startsWith("--")) return false;
        return word.substring(1).chars().allMatch(letter -> isSwitch("-" + (char) letter));
    }

    private boolean isSwitch(String name) {
        Option option = find(name);
        return option != null && !option.takesValue();
    }

    private boolean isKnown(String name) {
        return find(name) != null;
    }

    /** Null where there is none. */
    private Option find(String name) {
        for (Option option : known) {
            if (option.is(name)) return option;
        }
        return null;
    }

    private UsageException unknown(String word) {
        var names = new ArrayList<String>();
        for (Option option : known) {
            names.add(option.name());
            // ACT has words with one dash, such as -hold.
            if (option.letter() != null && option.letter().length() > 2) names.add(option.letter());
        }
        return new UsageException(
                "'" + subject + "' has no option '" + word + "'." + Suggestion.of(word, names));
    }

    /** A call for help alone is never a command that somebody wants to run. */
    public static boolean isHelp(String[] words, int start) {
        return start + 1 == words.length && words[start].matches("--help|-h");
    }
}

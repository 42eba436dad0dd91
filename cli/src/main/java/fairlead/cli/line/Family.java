package fairlead.cli.line;

import fairlead.api.client.Refused;
import fairlead.api.words.Suggestion;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.Table;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * Verbs that share a first word, such as {@code runai list jobs}: another system's command with
 * verbs of its own. The names in their usages begin with that word.
 */
public record Family(String name, List<Option> before, List<Verb> verbs) {
    /** One without options before its verbs. */
    public Family(String name, List<Verb> verbs) {
        this(name, List.of(), verbs);
    }

    /**
     * The usage of the first word itself: all verbs with their examples.
     *
     * @param note follows the list of verbs
     */
    public Usage usage(String operands, String summary, String note) {
        var examples = new ArrayList<Example>();
        var table = new Table();
        for (Verb verb : verbs) {
            Usage usage = verb.usage();
            examples.addAll(usage.examples());
            table.row(
                    ("  " + usage.name() + " " + usage.operands()).stripTrailing(),
                    usage.summary());
        }
        return new Usage(
                List.of(name),
                operands,
                Usage.MANY,
                true,
                summary,
                table.text() + "\n" + note,
                before,
                examples);
    }

    /**
     * Runs the one that is named.
     *
     * @param words what follows the first word
     */
    public int run(List<String> words, Session session)
            throws UsageException, Failure, Refused, IOException {
        return run(Arguments.NONE, words, session);
    }

    /**
     * Runs the one that is named after the options that may stand before it.
     *
     * @param outer options that stand before the first word
     */
    public int run(Arguments outer, List<String> all, Session session)
            throws UsageException, Failure, Refused, IOException {
        var globals = ArgumentParser.globals(before, outer, all.toArray(String[]::new));
        for (int i = 1; i < globals.verb(); i++) {
            if (isVerb(all.get(i))) throw ArgumentParser.forgotten(all.get(i - 1), all.get(i));
        }
        List<String> words = all.subList(globals.verb(), all.size());
        Verb found = null;
        int length = 0;
        for (Verb verb : verbs) {
            for (String other : verb.usage().names()) {
                int size = matched(other, words);
                // The longest: 'list jobs' is not 'list' with an operand.
                if (size <= length) continue;
                found = verb;
                length = size;
            }
        }
        if (found == null) throw unknown(words);
        try {
            return run(found, length, globals.arguments(), words, session);
        } catch (UsageException e) {
            throw e.of(found.usage().name());
        }
    }

    private int run(Verb found, int length, Arguments given, List<String> words, Session session)
            throws UsageException, Failure, Refused, IOException {
        Usage usage = found.usage();
        var known = new ArrayList<>(usage.options());
        known.add(Option.HELP);
        // What replaces a verb is worth more than a word on its options.
        if (found instanceof UnavailableVerb) known.addAll(given.options());
        Arguments meant = meant(usage, known, given);
        String[] typed = words.toArray(String[]::new);
        var arguments =
                found.isVerbatim(meant, session) && !ArgumentParser.isHelp(typed, length)
                        ? ArgumentParser.verbatim(meant, typed, length)
                        : ArgumentParser.verb(usage, known, meant, typed, length);
        if (arguments.has(Option.HELP)) {
            session.out().print(HelpText.of(found));
            return ExitCode.OK;
        }
        return found.run(arguments, session);
    }

    /** The options before the verb, without those that have no effect at all. */
    private Arguments meant(Usage usage, List<Option> known, Arguments given)
            throws UsageException {
        for (Option option : given.options()) {
            if (known.contains(option)) continue;
            if (ActOptions.isPassedOver(option, usage.name())) continue;
            throw new UsageException(
                    "'"
                            + given.typed(option)
                            + "' has no meaning for 'fairlead "
                            + usage.name()
                            + "'.");
        }
        return given;
    }

    private boolean isVerb(String word) {
        for (Verb verb : verbs) {
            if (verb.usage().names().contains(name + " " + word)) return true;
        }
        return false;
    }

    /** How many words the name takes of these after the first; 0 when they are others. */
    private static int matched(String name, List<String> words) {
        List<String> parts = List.of(name.split(" "));
        int size = parts.size() - 1;
        boolean same =
                words.size() >= size && words.subList(0, size).equals(parts.subList(1, size + 1));
        return same ? size : 0;
    }

    private UsageException unknown(List<String> words) {
        var first = new LinkedHashSet<String>();
        var whole = new ArrayList<String>();
        String meant = "";
        for (Verb verb : verbs) {
            for (String other : verb.usage().names()) {
                String word = other.split(" ")[1];
                if (!(verb instanceof UnavailableVerb)) first.add(word);
                if (words.isEmpty() || !words.getFirst().equals(word)) continue;
                whole.add("'" + other + "'");
                // The name of a thing in the place of the word that says what it is.
                boolean takesOne = !verb.usage().operands().isEmpty();
                if (words.size() > 1 && takesOne && meant.isEmpty())
                    meant = "; did you mean '" + other + " " + words.get(1) + "'?";
            }
        }
        if (words.isEmpty()) {
            return new UsageException(name + " needs one of " + String.join(", ", first));
        }
        String said = "there is no '" + name + " " + words.getFirst();
        if (whole.isEmpty()) {
            return new UsageException(said + "'." + Suggestion.of(words.getFirst(), first));
        }
        String second = words.size() > 1 ? " " + words.get(1) : "";
        return new UsageException(said + second + "', only " + String.join(", ", whole) + meant);
    }
}

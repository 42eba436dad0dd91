package fairlead.cli.admin;

import fairlead.api.words.Suggestion;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Option;
import fairlead.cli.terminal.UsageException;

import java.util.List;

/** The words that may follow a verb which does several things, such as 'project create'. */
record Actions(String verb, List<String> words) {
    Actions {
        words = List.copyOf(words);
    }

    static Actions of(String verb, String... words) {
        return new Actions(verb, List.of(words));
    }

    /** As it is typed, known or not; empty where there is none. */
    static String typed(Arguments arguments) {
        return arguments.operands().isEmpty() ? "" : arguments.operands().getFirst();
    }

    /** What to say to whoever typed none of the words. */
    UsageException unknown(String action) {
        if (action.isEmpty())
            return new UsageException(verb + " needs one of " + String.join(", ", words));
        return new UsageException(
                "there is no '" + verb + " " + action + "'." + Suggestion.of(action, words));
    }

    /** The name that follows the action. */
    String name(Arguments arguments, String action) throws UsageException {
        if (arguments.operands().size() < 2)
            throw new UsageException(
                    "which %s? '%s %s' needs its name.".formatted(verb, verb, action));
        return arguments.operands().get(1);
    }

    /** Options that this action would pass over in silence. */
    void refuse(Arguments arguments, String action, List<Option> options) throws UsageException {
        for (Option option : options)
            if (arguments.has(option))
                throw new UsageException(
                        "'%s' has no meaning for '%s %s'".formatted(option.name(), verb, action));
    }
}

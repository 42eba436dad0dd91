package fairlead.cli;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** The words of one command line, sorted: options with their values, and operands in order. */
public final class Arguments {
    private final Map<Option, List<String>> options;
    private final List<String> operands;

    Arguments(Map<Option, List<String>> options, List<String> operands) {
        this.options = options;
        this.operands = List.copyOf(operands);
    }

    public boolean has(Option option) {
        return options.containsKey(option);
    }

    Set<Option> options() {
        return options.keySet();
    }

    /** All values, in the order given. */
    public List<String> all(Option option) {
        return options.getOrDefault(option, List.of());
    }

    /** The last one given: so an alias with an option can be overridden. */
    public Optional<String> text(Option option) {
        return has(option) ? Optional.of(all(option).getLast()) : Optional.empty();
    }

    public OptionalInt number(Option option, int least) throws UsageException {
        if (!has(option)) return OptionalInt.empty();
        String text = all(option).getLast();
        try {
            int number = Integer.parseInt(text);
            if (number >= least) return OptionalInt.of(number);
        } catch (NumberFormatException _) {
            // Told below, together with a number that is too small.
        }
        String bound = least == Integer.MIN_VALUE ? "" : " of at least " + least;
        throw new UsageException(
                option.name() + " must be a whole number" + bound + ", but is '" + text + "'");
    }

    /** As {@link #number}, in the form of the wire records. */
    public Integer numberOrNull(Option option, int least) throws UsageException {
        OptionalInt number = number(option, least);
        return number.isPresent() ? number.getAsInt() : null;
    }

    public List<String> operands() {
        return operands;
    }

    /** The operands, of which there must be at least one. */
    public List<String> some(String what) throws UsageException {
        if (operands.isEmpty()) throw new UsageException("which " + what + "? None is given.");
        return operands;
    }
}

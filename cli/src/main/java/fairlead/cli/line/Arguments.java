package fairlead.cli.line;

import fairlead.cli.terminal.UsageException;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** The words of one command line, sorted: options with their values, and operands in order. */
public final class Arguments {
    static final Arguments NONE = new Arguments(Map.of(), Map.of(), List.of(), 0);

    private final Map<Option, List<String>> options;
    private final Map<Option, String> typed;
    private final List<String> operands;
    private final int dashes;

    /**
     * @param typed how each option was spelled, for messages
     * @param dashes how many operands stand before {@code --}; all of them where there is none
     */
    Arguments(
            Map<Option, List<String>> options,
            Map<Option, String> typed,
            List<String> operands,
            int dashes) {
        this.options = options;
        this.typed = typed;
        this.operands = List.copyOf(operands);
        this.dashes = dashes;
    }

    /** The same options, and these words. */
    Arguments with(List<String> words) {
        return new Arguments(options, typed, words, words.size());
    }

    public boolean has(Option option) {
        return options.containsKey(option);
    }

    public Set<Option> options() {
        return options.keySet();
    }

    /** As the user has spelled it, such as {@code -n} for {@code --gpus}. */
    public String typed(Option option) {
        return typed.getOrDefault(option, option.name());
    }

    /** Such as {@code -n 3: }, before a message about it; nothing where it is not given. */
    public String asTyped(Option option) {
        return has(option) ? typed(option) + " " + all(option).getLast() + ": " : "";
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
        Long number = longOrNull(option, least, Integer.MAX_VALUE);
        return number == null ? OptionalInt.empty() : OptionalInt.of(number.intValue());
    }

    /** Null where the option is not given. */
    public Long longOrNull(Option option, long least) throws UsageException {
        return longOrNull(option, least, Long.MAX_VALUE);
    }

    private Long longOrNull(Option option, long least, long most) throws UsageException {
        if (!has(option)) return null;
        String text = all(option).getLast();
        try {
            long number = Long.parseLong(text);
            if (number >= least && number <= most) return number;
        } catch (NumberFormatException _) {
            // Refused below, together with a number that is out of bounds.
        }
        String bound = least == Integer.MIN_VALUE ? "" : " of at least " + least;
        throw new UsageException(
                typed(option) + " must be a whole number" + bound + ", but is '" + text + "'");
    }

    /** As {@link #number}, in the form of the wire records. */
    public Integer numberOrNull(Option option, int least) throws UsageException {
        OptionalInt number = number(option, least);
        return number.isPresent() ? number.getAsInt() : null;
    }

    public List<String> operands() {
        return operands;
    }

    public List<String> beforeDashes() {
        return operands.subList(0, dashes);
    }

    public List<String> afterDashes() {
        return operands.subList(dashes, operands.size());
    }

    /** The operands, of which there must be at least one. */
    public List<String> some(String what) throws UsageException {
        if (operands.isEmpty()) throw new UsageException("which " + what + "? None is given.");
        return operands;
    }
}

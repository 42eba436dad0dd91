package fairlead.cli.line;

import java.util.ArrayList;
import java.util.List;

/**
 * What a verb is called, takes and does: the one source of its parsing, help and completion.
 *
 * @param names the first is the one shown; the others are short forms
 * @param operands what follows the options, as shown in help
 * @param most how many operands it takes
 * @param command whether everything from the first operand on belongs to a command of the user
 * @param before how many operands stand before that command, with options among them
 * @param notes what else a reader should know; may be empty
 */
public record Usage(
        List<String> names,
        String operands,
        int most,
        boolean command,
        int before,
        String summary,
        String notes,
        List<Option> options,
        List<Example> examples) {
    public static final int MANY = Integer.MAX_VALUE;

    /** One whose command, if it takes any, begins with the first operand. */
    public Usage(
            List<String> names,
            String operands,
            int most,
            boolean command,
            String summary,
            String notes,
            List<Option> options,
            List<Example> examples) {
        this(names, operands, most, command, 0, summary, notes, options, examples);
    }

    public Usage {
        names = List.copyOf(names);
        options = List.copyOf(options);
        examples = List.copyOf(examples);
        if (examples.isEmpty()) throw new IllegalArgumentException(names + " has no example");
    }

    /** A verb that reads: it takes {@code --json}. */
    public static Usage reads(
            List<String> names,
            String operands,
            int most,
            String summary,
            List<Option> options,
            List<Example> examples) {
        var all = new ArrayList<>(options);
        all.add(Option.JSON);
        return new Usage(names, operands, most, false, summary, "", all, examples);
    }

    public static Usage acts(
            List<String> names,
            String operands,
            int most,
            String summary,
            List<Option> options,
            List<Example> examples) {
        return new Usage(names, operands, most, false, summary, "", options, examples);
    }

    public String name() {
        return names.getFirst();
    }

    /** Whether jobs stand behind it. */
    public boolean namesJobs() {
        return operands.contains("JOB");
    }

    public boolean takes(Option option) {
        return options.contains(option);
    }
}

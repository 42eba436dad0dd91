package fairlead.dialects.yaml;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Config files that cannot be used, with every mistake that was found in them. */
public final class ConfigException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient List<Problem> problems;
    private final transient List<Problem> warnings;

    public ConfigException(List<Problem> problems, List<Problem> warnings) {
        // What is missing may be there under a name that is mistyped.
        super(
                Stream.concat(
                                problems.stream(),
                                warnings.stream().filter(it -> it.message().endsWith("?")))
                        .map(Problem::toString)
                        .collect(Collectors.joining("\n")));
        if (problems.isEmpty()) throw new IllegalArgumentException("no problem");
        this.problems = List.copyOf(problems);
        this.warnings = List.copyOf(warnings);
    }

    /** In the order of their files and lines; at least one. */
    public List<Problem> problems() {
        return problems;
    }

    /** What their author should know beside that. */
    public List<Problem> warnings() {
        return warnings;
    }
}

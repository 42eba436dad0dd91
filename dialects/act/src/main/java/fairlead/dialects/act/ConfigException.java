package fairlead.dialects.act;

import java.util.List;
import java.util.stream.Collectors;

/** Config files that cannot be used, with every mistake that was found in them. */
public final class ConfigException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient List<Problem> problems;

    ConfigException(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
        if (problems.isEmpty()) throw new IllegalArgumentException("no problem");
        this.problems = List.copyOf(problems);
    }

    /** In the order of their files and lines; at least one. */
    public List<Problem> problems() {
        return problems;
    }
}

package fairlead.dialects.yaml;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One look at config files: where they are looked for, and what was found wrong so far. A mistake
 * does not end the reading, so that a user hears of all of them at once.
 */
public final class Reading {
    /** More would scroll away; after these are mended the rest is reported. */
    static final int PROBLEMS_MAX = 100;

    private static final Comparator<Problem> ORDER =
            Comparator.comparing((Problem problem) -> problem.file().toString())
                    .thenComparingInt(Problem::line);

    private final Path folder;
    private final Path typedIn;
    private final Map<String, String> environment;
    private final Set<Problem> mistakes = new LinkedHashSet<>();
    private final Set<Problem> warnings = new LinkedHashSet<>();
    private final Set<Path> bases = new LinkedHashSet<>();

    /**
     * @param folder where the paths of the files begin
     * @param typedIn where the user is, which may be below it
     */
    public Reading(Path folder, Path typedIn, Map<String, String> environment) {
        this.folder = folder.toAbsolutePath().normalize();
        this.typedIn = typedIn.toAbsolutePath().normalize();
        this.environment = environment;
    }

    public Map<String, String> environment() {
        return environment;
    }

    /** The file that a user calls so. */
    public Path resolve(String name) {
        return folder.resolve(name).normalize();
    }

    public Path shown(Path file) {
        return shown(file, typedIn);
    }

    /** As messages name a file: by a path that leads to it from where the user is. */
    public static Path shown(Path file, Path typedIn) {
        Path absolute = file.toAbsolutePath().normalize();
        Path here = typedIn.toAbsolutePath().normalize();
        return absolute.startsWith(here) && !absolute.equals(here)
                ? here.relativize(absolute)
                : absolute;
    }

    public void mistake(Spot spot, String message) {
        add(mistakes, spot, message);
    }

    public void warn(Spot spot, String message) {
        add(warnings, spot, message);
    }

    private static void add(Set<Problem> problems, Spot spot, String message) {
        if (problems.size() < PROBLEMS_MAX) {
            problems.add(new Problem(spot.file(), spot.line(), message));
        }
    }

    /** The files below the one that is read, by their real paths. */
    public Set<Path> bases() {
        return bases;
    }

    public boolean isGood() {
        return mistakes.isEmpty();
    }

    public List<Problem> warnings() {
        return sorted(warnings);
    }

    public ConfigException failure() {
        return new ConfigException(sorted(mistakes), sorted(warnings));
    }

    private static List<Problem> sorted(Set<Problem> problems) {
        var sorted = new ArrayList<>(problems);
        sorted.sort(ORDER);
        return sorted;
    }
}

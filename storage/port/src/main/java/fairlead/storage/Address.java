package fairlead.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a file or folder of a user's is, as in {@code file:/shared/code} or {@code
 * hdfs://host:9000/ann/code}. Names are taken as they are: {@code %20} is three characters and no
 * blank. No name is {@code .} or {@code ..}, so an address never leads out of another that it
 * begins with.
 *
 * @param scheme which kind of storage
 * @param authority the storage's host, perhaps with a port; empty where it has none
 * @param names from the top; none for the top itself
 */
public record Address(String scheme, String authority, List<String> names) {
    /** As long as the longest path of Linux. */
    private static final int CHARS_MAX = 4_096;

    private static final Pattern FORM =
            Pattern.compile(
                    "([a-z][a-z0-9+.-]*):(?://([A-Za-z0-9._:\\[\\]-]*))?+(/.*)?", Pattern.DOTALL);

    public Address {
        names = List.copyOf(names);
        for (String name : names) {
            String problem = problem(name);
            if (!problem.isEmpty()) throw new IllegalArgumentException(problem);
        }
    }

    /** Slashes at the end, and several in a row, count for nothing. */
    public static Address of(String text) throws StorageException {
        if (text.length() > CHARS_MAX) {
            throw new StorageException(
                    "an address has at most "
                            + CHARS_MAX
                            + " characters, but this one has "
                            + text.length());
        }
        Matcher form = FORM.matcher(text);
        boolean hasPlace = form.matches() && (form.group(2) != null || form.group(3) != null);
        if (!hasPlace) {
            throw new StorageException(
                    "not an address such as file:/shared/code or hdfs://host:9000/code: '"
                            + shown(text)
                            + "'");
        }
        var names = new ArrayList<String>();
        String path = form.group(3) == null ? "" : form.group(3);
        for (String name : path.split("/")) {
            if (name.isEmpty()) continue;
            String problem = problem(name);
            if (!problem.isEmpty()) throw new StorageException(problem + " in " + shown(text));
            names.add(name);
        }
        String authority = form.group(2) == null ? "" : form.group(2);
        return new Address(form.group(1), authority, names);
    }

    /** What is wrong with a name; empty for a good one. */
    private static String problem(String name) {
        if (name.isEmpty() || name.equals(".") || name.equals("..") || name.contains("/"))
            return "'" + name + "' is no name of a file";
        boolean hasControl = name.chars().anyMatch(Character::isISOControl);
        return hasControl ? "a name with a control character: '" + shown(name) + "'" : "";
    }

    /** Whether an address can have this name. */
    public static boolean isName(String name) {
        return problem(name).isEmpty();
    }

    /** So that no text of a user's breaks a line of a log. */
    public static String shown(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }

    /**
     * What is called so in this folder.
     *
     * @throws StorageException for a name that no address can have
     */
    public Address child(String name) throws StorageException {
        String problem = problem(name);
        if (!problem.isEmpty()) throw new StorageException(problem + " in " + this);
        var longer = new ArrayList<>(names);
        longer.add(name);
        return new Address(scheme, authority, longer);
    }

    /** The last name; empty for the top. */
    public String name() {
        return names.isEmpty() ? "" : names.getLast();
    }

    /** The folder that this is in. The top is in none. */
    public Address parent() {
        if (names.isEmpty()) throw new IllegalStateException(this + " has no parent");
        return new Address(scheme, authority, names.subList(0, names.size() - 1));
    }

    /** Whether this is the folder itself or something below it. */
    public boolean isIn(Address folder) {
        return scheme.equals(folder.scheme)
                && authority.equals(folder.authority)
                && names.size() >= folder.names.size()
                && names.subList(0, folder.names.size()).equals(folder.names);
    }

    /** The names that lead from the folder to this. */
    public List<String> below(Address folder) {
        if (!isIn(folder)) throw new IllegalArgumentException(this + " is not in " + folder);
        return names.subList(folder.names.size(), names.size());
    }

    /** From the top, with a slash in front. */
    public String path() {
        return "/" + String.join("/", names);
    }

    @Override
    public String toString() {
        return scheme + (authority.isEmpty() ? ":" : "://" + authority) + path();
    }
}

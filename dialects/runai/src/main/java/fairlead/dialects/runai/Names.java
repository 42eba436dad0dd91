package fairlead.dialects.runai;

import java.util.Set;

/** The names of jobs in a project, which are DNS labels as of RFC 1035 and each there once. */
final class Names {
    /** Its pod has more to its name: the numbers of task and attempt. */
    private static final int CHARACTERS_MAX = 48;

    private static final String PREFIX = "job";

    private Names() {}

    static void check(String name) throws Misuse {
        if (name.length() <= CHARACTERS_MAX && name.matches("[a-z]([-a-z0-9]*[a-z0-9])?")) return;
        throw new Misuse(
                "the job's name '"
                        + name
                        + "' is no DNS-1035 label: lower case letters, digits and '-', a letter"
                        + " first, no '-' last, at most "
                        + CHARACTERS_MAX
                        + " characters, such as my-job-1");
    }

    /** With the smallest index that is free. */
    static String fresh(String prefix, Set<String> used) {
        String stem = prefix == null ? PREFIX : prefix;
        int index = 0;
        while (used.contains(stem + "-" + index)) index++;
        return stem + "-" + index;
    }
}

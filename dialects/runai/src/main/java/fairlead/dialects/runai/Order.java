package fairlead.dialects.runai;

import fairlead.api.SpecBody;

import java.util.List;
import java.util.Set;

/**
 * A job that is asked for, before its name is known to be free.
 *
 * @param name null where one has to be found
 * @param prefix of the name to be found; null for {@code job}
 * @param nameless everything but the name
 * @param warnings what is ignored, one line each
 */
public record Order(
        String name, String prefix, String project, SpecBody nameless, List<String> warnings) {
    /**
     * The job under the name that it was given, or under the first free one.
     *
     * @param used the names in the project; a finished job's too, until it is deleted
     */
    public SpecBody spec(Set<String> used) throws Declined {
        if (name != null && used.contains(name)) {
            throw new Declined(
                    "the job '"
                            + name
                            + "' already exists in project '"
                            + project
                            + "'; run 'runai delete "
                            + name
                            + " -p "
                            + project
                            + "' to free its name");
        }
        return nameless.named(
                name == null ? Names.fresh(prefix, used) : name, nameless.container());
    }
}

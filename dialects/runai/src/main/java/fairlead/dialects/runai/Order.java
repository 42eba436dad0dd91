package fairlead.dialects.runai;

import fairlead.api.spec.SpecBody;

import java.util.List;
import java.util.Set;

/**
 * A job that is asked for, before its name is known to be free.
 *
 * @param name null where one has to be found
 * @param prefix of the name to be found; null for {@code job}
 * @param nameless everything but the name
 * @param warnings what is ignored, one line each
 * @param attach whether its user wants to be inside as soon as it runs
 */
public record Order(
        String name,
        String prefix,
        String project,
        SpecBody nameless,
        List<String> warnings,
        boolean attach) {
    /**
     * The job under the name that it was given, or under the first free one.
     *
     * @param used the names in the project; a finished job's too, until it is deleted
     */
    public SpecBody spec(Set<String> used) throws Declined {
        if (name != null && used.contains(name)) throw new Declined(taken());
        String free = name == null ? Names.fresh(prefix, used) : name;
        return nameless.with(
                spec -> {
                    spec.name = free;
                    spec.container =
                            nameless.container()
                                    .with(around -> around.podName = JobWords.pod(free, 0));
                });
    }

    /** The message to its user when the name is in use. */
    public String taken() {
        return "the job '"
                + name
                + "' already exists in project '"
                + project
                + "'; run 'runai delete "
                + name
                + " -p "
                + project
                + "' to free its name";
    }

    /** How its ports are reached once it runs; empty where there is nothing to forward. */
    public List<String> ways(SpecBody spec) {
        boolean isServed = nameless.container().service() != null;
        if (spec.ports() == null || isServed) return List.of();
        return spec.ports().stream()
                .map(
                        port ->
                                "Run `runai port-forward %s %s -p %s` and open http://localhost:%s"
                                        .formatted(spec.name(), port, project, port.split(":")[0]))
                .toList();
    }
}

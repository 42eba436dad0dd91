package fairlead.control;

import fairlead.cluster.Rules;
import fairlead.job.Project;

import java.util.Optional;
import java.util.TreeSet;

/** Who may submit to which project. */
public final class Membership {
    private Membership() {}

    /** Why the project takes no jobs of this owner; empty when it does. */
    public static Optional<Refused> refusal(Rules rules, String name, String owner) {
        Project project = rules.projects().get(name);
        if (project == null && !name.equals(Project.DEFAULT)) {
            var known = new TreeSet<>(rules.projects().keySet());
            known.add(Project.DEFAULT);
            return Optional.of(
                    new Refused(
                            Refused.Kind.NOT_FOUND,
                            "no project '" + name + "'; known: " + String.join(", ", known)));
        }
        if (project == null) return Optional.empty();
        if (project.stopped()) {
            return Optional.of(
                    new Refused(
                            Refused.Kind.CONFLICT,
                            "project " + name + " is stopped: it takes no new jobs"));
        }
        if (project.admits(owner)) return Optional.empty();
        return Optional.of(
                new Refused(Refused.Kind.FORBIDDEN, owner + " is not a member of project " + name));
    }
}

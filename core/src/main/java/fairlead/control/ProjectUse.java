package fairlead.control;

import fairlead.job.Job;
import fairlead.job.Person;
import fairlead.job.Project;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Who still uses a project: while anybody does, it is not forgotten. */
final class ProjectUse {
    private ProjectUse() {}

    /** Why the project must stay; empty when nobody would miss it. */
    static Optional<Refused> refusal(
            String name, Stream<Job> unfinished, Collection<Person> people) {
        if (name.equals(Project.DEFAULT)) return conflict("the project " + name + " always exists");
        long jobs = unfinished.filter(job -> job.spec().project().equals(name)).count();
        if (jobs > 0) {
            return conflict(
                    "project %s still has unfinished jobs (%d); abort them, or wait for their end"
                            .formatted(name, jobs));
        }
        List<String> users =
                people.stream()
                        .filter(person -> person.project().equals(name))
                        .map(Person::name)
                        .toList();
        if (users.isEmpty()) return Optional.empty();
        return conflict(
                "the jobs of %s go to project %s by default; give them another one first"
                        .formatted(String.join(", ", users), name));
    }

    private static Optional<Refused> conflict(String problem) {
        return Optional.of(new Refused(Refused.Kind.CONFLICT, problem));
    }
}

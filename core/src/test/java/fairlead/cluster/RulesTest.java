package fairlead.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import fairlead.job.Job;
import fairlead.job.JobSpec;
import fairlead.job.Project;
import fairlead.job.Samples;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

class RulesTest {
    private static final Rules RULES =
            new Rules(
                    Map.of(
                            "lab",
                            new Project(
                                    "lab",
                                    OptionalInt.of(3),
                                    Set.of(),
                                    OptionalInt.empty(),
                                    Duration.ofHours(2))),
                    Rules.UNDISTURBED);

    @ParameterizedTest(name = "{0} {1} {2}")
    @CsvSource({
        "lab,   batch,       '',   ''",
        "lab,   batch,       PT3H, PT3H",
        "lab,   interactive, '',   PT2H",
        "lab,   interactive, PT1H, PT1H",
        "lab,   interactive, PT2H, PT2H",
        "lab,   interactive, PT3H, PT2H",
        "other, interactive, '',   PT12H",
    })
    void interactiveWorkHasTheShorterOfItsOwnLimitAndTheProjects(
            String project, String kind, String own, String limit) {
        Job job = job(project, kind.equals("interactive"), duration(own));
        assertEquals(duration(limit), RULES.timeLimit(job));
    }

    @Test
    void aQuotaIsCountedOnceAnyProjectHasOne() {
        assertEquals(3_000, RULES.quota("lab"));
        assertEquals(0, RULES.quota("other"));
        assertEquals(Long.MAX_VALUE, Rules.NONE.quota("other"));
        Rules without = RULES.with(Map.of("lab", Project.named("lab")));
        assertEquals(Long.MAX_VALUE, without.quota("lab"), "nobody has one");
    }

    private static Optional<Duration> duration(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(Duration.parse(text));
    }

    private static Job job(String project, boolean interactive, Optional<Duration> limit) {
        var spec =
                JobSpec.of(
                        edit -> {
                            edit.name = "sample";
                            edit.cluster = "local";
                            edit.project = project;
                            edit.roles = List.of(Samples.role("main", 1, 1));
                            edit.timeLimit = limit;
                            edit.workingFolder = "/tmp";
                            edit.interactive = interactive;
                        });
        return Samples.job(1, "ann", spec);
    }
}

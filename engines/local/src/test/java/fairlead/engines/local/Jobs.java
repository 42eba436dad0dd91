package fairlead.engines.local;

import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.Placement;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Launches of jobs with one task, which two processes can make alike. */
public final class Jobs {
    private Jobs() {}

    public static Effect.Launch single(JobId id, String folder, List<String> command) {
        var role =
                new Role(
                        Role.MAIN,
                        1,
                        command,
                        new Resources(0, 0, 0),
                        OptionalInt.empty(),
                        OptionalInt.empty());
        var spec =
                JobSpec.of(
                        edit -> {
                            edit.name = "single";
                            edit.cluster = "local";
                            edit.project = "default";
                            edit.roles = List.of(role);
                            edit.workingFolder = folder;
                        });
        var job = Job.submitted(id, spec, "me", Instant.now(), Optional.empty(), Optional.empty());
        var place = new TaskPlacement(new TaskId(Role.MAIN, 0), "here", List.of());
        return new Effect.Launch(
                job, new Attempt(new AttemptId(id, 1), new Placement(List.of(place))));
    }
}

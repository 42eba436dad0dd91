package fairlead.engines.yarn;

import fairlead.engine.Terms;
import fairlead.job.Container;
import fairlead.job.GpuPart;
import fairlead.job.JobSpec;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a YARN cluster can do for a job, and what it refuses. */
record YarnTerms(YarnSettings settings) implements Terms {
    @Override
    public Optional<String> refuses(JobSpec spec) {
        boolean hasPart =
                spec.roles().stream()
                        .anyMatch(role -> !(role.resources().part() instanceof GpuPart.Whole));
        if (hasPart) return refusal("gives whole GPUs only: YARN knows no parts of one");
        boolean hasClaim =
                spec.container().mounts().stream()
                        .anyMatch(mount -> !(mount.source() instanceof Container.Folder));
        if (hasClaim) return refusal("has no claims; mount a folder of its nodes");
        // The image's own program cannot stand behind a keeper.
        if (spec.container().details().ownEntryPoint())
            return refusal("runs commands, so the job must give one");
        return Optional.empty();
    }

    @Override
    public boolean runsImages() {
        return settings.docker();
    }

    @Override
    public boolean runsHere() {
        return false;
    }

    @Override
    public List<String> notes() {
        return List.of();
    }

    @Override
    public List<String> notes(JobSpec spec) {
        var notes = new ArrayList<String>();
        spec.user()
                .ifPresent(
                        user ->
                                notes.add(
                                        "the account %s is ignored: YARN decides who runs a container"
                                                .formatted(user)));
        boolean hasNoMemory =
                spec.roles().stream().anyMatch(role -> role.resources().memoryBytes() == 0);
        if (hasNoMemory)
            notes.add(
                    "a task that asks for no memory gets %d MiB: YARN ends containers that take more than theirs"
                            .formatted(settings.taskMemoryBytes() >> 20));
        return notes;
    }

    @Override
    public List<String> warnings(JobSpec spec) {
        var warnings = new ArrayList<String>();
        if (spec.container().image().isPresent() && !settings.docker())
            warnings.add(
                    "the image is ignored: the cluster %s runs plain processes"
                            .formatted(settings.cluster()));
        if (spec.container().details().stdin())
            warnings.add("nobody can write to the tasks' standard input on this cluster");
        return warnings;
    }

    private Optional<String> refusal(String words) {
        return Optional.of("the cluster " + settings.cluster() + " " + words);
    }
}

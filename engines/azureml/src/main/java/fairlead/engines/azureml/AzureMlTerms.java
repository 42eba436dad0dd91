package fairlead.engines.azureml;

import fairlead.engine.Terms;
import fairlead.job.Container;
import fairlead.job.GpuPart;
import fairlead.job.JobSpec;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;

/**
 * What a compute of Azure ML can do for a job, and what it refuses.
 *
 * @param gpusPerMachine zero before it is known
 */
record AzureMlTerms(AzureMlSettings settings, IntSupplier gpusPerMachine) implements Terms {
    /** Each has a variable of its own in the job. */
    static final int TASKS_MAX = 512;

    @Override
    public Optional<String> refuses(JobSpec spec) {
        boolean hasPart =
                spec.roles().stream()
                        .anyMatch(role -> !(role.resources().part() instanceof GpuPart.Whole));
        if (hasPart) return refusal("gives whole GPUs only");
        boolean hasNewClaim =
                spec.container().mounts().stream()
                        .anyMatch(mount -> mount.source() instanceof Container.NewClaim);
        if (hasNewClaim)
            return refusal("makes no storage; mount a folder of a datastore, /DATASTORE/PATH");
        if (spec.container().details().ownEntryPoint())
            return refusal("runs commands, so the job must give one");
        if (image(spec).isEmpty())
            return refusal("runs images, and neither the job nor the cluster's settings name one");
        if (spec.tasks() > TASKS_MAX)
            return refusal("starts at most " + TASKS_MAX + " tasks of a job");
        int most = gpusPerMachine.getAsInt();
        boolean isTooWide =
                most > 0 && spec.roles().stream().anyMatch(role -> role.resources().gpus() > most);
        if (isTooWide)
            return refusal(
                    "has %d GPUs on each machine; ask for several tasks with at most %d each"
                            .formatted(most, most));
        return Optional.empty();
    }

    Optional<String> image(JobSpec spec) {
        return spec.container().image().or(settings::image);
    }

    @Override
    public boolean runsImages() {
        return true;
    }

    @Override
    public boolean runsHere() {
        return false;
    }

    @Override
    public List<String> notes() {
        return List.of(
                "Azure ML gives whole machines: a job keeps all GPUs of those that it runs on",
                "how long a stopped task may take to end is Azure's own decision");
    }

    @Override
    public List<String> notes(JobSpec spec) {
        var notes = new ArrayList<String>();
        spec.user()
                .ifPresent(
                        user ->
                                notes.add(
                                        "the account %s is passed over: the image decides who runs"
                                                .formatted(user)));
        return notes;
    }

    @Override
    public List<String> warnings(JobSpec spec) {
        var warnings = new ArrayList<String>();
        if (!spec.secrets().isEmpty())
            warnings.add(
                    "whoever may read jobs of the workspace %s sees the job's variables there, also the secret ones"
                            .formatted(settings.workspace()));
        if (spec.container().details().stdin())
            warnings.add("nobody can write to the tasks' standard input on this cluster");
        return warnings;
    }

    private Optional<String> refusal(String words) {
        return Optional.of("the cluster " + settings.cluster() + " " + words);
    }
}

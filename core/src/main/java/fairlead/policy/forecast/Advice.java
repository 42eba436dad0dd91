package fairlead.policy.forecast;

import fairlead.cluster.OwnerQueue;
import fairlead.cluster.View;
import fairlead.job.GpuPart;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.Project;
import fairlead.job.Resources;
import fairlead.policy.Policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The cheapest single change that would start a waiting job now, found by planning on a view in
 * which the job has been changed. Cheapest first: what costs the job least comes before what costs
 * it more.
 */
public final class Advice {
    private static final int HALF = Resources.GPU / 2;

    private Advice() {}

    private record Change(String words, JobSpec spec) {}

    /** In words that follow "it would start now"; empty when no such change is known. */
    public static Optional<String> cheapest(View view, Policy policy, JobId id) {
        Job job = Forecast.waiting(view).get(id);
        if (job == null) return Optional.empty();
        for (Change change : changes(job, view)) {
            View altered = with(view, job, change.spec());
            boolean starts =
                    policy.plan(altered).starts().stream()
                            .anyMatch(start -> start.job().equals(id));
            if (starts) return Optional.of(change.words());
        }
        return Optional.empty();
    }

    private static List<Change> changes(Job job, View view) {
        var changes = new ArrayList<Change>();
        JobSpec spec = job.spec();
        Resources first = spec.roles().getFirst().resources();
        if (spec.roles().stream().anyMatch(role -> role.resources().gpuType().isPresent())) {
            changes.add(
                    new Change(
                            "with any type of GPU",
                            asking(
                                    spec,
                                    ask -> asking(ask, ask.gpus(), ask.part(), Optional.empty()))));
        }
        for (Project project : view.rules().projects().values()) {
            if (project.name().equals(spec.project()) || !project.admits(job.owner())) continue;
            changes.add(new Change("in project " + project.name(), spec.inProject(project.name())));
        }
        if (spec.interactive()) changes.add(new Change("as a training job", spec.notInteractive()));
        for (int gpus = first.gpus() - 1; gpus >= 1; gpus--) {
            int fewer = gpus;
            String each = spec.tasks() > 1 ? " for each task" : "";
            changes.add(
                    new Change(
                            "with " + gpus + (gpus == 1 ? " GPU" : " GPUs") + each,
                            asking(
                                    spec,
                                    ask ->
                                            asking(
                                                    ask,
                                                    Math.min(fewer, ask.gpus()),
                                                    ask.part(),
                                                    ask.gpuType()))));
        }
        if (first.gpus() == 1 && first.part() instanceof GpuPart.Whole) {
            changes.add(
                    new Change(
                            "with half a GPU",
                            asking(
                                    spec,
                                    ask ->
                                            ask.gpus() == 0
                                                    ? ask
                                                    : asking(
                                                            ask,
                                                            1,
                                                            new GpuPart.Fraction(HALF),
                                                            ask.gpuType()))));
        }
        return changes;
    }

    private static Resources asking(Resources ask, int gpus, GpuPart part, Optional<String> type) {
        return new Resources(
                gpus,
                part,
                gpus == 0 ? Optional.empty() : type,
                ask.cpus(),
                ask.memoryBytes(),
                ask.ports(),
                ask.labels());
    }

    private static JobSpec asking(JobSpec spec, UnaryOperator<Resources> change) {
        return spec.withRoles(role -> role.asking(change.apply(role.resources())));
    }

    private static View with(View view, Job job, JobSpec spec) {
        var queues = new ArrayList<OwnerQueue>();
        for (OwnerQueue queue : view.queues()) {
            queues.add(
                    queue.owner().equals(job.owner())
                            ? new OwnerQueue(
                                    queue.owner(),
                                    queue.milliGpusHeld(),
                                    queue.cpuJobsHeld(),
                                    with(queue.gpuJobs(), job, spec),
                                    with(queue.cpuJobs(), job, spec),
                                    queue.gpuJobEnded())
                            : queue);
        }
        return view.waiting(queues);
    }

    private static List<Job> with(List<Job> jobs, Job job, JobSpec spec) {
        return jobs.stream()
                .map(each -> each.id().equals(job.id()) ? each.asking(spec) : each)
                .toList();
    }
}

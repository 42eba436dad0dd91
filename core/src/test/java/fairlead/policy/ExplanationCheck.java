package fairlead.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.policy.forecast.Forecast;

import java.util.HashSet;
import java.util.List;
import java.util.Map;

/** Whether explanations say of every waiting job, once, where it stands and why. */
public final class ExplanationCheck {
    private ExplanationCheck() {}

    public static void fits(List<Explanation> explanations, Plan plan, View view) {
        Map<JobId, Job> waiting = Forecast.waiting(view);
        var started = new HashSet<JobId>();
        plan.starts().forEach(start -> started.add(start.job()));
        var explained = new HashSet<JobId>();
        int gpuJobs = 0;
        int cpuJobs = 0;
        for (Explanation each : explanations) {
            assertTrue(explained.add(each.job()), () -> each + " is given twice");
            boolean wantsGpus = waiting.get(each.job()).spec().gpus() > 0;
            assertEquals(
                    1 + (wantsGpus ? gpuJobs : cpuJobs),
                    each.place(),
                    "places count from 1, with GPUs and without");
            boolean counts = each.obstacles().stream().noneMatch(Obstacle::isForGood);
            if (counts && wantsGpus) gpuJobs++;
            if (counts && !wantsGpus) cpuJobs++;
            assertEquals(
                    started.contains(each.job()),
                    each.obstacles().isEmpty(),
                    () -> "a job either starts or knows why not: " + each);
        }
        assertEquals(waiting.keySet(), explained, "every waiting job is explained");
    }
}

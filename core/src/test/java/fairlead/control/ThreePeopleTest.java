package fairlead.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import fairlead.job.Event;
import fairlead.job.Exit;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.JobState;
import fairlead.job.Profile;
import fairlead.job.Samples;
import fairlead.job.TaskId;
import fairlead.job.Training;
import fairlead.policies.Policies;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;

/** Three people and four GPUs, all of them held by the first one's training job. */
class ThreePeopleTest {
    private static final JobSpec ONE_GPU = Samples.spec(Samples.role("main", 1, 1));

    private final Loop loop;
    private final JobId anns;

    ThreePeopleTest() throws Exception {
        loop = new Loop(Policies.byName("elastic"), new SplittableRandom(1), 4);
        anns = loop.running(training(4));
        loop.after(60);
        var epoch = new Profile.Epoch(1, OptionalDouble.of(60), OptionalDouble.empty(), 0);
        loop.report(anns, at -> new Event.EpochEnded(at, Loop.first(anns), epoch)).get();
        loop.after(600);
    }

    @Test
    void eachHasOneSoonThoughAPlainJobWaitsToo() throws Exception {
        JobId bobs = submit("bob", training(1));
        JobId cyds = submit("cyd", ONE_GPU);
        eachHasOneOnceAnnsHasStopped(bobs, cyds);
    }

    @Test
    void eachHasOneSoonThoughAPlainJobComesWhileTheFirstStops() throws Exception {
        JobId bobs = submit("bob", training(1));
        assertInstanceOf(JobState.Stopping.class, loop.job(anns).state());
        eachHasOneOnceAnnsHasStopped(bobs, submit("cyd", ONE_GPU));
    }

    @Test
    void twoPlainJobsOfOthersAreServedTogether() throws Exception {
        JobId bobs = submit("bob", ONE_GPU);
        eachHasOneOnceAnnsHasStopped(bobs, submit("cyd", ONE_GPU));
    }

    private void eachHasOneOnceAnnsHasStopped(JobId bobs, JobId cyds) throws Exception {
        assertInstanceOf(JobState.Stopping.class, loop.job(anns).state());
        loop.after(30);
        loop.observe(anns, Map.of(new TaskId("main", 0), Exit.of(0, loop.now)));
        for (JobId job : List.of(anns, bobs, cyds)) {
            assertInstanceOf(JobState.Active.class, loop.job(job).state(), job.text());
        }
        int held =
                loop.controller.unfinished().stream().map(Job::spec).mapToInt(JobSpec::gpus).sum();
        assertEquals(4, held, "what is left goes to those who train");
    }

    private JobId submit(String owner, JobSpec spec) throws Exception {
        return loop.submit(owner, List.of(spec)).get().jobs().getFirst();
    }

    private static JobSpec training(int gpus) {
        var training =
                new Training(
                        1_000,
                        1,
                        1_000,
                        gpus,
                        1,
                        4,
                        false,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());
        return Samples.training(gpus, 1_000).withTraining(training);
    }
}

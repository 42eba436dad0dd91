package fairlead.cluster;

import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.Profile;
import fairlead.job.Setup;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What is known beforehand about how long a job runs. A function of the job alone, so that the same
 * view still gives the same plan.
 */
public interface Foresight {
    /** Knows only that no attempt outlives its time limit. */
    Foresight BY_TIME_LIMIT = job -> job.spec().timeLimit();

    /** From its first second to its end, all its attempts together; empty when nobody knows. */
    Optional<Duration> runTime(Job job);

    /**
     * How long jobs have run that were like this one, as far as that is known: of the same owner
     * and size, of the same owner, or of anyone.
     */
    default RunTimes runTimes(Job job) {
        return RunTimes.NONE;
    }

    /**
     * How long some jobs have run.
     *
     * @param ended those that ended by themselves, well or not
     * @param cutShort those that others have ended: they would have lasted at least so long
     */
    record RunTimes(List<Duration> ended, List<Duration> cutShort) {
        public static final RunTimes NONE = new RunTimes(List.of(), List.of());

        public RunTimes {
            ended = List.copyOf(ended);
            cutShort = List.copyOf(cutShort);
        }
    }

    /** What was measured of the job's script, in this job and in others. */
    default Profile profile(Job job) {
        return job.progress().profile();
    }

    /**
     * How long its epochs take there, as it has shown itself; where it has not, as others of its
     * script have.
     */
    default Optional<Profile.Speed> speed(Job job, Setup setup) {
        return job.progress().profile().speed(setup).or(() -> profile(job).speed(setup));
    }

    /** What is known once this job has ended. */
    default Foresight after(Job finished) {
        return this;
    }

    /** What is known once this job's measurements of earlier days are taken in. */
    default Foresight recalling(Job job) {
        return this;
    }

    /** What is known once this job has reported one more epoch. */
    default Foresight after(Job job, Event.EpochEnded ended) {
        return this;
    }
}

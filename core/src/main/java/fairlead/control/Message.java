package fairlead.control;

import fairlead.cluster.Guest;
import fairlead.cluster.Node;
import fairlead.engine.Observation;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.Person;
import fairlead.job.Prediction;
import fairlead.job.Project;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Something for the controller to take in. Answers are completed by the controller's loop once what
 * they say is durable, or with a {@link Refused}.
 */
public sealed interface Message {
    /** A message that somebody waits for. */
    sealed interface Asked<T> extends Message {
        CompletableFuture<T> answer();
    }

    /**
     * Submit these jobs, all or none.
     *
     * @param request a repeat by the same owner with the same text makes nothing new
     * @param array the index of the first job, when the jobs form an array
     * @param instead jobs to cancel first, those that are still active
     */
    record Submit(
            String owner,
            List<JobSpec> specs,
            Optional<String> request,
            OptionalInt array,
            List<JobId> instead,
            CompletableFuture<Submitted> answer)
            implements Asked<Submitted> {
        public Submit {
            specs = List.copyOf(specs);
            instead = List.copyOf(instead);
        }
    }

    /**
     * What became of a submit.
     *
     * @param repeated the request was known; these are the jobs that it made then
     */
    record Submitted(List<JobId> jobs, Optional<String> array, boolean repeated) {}

    record Cancel(JobId job, String by, CompletableFuture<Job> answer) implements Asked<Job> {}

    /** Cancel all of these that have not ended. Answered with them, as they then stand. */
    record CancelAll(List<JobId> jobs, String by, CompletableFuture<List<Job>> answer)
            implements Asked<List<Job>> {
        public CancelAll {
            jobs = List.copyOf(jobs);
        }
    }

    /** Remove the records of these finished jobs, all or none. */
    record Delete(List<JobId> jobs, CompletableFuture<List<JobId>> answer)
            implements Asked<List<JobId>> {
        public Delete {
            jobs = List.copyOf(jobs);
        }
    }

    /** Change where a waiting or running job stands among its owner's jobs. */
    record ChangePriority(JobId job, int priority, String by, CompletableFuture<Job> answer)
            implements Asked<Job> {}

    /** Make a project, or change it. */
    record SetProject(Project project, CompletableFuture<Project> answer)
            implements Asked<Project> {}

    /** Forget a project, unless a job in it is unfinished or it is where somebody's jobs go. */
    record DeleteProject(String name, CompletableFuture<String> answer) implements Asked<String> {}

    /** Make somebody known, or change what is known of them. */
    record SetPerson(Person person, CompletableFuture<Person> answer) implements Asked<Person> {}

    /** Forget somebody. Their jobs stay and go on. */
    record DeletePerson(String name, CompletableFuture<String> answer) implements Asked<String> {}

    /** Take in a cluster from now on; one that is there already stays as it is. */
    record AddCluster(Cluster cluster, CompletableFuture<String> answer) implements Asked<String> {}

    /**
     * What a training script reports about the attempt that it runs in. Answered with the job as it
     * then stands.
     *
     * @param fact what becomes a fact if it is news
     */
    record Trained(
            AttemptId attempt, Function<Instant, Event.Report> fact, CompletableFuture<Job> answer)
            implements Asked<Job> {}

    /**
     * What an engine showed.
     *
     * @param begun how many effects had been acknowledged when the look began
     */
    record Observed(String cluster, List<Observation> seen, long begun) implements Message {}

    /**
     * An engine could not be looked at. Until the next look that succeeds, nothing is placed or
     * preempted on its cluster.
     */
    record Unseen(String cluster, String reason) implements Message {}

    /**
     * An engine has accepted an effect.
     *
     * @param count how many had been acknowledged with this one
     */
    record Acknowledged(Effect effect, long count) implements Message {}

    /** When waiting jobs will start, by a forecast; kept for those that have none yet. */
    record Predicted(Map<JobId, Prediction> predictions) implements Message {
        public Predicted {
            predictions = Map.copyOf(predictions);
        }
    }

    /** What others have started on a cluster. */
    record GuestsSeen(String cluster, List<Guest> guests) implements Message {}

    record NodesSeen(String cluster, List<Node> nodes) implements Message {}
}

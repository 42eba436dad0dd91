package fairlead.policy.fair;

import fairlead.job.Job;
import fairlead.policy.Room;
import fairlead.policy.Tally;

import java.util.List;

/** What decides whom a job may stop: who agrees in it finds the same, or nobody. */
record Search(
        List<Room.Ask> asks,
        String project,
        String owner,
        boolean isEntitled,
        boolean isInteractive) {
    static Search of(Job job, Tally tally) {
        return new Search(
                Room.asks(job.spec()),
                job.spec().project(),
                job.owner(),
                tally.isEntitled(job),
                job.spec().interactive());
    }
}

package fairlead.job;

/** An event that must not happen in this state: a bug of whoever made the event. */
public final class IllegalTransition extends IllegalStateException {
    private static final long serialVersionUID = 1;

    IllegalTransition(Job job, Event event) {
        super(job.id() + " is " + job.state() + " and cannot take " + event);
    }
}

package fairlead.engines.yarn.relay;

/** What can be asked of masters and keepers: the first word of each call. */
public final class Verbs {
    /** Of a master: its state, as soon as it differs from the version that is given. */
    public static final String STATE = "state";

    /** Of a master or keeper: stop, by force at a time in milliseconds of the epoch. */
    public static final String STOP = "stop";

    /** Of a master: nothing more will be asked, it may go. */
    public static final String DONE = "done";

    /** Of a master: the rest of the words is for the keeper of the task with this rank. */
    public static final String TASK = "task";

    /** Of a master, by a keeper with its rank and port: its order. */
    public static final String BEGIN = "begin";

    /** Of a master, by a keeper with its rank: how the task ended, and what nobody has read. */
    public static final String ENDED = "ended";

    /** Of a keeper, by a master that follows another: its host and port. */
    public static final String MASTER = "master";

    /** Of a keeper: what the task writes, from an offset on, until it ends. */
    public static final String LOG = "log";

    /** Of a keeper: a line to be added to the log. */
    public static final String NOTE = "note";

    /** Of a keeper: rows, columns and kind of a terminal, or empty words; then a command. */
    public static final String EXEC = "exec";

    /** Of a keeper: a connection to a port of its node. */
    public static final String FORWARD = "forward";

    /** How long a question for the state waits for a change. */
    public static final int STATE_MILLIS_MAX = 20_000;

    private Verbs() {}
}

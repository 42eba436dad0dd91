package fairlead.cli.line;

import java.util.List;
import java.util.Set;

/**
 * The options that ACT has before its verbs. Its users type them for every verb, so the verbs that
 * come from ACT pass over those that mean nothing to them; other verbs refuse them. They are here
 * and not in ACT's room, because they are read before anybody knows whose verb follows.
 */
public final class ActOptions {
    public static final Option FROM =
            Option.valued("--from_cluster", "-f", "NAME", "copy data from this cluster's store");
    public static final Option RESUBMIT_TO =
            Option.valued("--resubmit_to", "-rt", "NAME", "submit again to this cluster");
    public static final Option COMPILE_ARGS =
            Option.valued("--compile_args", "-ca", "TEXT", "for the code's compile.aml.sh");
    public static final Option SINGLE =
            Option.flag("--single", "-single", "one process on each node");
    public static final Option HOLD =
            Option.flag("--hold", "-hold", "keep the node of a job that fails");
    public static final Option MAX = Option.valued("--max", null, "K", "how many jobs at most");
    public static final Option NO_LOG =
            Option.flag("--no-log", "-no-wl", "show no log, and fetch none");
    public static final Option NO_DETAILS =
            Option.flag("--no-details", "-no-dt", "only what a list shows");
    public static final Option NO_FULL_LOG =
            Option.flag("--no-full-log", "-no-lf", "show the end of the log, and keep none of it");
    public static final Option WITH_LOG =
            Option.flag("--with_log", "-wl", "show the log, as it does by default");

    /** The same of Philly, whose lists fetch no logs unless they are asked to. */
    public static final Option WITH_LOGS =
            Option.flag(
                    WITH_LOG.name(),
                    WITH_LOG.letter(),
                    "in a list: fetch the logs of what runs, and show its speed");

    /** As ACT and Philly count them. */
    public static final Option GPUS_OF_ALL =
            gpus("GPUs of all nodes together; 0 is a job without GPU");

    public static final Option GPUS_AGAIN =
            gpus("other GPUs: of all nodes for jobs of ACT and Philly, otherwise of each task");

    private static final Option PARAM =
            Option.valued("--param", "-p", "TEXT", "has no effect, as in ACT");
    private static final Option NO_GPU =
            Option.flag("--with_gpu", "-no-wg", "has no effect, as in ACT");
    private static final Option NO_META =
            Option.flag("--with_meta", "-no-m", "has no effect, as in ACT");
    private static final Option COLLECTION =
            Option.valued("--inject_collection", "-ic", "NAME", "has no effect, as in ACT");

    /** ACT takes it and submits all the same; Philly's command does not submit. */
    public static final Option NO_SUBMIT =
            Option.flag("--real_submit", "-no-s", "with 'p submit': check only, submit nothing");

    public static final Option YES = Option.flag("--yes", "-y", "delete without asking");

    /** What may stand before a verb, in the order of help. */
    public static final List<Option> ALL =
            List.of(
                    FROM,
                    RESUBMIT_TO,
                    COMPILE_ARGS,
                    SINGLE,
                    HOLD,
                    MAX,
                    NO_LOG,
                    NO_DETAILS,
                    NO_FULL_LOG,
                    WITH_LOG,
                    PARAM,
                    NO_GPU,
                    NO_META,
                    COLLECTION,
                    NO_SUBMIT,
                    YES);

    /** Those that ACT reads and forgets. */
    public static final List<Option> FORGOTTEN =
            List.of(PARAM, NO_GPU, NO_META, COLLECTION, NO_SUBMIT);

    /**
     * Those that say where something goes, or that it is lost: with a verb that does not know them
     * the user has meant another, so they are refused.
     */
    private static final Set<Option> WEIGHTY = Set.of(FROM, RESUBMIT_TO, YES);

    /** The verbs of ACT, by the names of their usages. */
    private static final Set<String> VERBS =
            Set.of(
                    "query",
                    "failed",
                    "qq",
                    "qr",
                    "abort",
                    "resubmit",
                    "submit",
                    "local",
                    "ssh",
                    "parse",
                    "blame",
                    "summary",
                    "download",
                    "upload",
                    "init",
                    "initc",
                    "initi",
                    "initic",
                    "ls",
                    "rm",
                    "url");

    private ActOptions() {}

    /** The option of all verbs, with what it means to one. */
    private static Option gpus(String help) {
        Option all = Option.GPUS;
        return new Option(all.name(), all.letter(), all.value(), help, all.other());
    }

    /** Whether the verb does as if this option were not there. Those of Philly are like ACT's. */
    public static boolean isPassedOver(Option option, String verb) {
        boolean isLight = ALL.contains(option) && !WEIGHTY.contains(option);
        boolean isAct = VERBS.contains(verb) || verb.startsWith("p ");
        return (isLight || option.equals(Option.GPUS)) && isAct;
    }
}

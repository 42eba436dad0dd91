package fairlead.job;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Whether an attempt that has ended is tried again (items O37 to O41 of OpenPAI's rules). It is
 * always the whole job that is tried again, never a single task. A policy reads no clock and throws
 * no dice: whoever asks hands them in, so that the same facts lead to the same pause.
 *
 * @param limit how many failures of unknown kind are tried again, {@link #WITHOUT_LIMIT}, or {@link
 *     #ALWAYS}
 * @param kinds what an exit code says about a failure; a code that is not here is unknown
 */
public record RetryPolicy(int limit, Map<Integer, Kind> kinds) {
    /** Every unknown failure is tried again. */
    public static final int WITHOUT_LIMIT = -1;

    /** Whatever happened is tried again at once, even a success: for services that must be up. */
    public static final int ALWAYS = -2;

    /** Above the tries that a year of minutes has room for; below it no counter overflows. */
    public static final int LIMIT_MAX = 1_000_000;

    /** There are 256 exit codes. */
    private static final int KINDS_MAX = 256;

    private static final Duration CONFLICT_PAUSE_MIN = Duration.ofSeconds(600);
    private static final Duration CONFLICT_PAUSE_MAX = Duration.ofSeconds(3_600);

    /** From this conflict on a pause may be of any length up to the longest. */
    private static final int CONFLICTS_FOR_MAX = 6;

    public RetryPolicy {
        kinds = Collections.unmodifiableMap(new TreeMap<>(kinds));
        SpecException.unless(
                limit >= ALWAYS && limit <= LIMIT_MAX,
                "retries",
                "must be " + ALWAYS + " to " + LIMIT_MAX + ", but is " + limit);
        SpecException.unless(
                kinds.size() <= KINDS_MAX,
                "retries",
                "name " + kinds.size() + " exit codes; there are " + KINDS_MAX);
        for (var each : kinds.entrySet()) {
            boolean isFailure = each.getKey() != 0 && each.getValue() != Kind.SUCCEEDED;
            SpecException.unless(
                    isFailure, "retries", "call exit code " + each.getKey() + " a success");
        }
    }

    /** What an end says about another try. */
    public enum Kind {
        SUCCEEDED,

        /** Will pass by itself: tried again without using up the limit. */
        TRANSIENT,

        /** Others were in the way: tried again after a long random pause, without using it up. */
        CONFLICT,

        /** Would end the same way again: never tried again. */
        PERMANENT,

        /** Nobody knows: tried again up to the limit. */
        UNKNOWN
    }

    /** How often a job was tried again, by the kind of end that led to it. */
    public record Tries(
            int succeeded, int transients, int conflicts, int permanents, int unknowns) {
        public static final Tries NONE = new Tries(0, 0, 0, 0, 0);

        /** All of them (O46). */
        public int sum() {
            return succeeded + transients + conflicts + permanents + unknowns;
        }

        Tries plus(Kind kind) {
            return switch (kind) {
                case SUCCEEDED ->
                        new Tries(succeeded + 1, transients, conflicts, permanents, unknowns);
                case TRANSIENT ->
                        new Tries(succeeded, transients + 1, conflicts, permanents, unknowns);
                case CONFLICT ->
                        new Tries(succeeded, transients, conflicts + 1, permanents, unknowns);
                case PERMANENT ->
                        new Tries(succeeded, transients, conflicts, permanents + 1, unknowns);
                case UNKNOWN ->
                        new Tries(succeeded, transients, conflicts, permanents, unknowns + 1);
            };
        }
    }

    /** What follows the end of an attempt. */
    public sealed interface Decision {
        /**
         * The job goes back into the queue.
         *
         * @param tries with this one
         * @param pause at least so long before it may start; zero for now
         */
        record Again(Tries tries, Duration pause) implements Decision {}

        record Over() implements Decision {}
    }

    /**
     * A lost attempt is transient: nobody is to blame for it. One of which a task took too much
     * memory would do so again, whatever code the kill has left.
     */
    public Kind kind(Verdict verdict, Collection<Exit> exits) {
        return switch (verdict) {
            case Verdict.Succeeded _ -> Kind.SUCCEEDED;
            case Verdict.Failed(int code, _) ->
                    exits.stream().anyMatch(Exit::outOfMemory)
                            ? Kind.PERMANENT
                            : kinds.getOrDefault(code, Kind.UNKNOWN);
            case Verdict.Lost _ -> Kind.TRANSIENT;
        };
    }

    /**
     * @param sofar without the end that this is about
     * @param dice from 0 to below 1
     */
    public Decision after(Kind kind, Tries sofar, double dice) {
        if (limit == ALWAYS) return again(kind, sofar, Duration.ZERO);
        return switch (kind) {
            case SUCCEEDED, PERMANENT -> new Decision.Over();
            case TRANSIENT -> again(kind, sofar, Duration.ZERO);
            case CONFLICT -> again(kind, sofar, conflictPause(sofar.conflicts(), dice));
            case UNKNOWN ->
                    limit == WITHOUT_LIMIT || sofar.unknowns() < limit
                            ? again(kind, sofar, Duration.ZERO)
                            : new Decision.Over();
        };
    }

    private static Decision again(Kind kind, Tries sofar, Duration pause) {
        return new Decision.Again(sofar.plus(kind), pause);
    }

    /** Random, so that those who were in each other's way do not meet again. */
    private static Duration conflictPause(int conflicts, double dice) {
        double degree = Math.min(1.0, (double) conflicts / CONFLICTS_FOR_MAX);
        double room = CONFLICT_PAUSE_MAX.minus(CONFLICT_PAUSE_MIN).toSeconds() * degree;
        return CONFLICT_PAUSE_MIN.plusSeconds(Math.round(dice * room));
    }
}

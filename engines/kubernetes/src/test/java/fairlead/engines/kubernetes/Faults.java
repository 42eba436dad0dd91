package fairlead.engines.kubernetes;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The failures that a test has ordered for the next calls to an API server. Any thread. */
public final class Faults {
    private final List<Order> orders = new ArrayList<>();

    /** What happens to a call instead of its answer. */
    public sealed interface Fault {}

    /** An answer by the front, without the call being carried out. */
    record Answer(int code, String reason, String message, int retryAfterSeconds)
            implements Fault {}

    /** The connection ends without an answer. */
    enum Cut implements Fault {
        /** The call was not carried out. */
        BEFORE,
        /** It was: only its answer is lost. */
        AFTER
    }

    private record Order(Predicate<ApiCall> which, Fault fault, int[] left) {}

    public static Fault conflict() {
        return new Answer(409, "Conflict", "the object has been modified; please try again", 0);
    }

    public static Fault tooMany(int retryAfterSeconds) {
        return new Answer(
                429,
                "TooManyRequests",
                "too many requests, please try again later",
                retryAfterSeconds);
    }

    public static Fault broken() {
        return new Answer(500, "InternalError", "Internal error occurred: etcd has no leader", 0);
    }

    public static Fault forbidden() {
        return new Answer(403, "Forbidden", "the account may not do this", 0);
    }

    public static Fault cut() {
        return Cut.BEFORE;
    }

    public static Fault lostAnswer() {
        return Cut.AFTER;
    }

    /** The next calls that match, after those of earlier orders. */
    public synchronized void next(int calls, Predicate<ApiCall> which, Fault fault) {
        orders.add(new Order(which, fault, new int[] {calls}));
    }

    /** Such calls by their verb and resource, in all namespaces. */
    public static Predicate<ApiCall> calls(String verb, String resource) {
        return call -> call.verb().equals(verb) && call.resource().equals(resource);
    }

    /** Takes back what is still ordered. */
    public synchronized void clear() {
        orders.clear();
    }

    /** How many calls are still to fail. */
    public synchronized int left() {
        return orders.stream().mapToInt(order -> order.left()[0]).sum();
    }

    synchronized Optional<Fault> take(ApiCall call) {
        for (Order order : orders) {
            if (!order.which().test(call)) continue;
            if (--order.left()[0] == 0) orders.remove(order);
            return Optional.of(order.fault());
        }
        return Optional.empty();
    }
}
